"""The most that a unit of an SM can give in a clock, in each of the three ways in which rates are printed."""

from collections.abc import Mapping

from hopperlab.models.arguments import finite_number, whole_number
from hopperlab.models.throughput.units import SUB_PARTITIONS, WARP

LANE_RESULTS, WARP_INSTRUCTIONS, FLOP = "lane results", "warp instructions", "FLOP"
COUNTED = (LANE_RESULTS, WARP_INSTRUCTIONS, FLOP)
"""What a rate may count; an SM issues at most four warp instructions a clock (article-032.b)."""

SLACK = 0.01
"""How far above its ceiling a measured rate may lie: clocks are read a few cycles early or late."""


def ceiling(lanes: float, counted: str, results: int = 1, flop: int = 1) -> float:
    """Give the most that a unit can give in a clock and SM.

    Parameters
    ----------
    lanes
        Threads that it serves in a clock.
    counted
        One of `COUNTED`.
    results
        Results of one thread's instruction: 2 for a packed pair.
    flop
        FLOP of one result: 2 for a fused multiply-add.

    Raises
    ------
    ValueError
        If an argument is out of its range.
    """
    finite_number("lanes", lanes, above=0)
    whole_number("results", results, 1, 2)
    whole_number("flop", flop, 1, 2)
    if counted not in COUNTED:
        raise ValueError(f"counted is {counted!r}; it must be one of: {', '.join(COUNTED)}")
    served = min(lanes, SUB_PARTITIONS * WARP)
    if counted == WARP_INSTRUCTIONS:
        return served / WARP
    return served * results * (flop if counted == FLOP else 1)


def of_a_mix(counts: Mapping[str, int], lanes: Mapping[str, int]) -> float:
    """Give the lane results of a clock and SM where a loop's instructions go to several units: the busiest decides.

    Parameters
    ----------
    counts
        Instructions of a loop's pass, by unit.
    lanes
        Threads that each unit serves in a clock.

    Raises
    ------
    ValueError
        If nothing is counted, or a unit has no lanes.
    """
    missing = set(counts) - set(lanes)
    if missing or not sum(counts.values()):
        raise ValueError(
            f"counts is {dict(counts)!r}; it must count instructions of units with lanes: {list(lanes)}"
        )
    busiest = max(count / lanes[unit] for unit, count in counts.items())
    return min(sum(counts.values()) / busiest, float(SUB_PARTITIONS * WARP))


def possible(rate: float, most: float) -> bool:
    """Whether a rate does not exceed its ceiling by more than reading a clock can explain."""
    return rate <= most * (1 + SLACK)
