"""A misconception: a wrong idea with a name, what it makes one answer, and why it is wrong."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from hopperlab.course.report import sentence


@dataclass(frozen=True)
class Misconception:
    """One wrong idea that a prediction or an exercise foresees.

    Parameters
    ----------
    name
        A short name in the learner's words, such as ``"SMs divided by size"``.
    wrong
        What the idea leads to. For a prediction: the wrong guess, or a function of the guess that recognizes
        it. For an exercise: a mutant, a function that answers as someone with this idea would write it.
    reason
        The sentence that the learner reads: why the idea fails.
    example
        A guess that the idea leads to, for tests; needed only where ``wrong`` recognizes guesses.
    """

    name: str
    wrong: Any
    reason: str
    example: Any = None

    def __post_init__(self) -> None:
        """Refuse a misconception that could not be told."""
        if not self.name.strip():
            raise ValueError("name is empty: a misconception needs a name")
        if not self.reason.strip():
            raise ValueError(f"reason is empty: the misconception {self.name!r} needs its sentence")

    @property
    def guess(self) -> Any:
        """A guess that shows this misconception in a prediction."""
        return self.example if callable(self.wrong) else self.wrong

    def told(self) -> str:
        """What the learner reads where this misconception shows."""
        return f"Often behind it: {sentence(self.name)} {self.reason}"

    @property
    def mutant(self) -> Callable:
        """The function that shows this misconception in an exercise."""
        return self.wrong


def refuse_duplicates(misconceptions: Sequence[Misconception], owner: str) -> None:
    """Raise ValueError if two misconceptions of one owner share a name."""
    names = [misconception.name for misconception in misconceptions]
    repeated = sorted({name for name in names if names.count(name) > 1})
    if repeated:
        raise ValueError(
            f"misconceptions of {owner} repeat the names {', '.join(repeated)}; each needs its own"
        )
