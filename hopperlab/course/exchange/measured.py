"""What one H200 showed, as this lesson's answers and figures take it from the recordings."""

from functools import cache
from typing import Any

from hopperlab import ledger

CARD = "H200 SXM"


@cache
def found(experiment: str) -> dict[str, Any]:
    """The results of an experiment's recording."""
    return ledger.recordings(experiment, card=CARD)[0].results


def round_trip(protocol: str) -> float:
    """The measured cycles of a word to and fro by a protocol."""
    return found("exchange_protocols")["round_trip_cycles"][protocol]


def histogram_gains(draw: str) -> dict[int, float]:
    """For each number of bins, the best time without clusters over the best with them."""
    return {bins: gain for drawn, bins, _, gain in found("exchange_programs")["histograms"] if drawn == draw}


def histogram_gains_by_size(draw: str) -> dict[str, dict[int, float]]:
    """The same for each size of cluster by itself."""
    gains: dict[str, dict[int, float]] = {}
    for drawn, bins, rates, _ in found("exchange_programs")["histograms"]:
        if drawn == draw:
            without = max(rate for where, rate in rates.items() if not where.startswith("cluster"))
            for where, rate in rates.items():
                if where.startswith("cluster"):
                    gains.setdefault(where, {})[bins] = rate / without
    return gains


def all_reduce_gains() -> dict[str, dict[int, float]]:
    """For each size of cluster and number of words, the cycles through global memory over those in the cluster."""
    gains: dict[str, dict[int, float]] = {}
    for size, words, _, _, gain in found("exchange_programs")["all_reduces"]:
        gains.setdefault(f"cluster of {size}", {})[words] = gain
    return gains
