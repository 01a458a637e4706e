"""The three bandwidths of one run: algorithm, bus and wire; and the units that they are told in.

A `Rate` always says what it counts and in how many directions, so that two of them are only compared where they
mean the same.
"""

from dataclasses import dataclass, replace

from hopperlab.models.arguments import finite_number, whole_number
from hopperlab.models.collectives.operations import MOST_RANKS, operation
from hopperlab.models.collectives.traffic import traffic

UNITS_OF_RATE = {"GB/s": 1e9, "GiB/s": 2.0**30, "Gb/s": 1e9 / 8}
"""Bytes a second of each unit. GB is 10^9 bytes, GiB is 2^30: 7.4 % apart."""

COUNTED = ("algorithm", "bus", "wire")
DIRECTIONS = ("one", "both")


@dataclass(frozen=True)
class Rate:
    """A bandwidth that says what it is.

    Attributes
    ----------
    bytes_per_second
        In the directions that `directions` names.
    counts
        ``"algorithm"``: size over time. ``"bus"``: that times the operation's factor, so that it can be held
        against a link's speed. ``"wire"``: what a link of one rank truly carried.
    directions
        ``"one"`` or ``"both"``: whether sent and received bytes are added.
    """

    bytes_per_second: float
    counts: str
    directions: str = "one"

    def __post_init__(self) -> None:
        """Refuse a rate that does not say what it counts."""
        finite_number("bytes_per_second", self.bytes_per_second, at_least=0)
        if self.counts not in COUNTED:
            raise ValueError(f"counts={self.counts!r} must be one of {', '.join(COUNTED)}")
        if self.directions not in DIRECTIONS:
            raise ValueError(f"directions={self.directions!r} must be one of {', '.join(DIRECTIONS)}")

    def in_unit(self, unit: str) -> float:
        """The number in GB/s, GiB/s or Gb/s."""
        if unit not in UNITS_OF_RATE:
            raise ValueError(f"unit={unit!r} must be one of {', '.join(UNITS_OF_RATE)}")
        return self.bytes_per_second / UNITS_OF_RATE[unit]

    def in_directions(self, directions: str) -> "Rate":
        """The same rate, counted in one direction or in both; sent and received are taken to be equal."""
        if directions == self.directions:
            return self
        factor = 2 if directions == "both" else 0.5
        return replace(self, bytes_per_second=self.bytes_per_second * factor, directions=directions)


def _run(nbytes: float, seconds: float) -> None:
    finite_number("nbytes", nbytes, above=0)
    finite_number("seconds", seconds, above=0)


def algorithm_bandwidth(op: str, ranks: int, nbytes: float, seconds: float) -> Rate:
    """Size over time, the ``algbw`` of nccl-tests; what the size means is told by `Operation.size_means`."""
    operation(op)
    whole_number("ranks", ranks, 1, MOST_RANKS)
    _run(nbytes, seconds)
    return Rate(nbytes / seconds, "algorithm")


def bus_bandwidth(op: str, ranks: int, nbytes: float, seconds: float) -> Rate:
    """Algorithm bandwidth times the operation's factor, the ``busbw`` of nccl-tests (lit-201)."""
    return Rate(
        algorithm_bandwidth(op, ranks, nbytes, seconds).bytes_per_second * operation(op).bus_factor(ranks),
        "bus",
    )


def wire_bandwidth(op: str, ranks: int, nbytes: float, seconds: float, algorithm: str = "ring") -> Rate:
    """What the links of one rank carried in the busier direction, which depends on the algorithm.

    For a ring it equals the bus bandwidth. For an all-reduce in the switch it is algbw times (n + 1) / n
    (lit-202), less than what nccl-tests prints as bus bandwidth.
    """
    _run(nbytes, seconds)
    return Rate(traffic(op, algorithm, ranks, nbytes).busier / seconds, "wire")


def seconds_from_bus_bandwidth(op: str, ranks: int, nbytes: float, rate: Rate) -> float:
    """The time of a run from its printed bus bandwidth.

    Raises
    ------
    ValueError
        If the rate counts something else, or is 0.
    """
    if rate.counts != "bus" or rate.directions != "one" or rate.bytes_per_second == 0:
        raise ValueError(f"rate={rate} must be a bus bandwidth above 0, in one direction")
    finite_number("nbytes", nbytes, above=0)
    return nbytes * operation(op).bus_factor(ranks) / rate.bytes_per_second
