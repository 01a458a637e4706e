"""Quizzes: questions whose every option has a feedback sentence of its own."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from hopperlab.course import progress
from hopperlab.course.report import Report, Table, sentence

PART = "quizzes"


@dataclass(frozen=True)
class Option:
    """One option: what it says, what the learner is told on choosing it, and whether it is right.

    ``misconception`` names the wrong idea behind it, if it has a name.
    """

    text: str
    feedback: str
    right: bool = False
    misconception: str = ""

    def __post_init__(self) -> None:
        """Refuse an option without its sentence."""
        if not self.feedback.strip():
            raise ValueError(f"feedback is empty: the option {self.text!r} needs its sentence")


@dataclass(frozen=True)
class Question:
    """One question. With one right option, one is chosen; with several (``several=True``), all that hold."""

    text: str
    options: Sequence[Option]
    several: bool = False

    def __post_init__(self) -> None:
        """Refuse a question that has no right option, or one only, or the same option twice."""
        texts = [option.text for option in self.options]
        if len(texts) < 2 or len(set(texts)) != len(texts):
            raise ValueError(f"options of {self.text!r} are {texts!r}; give 2 or more, all different")
        if not self.right or (len(self.right) > 1 and not self.several):
            raise ValueError(
                f"options of {self.text!r} have {len(self.right)} right ones; "
                "it must be 1, or more with several=True"
            )

    @property
    def right(self) -> frozenset[str]:
        """The texts of the right options."""
        return frozenset(option.text for option in self.options if option.right)

    @property
    def shown(self) -> tuple[Option, ...]:
        """The options as a learner sees them: the same order every time, and one that tells nothing of them."""
        return tuple(sorted(self.options, key=self._place))

    def _place(self, option: Option) -> bytes:
        return sha256(f"{self.text}{option.text}".encode()).digest()

    def feedback(self, chosen: Iterable[str]) -> list[str]:
        """The sentence of each chosen option, and a word on right ones left out."""
        picked = [option for option in self.shown if option.text in set(chosen)]
        lines = [
            f"{'Right' if option.right else 'No'}: {sentence(option.text)} {option.feedback}"
            for option in picked
        ]
        missing = len(self.right - {option.text for option in picked})
        if self.several and picked and missing:
            lines.append(f"Still missing: {missing} more that {'holds' if missing == 1 else 'hold'}.")
        return lines


@dataclass
class Quiz:
    """Questions verified together. ``theme`` is set by `Lesson`."""

    id: str
    questions: Sequence[Question]
    theme: str = ""

    def __post_init__(self) -> None:
        """Refuse a quiz that asks nothing."""
        if not self.questions:
            raise ValueError(f"questions of quiz {self.id!r} is empty; give 1 or more")

    def verify(self, answers: Mapping[int, str | Iterable[str]]) -> Report:
        """Feedback on the answers; what is not answered is named. The first full answer counts.

        Parameters
        ----------
        answers
            For each question's number, from 1, the text of the chosen option, or several of them.

        Raises
        ------
        ValueError
            If a number or an option is none of the quiz's.
        """
        chosen = self.read(answers)
        unanswered = [number for number, picked in chosen.items() if not picked]
        right = [self.questions[number - 1].right == set(picked) for number, picked in chosen.items()]
        if not unanswered:
            self._keep(chosen, sum(right))
        return Report(
            *(line for number, picked in chosen.items() for line in self._lines(number, picked)),
            f"Not answered yet: {_listed(unanswered)}." if unanswered else "",
            f"{sum(right)} of {len(right)} questions right.",
            progress.store().take_notice(),
        )

    def read(self, answers: Mapping[int, str | Iterable[str]]) -> dict[int, list[str]]:
        """The chosen option texts of every question, an empty list where there is none."""
        unknown = [number for number in answers if number not in range(1, len(self.questions) + 1)]
        if unknown:
            raise ValueError(
                f"answers names question {unknown[0]!r}; quiz {self.id!r} has 1 to {len(self.questions)}"
            )
        return {
            number: self._options(number, answers.get(number, ()))
            for number in range(1, len(self.questions) + 1)
        }

    def _options(self, number: int, answer: str | Iterable[str]) -> list[str]:
        texts = [option.text for option in self.questions[number - 1].shown]
        picked = [answer] if isinstance(answer, str) else list(answer)
        for text in picked:
            if text not in texts:
                raise ValueError(
                    f"answer to question {number} is {text!r}; it must be one of: {'; '.join(texts)}"
                )
        return [text for text in texts if text in picked]

    def _lines(self, number: int, picked: list[str]) -> list[str]:
        return [f"{number}. {line}" for line in self.questions[number - 1].feedback(picked)]

    def _keep(self, chosen: dict[int, list[str]], points: int) -> None:
        answers = {str(number): picked for number, picked in chosen.items()}
        first = {"answers": answers, "points": points, "of": len(chosen), "verified": progress.now()}
        latest = {"latest": answers, "latest_points": points}
        progress.store().update(self.theme, PART, self.id, lambda entry: first | entry | latest)

    def widget(self) -> Any:
        """The questions with their options, a button to verify and one to clear."""
        from hopperlab.course.cards.quiz import QuizCard

        return QuizCard(self)


def _listed(numbers: Sequence[int]) -> str:
    return ", ".join(map(str, numbers))


def summary(quizzes: Iterable[Quiz]) -> Report:
    """Points of every quiz: the first full answer, and the latest."""
    listed = list(quizzes)
    entries = [progress.store().entry(quiz.theme, PART, quiz.id) for quiz in listed]
    rows = [_summary_row(quiz, entry) for quiz, entry in zip(listed, entries, strict=True)]
    return Report(Table(["quiz", "first", "latest"], rows))


def _summary_row(quiz: Quiz, entry: dict[str, Any]) -> list[str]:
    if "of" not in entry:
        return [quiz.id, "not verified yet", ""]
    return [quiz.id, f"{entry['points']} of {entry['of']}", f"{entry['latest_points']} of {entry['of']}"]
