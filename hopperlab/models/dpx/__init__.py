"""DPX: what its functions compute, and the two dynamic programs of the lesson, in plain numpy."""

from hopperlab.models.dpx.alignment import LETTERS, Scoring, score_matrices, smith_waterman
from hopperlab.models.dpx.functions import FUNCTIONS, Function, function_named
from hopperlab.models.dpx.paths import floyd_warshall, no_edge
from hopperlab.models.dpx.rates import fused, results_per_clock

__all__ = [
    "FUNCTIONS",
    "LETTERS",
    "Function",
    "Scoring",
    "floyd_warshall",
    "function_named",
    "fused",
    "no_edge",
    "results_per_clock",
    "score_matrices",
    "smith_waterman",
]
