"""How far the models of memory are from the recordings, on the curves that they were not fitted to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from typing import TYPE_CHECKING

from hopperlab.models.memory import Staircase, Streams

if TYPE_CHECKING:
    from hopperlab.ledger import Recording

LATENCY_FITTED = ("lines", "every fifth line", "lines, 100 KiB shared", "lines, 228 KiB shared")
BANDWIDTH_FITTED = ((4, 4), (16, 1), (16, 4))  # width and loads in flight
TOLERANCE = 0.15


@dataclass(frozen=True)
class Point:
    """One measurement with the model's number.

    Attributes
    ----------
    curve
        The curve that it belongs to.
    at
        Where on the curve: a footprint in bytes, or a number of blocks.
    modelled, measured
        In cycles, or in 10^9 bytes a second.
    settled
        Whether nothing that is not known decides here, such as a cache's hash.
    """

    curve: str
    at: float
    modelled: float
    measured: float
    settled: bool = True

    @property
    def error(self) -> float:
        """How far off the model is, as a share of the measurement."""
        return self.modelled / self.measured - 1


@dataclass(frozen=True)
class Errors:
    """The errors of some points: median and worst, the worst of those that are settled, and how many are large.

    `beyond` counts errors above the tolerance, whether settled or not.
    """

    points: int
    median: float
    worst: float
    worst_settled: float
    beyond: int

    def __str__(self) -> str:
        """Say it in a line."""
        return (
            f"median error {self.median:.1%}, worst {self.worst:.1%} of {self.points} points, "
            f"{self.beyond} above {TOLERANCE:.0%}; worst {self.worst_settled:.1%} where no hash decides"
            if self.worst > self.worst_settled
            else f"median error {self.median:.1%}, worst {self.worst:.1%} of {self.points} points"
        )


def errors(points: Sequence[Point]) -> Errors:
    """Sum up the errors of points."""
    off = [abs(point.error) for point in points]
    settled = [abs(point.error) for point in points if point.settled]
    return Errors(len(off), median(off), max(off), max(settled), sum(error > TOLERANCE for error in off))


def latency_points(recording: Recording, fitted: bool = False) -> list[Point]:
    """Give the points of a recording `memory_latency` on curves held out, or of those `fitted`."""
    model, curves = Staircase(), {curve["name"]: curve for curve in recording.parameters["curves"]}
    found = []
    for name, rows in recording.results["curves"].items():
        if (name in LATENCY_FITTED) != fitted:
            continue
        stride, shared = curves[name]["stride"], curves[name]["shared_kib"]
        through = curves[name]["through_l1"]
        for footprint, cycles in rows:
            modelled = model.latency(
                footprint, stride, shared_kib=shared, through_l1=through, l2_bytes=recording.card.l2_bytes
            )
            settled = not (through and model.up_to_a_hash(footprint, stride, shared_kib=shared))
            found.append(Point(name, footprint, modelled, cycles, settled))
    return found


def bandwidth_points(recording: Recording, fitted: bool = False) -> list[Point]:
    """Give the points of a recording `bandwidth` on curves held out, or of those `fitted`."""
    model = Streams()
    return [
        Point(
            f"{level}, {in_flight} loads of {width} bytes",
            blocks,
            model.bandwidth(level, width, in_flight, blocks, sms=recording.card.sms, clock_hz=1e6 * mhz)
            / 1e9,
            rate,
        )
        for level, width, in_flight, blocks, rate, mhz in recording.results["shapes"]
        if ((width, in_flight) in BANDWIDTH_FITTED) == fitted
    ]
