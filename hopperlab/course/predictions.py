"""Predictions: a guess committed before the answer is shown, kept, and answered with a reason."""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from hopperlab.course import progress
from hopperlab.course.guesses import WHOLE, Kind
from hopperlab.course.misconceptions import Misconception, refuse_duplicates
from hopperlab.course.report import Report, Table

PART = "predictions"


@dataclass
class Prediction:
    """One question that the learner answers before anything runs.

    Parameters
    ----------
    id
        Its name within the lesson, such as ``"largest"``.
    question
        One or two sentences.
    kind
        What kind of guess: `Number`, `Numbers`, `Choice` or `Order`.
    answer
        A function of nothing that computes the answer from the models; called only when revealed.
    because
        Why the answer is what it is: sentences, or a function of the answer that makes them.
    misconceptions
        The wrong guesses that are foreseen, each with its own reason.
    theme
        The lesson it belongs to; set by `Lesson`.
    """

    id: str
    question: str
    kind: Kind
    answer: Callable[[], Any]
    because: str | Callable[[Any], str]
    misconceptions: Sequence[Misconception] = ()
    theme: str = ""
    watchers: dict[str, Callable[[], None]] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        """Refuse an answer that is not computed, and misconceptions that could not be told apart."""
        if not callable(self.answer):
            raise TypeError(
                f"answer of prediction {self.id!r} is {self.answer!r}; it must be a function of the models"
            )
        refuse_duplicates(self.misconceptions, f"prediction {self.id!r}")
        for misconception in self.misconceptions:
            if misconception.guess is None:
                raise ValueError(
                    f"example of misconception {misconception.name!r} is None; one that recognizes guesses "
                    "must name a guess that it recognizes"
                )

    @property
    def committed(self) -> bool:
        """Whether the learner has committed a guess."""
        return "guess" in self._entry()

    @property
    def guess(self) -> Any:
        """The committed guess; None before."""
        return self._entry().get("guess")

    def commit(self, guess: Any) -> Report:
        """Keep a guess. The first one stands; a later one changes nothing.

        Raises
        ------
        ValueError, TypeError
            If the guess cannot be meant; nothing is kept then.
        """
        first = {"guess": self.kind.read(guess), "committed": progress.now()}
        entry = progress.store().update(
            self.theme, PART, self.id, lambda kept: kept if self._readable(kept) else first
        )
        for refresh in list(self.watchers.values()):
            refresh()
        stands = "" if entry["guess"] == first["guess"] else " The first guess stands."
        words = self.kind.words(entry["guess"])
        return Report(f"Committed: {words}.{stands}", progress.store().take_notice())

    def right_answer(self) -> Any:
        """The answer, computed now, in the form of a read guess."""
        return self.kind.read(self.answer())

    def reveal(self) -> Report:
        """The answer beside the guess, with the reason; one fixed line while there is no guess."""
        entry = self._entry()
        if not entry:
            return Report(f"No guess yet for {self.id}. Commit one above; the answer waits for it.")
        guess, answer = entry["guess"], self.right_answer()
        shown = self.shown_by(guess, answer)
        points, of = self.kind.points(guess, answer)
        if "revealed" not in entry:
            verdict = {
                "answer": answer,
                "points": points,
                "of": of,
                "misconceptions": [misconception.name for misconception in shown],
                "revealed": progress.now(),
            }
            progress.store().update(self.theme, PART, self.id, lambda kept: verdict | kept)
        return Report(
            _opening(points, of),
            *self.kind.comparison(guess, answer),
            *(misconception.told() for misconception in shown),
            self.explanation(answer),
            progress.store().take_notice(),
        )

    def explanation(self, answer: Any) -> str:
        """Why the answer is what it is."""
        return self.because(answer) if callable(self.because) else self.because

    def shown_by(self, guess: Any, answer: Any) -> list[Misconception]:
        """The misconceptions that a read guess shows, less those that another explains, and more besides."""
        points, of = self.kind.points(guess, answer)
        if points == of:
            return []
        explained = [(item, set(self._explains(item, guess, answer))) for item in self.misconceptions]
        return [item for item, parts in explained if parts and not any(parts < more for _, more in explained)]

    def _explains(self, misconception: Misconception, guess: Any, answer: Any) -> Collection[str]:
        if callable(misconception.wrong):
            return WHOLE if misconception.wrong(guess) else ()
        return self.kind.shows(misconception.wrong, guess, answer)

    def unexplained_misconceptions(self) -> list[str]:
        """Names of misconceptions whose own guess is not told their reason: a defect of the lesson."""
        answer = self.right_answer()
        return [
            item.name
            for item in self.misconceptions
            if item not in self.shown_by(self._full(item, answer), answer)
        ]

    def _full(self, misconception: Misconception, answer: Any) -> Any:
        """The guess of a misconception; parts that it does not name are right."""
        guess = misconception.guess
        if isinstance(guess, dict) and isinstance(answer, dict):
            guess = answer | guess
        return self.kind.read(guess)

    def unexplained_options(self) -> list[str]:
        """Wrong options of a choice that have no misconception: a defect of the lesson."""
        answer = self.right_answer()
        options = getattr(self.kind, "options", {})
        return [option for option in options if option != answer and not self.shown_by(option, answer)]

    def widget(self) -> Any:
        """The question with its input and a button to commit."""
        from hopperlab.course.cards.prediction import PredictionCard

        return PredictionCard(self)

    def reveal_widget(self) -> Any:
        """`reveal`, which fills itself in as soon as a guess is committed."""
        from hopperlab.course.cards.prediction import RevealCard

        return RevealCard(self)

    def _entry(self) -> dict[str, Any]:
        """What is kept of this prediction; nothing if it was kept for an earlier, different question."""
        entry = progress.store().entry(self.theme, PART, self.id)
        return entry if self._readable(entry) else {}

    def _readable(self, entry: dict[str, Any]) -> bool:
        try:
            for field_name in ("guess", "answer") if "revealed" in entry else ("guess",):
                self.kind.read(entry[field_name])
        except (KeyError, TypeError, ValueError):
            return False
        return True


def _opening(points: int, of: int) -> str:
    if points == of:
        return "Right."
    return "Not this time." if of == 1 else f"{points} of {of} right."


def summary(predictions: Iterable[Prediction]) -> Report:
    """The ledger of predictions: each guess, its answer once revealed, and the points in all."""
    listed = list(predictions)
    entries = [prediction._entry() for prediction in listed]
    rows = [_summary_row(prediction, entry) for prediction, entry in zip(listed, entries, strict=True)]
    revealed = [entry for entry in entries if "of" in entry]
    points, of = (sum(entry[name] for entry in revealed) for name in ("points", "of"))
    return Report(
        Table(["prediction", "your guess", "answer", "points", "what the guess shows"], rows),
        f"Predictions: {points} of {of} points, {len(revealed)} of {len(listed)} revealed.",
    )


def _summary_row(prediction: Prediction, entry: dict[str, Any]) -> list[str]:
    if "guess" not in entry:
        return [prediction.id, "none yet", "", "", ""]
    guess = prediction.kind.words(entry["guess"])
    if "of" not in entry:
        return [prediction.id, guess, "not revealed yet", "", ""]
    answer = prediction.kind.words(entry["answer"])
    points = f"{entry['points']} of {entry['of']}"
    return [prediction.id, guess, answer, points, "; ".join(entry["misconceptions"])]
