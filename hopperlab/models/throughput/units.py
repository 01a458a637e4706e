"""The units of an SM: lanes, issue, and Little's law between latency and rate.

Results a clock are results of lanes: a fused multiply-add is one, a packed pair two. An SM issues at most four
warp instructions a clock, one for each sub-partition (article-032.b).
"""

from dataclasses import dataclass

from hopperlab.chip import chip
from hopperlab.models.arguments import finite_number, whole_number

HOPPER = chip("H100 SXM5")
SUB_PARTITIONS = 4
"""Sub-partitions of an SM; each issues one warp instruction a clock (article-032.b)."""

WARP = HOPPER.threads_per_warp


@dataclass(frozen=True)
class Unit:
    """A unit of an SM.

    Attributes
    ----------
    name
        What it is called.
    lanes
        Threads that it serves in a clock, of the whole SM.
    claim
        The claim that its lanes rest on.
    operations
        The operations it does, by the names of `kernels.throughput`.
    results
        Results of one thread's operation: 2 for packed pairs.
    """

    name: str
    lanes: int
    claim: str
    operations: tuple[str, ...]
    results: int = 1

    @property
    def results_per_clock(self) -> int:
        """Results of an SM in a clock, with the unit busy all the time."""
        return self.results * min(self.lanes, SUB_PARTITIONS * WARP)


UNITS = (
    Unit("FP32", HOPPER.fp32_lanes_per_sm, "lit-157.b", ("fp32 add", "fp32 multiply", "fp32 fma")),
    Unit("FP64", HOPPER.fp64_lanes_per_sm, "lit-157.c", ("fp64 add", "fp64 multiply", "fp64 fma")),
    Unit("FP16 pairs", 128, "recalled-013", ("fp16x2 add", "fp16x2 multiply", "fp16x2 fma"), results=2),
    Unit(
        "INT32",
        HOPPER.int32_lanes_per_sm,
        "lit-157.d",
        ("int32 multiply", "int32 multiply-add", "int32 and-xor", "int32 shift"),
    ),
    Unit(
        "special functions",
        16,
        "recalled-014",
        ("exp2", "log2", "reciprocal root", "hyperbolic tangent"),
    ),
    Unit("bit counting", 16, "recalled-015", ("int32 count bits", "int32 leading one", "int32 reverse bits")),
    Unit("shuffles", 32, "recalled-016", ("shuffle",)),
)
"""The units whose rates are published; the rest is for measuring."""


def rate_of(operation: str) -> int | None:
    """Give the results of an SM in a clock that an operation's unit allows; None where nobody published any."""
    return next((unit.results_per_clock for unit in UNITS if operation in unit.operations), None)


def rate(lanes: float, latency: float, warps: int, chains: int) -> float:
    """Give the operations of an SM in a clock, of warps that each do the same work in chains of dependent operations.

    A chain has one operation under way at a time, and each takes `latency` cycles: by Little's law a warp makes
    32 * chains / latency results a clock until the lanes are busy. Warps are dealt to four sub-partitions, each
    with a quarter of the lanes; the SM is done when the one with the most warps is.

    Parameters
    ----------
    lanes
        Threads that the unit serves in a clock.
    latency
        Cycles from one result to the next that needs it.
    warps
        Warps of the SM, at most 64.
    chains
        Chains of each thread.

    Raises
    ------
    ValueError
        If an argument is out of its range.
    """
    finite_number("lanes", lanes, above=0)
    finite_number("latency", latency, above=0)
    whole_number("warps", warps, 1, HOPPER.max_warps_per_sm)
    whole_number("chains", chains, 1, 255)
    most = -(-warps // SUB_PARTITIONS)
    return warps / most * min(lanes / SUB_PARTITIONS, WARP * most * chains / latency)


def warps_to_fill(lanes: float, latency: float, chains: int = 1) -> int | None:
    """Give the fewest warps that keep the lanes busy, dealt to four sub-partitions; None if no SM holds as many."""
    warps = range(1, HOPPER.max_warps_per_sm + 1)
    return next((count for count in warps if rate(lanes, latency, count, chains) >= lanes), None)


def in_flight_to_fill(lanes: float, latency: float) -> float:
    """Give the chains of threads that must be under way in an SM to keep the lanes busy."""
    finite_number("lanes", lanes, above=0)
    finite_number("latency", latency, above=0)
    return lanes * latency
