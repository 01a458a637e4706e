"""The card of an exercise: its task, the next hint on a button, the solution on another."""

import ipywidgets as widgets

from hopperlab.course.cards.base import Feedback, Named, button, prose
from hopperlab.course.exercises import HINTS, Exercise
from hopperlab.course.report import Report


class ExerciseCard(Named):
    """The task, with hints one at a time and a solution that says what unlocks it."""

    def __init__(self, exercise: Exercise) -> None:
        self.exercise = exercise
        self.hints = Feedback()
        self.solution = Feedback()
        self.hint = button("Hint", self._hint, self.hints)
        self.show_solution = button("Solution", self._show_solution, self.solution)
        row = widgets.HBox([self.hint, self.show_solution])
        children = [prose(exercise.task), row, self.hints, self.solution]
        super().__init__(f"exercise {exercise.theme} {exercise.id}", children)
        self._name_hint()
        self.hints.show(Report(*exercise.hints_so_far()))

    def _hint(self) -> None:
        self.hints.show(self.exercise.hint())
        self._name_hint()

    def _name_hint(self) -> None:
        given = self.exercise.hints_given
        self.hint.description = f"Hint {min(given + 1, HINTS)} of {HINTS}"
        self.hint.disabled = given == HINTS

    def _show_solution(self) -> None:
        self.solution.show(self.exercise.show_solution())

    def words(self) -> str:
        """The task, and the hints given so far."""
        exercise = self.exercise
        given = f"Hints given: {exercise.hints_given} of {HINTS}."
        return "\n".join([f"[exercise] {exercise.id}", exercise.task, given, *exercise.hints_so_far()])
