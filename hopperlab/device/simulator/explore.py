"""All interleavings of a small kernel, or as many as are asked for.

A run depends on its seed only where the scheduler chooses: which thread goes on, which copy lands, whether a cluster
starts. Here every choice is made by a script instead, and scripts are tried depth first: the first run always takes
the first alternative; then the last choice that has an alternative left is changed, and so on, until none has.

Reduction: threads give way only where they wait, and where they change memory atomically. Between two such points a
thread's steps commute with those of others, or the checks tell of a race between them; so each order of the points
stands for all interleavings of the steps. Choices among threads that have ended nothing since, and among threads of
one meeting that go on with no further word, are still tried in each order: the bound tells when that is too many.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from hopperlab.device.simulator.run import Run

LIMIT = 1000


@dataclass(frozen=True, repr=False)
class Exploration:
    """What all runs came to.

    Attributes
    ----------
    runs
        How many interleavings were run.
    complete
        Whether those were all.
    results
        How many different outputs they gave.
    counter_example
        The shortest run with a finding, with its trace; None if none had one.
    """

    runs: int
    complete: bool
    results: int
    counter_example: Run | None = field(repr=False, default=None)

    def __str__(self) -> str:
        """Tell the exploration in a sentence or two."""
        reach = "all" if self.complete else "the first"
        counted = f"{reach} {self.runs} interleavings"
        if self.counter_example is not None:
            return f"A finding in {counted}:\n{self.counter_example}"
        same = "the same result in each" if self.results == 1 else f"{self.results} different results"
        return f"No finding in {counted}, {same}."

    __repr__ = __str__


class Script:
    """Stands in for the scheduler's generator: gives the choices that were written, then always the first.

    Attributes
    ----------
    made
        The choices of this run: which was taken, and among how many.
    """

    def __init__(self, choices: list[int]) -> None:
        self.choices = choices
        self.made: list[tuple[int, int]] = []

    def choose(self, among: int) -> int:
        """Take one of so many alternatives."""
        place = len(self.made)
        taken = self.choices[place] if place < len(self.choices) else 0
        if among > 1:
            self.made.append((taken, among))
            return taken
        return 0

    def following(self) -> list[int] | None:
        """Give the next script in depth-first order; None after the last."""
        made = list(self.made)
        while made:
            taken, among = made.pop()
            if taken + 1 < among:
                return [choice for choice, _ in made] + [taken + 1]
        return None


def explore(simulate: Callable[..., Run], limit: int = LIMIT) -> Exploration:
    """Run a kernel in every interleaving.

    Parameters
    ----------
    simulate
        Runs it: called with `script`, passes it on to `run.simulate`.
    limit
        The most runs to make.

    Raises
    ------
    ValueError
        If `limit` is below 1.
    """
    if limit < 1:
        raise ValueError(f"limit={limit}: at least one run is needed")
    choices: list[int] | None = []
    seen: set[Any] = set()
    worst: Run | None = None
    runs = 0
    while choices is not None and runs < limit:
        script = Script(choices)
        run = simulate(script=script)
        runs += 1
        seen.add(tuple(array.tobytes() for array in run.outputs.values()))
        if run.findings and (worst is None or _length(run) < _length(worst)):
            worst = run
        choices = script.following()
    return Exploration(runs, choices is None, len(seen), worst)


def _length(run: Run) -> int:
    return len(run.trace.events) if run.trace is not None else 0
