"""What a thread gains when it arrives early and waits late: work done in between.

A thread does some work that others depend on, arrives, does work that needs nobody, and then waits. With
``__syncthreads`` arriving and waiting are one step, so the independent work can only follow it. The model
takes the work as given and the barrier as free: it shows what can be gained, not what the barrier costs.
All times are in one unit of your choice, say cycles.
"""

from collections.abc import Sequence
from typing import NamedTuple

from hopperlab.models.arguments import finite_number


class Lane(NamedTuple):
    """One thread's day: four moments, counted from the common start."""

    arrives: float
    waits: float  # when it begins to wait
    continues: float  # when the wait is over
    finishes: float

    @property
    def idle(self) -> float:
        """Time spent waiting."""
        return self.continues - self.waits


class Schedule(NamedTuple):
    """All threads of a block through one phase of the barrier."""

    lanes: tuple[Lane, ...]

    @property
    def completes(self) -> float:
        """When the phase completes: with the last arrival."""
        return max(lane.arrives for lane in self.lanes)

    @property
    def finishes(self) -> float:
        """When the last thread is done."""
        return max(lane.finishes for lane in self.lanes)

    @property
    def idle(self) -> float:
        """Waiting time of all threads together."""
        return sum(lane.idle for lane in self.lanes)


def arrive_then_wait(
    before: Sequence[float], independent: Sequence[float], after: Sequence[float] | None = None
) -> Schedule:
    """The phase with a split barrier: work, arrive, independent work, wait, the rest.

    Parameters
    ----------
    before
        Each thread's work until it arrives, at least one thread.
    independent
        Each thread's work that needs nothing from the others.
    after
        Each thread's work that needs the phase to be complete; none if left out.

    Raises
    ------
    ValueError
        If the lengths differ, there is no thread, or a time is negative.
    """
    threads = _threads(before, independent, after)
    completes = max(work for work, _, _ in threads)
    lanes = []
    for work, free, rest in threads:
        waits = work + free
        continues = max(waits, completes)
        lanes.append(Lane(work, waits, continues, continues + rest))
    return Schedule(tuple(lanes))


def syncthreads(
    before: Sequence[float], independent: Sequence[float], after: Sequence[float] | None = None
) -> Schedule:
    """The same work with one joint step: work, synchronize, then the independent work and the rest.

    Parameters and errors as for ``arrive_then_wait``.
    """
    threads = _threads(before, independent, after)
    completes = max(work for work, _, _ in threads)
    lanes = (Lane(work, work, completes, completes + free + rest) for work, free, rest in threads)
    return Schedule(tuple(lanes))


def looks(waited: float, every: float) -> int:
    """How often a waiting thread looks at the barrier: once at first, then every `every`, and at the end.

    A spinning thread looks every few cycles and takes an issue slot each time. One that sleeps in
    ``try_wait`` looks when its time limit passes (lit-030) or when it is woken, and leaves the slots alone.
    """
    finite_number("waited", waited, at_least=0)
    finite_number("every", every, above=0)
    return 1 + int(-(-waited // every))


def _threads(
    before: Sequence[float], independent: Sequence[float], after: Sequence[float] | None
) -> list[tuple[float, float, float]]:
    after = [0] * len(before) if after is None else after
    if not len(before) == len(independent) == len(after) or not len(before):
        lengths = f"{len(before)}, {len(independent)} and {len(after)}"
        raise ValueError(f"before, independent and after have {lengths} threads: the same number is needed")
    for name, times in (("before", before), ("independent", independent), ("after", after)):
        for time in times:
            finite_number(name, time, at_least=0)
    return list(zip(before, independent, after, strict=True))
