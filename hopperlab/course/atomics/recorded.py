"""What the recordings of one card say of atomics, as lesson 19 asks for it."""

from functools import cache

import numpy as np

from hopperlab import ledger
from hopperlab.measure.atomics import hand_off

CARD = "H200 SXM"
ONE_WARP, TWO_WARPS, CLUSTER, THIRD_BLOCK, GLOBAL = (
    "shared, two threads of a warp",
    "shared, two warps",
    "cluster, the word with the first player",
    "cluster, the word with a third block",
    "global",
)
"""Places of the word, as the results of `hand_off` name them."""


@cache
def recording(experiment: str) -> ledger.Recording:
    """The recording of an experiment on this lesson's card."""
    (found,) = ledger.recordings(experiment, card=CARD)
    return found


def cycles(place: str) -> float:
    """Cycles of a hand-off, one way; in global memory the median over all pairs of SMs."""
    return recording("hand_off").results["hand_off_cycles"][place]


def nanoseconds(place: str) -> float:
    """The same as time, at the clock of the recording."""
    return recording("hand_off").results["hand_off_ns"][place]


def clock_mhz() -> float:
    """The clock at which hand-offs were recorded."""
    return recording("hand_off").results["clock_mhz"]


@cache
def matrix() -> np.ndarray:
    """Cycles of a hand-off in global memory between every two SMs."""
    return hand_off.pair_matrix(recording("hand_off").samples)


@cache
def by_sides() -> dict[tuple[int, int], float]:
    """Median cycles of a hand-off by the sides of the chip that the two SMs are on."""
    return hand_off.by_sides(matrix(), recording("l2_map").results["sides"])


@cache
def near_sms() -> frozenset[int]:
    """The SMs on that side of the chip whose hand-offs are quickest: the word lies there."""
    home = min((0, 1), key=lambda side: by_sides()[side, side])
    return frozenset(recording("l2_map").results["sides"][home])


def additions() -> dict[str, list[tuple[int, float]]]:
    """For each way of choosing words in global memory: SMs, and additions a clock of them all."""
    found: dict[str, list[tuple[int, float]]] = {}
    for spread, blocks, rate in recording("atomic_additions").results["global"]:
        found.setdefault(spread, []).append((blocks, rate))
    return found


def shared_additions() -> dict[str, float]:
    """Additions a clock in the shared memory of one SM, by how words are chosen."""
    return recording("atomic_additions").results["shared_additions_per_clock"]


def contended_swap(sms: int) -> float:
    """Cycles from one successful compare-and-swap to the next, with so many SMs at one word."""
    return dict(recording("atomic_additions").results["cycles_per_swap"])[sms]


def gain_on_one_word() -> float:
    """How many times the additions a clock all SMs make on one word, beside one SM."""
    rows = additions()["one word"]
    return rows[-1][1] / rows[0][1]
