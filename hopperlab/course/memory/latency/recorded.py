"""What the recordings of one card say of latency, as lesson 18 asks for it."""

from functools import cache

from hopperlab import ledger
from hopperlab.measure.memory.latency import at

CARD = "H200 SXM"
KIB, MIB = 2**10, 2**20
STILL = 1.05  # of a level's latency: still answered by it


@cache
def recording(experiment: str) -> ledger.Recording:
    """The recording of an experiment on this lesson's card."""
    (found,) = ledger.recordings(experiment, card=CARD)
    return found


def curve(name: str) -> list[list[float]]:
    """Footprints in bytes and cycles a load, of one curve."""
    return recording("memory_latency").results["curves"][name]


def last_at(name: str, level: int) -> int:
    """The last footprint of a curve before its latency leaves that of a footprint within a level, in bytes."""
    cycles = STILL * at(curve(name), level)
    beyond = next(size for size, taken in curve(name) if size > level and taken > cycles)
    return max(size for size, _ in curve(name) if size < beyond)


def l1_kib(shared_kib: int) -> float:
    """The last footprint that the L1 cache answers, with so much shared memory asked for; KiB in steps of 8 or 4."""
    return last_at(f"lines, {shared_kib} KiB shared", 8 * KIB) / KIB


def near_l2_mib() -> float:
    """The last footprint that comes as soon as the L2 cache's near half answers, in MiB."""
    return last_at("lines", 8 * MIB) / MIB


def constants_kib() -> float:
    """The last footprint at the first latency of constant memory, in KiB."""
    rows = recording("memory_latency").results["constants"]
    first = at(rows, KIB)
    return max(size for size, cycles in rows if cycles < 1.3 * first) / KIB


def constant_cycles(kib: float) -> float:
    """Cycles of a constant, of a chase through so many KiB of them."""
    return at(recording("memory_latency").results["constants"], kib * KIB)


def sides() -> tuple[float, float]:
    """Cycles of an atomic on a line of the near half of the L2 cache, and of the far half."""
    found = recording("l2_map").results
    return found["near_cycles"], found["far_cycles"]


def far_over_near() -> float:
    """The latter over the former."""
    near, far = sides()
    return far / near
