"""The card of a quiz: each question with its options, a button to verify and one to clear."""

from typing import Any

import ipywidgets as widgets

from hopperlab.course.cards.base import WHOLE_LABEL, WIDE, Feedback, Named, button, prose
from hopperlab.course.quizzes import Question, Quiz


class OneOf(widgets.RadioButtons):
    """Radio buttons for a question with one right option."""

    def __init__(self, question: Question) -> None:
        texts = [option.text for option in question.shown]
        super().__init__(
            options=texts,
            value=None,
            description="Your answer",
            style=WHOLE_LABEL,
            layout=widgets.Layout(width=WIDE),
        )

    @property
    def chosen(self) -> list[str]:
        """The text of the chosen option, or none."""
        return [] if self.value is None else [self.value]

    def clear(self) -> None:
        """Choose nothing."""
        self.value = None


class SomeOf(widgets.VBox):
    """Checkboxes for a question with several right options."""

    def __init__(self, question: Question) -> None:
        layout = widgets.Layout(width=WIDE)
        super().__init__(
            [
                widgets.Checkbox(description=option.text, indent=False, layout=layout)
                for option in question.shown
            ]
        )

    @property
    def chosen(self) -> list[str]:
        """The texts of the boxes that are checked."""
        return [box.description for box in self.children if box.value]

    def clear(self) -> None:
        """Uncheck all boxes."""
        for box in self.children:
            box.value = False


class QuizCard(Named):
    """The questions, verified together."""

    def __init__(self, quiz: Quiz) -> None:
        self.quiz = quiz
        self.inputs = [
            SomeOf(question) if question.several else OneOf(question) for question in quiz.questions
        ]
        self.feedback = Feedback()
        self.verify = button("Verify", self._verify, self.feedback)
        self.clear = button("Clear", self._clear, self.feedback)
        asked: list[Any] = []
        for number, (question, options) in enumerate(zip(quiz.questions, self.inputs, strict=True), 1):
            asked += [prose(f"{number}. {question.text}{_all_that_hold(question)}"), options]
        children = [*asked, widgets.HBox([self.verify, self.clear]), self.feedback]
        super().__init__(f"quiz {quiz.theme} {quiz.id}", children)

    def _verify(self) -> None:
        answers = {number: options.chosen for number, options in enumerate(self.inputs, 1)}
        self.feedback.show(self.quiz.verify(answers))

    def _clear(self) -> None:
        for options in self.inputs:
            options.clear()
        self.feedback.show("")

    def words(self) -> str:
        """The questions with their options, and the feedback if there is any."""
        lines = [f"[quiz] {self.quiz.id}"]
        for number, question in enumerate(self.quiz.questions, 1):
            lines.append(f"{number}. {question.text}{_all_that_hold(question)}")
            lines += [f"   - {option.text}" for option in question.shown]
        return "\n".join([*lines, self.feedback.text]).rstrip()


def _all_that_hold(question: Question) -> str:
    return " Check all that hold." if question.several else ""
