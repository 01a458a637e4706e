"""What the recording of one card says of clock and power, as lesson 17 asks for it."""

from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np

from hopperlab import ledger
from hopperlab.measure.power import against_model
from hopperlab.models import power as model

CARD = "H200 SXM"
ZEROS, MIXED = "tensor cores, zeros", "tensor cores, mixed numbers"
L2_ZEROS, L2_MIXED = "L2 reads, zeros", "L2 reads, mixed numbers"
OF_FILLINGS = {filling: f"tensor cores, {filling}" for filling in ("zeros", "ones", "sorted", "random")}
"""For each way to fill a matrix, the phase in which it was multiplied."""

LOADS = (*OF_FILLINGS.values(), MIXED, L2_ZEROS, L2_MIXED)


@cache
def recording() -> ledger.Recording:
    """The recording of clocks and power on this lesson's card."""
    (found,) = ledger.recordings("clocks_and_power", card=CARD)
    return found


def result(phase: str) -> dict[str, Any]:
    """Medians of the later half of a phase: sm_mhz, power_w, temperature_c, tera_per_second."""
    return recording().results[phase]


@cache
def phases() -> tuple[tuple[str, list], ...]:
    """Each phase in order, with its samples: phase, seconds, MHz, W, degrees C, reasons, work a second."""
    return tuple(against_model.phases(recording()))


def samples(phase: str) -> list:
    """The samples of a phase under load."""
    return next(rows for name, rows in phases() if name == phase)


def since_start(phase: str) -> list[tuple[float, float, float]]:
    """Seconds since the phase began, MHz and watts, of each of its samples."""
    rows = samples(phase)
    return [(row[1] - rows[0][1], row[2], row[3]) for row in rows]


def seconds_to_reading(phase: str, share: float = 0.9) -> float:
    """Seconds of a phase until the reading has come to this share of what it settles at."""
    settled = result(phase)["power_w"]
    return next(at for at, _, watts in since_start(phase) if watts >= share * settled)


def seconds_to_slower(phase: str) -> float:
    """Seconds of a phase until its clock was first read below the boost clock."""
    return next(at for at, mhz, _ in since_start(phase) if mhz < model.BOOST_MHZ)


BURST_SECONDS = 0.12  # until then the clock falls


def burst(phase: str) -> tuple[list[float], list[float]]:
    """Seconds and MHz of the first launches of a phase; each launch's clock is told by its work a second."""
    settled = result(phase)
    at = [seconds for seconds, _, _ in since_start(phase)]
    work = [row[6] for row in samples(phase)]
    first = sum(seconds < BURST_SECONDS for seconds in at)
    lasting = [after - before for before, after in pairwise(at[: first + 1])]
    return lasting, [rate * settled["sm_mhz"] / settled["tera_per_second"] for rate in work[:first]]


def burst_joules(phase: str) -> float:
    """Energy of the first launches above what the phase settles at, by how far the reading overshoots.

    A reading is a mean over the window, so its excess in watts times the window is energy. Where the window that
    overshoots still held a moment of rest, the energy was more.
    """
    readings = [(at / model.WINDOW_SECONDS, watts) for at, _, watts in since_start(phase)]
    highest = max(watts for at, watts in readings if 1 <= at < 1.2)
    later = [watts for at, watts in readings if 1.2 <= at < 2.2]
    return (highest - float(np.median(later))) * model.WINDOW_SECONDS


def mixed_numbers() -> tuple[np.ndarray, np.ndarray]:
    """The operands of the products of mixed numbers, (64, 128) and (256, 128) of uint8, as the kernel makes them."""
    from hopperlab.kernels.power import COLUMNS, NO_NAN, ROWS, STEP
    from hopperlab.measure.power.watching import SCRAMBLE

    def made(rows: int, first: int, shift: int) -> np.ndarray:
        at = np.arange(rows * STEP, dtype=np.uint64).reshape(rows, STEP) + np.uint64(first)
        return ((np.uint64(SCRAMBLE) * at >> np.uint64(shift)) & np.uint64(NO_NAN)).astype(np.uint8)

    return made(ROWS, 1, 13), made(COLUMNS, 7, 11)


@cache
def mixed_share() -> float:
    """The share of bits that changes between neighbors of the mixed numbers, of both operands."""
    return model.changing_share(np.concatenate(mixed_numbers()))
