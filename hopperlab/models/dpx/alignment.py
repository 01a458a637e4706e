"""Smith-Waterman: the score of the best local alignment of one query with many targets, with affine gaps.

    E(i, j) = max(E(i-1, j) - extend, H(i-1, j) - open)      the target's letter i stands against a gap
    F(i, j) = max(F(i, j-1) - extend, H(i, j-1) - open)      the query's letter j stands against a gap
    H(i, j) = max(H(i-1, j-1) + score(i, j), E(i, j), F(i, j), 0)

A gap of n letters costs open + (n - 1) * extend. The best alignment scores the largest H.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from hopperlab.models.arguments import whole_number

LETTERS = 4
"""Letters are 0 to 3: the four bases of DNA."""

MOST = 2**15 - 1


@dataclass(frozen=True)
class Scoring:
    """What a match earns, and what a mismatch and a gap cost; all but `match` are costs, not below 0.

    The defaults are those of NCBI's blastn, where a gap costs 5, and each of its letters 2.
    """

    match: int = 2
    mismatch: int = 3
    gap_open: int = 7
    gap_extend: int = 2

    def __post_init__(self) -> None:
        """Refuse what 16 bits have no room for, and a gap that is cheaper to open than to extend."""
        for name in ("match", "mismatch", "gap_open", "gap_extend"):
            whole_number(name, getattr(self, name), 0, 255)
        if self.gap_open < self.gap_extend:
            raise ValueError(f"gap_open={self.gap_open} must be at least gap_extend={self.gap_extend}")


def smith_waterman(query: ArrayLike, targets: ArrayLike, scoring: Scoring | None = None) -> np.ndarray:
    """Give the score of the best local alignment of the query with each target.

    Parameters
    ----------
    query
        Letters, 0 to 3, of shape (columns,).
    targets
        Letters of shape (count, rows).

    Returns
    -------
    numpy.ndarray
        int32, shape (count,).

    Raises
    ------
    ValueError
        For shapes or letters that are none of these.
    """
    return score_matrices(query, targets, scoring).max(axis=(1, 2), initial=0)


def score_matrices(query: ArrayLike, targets: ArrayLike, scoring: Scoring | None = None) -> np.ndarray:
    """Give every H(i, j): int32, shape (count, rows, columns). Arguments and errors as `smith_waterman`."""
    scoring = scoring or Scoring()
    query, targets = _letters("query", query, 1), _letters("targets", targets, 2)
    count, rows = targets.shape
    scores = np.zeros((count, rows + 1, query.size + 1), np.int32)
    from_above = np.full((count, query.size + 1), -MOST, np.int32)
    for i in range(1, rows + 1):
        above, here = scores[:, i - 1], scores[:, i]
        from_above = np.maximum(from_above - scoring.gap_extend, above - scoring.gap_open)
        matches = query == targets[:, i - 1, np.newaxis]
        diagonal = above[:, :-1] + np.where(matches, scoring.match, -scoring.mismatch)
        reached = np.maximum(np.maximum(diagonal, from_above[:, 1:]), 0)
        from_left = np.full(count, -MOST, np.int32)
        for j in range(1, query.size + 1):
            from_left = np.maximum(from_left - scoring.gap_extend, here[:, j - 1] - scoring.gap_open)
            here[:, j] = np.maximum(reached[:, j - 1], from_left)
    return scores[:, 1:, 1:]


def _letters(name: str, letters: ArrayLike, dimensions: int) -> np.ndarray:
    array = np.asarray(letters)
    if array.ndim != dimensions or array.dtype.kind not in "iu":
        raise ValueError(
            f"{name}: shape {array.shape}, dtype {array.dtype} must be {dimensions}-D whole numbers"
        )
    if array.size and not 0 <= array.min() <= array.max() < LETTERS:
        raise ValueError(f"{name}: letters {array.min()} to {array.max()} must be in 0 to {LETTERS - 1}")
    return array
