"""Three ways to go wrong: a score that wraps, costs read as unsigned, and a benchmark of nothing."""

import numpy as np

from hopperlab import ledger
from hopperlab.course.specimens import Specimen
from hopperlab.models.dpx import function_named
from hopperlab.models.dpx.rates import LANES
from hopperlab.views.picture import Picture
from hopperlab.views.side_by_side import side_by_side

MATCH = 64
LETTERS = 520


def _pair(number: int) -> np.ndarray:
    """A number in both halves of a word."""
    low = np.uint32(number & 0xFFFF)
    return np.array([low | low << np.uint32(16)], np.uint32)


def _low(words: np.ndarray, dtype: type) -> int:
    return int((words[0] & np.uint32(0xFFFF)).astype(np.uint16).view(dtype))


def scores_along_the_diagonal(letters: int = LETTERS, match: int = MATCH) -> list[int]:
    """Scores of two equal sequences after each letter, as pairs of 16 bits have them."""
    add = function_named("viaddmax_s16x2_relu")
    score, scores = _pair(0), []
    for _ in range(letters):
        score = add(score, _pair(match), _pair(0))
        scores.append(_low(score, np.int16))
    return scores


def _wrapped_at() -> int:
    """The first letter after which the score is wrong."""
    return next(n for n, score in enumerate(scores_along_the_diagonal(), 1) if score != n * MATCH)


def _wrap() -> str:
    at = _wrapped_at()
    seen = scores_along_the_diagonal()[at - 1]
    return (
        f"after {at} equal letters the score is {seen} instead of {at * MATCH:,}: the sum wrapped around below 0, "
        "and the floor hid it."
    )


def _wrap_table() -> Picture:
    at, scores = _wrapped_at(), scores_along_the_diagonal()
    letters = (1, at - 2, at - 1, at, at + 1, at + 2)
    rows = [[str(n), f"{n * MATCH:,}", f"{scores[n - 1]:,}"] for n in letters]
    wrong = [row for row, n in enumerate(letters) if scores[n - 1] != n * MATCH]
    return side_by_side(
        "Equal sequences, a letter at a time", ["letters", "score", "score in 16 bits"], rows, wrong
    )


COSTS = (-1, -3, -7)


def _unsigned_results() -> list[int]:
    function = function_named("viaddmax_u16x2")
    return [_low(function(_pair(cost), _pair(0), _pair(2)), np.uint16) for cost in COSTS]


def _unsigned() -> str:
    read = _unsigned_results()[1]
    return (
        f"a path that costs {-COSTS[1]} beats one that earns 2: read without a sign, {COSTS[1]} is {read:,}."
    )


def _unsigned_table() -> Picture:
    rows = [[str(cost), "2", "2", f"{got:,}"] for cost, got in zip(COSTS, _unsigned_results(), strict=True)]
    heads = ["a + b", "c", "larger of both", "viaddmax_u16x2"]
    return side_by_side("Costs below 0, unsigned", heads, rows, range(len(rows)))


def _vanished() -> str:
    rate, latency = (ledger.claim(id).number for id in ("lit-147.a", "lit-147.b"))
    return f"{rate:g} results a clock from an SM, and {latency:g} cycles each: the compiler had removed the loop."


def _vanished_table() -> Picture:
    rate, latency = (ledger.claim(id).number for id in ("lit-147.a", "lit-147.b"))
    rows = [
        ["results a clock and SM", f"{LANES['integer']} (modelled)", f"{rate:g} (quoted, lit-147.a)"],
        ["cycles to a result", "more than 1", f"{latency:g} (quoted, lit-147.b)"],
    ]
    return side_by_side("A published log", ["what", "at most, or at least", "printed"], rows, [0, 1])


SPECIMENS = (
    Specimen(
        "A score that wraps",
        f"Two equal sequences of {LETTERS} letters are aligned in pairs of 16 bits; a match earns {MATCH}.",
        _wrap,
        "Bound the score before: the shorter length times a match must stay below 32,768. Else use 32 bits.",
        _wrap_table,
    ),
    Specimen(
        "Costs without a sign",
        "The unsigned form is called on scores that may be negative.",
        _unsigned,
        "Use the signed form. Shortest paths, whose lengths are never negative, may use the unsigned one.",
        _unsigned_table,
    ),
    Specimen(
        "A benchmark of nothing",
        "__vibmax_s32 is timed in a loop whose results nobody reads, on cards that have no such instruction.",
        _vanished,
        "Store what was computed, check it, and look for the instruction in the machine code before believing a rate.",
        _vanished_table,
    ),
)
