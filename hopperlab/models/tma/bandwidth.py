"""How much must be in flight: bandwidth against the bytes that are asked for at once.

A copy takes a time that does not depend on its size, and a time that does. A block that waits for one copy
before it asks for the next has one tile in flight, so small tiles waste the link on waiting. The constants
were fitted by others to copies of 1 to 8 KiB on an H800 PCIe (claims lit-126.a and lit-126.b); larger copies
and other cards are for testing the model, not part of the fit.

``Stream`` is the same for several copies under way, with what else may set the pace: the thread that asks, and
what memory gives at most. Its constants are fitted to some of a card's curves and tested on the others.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from hopperlab.models.arguments import finite_number, whole_number

FIXED_CYCLES = 794.0  # of one copy, asked and awaited; claim lit-126.a
CYCLES_PER_KIB = 55.0  # claim lit-126.b
PEAK = 1.961e12  # bytes per second, all blocks together; claim lit-127


def copy_cycles(nbytes: int) -> float:
    """Cycles from asking for a bulk copy of `nbytes` to its bytes being there, with every SM asking."""
    whole_number("nbytes", nbytes, 1, 227 * 1024)
    return FIXED_CYCLES + CYCLES_PER_KIB * nbytes / 1024


def loop_bandwidth(
    nbytes: int, blocks: int, clock_hz: float, *, stages: int = 1, peak: float = PEAK
) -> float:
    """Bytes per second of `blocks` blocks that copy tiles in a loop, each with `stages` tiles in flight.

    Parameters
    ----------
    nbytes
        Size of a tile, 1 byte to 227 KiB.
    blocks
        Blocks that run at once.
    clock_hz
        Of the SMs.
    stages
        Tiles that each block has asked for and not yet received.
    peak
        What memory gives at most, bytes per second.
    """
    whole_number("blocks", blocks, 1, 2**31 - 1)
    whole_number("stages", stages, 1, 2**20)
    finite_number("clock_hz", clock_hz, above=0)
    finite_number("peak", peak, above=0)
    return min(peak, blocks * stages * nbytes * clock_hz / copy_cycles(nbytes))


def bytes_in_flight(bandwidth: float, latency_s: float) -> float:
    """Little's law: the bytes that must be under way to keep `bandwidth` busy through `latency_s` seconds."""
    finite_number("bandwidth", bandwidth, above=0)
    finite_number("latency_s", latency_s, above=0)
    return bandwidth * latency_s


@dataclass(frozen=True)
class Stream:
    """How fast blocks read tiles, each with some of them under way.

    A round brings all that is under way once. It lasts as long as the slowest of three: the latency and the way of
    its bytes, the thread that asks for one box after another, and memory itself.

    Attributes
    ----------
    latency_s
        Seconds from asking for a box to its being there, its size left out.
    seconds_per_byte
        More of them for each byte that a block has under way.
    seconds_per_box
        Of the loop that asks, or reads, one box after another.
    ceiling
        Bytes per second that memory gives all blocks together.
    """

    latency_s: float
    seconds_per_byte: float
    seconds_per_box: float
    ceiling: float

    def limits(self, nbytes: int, stages: int, blocks: int) -> dict[str, float]:
        """Bytes per second that each limit allows: "latency", "asking" and "memory".

        Parameters
        ----------
        nbytes
            Size of a box.
        stages
            Boxes that a block has under way.
        blocks
            Blocks that run at once.
        """
        whole_number("nbytes", nbytes, 1, 227 * 1024)
        whole_number("stages", stages, 1, 2**20)
        whole_number("blocks", blocks, 1, 2**31 - 1)
        under_way = nbytes * stages
        return {
            "latency": blocks * under_way / (self.latency_s + self.seconds_per_byte * under_way),
            "asking": blocks * nbytes / self.seconds_per_box,
            "memory": self.ceiling,
        }

    def bandwidth(self, nbytes: int, stages: int, blocks: int) -> float:
        """Bytes per second of all blocks: the least of the ``limits``."""
        return min(self.limits(nbytes, stages, blocks).values())


def fit_stream(points: Sequence[tuple[int, int, float]], blocks: int) -> Stream:
    """The stream that comes nearest to measured points, as (bytes of a box, stages, bytes per second).

    The ceiling is the fastest point, and the asking thread's pace the least time a box. Latency and way follow
    by least squares, relative to the time of a round, from the points that neither of these two sets the pace of.

    Raises
    ------
    ValueError
        If fewer than two points are left for that.
    """
    ceiling = max(rate for *_, rate in points)
    per_box = min(blocks * nbytes / rate for nbytes, _, rate in points)
    free = [
        (nbytes * stages, blocks * nbytes * stages / rate)
        for nbytes, stages, rate in points
        if rate < 0.9 * ceiling and blocks * nbytes / rate > 1.1 * per_box
    ]
    if len(free) < 2:
        raise ValueError(f"points has {len(free)} that only latency holds back: 2 or more are needed")
    under_way, seconds = np.array(free).T
    rows = np.column_stack([1 / seconds, under_way / seconds])
    (latency, per_byte), *_ = np.linalg.lstsq(rows, np.ones(len(free)), rcond=None)
    return Stream(float(latency), float(per_byte), float(per_box), float(ceiling))
