"""Exercises: a skeleton to fill, hints one at a time, a check that says why, a solution that is earned."""

import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from hopperlab.course import progress, skeletons
from hopperlab.course.checking import CheckResult, check, refusal
from hopperlab.course.draws import Case, Inputs, make
from hopperlab.course.misconceptions import Misconception, refuse_duplicates
from hopperlab.course.report import Code, Report, Table

PART = "exercises"
HINTS = 3
HONEST_TRIES = 3


@dataclass
class Exercise:
    """One function for the learner to write.

    Parameters
    ----------
    id
        Its name within the lesson.
    task
        What to write, in a few sentences.
    solution
        The solved function, with the learner's parts marked as `hopperlab.course.skeletons` says.
    inputs
        A function of a `Draw` that makes one tuple of arguments.
    hints
        Three hints, each saying more than the one before.
    misconceptions
        The wrong solutions that are foreseen; ``wrong`` is the mutant function.
    because
        What to read beside the solution.
    right
        A model that computes right results; the solution itself if None. Tests hold the two equal.
    examples
        Arguments always tried first.
    judge
        Where several results are right: ``judge(result, *arguments)`` says what is wrong, or nothing.
    examine
        What is wrong with a function whose results are all right, such as how it is written; or nothing.
    preamble
        Lines that the skeleton needs above its ``def``, such as imports.
    inputs_tried
        How many random inputs a check tries.
    seconds
        How long one call may take.
    theme
        The lesson it belongs to; set by `Lesson`.
    """

    id: str
    task: str
    solution: Callable
    inputs: Inputs
    hints: Sequence[str]
    misconceptions: Sequence[Misconception] = ()
    because: str = ""
    right: Callable | None = None
    examples: Sequence[tuple] = ()
    judge: Callable[..., str | None] | None = None
    examine: Callable[[Callable], str | None] | None = None
    preamble: str = ""
    inputs_tried: int = 60
    seconds: float = 1.0
    theme: str = ""

    def __post_init__(self) -> None:
        """Refuse an exercise with other than three hints, or with a misconception that has no mutant."""
        if len(self.hints) != HINTS or not all(hint.strip() for hint in self.hints):
            raise ValueError(
                f"hints of exercise {self.id!r} has {len(self.hints)} sentences; it must have {HINTS}"
            )
        for misconception in self.misconceptions:
            if not callable(misconception.wrong):
                raise TypeError(
                    f"wrong of misconception {misconception.name!r} is {misconception.wrong!r}; "
                    "in an exercise it must be a mutant function"
                )
        refuse_duplicates(self.misconceptions, f"exercise {self.id!r}")

    @property
    def name(self) -> str:
        """The name of the function to write."""
        return self.solution.__name__

    @property
    def parameters(self) -> tuple[str, ...]:
        """The names of its parameters."""
        return tuple(inspect.signature(self.solution).parameters)

    @property
    def mutants(self) -> dict[str, Callable]:
        """One wrong solution for each misconception's name."""
        return {misconception.name: misconception.mutant for misconception in self.misconceptions}

    def skeleton(self) -> str:
        """The cell that a notebook gives the learner."""
        return f"{self.preamble.strip()}\n\n\n{self._skeleton}" if self.preamble.strip() else self._skeleton

    @cached_property
    def _skeleton(self) -> str:
        return skeletons.skeleton(self.solution)

    def cases(self, seeds: Sequence[int] | None = None) -> list[Case]:
        """The inputs of a check: the examples, the simplest input, and one for each seed."""
        chosen = range(self.inputs_tried) if seeds is None else seeds
        return [
            *(Case(arguments) for arguments in self.examples),
            make(self.inputs),
            *(make(self.inputs, seed) for seed in chosen),
        ]

    def check(self, function: Any) -> CheckResult:
        """Try a learner's function, keep what came of it, and say why it is wrong where it is."""
        refused = refusal(self, function)
        if refused:
            return refused
        result = check(self, function)
        self._keep(function, result)
        return result.with_note(progress.store().take_notice())

    def _keep(self, function: Callable, result: CheckResult) -> None:
        mark = skeletons.function_fingerprint(function)
        shown = [result.misconception] if result.misconception else []
        passed = {"passed": progress.now()} if result.passed else {}

        def change(entry: dict[str, Any]) -> dict[str, Any]:
            tries = entry.get("tries", [])
            honest = result.ran and mark not in tries
            names = entry.get("misconceptions", [])
            return {
                **passed,
                **entry,
                "checks": entry.get("checks", 0) + 1,
                "tries": [*tries, mark] if honest else tries,
                "misconceptions": names + [name for name in shown if name not in names],
            }

        progress.store().update(self.theme, PART, self.id, change)

    @property
    def hints_given(self) -> int:
        """How many hints the learner has asked for."""
        return self._entry().get("hints", 0)

    @property
    def honest_tries(self) -> int:
        """How many times code that ran, and that was not tried before, was checked."""
        return len(self._entry().get("tries", []))

    @property
    def unlocked(self) -> bool:
        """Whether the solution may be seen: the check has passed, or three honest tries were made."""
        return "passed" in self._entry() or self.honest_tries >= HONEST_TRIES

    def hint(self) -> Report:
        """The next hint, after those already given."""
        given = progress.store().update(
            self.theme, PART, self.id, lambda entry: {**entry, "hints": min(HINTS, entry.get("hints", 0) + 1)}
        )["hints"]
        return Report(*self.hints_so_far(given), progress.store().take_notice())

    def hints_so_far(self, given: int | None = None) -> list[str]:
        """The hints already given, numbered."""
        count = self.hints_given if given is None else given
        return [f"Hint {number} of {HINTS}: {hint}" for number, hint in enumerate(self.hints[:count], 1)]

    def show_solution(self) -> Report:
        """The solution if it is unlocked; else what unlocks it."""
        if not self.unlocked:
            return Report(
                f"The solution opens when the check passes, or after {HONEST_TRIES} honest tries: code of "
                "your own that runs, each different from the ones before.",
                f"Honest tries so far: {self.honest_tries}.",
            )
        seen = {"solution": progress.now()}
        progress.store().update(self.theme, PART, self.id, lambda entry: seen | entry)
        return Report(Code(skeletons.shown_solution(self.solution)), self.because)

    def widget(self) -> Any:
        """The task, with a button for the next hint and one for the solution."""
        from hopperlab.course.cards.exercise import ExerciseCard

        return ExerciseCard(self)

    def _entry(self) -> dict[str, Any]:
        return progress.store().entry(self.theme, PART, self.id)


