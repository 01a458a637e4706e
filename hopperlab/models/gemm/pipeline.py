"""A ring of stages over time: when each tile is asked for, lands, is worked on, and where the bubbles are."""

from __future__ import annotations

from dataclasses import dataclass

from hopperlab.models.arguments import finite_number, whole_number

MOST_STEPS = 100_000


@dataclass(frozen=True)
class Step:
    """One step's tiles: the stage they lie in, and when, in cycles, things happen to them."""

    number: int
    stage: int
    asked: float
    landed: float
    begun: float
    done: float


@dataclass(frozen=True)
class Timeline:
    """The steps of one tile of D, in order."""

    steps: tuple[Step, ...]

    @property
    def cycles(self) -> float:
        """From the first copy's start to the last step's end."""
        return self.steps[-1].done

    @property
    def bubbles(self) -> tuple[tuple[float, float], ...]:
        """From when to when nothing is worked on."""
        ends = [0.0, *(step.done for step in self.steps[:-1])]
        gaps = ((end, step.begun) for end, step in zip(ends, self.steps, strict=True))
        return tuple((start, end) for start, end in gaps if end > start)

    @property
    def busy(self) -> float:
        """The share of the cycles in which the tensor cores work."""
        return sum(step.done - step.begun for step in self.steps) / self.cycles


def pipeline(
    stages: int, steps: int, latency: float, compute: float, transfer: float = 0.0, *, late: bool = False
) -> Timeline:
    """Run a ring: a stage is asked for when it is free, and worked on when it has landed and the work before is done.

    Parameters
    ----------
    stages
        Buffers.
    steps
        Along K.
    latency
        Cycles from asking for a stage to its landing.
    compute
        Cycles of work on a stage.
    transfer
        Cycles of these that the copy engine is busy: the next copy starts that much later.
    late
        Whether a stage is given back only when the work on the next one has been started, as where one product
        stays under way: then it waits for that one's landing too.

    Raises
    ------
    ValueError
        If one of them is out of range.
    """
    whole_number("stages", stages, 1, 1024)
    whole_number("steps", steps, 1, MOST_STEPS)
    finite_number("latency", latency, at_least=0)
    finite_number("compute", compute, above=0)
    finite_number("transfer", transfer, at_least=0)
    found: list[Step] = []
    for number in range(steps):
        free = found[number - stages].done if number >= stages else 0.0
        if late and number >= stages > 1:
            free = max(free, found[number - stages + 1].landed)
        engine = found[-1].asked + transfer if found else 0.0
        asked = max(free, engine)
        landed = asked + max(latency, transfer)
        begun = max(landed, found[-1].done if found else 0.0)
        found.append(Step(number, number % stages, asked, landed, begun, begun + compute))
    return Timeline(tuple(found))


def stages_needed(latency: float, compute: float) -> int:
    """The fewest stages with which work, once begun, never waits: one worked on, the others on their way."""
    finite_number("latency", latency, at_least=0)
    finite_number("compute", compute, above=0)
    return 1 + int(-(-latency // compute))


def step_cycles(
    stages: int, latency: float, compute: float, transfer: float = 0.0, *, late: bool = False
) -> float:
    """Cycles from one step to the next, once the ring is full: the slowest of work, engine and round trips."""
    whole_number("stages", stages, 1, 1024)
    trip = max(latency, transfer)
    second = trip / (stages - 1) if late and stages > 1 else 0.0
    return max(compute, transfer, (trip + compute) / stages, second)
