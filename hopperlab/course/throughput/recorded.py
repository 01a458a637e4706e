"""What the card of this lesson was measured to do, in lane results of one SM in a clock."""

from functools import cache

from hopperlab import ledger
from hopperlab.ledger import Recording
from hopperlab.measure.throughput.rates import row_of

CARD = "H200 SXM"


@cache
def recording() -> Recording:
    """The recording of instruction rates."""
    (found,) = ledger.recordings("instruction_rates", card=CARD)
    return found


def lane_results(operation: str) -> float:
    """Lane results of a full SM in a clock."""
    return row_of(recording(), operation)["results_per_clock_per_sm"]


def latency(operation: str) -> float:
    """Cycles from one result to the next that needs it."""
    return row_of(recording(), operation)["latency_cycles"]


def seeming(kernel: str) -> float:
    """Lane results that a kernel without its loop seems to give: "forgotten" or "added up"."""
    return recording().results["seeming_results_per_clock_per_sm"][kernel]


@cache
def by_warps(operation: str) -> dict[int, dict[int, float]]:
    """Lane results by chains and warps."""
    found: dict[int, dict[int, float]] = {}
    for name, chains, warps, rate in recording().results["warps"]:
        if name == operation:
            found.setdefault(chains, {})[warps] = rate
    return found


def dpx_results(function: str) -> float:
    """Lane results of a fused DPX function, from the recording of lesson 03."""
    return _fused(function)[1]


def dpx_latency(function: str) -> float:
    """Cycles from one of its results to the next that needs it."""
    return _fused(function)[0]


def _fused(function: str) -> tuple[float, float]:
    (found,) = ledger.recordings("dpx_rates", card=CARD)
    rows = found.results["functions"]
    return next((cycles, rate) for name, how, cycles, rate in rows if (name, how) == (function, "fused"))
