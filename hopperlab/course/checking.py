"""Checking a function: many inputs, the smallest one that fails, and the misconception that fails alike."""

import inspect
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from hopperlab.course import skeletons
from hopperlab.course.comparison import difference, shown
from hopperlab.course.draws import Case, smallest
from hopperlab.course.misconceptions import Misconception
from hopperlab.course.report import Code, Report, sentence
from hopperlab.course.trials import Outcome, attempt

if TYPE_CHECKING:
    from hopperlab.course.exercises import Exercise

SECONDS_IN_ALL = 20.0  # a check that has run so long tries no further input
SHRINKING_SECONDS = 3.0


@dataclass(frozen=True)
class CheckResult:
    """What a check found.

    ``ran`` is whether the function gave a value for at least one input, so that the try counts as honest.
    ``arguments``, ``result`` and ``right`` are those of the smallest failing input that was found.
    """

    passed: bool
    report: Report
    ran: bool = False
    tested: int = 0
    arguments: tuple = ()
    result: Any = None
    right: Any = None
    misconception: str = ""

    @property
    def text(self) -> str:
        """What the learner reads."""
        return self.report.text

    def with_note(self, note: str) -> "CheckResult":
        """The same result, with one more paragraph."""
        return replace(self, report=Report(*self.report.blocks, note)) if note else self

    def __repr__(self) -> str:
        """What the learner reads."""
        return self.text

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        return self.report._repr_mimebundle_()


def refusal(exercise: "Exercise", function: Any) -> CheckResult | None:
    """What is to be done before the function can be tried at all; None if it can."""
    if not callable(function) or inspect.isclass(function):
        given = f"{shown(function)} was given"
        return _refused(f"Give the function itself, {exercise.name}, without parentheses after it; {given}.")
    if _is_unwritten(exercise, function):
        return _refused(
            f"Not written yet: fill in {exercise.name} above, run its cell, then run this one again."
        )
    if not _takes(function, exercise.parameters):
        wanted = f"{exercise.name}({', '.join(exercise.parameters)})"
        return _refused(f"Your function must take the arguments of {wanted}, in this order.")
    return None


def _takes(function: Callable, parameters: Sequence[str]) -> bool:
    """Whether a function can be called with so many arguments; True if it does not say."""
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return True
    try:
        signature.bind(*parameters)
    except TypeError:
        return False
    return True


def _refused(sentence: str) -> CheckResult:
    return CheckResult(passed=False, report=Report(sentence))


def _is_unwritten(exercise: "Exercise", function: Callable) -> bool:
    try:
        mark = skeletons.fingerprint(skeletons.source(function))
    except (OSError, TypeError, SyntaxError):
        return False
    return mark == skeletons.fingerprint(exercise._skeleton)


@dataclass(frozen=True)
class _Failure:
    case: Case
    outcome: Outcome
    right: Any
    complaint: str


def check(exercise: "Exercise", function: Callable, seeds: Sequence[int] | None = None) -> CheckResult:
    """Try a function on all inputs of an exercise. Keeps nothing."""
    deadline = time.monotonic() + SECONDS_IN_ALL
    cases = exercise.cases(seeds)
    failures, tested, ran = [], 0, False
    for case in cases:
        outcome, failure = _try(exercise, function, case)
        tested += 1
        ran = ran or outcome.kind == "value"
        if failure:
            failures.append(failure)
        if outcome.kind == "no end" or time.monotonic() > deadline:
            break
    if failures:
        return replace(_failed(exercise, function, failures), ran=ran, tested=tested)
    if tested < len(cases):
        sentence = f"Right on {tested} inputs, then {SECONDS_IN_ALL:g} s were over. Make it faster."
        return CheckResult(passed=False, report=Report(sentence), ran=ran, tested=tested)
    complaint = exercise.examine(function) if exercise.examine else None
    if complaint:
        return replace(_examined(exercise, complaint, cases), ran=ran, tested=tested)
    return CheckResult(passed=True, report=Report(f"Right on all {tested} inputs."), ran=ran, tested=tested)


def _examined(exercise: "Exercise", complaint: str, cases: Sequence[Case]) -> CheckResult:
    """What is told of a function that gives right results and is still not what was asked for."""
    alike = (one for one in exercise.misconceptions if exercise.examine(one.mutant) == complaint)
    right = (one for one in alike if not any(_try(exercise, one.mutant, case)[1] for case in cases))
    misconception = next(right, None)
    told = misconception.told() if misconception else ""
    report = Report(
        f"Not yet. Right on all {len(cases)} inputs, but: {sentence(complaint)}", *([told] if told else [])
    )
    return CheckResult(passed=False, report=report, misconception=misconception.name if misconception else "")


