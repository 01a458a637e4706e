"""How far the models of memory are from the recordings, on the curves that they were not fitted to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import TYPE_CHECKING, Any

from hopperlab.models.memory import Staircase, Streams

if TYPE_CHECKING:
    from hopperlab.ledger import Recording

LATENCY_FITTED = ("lines", "every fifth line", "lines, 100 KiB shared", "lines, 228 KiB shared")
"""Curves that the staircase's numbers were fitted to."""

LATENCY_USES = ("fitted", "seen", "held out")
"""What a curve was to the staircase: its numbers were fitted to it; its rules were found with it in view; neither."""

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
    """

    curve: str
    at: float
    modelled: float
    measured: float

    @property
    def error(self) -> float:
        """How far off the model is, as a share of the measurement."""
        return self.modelled / self.measured - 1


@dataclass(frozen=True)
class Errors:
    """The errors of some points: median and worst, and how many are above the tolerance."""

    points: int
    median: float
    worst: float
    beyond: int

    def __str__(self) -> str:
        """Say it in a line."""
        above = f", {self.beyond} above {TOLERANCE:.0%}" if self.beyond else ""
        return f"median error {self.median:.1%}, worst {self.worst:.1%} of {self.points} points{above}"


def errors(points: Sequence[Point]) -> Errors:
    """Sum up the errors of points."""
    off = [abs(point.error) for point in points]
    return Errors(len(off), median(off), max(off), sum(error > TOLERANCE for error in off))


def latency_use(curve: Mapping[str, Any]) -> str:
    """Say what a curve, of a recording's parameters, was to the staircase: one of `LATENCY_USES`.

    Recordings from before any curve was held out do not say so of theirs.
    """
    if curve["name"] in LATENCY_FITTED:
        return "fitted"
    return "held out" if curve.get("held_out", False) else "seen"


def latency_points(recording: Recording, *uses: str) -> list[Point]:
    """Give the points of a recording `memory_latency` on curves of some uses; of all that were not fitted if none.

    The rings are those that the card followed, at the address where they lay if the recording says so.
    """
    model, found = Staircase(), []
    address = recording.samples.get("address", 0)
    for curve in recording.parameters["curves"]:
        if latency_use(curve) not in (uses or LATENCY_USES[1:]):
            continue
        for footprint, cycles in recording.results["curves"].get(curve["name"], ()):
            modelled = model.latency(
                footprint,
                curve["stride"],
                shared_kib=curve["shared_kib"],
                through_l1=curve["through_l1"],
                l2_bytes=recording.card.l2_bytes,
                address=address,
            )
            found.append(Point(curve["name"], footprint, modelled, cycles))
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
