"""A lesson: the predictions, quizzes, exercises and panels of one theme, each called by its id."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from hopperlab.course import exercises, predictions, progress, quizzes
from hopperlab.course.checking import CheckResult
from hopperlab.course.exercises import Exercise
from hopperlab.course.predictions import Prediction
from hopperlab.course.quizzes import Quiz
from hopperlab.course.report import Report

Part = TypeVar("Part")


class Lesson:
    """What a notebook calls.

    Parameters
    ----------
    theme
        The theme's name, the same on every floor, such as ``"clusters"``.
    predictions, quizzes, exercises
        The lesson's parts, in the order in which they come.

    Attributes
    ----------
    panels
        A function that makes each panel, by name; the theme's module in `hopperlab.lessons` fills it.

    Raises
    ------
    ValueError
        If two parts of one kind share an id.
    """

    def __init__(
        self,
        theme: str,
        predictions: Sequence[Prediction] = (),
        quizzes: Sequence[Quiz] = (),
        exercises: Sequence[Exercise] = (),
    ) -> None:
        self.theme = theme
        self.predictions = self._by_id("prediction", predictions)
        self.quizzes = self._by_id("quiz", quizzes)
        self.exercises = self._by_id("exercise", exercises)
        self.panels: dict[str, Callable[[], Any]] = {}

    def _by_id(self, noun: str, parts: Sequence[Part]) -> dict[str, Part]:
        listed: dict[str, Part] = {}
        for part in parts:
            if part.id in listed:
                raise ValueError(
                    f"{noun} id {part.id!r} is used twice in lesson {self.theme!r}; each needs its own"
                )
            part.theme = self.theme
            listed[part.id] = part
        return listed

    def _find(self, noun: str, parts: Mapping[str, Part], name: str) -> Part:
        if name not in parts:
            known = ", ".join(parts) or "none"
            raise ValueError(f"{noun} is {name!r}; lesson {self.theme!r} has: {known}")
        return parts[name]

    def predict(self, name: str) -> Any:
        """Ask a prediction: its question, an input and a button to commit."""
        return self._find("prediction", self.predictions, name).widget()

    def commit(self, name: str, guess: Any) -> Report:
        """Commit a guess from code, without the widget."""
        return self._find("prediction", self.predictions, name).commit(guess)

    def reveal(self, name: str) -> Any:
        """The answer beside the committed guess, with the reason; filled in once there is a guess."""
        return self._find("prediction", self.predictions, name).reveal_widget()

    def panel(self, name: str) -> Any:
        """A panel to play with."""
        return self._find("panel", self.panels, name)()

    def quiz(self, name: str) -> Any:
        """Ask a quiz."""
        return self._find("quiz", self.quizzes, name).widget()

    def exercise(self, name: str) -> Any:
        """The task of an exercise, with its hints and its solution behind buttons."""
        return self._find("exercise", self.exercises, name).widget()

    def skeleton(self, name: str) -> str:
        """The literal cell that an exercise starts from."""
        return self._find("exercise", self.exercises, name).skeleton()

    def check(self, name: str, function: Callable) -> CheckResult:
        """Check the learner's function."""
        return self._find("exercise", self.exercises, name).check(function)

    def hint(self, name: str) -> Report:
        """The next hint of an exercise."""
        return self._find("exercise", self.exercises, name).hint()

    def solution(self, name: str) -> Report:
        """The solution of an exercise, once it is unlocked."""
        return self._find("exercise", self.exercises, name).show_solution()

    def summary(self) -> Report:
        """What the learner has done in this lesson: predictions, quizzes, exercises."""
        reports = [
            summarize(parts.values())
            for summarize, parts in (
                (predictions.summary, self.predictions),
                (quizzes.summary, self.quizzes),
                (exercises.summary, self.exercises),
            )
            if parts
        ]
        blocks = [block for report in reports for block in report.blocks]
        return Report(*blocks, progress.store().where(), progress.store().take_notice())

    @property
    def misconceptions(self) -> dict[str, list[str]]:
        """Every misconception that the lesson answers, with where: ``"prediction largest"`` and the like."""
        found: dict[str, list[str]] = {}
        for noun, parts in (("prediction", self.predictions), ("exercise", self.exercises)):
            for part in parts.values():
                for misconception in part.misconceptions:
                    found.setdefault(misconception.name, []).append(f"{noun} {part.id}")
        for quiz in self.quizzes.values():
            for option in (option for question in quiz.questions for option in question.options):
                if option.misconception:
                    found.setdefault(option.misconception, []).append(f"quiz {quiz.id}")
        return found