def _try(exercise: "Exercise", function: Callable, case: Case) -> tuple[Outcome, _Failure | None]:
    right = None if exercise.judge else (exercise.right or exercise.solution)(*case.fresh())
    outcome = attempt(function, case.arguments, exercise.seconds)
    complaint = _complaint(exercise, outcome, case, right)
    return outcome, _Failure(case, outcome, right, complaint) if complaint else None


def _complaint(exercise: "Exercise", outcome: Outcome, case: Case, right: Any) -> str:
    """What is wrong with an outcome; empty if nothing is."""
    if outcome.kind == "no end":
        stopped = (
            "and was stopped" if outcome.error.stopped else "and still runs: restart the kernel to stop it"
        )
        return f"it had not ended after {exercise.seconds:g} s, {stopped}"
    if outcome.kind == "error":
        return _told_error(outcome)
    if outcome.kind == "changed argument":
        return f"it changes its argument {exercise.parameters[outcome.argument]}; work on a copy"
    if exercise.judge:
        return exercise.judge(outcome.value, *case.fresh()) or ""
    return difference(outcome.value, right)


def _told_error(outcome: Outcome) -> str:
    place = f", at {outcome.where}" if outcome.where else ""
    if isinstance(outcome.error, NotImplementedError) and skeletons.UNWRITTEN in str(outcome.error):
        return f"a part is not written yet{place}"
    message = f": {outcome.error}" if str(outcome.error) else ""
    return f"it raises {type(outcome.error).__name__}{message}{place}"


def _failed(exercise: "Exercise", function: Callable, failures: list[_Failure]) -> CheckResult:
    misconception = _misconception(exercise, failures)
    drawn = [failure for failure in failures if failure.case.choices is not None]
    failure = _smallest(exercise, function, (drawn or failures)[0], misconception)
    return CheckResult(
        passed=False,
        report=Report(*_paragraphs(exercise, failure, misconception)),
        arguments=failure.case.arguments,
        result=failure.outcome.value,
        right=failure.right,
        misconception=misconception.name if misconception else "",
    )


def _paragraphs(
    exercise: "Exercise", failure: _Failure, misconception: Misconception | None
) -> Iterator[str | Code]:
    smallest_found = failure.case.choices is not None and failure.outcome.kind != "no end"
    yield f"Not yet. {'The smallest input found' if smallest_found else 'An input'} on which it fails:"
    named = zip(exercise.parameters, failure.case.arguments, strict=True)
    yield Code(f"{exercise.name}({', '.join(f'{name}={shown(value)}' for name, value in named)})")
    if failure.outcome.kind == "value":
        yield f"Yours gives {shown(failure.outcome.value)}."
    if not exercise.judge:
        yield f"Right is {shown(failure.right)}."
    if failure.complaint != "the values differ":
        yield f"Why: {sentence(failure.complaint)}"
    if misconception:
        yield misconception.told()
    if failure.outcome.printed:
        yield "For this input it printed:"
        yield Code(failure.outcome.printed.rstrip("\n"))


def _misconception(exercise: "Exercise", failures: list[_Failure]) -> Misconception | None:
    """The first misconception whose mutant does the same on every failing input."""
    for misconception in exercise.misconceptions:
        if all(_fails_alike(exercise, misconception, failure) for failure in failures):
            return misconception
    return None


def _fails_alike(exercise: "Exercise", misconception: Misconception, failure: _Failure) -> bool:
    if failure.outcome.kind == "no end":
        return False
    outcome, mutant_failure = _try(exercise, misconception.mutant, failure.case)
    if exercise.judge and mutant_failure and mutant_failure.complaint == failure.complaint:
        return True
    return outcome.same_as(failure.outcome)


def _smallest(
    exercise: "Exercise", function: Callable, failure: _Failure, misconception: Misconception | None
) -> _Failure:
    """The failure on the smallest input found that fails in the same way."""
    if failure.outcome.kind == "no end":
        return failure
    deadline = time.monotonic() + SHRINKING_SECONDS

    def fails_alike(case: Case) -> bool:
        if time.monotonic() > deadline:
            return False
        _, smaller = _try(exercise, function, case)
        if smaller is None or smaller.outcome.kind != failure.outcome.kind:
            return False
        return misconception is None or _fails_alike(exercise, misconception, smaller)

    case = smallest(exercise.inputs, failure.case, fails_alike)
    return _try(exercise, function, case)[1] or failure
