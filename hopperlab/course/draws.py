"""Random inputs that shrink: every input is made from a list of small integers, and a smaller list makes a
smaller input. So the smallest failing input always lies in the domain of the exercise.
"""

import copy
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, TypeVar

Item = TypeVar("Item")
Inputs = Callable[["Draw"], tuple]
SMALL = 20  # below this, shrinking tries every value


class Draw:
    """Draws the parts of one input, by chance or by replaying choices; 0 is every choice's simplest value."""

    def __init__(self, seed: int | None = None, replay: Sequence[int] = ()) -> None:
        self._random = None if seed is None else random.Random(seed)
        self._replay = tuple(replay)
        self.choices: list[int] = []

    def _choose(self, count: int) -> int:
        """An integer from 0 to count - 1."""
        place = len(self.choices)
        if self._random is not None:
            choice = self._random.randrange(count)
        else:
            choice = min(self._replay[place], count - 1) if place < len(self._replay) else 0
        self.choices.append(choice)
        return choice

    def integer(self, low: int, high: int) -> int:
        """An integer from low to high, both included; low is the simplest."""
        if low > high:
            raise ValueError(f"low is {low}; it must be at most high, {high}")
        return low + self._choose(high - low + 1)

    def boolean(self) -> bool:
        """True or False; False is the simplest."""
        return bool(self._choose(2))

    def choice(self, options: Sequence[Item]) -> Item:
        """One of the options; the first is the simplest."""
        return options[self.integer(0, len(options) - 1)]

    def real(self, low: float, high: float, steps: int = 1024) -> float:
        """A number from low to high on a grid of so many steps; low is the simplest."""
        return low + (high - low) * self.integer(0, steps) / steps

    def several(self, item: Callable[[], Item], low: int, high: int) -> list[Item]:
        """Low to high items, each made by a call of ``item``; the shortest list is the simplest."""
        return [item() for _ in range(self.integer(low, high))]

    def shuffled(self, items: Sequence[Item]) -> list[Item]:
        """The items in some order; their own order is the simplest."""
        left = list(items)
        return [left.pop(self.integer(0, len(left) - 1)) for _ in items]


@dataclass(frozen=True)
class Case:
    """One input of an exercise, and the choices that make it; no choices where a teacher wrote it down."""

    arguments: tuple
    choices: tuple[int, ...] | None = None

    def fresh(self) -> tuple:
        """A copy of the arguments, which may be changed."""
        return copy.deepcopy(self.arguments)


def make(inputs: Inputs, seed: int | None = None, replay: Sequence[int] = ()) -> Case:
    """The input that a seed, or a list of choices, makes."""
    draw = Draw(seed, replay)
    arguments = inputs(draw)
    if not isinstance(arguments, tuple):
        raise TypeError(f"inputs gives {type(arguments).__name__}; it must give a tuple of arguments")
    return Case(arguments, tuple(draw.choices))


def smallest(inputs: Inputs, case: Case, still: Callable[[Case], Any], budget: int = 1000) -> Case:
    """The smallest input found that is still as wanted, starting from one that is.

    Smaller is: fewer choices, then smaller ones, the first counting most. No more than ``budget`` are tried.
    """
    if case.choices is None:
        return case
    best, tried = case, {case.choices}
    improved = True
    while improved:
        improved = False
        for choices in _simpler(best.choices):
            candidate = make(inputs, replay=choices)
            if _size(candidate) >= _size(best) or candidate.choices in tried:
                continue
            if len(tried) > budget:
                return best
            tried.add(candidate.choices)
            if still(candidate):
                best, improved = candidate, True
                break
    return best


def _size(case: Case) -> tuple[int, tuple[int, ...]]:
    return len(case.choices), case.choices


def _simpler(choices: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Choices to try instead: runs left out, also with an earlier choice lowered; one lowered; two lowered."""
    for length in (8, 4, 2, 1):
        for start in range(len(choices) - length + 1):
            shorter = choices[:start] + choices[start + length :]
            yield shorter
            for place in range(start):
                if choices[place]:
                    yield (*shorter[:place], choices[place] - 1, *shorter[place + 1 :])
    for place, choice in enumerate(choices):
        for lower in _lower(choice):
            yield (*choices[:place], lower, *choices[place + 1 :])
    for pair in combinations(range(len(choices)), 2):
        if all(choices[place] for place in pair):
            yield tuple(choice - (place in pair) for place, choice in enumerate(choices))


def _lower(choice: int) -> list[int]:
    """Values to try below a choice: all of the small ones, then by halves."""
    halves = {choice - choice // 2**power for power in range(1, choice.bit_length())}
    return sorted(set(range(min(choice, SMALL))) | halves)