def unrejected_mutants(exercise: Exercise) -> list[str]:
    """Names of the misconceptions whose mutant passes the check: defects of the exercise. Nothing is kept."""
    return [name for name, mutant in exercise.mutants.items() if check(exercise, mutant).passed]


def unexplained_mutants(exercise: Exercise) -> list[str]:
    """Names of the misconceptions whose mutant is not told its own reason. Nothing is kept."""
    return [
        name for name, mutant in exercise.mutants.items() if check(exercise, mutant).misconception != name
    ]


def solution_failures(exercise: Exercise, seeds: Sequence[int] = range(300)) -> list[str]:
    """What the check says of the solution if it fails on these seeds: a defect. Nothing is kept."""
    result = check(exercise, exercise.solution, seeds)
    return [] if result.passed else [result.text]


def summary(exercises: Sequence[Exercise]) -> Report:
    """Checks, hints and tries of every exercise."""
    rows = [_summary_row(exercise, exercise._entry()) for exercise in exercises]
    return Report(Table(["exercise", "check", "honest tries", "hints"], rows))


def _summary_row(exercise: Exercise, entry: dict[str, Any]) -> list[str]:
    checked = "passed" if "passed" in entry else "not passed yet"
    return [exercise.id, checked, str(len(entry.get("tries", []))), str(entry.get("hints", 0))]
