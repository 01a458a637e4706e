"""The operations, and how nccl-tests counts each: what "size" means, and the factor from algbw to busbw."""

from collections.abc import Callable
from dataclasses import dataclass

from hopperlab.models.arguments import whole_number

MOST_RANKS = 65_536


@dataclass(frozen=True)
class Operation:
    """One collective, as nccl-tests counts it (lit-201).

    Attributes
    ----------
    name
        As nccl-tests names it, in lower case with hyphens.
    size_means
        What the size that is printed counts: the buffer of one rank, or all that a rank ends or begins with.
    reduces
        Whether values are added on the way.
    """

    name: str
    size_means: str
    reduces: bool
    _factor: Callable[[int], float]

    def bus_factor(self, ranks: int) -> float:
        """Bus bandwidth over algorithm bandwidth; 0 for one rank where nothing crosses a link."""
        return self._factor(whole_number("ranks", ranks, 1, MOST_RANKS))


def _all_but_one(ranks: int) -> float:
    return (ranks - 1) / ranks


OPERATIONS = {
    one.name: one
    for one in (
        Operation("all-reduce", "the buffer of one rank", True, lambda n: 2 * (n - 1) / n),
        Operation("reduce-scatter", "the whole buffer, count times ranks", True, _all_but_one),
        Operation("all-gather", "the whole buffer, count times ranks", False, _all_but_one),
        Operation("all-to-all", "the whole buffer of one rank, count times ranks", False, _all_but_one),
        Operation("broadcast", "the buffer of one rank", False, lambda n: 1.0),
    )
}
"""Every operation by name (lit-201)."""


def operation(name: str) -> Operation:
    """The operation of that name.

    Raises
    ------
    ValueError
        If there is none.
    """
    if name not in OPERATIONS:
        raise ValueError(f"operation={name!r} is none of {', '.join(OPERATIONS)}")
    return OPERATIONS[name]
