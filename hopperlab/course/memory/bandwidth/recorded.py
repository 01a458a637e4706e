"""What the recording of one card says of bandwidth, as lesson 20 asks for it. Rates are 10^9 bytes a second."""

from hopperlab import ledger
from hopperlab.course.memory.latency.recorded import CARD, MIB, recording
from hopperlab.measure.memory.bandwidth import EVERYTHING, at

__all__ = [
    "CARD",
    "DEEP",
    "MIB",
    "SHOWN",
    "THREADS",
    "bandwidth",
    "blocks_for",
    "half",
    "most",
    "of_8_mb",
    "shape",
]

THREADS = 512
SHOWN = (16, 2)
"""Bytes of a load and loads in flight of the kernel that the first prediction shows."""
DEEP = (16, 4)
"""The same of the kernel with the most in flight."""


def bandwidth() -> ledger.Recording:
    """The recording."""
    return recording("bandwidth")


def shape(level: str, width: int, in_flight: int) -> dict[int, float]:
    """Rates of one kernel by its blocks, from the L2 cache or device memory."""
    rows = bandwidth().results["shapes"]
    return {blocks: rate for *which, blocks, rate, _ in rows if which == [level, width, in_flight]}


def most(level: str) -> float:
    """The most that any kernel and number of blocks reached."""
    return max(rate for row_level, *_, rate, _ in bandwidth().results["shapes"] if row_level == level)


def blocks_for(share: float, level: str = "HBM", kernel: tuple[int, int] = SHOWN) -> int:
    """Blocks of a kernel that reach a share of the most, on a line between the two measured nearest to it."""
    wanted, rates = share * most(level), shape(level, *kernel)
    above = min(blocks for blocks, rate in rates.items() if rate >= wanted)
    below = max(blocks for blocks in rates if blocks < above)
    way = (wanted - rates[below]) / (rates[above] - rates[below])
    return round(below + way * (above - below))


def half(level: str) -> float:
    """What 66 blocks of the deep kernel, on 66 of 132 SMs, reach of the most, in percent."""
    return 100 * shape(level, *DEEP)[66] / most(level)


def of_8_mb(megabytes: float) -> float:
    """The rate at a footprint that all blocks read, in percent of that at 8 MB."""
    return 100 * at(bandwidth(), EVERYTHING, 1e6 * megabytes) / at(bandwidth(), EVERYTHING, 8e6)
