"""The card that asks a prediction, and the card that reveals its answer."""

from hopperlab.course import progress
from hopperlab.course.cards.base import Feedback, Named, button, prose
from hopperlab.course.cards.inputs import input_for
from hopperlab.course.predictions import Prediction
from hopperlab.course.report import sentence


class PredictionCard(Named):
    """The question, an input, a button to commit; locked once a guess is committed."""

    def __init__(self, prediction: Prediction) -> None:
        self.prediction = prediction
        self.feedback = Feedback()
        self.input = input_for(prediction.kind, self._commit_and_tell)
        self.commit = button("Commit", self._commit, self.feedback)
        children = [prose(prediction.question), self.input, self.commit, self.feedback]
        super().__init__(f"predict {prediction.theme} {prediction.id}", children)
        prediction.watchers["card"] = self.refresh
        self.refresh()
        if notice := progress.store().take_notice():
            self.feedback.show(notice)

    def _commit(self) -> None:
        guess = self.input.guess
        if guess is None:
            self.feedback.show(f"Give {self.prediction.kind.request()}, then commit.")
            return
        try:
            report = self.prediction.commit(guess)
        except (TypeError, ValueError) as error:
            self.feedback.show(f"{sentence(str(error))} Nothing is committed yet.")
        else:
            self.feedback.show(report)

    def _commit_and_tell(self) -> None:
        try:
            self._commit()
        except Exception as error:
            self.feedback.show_error(error)

    def refresh(self) -> None:
        """Show and lock the guess that is committed, if there is one."""
        guess = self.prediction.guess
        if guess is not None:
            self.input.put(guess)
            self.commit.disabled = True
            self.feedback.show(f"Committed: {self.prediction.kind.words(guess)}.")

    def words(self) -> str:
        """The question, what is asked for, and whether a guess is committed."""
        prediction = self.prediction
        guess = prediction.guess
        state = "No guess committed yet." if guess is None else f"Committed: {prediction.kind.words(guess)}."
        return "\n".join(
            [
                f"[prediction] {prediction.id}",
                prediction.question,
                f"Give {prediction.kind.request()}.",
                state,
            ]
        )


class RevealCard(Named):
    """The answer beside the guess; filled in as soon as there is a guess."""

    def __init__(self, prediction: Prediction) -> None:
        self.prediction = prediction
        self.feedback = Feedback()
        super().__init__(f"reveal {prediction.theme} {prediction.id}", [self.feedback])
        self.feedback.show(prediction.reveal())
        prediction.watchers["reveal"] = self.refresh

    def refresh(self) -> None:
        """Show the answer now that there is a guess."""
        try:
            self.feedback.show(self.prediction.reveal())
        except Exception as error:
            self.feedback.show_error(error)

    def words(self) -> str:
        """What the card shows."""
        return self.feedback.text
