"""The kinds of guess that a prediction takes: a number, several numbers, a choice, an order.

Each kind reads a guess (and refuses one that cannot be meant), compares it with the answer, and says both in
words. A read guess is made of numbers, strings, lists and dicts, so that it can be kept as JSON.
"""

import math
import numbers
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

WHOLE = ("the guess",)
"""What is wrong with a guess that has no parts."""


class Kind(Protocol):
    """What a prediction asks of its kind of guess."""

    def read(self, guess: Any) -> Any:
        """The guess in its kept form; ValueError or TypeError if it cannot be meant."""

    def request(self) -> str:
        """What to give, in words: for instance ``"a number of clusters, 0 to 132"``."""

    def words(self, guess: Any) -> str:
        """A read guess in words, with its unit."""

    def points(self, guess: Any, answer: Any) -> tuple[int, int]:
        """Points earned, and points that could be earned."""

    def shows(self, wrong: Any, guess: Any, answer: Any) -> Collection[str]:
        """The parts of the guess that are wrong in the way that ``wrong``, a misconception's guess, is."""

    def comparison(self, guess: Any, answer: Any) -> list[str]:
        """Guess against answer, one sentence a part."""


@dataclass(frozen=True)
class Number:
    """One number.

    Parameters
    ----------
    unit
        What is counted or measured, such as ``"clusters"`` or ``"cycles"``.
    low, high
        The range a guess may lie in, ends included; None leaves that side open.
    tolerance
        How far a right guess may lie from the answer, in the unit.
    relative_tolerance
        The same as a fraction of the answer; the wider of the two holds.
    """

    unit: str = ""
    low: float | None = None
    high: float | None = None
    tolerance: float = 0.0
    relative_tolerance: float = 0.0

    def read(self, guess: Any) -> int | float:
        """The number; a string may carry the unit, as in ``"8 clusters"``."""
        value = self._value(guess)
        too_low = self.low is not None and value < self.low
        too_high = self.high is not None and value > self.high
        if too_low or too_high or not math.isfinite(value):
            raise ValueError(f"guess is {_plain(value)}; it must be {self.request()}")
        return int(value) if value == int(value) else value

    def _value(self, guess: Any) -> float:
        if isinstance(guess, str):
            digits = guess.strip().removesuffix(self.unit).strip() if self.unit else guess.strip()
            try:
                return float(digits)
            except ValueError:
                raise ValueError(f"guess is {guess!r}; it must be {self.request()}") from None
        if isinstance(guess, bool) or not isinstance(guess, numbers.Real):
            raise TypeError(f"guess is {guess!r}; it must be {self.request()}")
        return float(guess)

    def request(self) -> str:
        """A number, its unit, its range and how near is near enough."""
        what = f"a number of {self.unit}" if self.unit else "a number"
        if self.low is not None and self.high is not None:
            what += f", {_plain(self.low)} to {_plain(self.high)}"
        elif self.low is not None:
            what += f", at least {_plain(self.low)}"
        elif self.high is not None:
            what += f", at most {_plain(self.high)}"
        return what + self._nearness()

    def _nearness(self) -> str:
        allowed = []
        if self.tolerance:
            allowed.append(f"{_plain(self.tolerance)} {self.unit}".strip())
        if self.relative_tolerance:
            allowed.append(f"{_plain(100 * self.relative_tolerance)} %")
        return f" (right within {' or '.join(allowed)})" if allowed else ""

    def words(self, guess: int | float) -> str:
        """The number with its unit."""
        return f"{_plain(guess)} {self.unit}".strip()

    def agrees(self, guess: float, other: float) -> bool:
        """Whether two numbers are the same within the tolerance, measured from the second."""
        room = max(self.tolerance, self.relative_tolerance * abs(other))
        return abs(guess - other) <= room or math.isclose(guess, other, rel_tol=1e-12)

    def points(self, guess: float, answer: float) -> tuple[int, int]:
        """One point for a number within the tolerance."""
        return int(self.agrees(guess, answer)), 1

    def shows(self, wrong: float, guess: float, answer: float) -> Collection[str]:
        """The whole guess, if it is the misconception's number and not the answer."""
        return WHOLE if self.agrees(guess, wrong) and not self.agrees(guess, answer) else ()

    def comparison(self, guess: float, answer: float) -> list[str]:
        """Guess and answer in one sentence, with how far they are apart."""
        if guess == answer:
            return [f"You said {self.words(guess)}, and so it is."]
        return [f"You said {self.words(guess)}; it is {self.words(answer)}."]


class Numbers:
    """Several numbers at once, each with its label: ``Numbers({"of 16": Number("clusters"), ...})``."""

    def __init__(self, parts: Mapping[str, Number]) -> None:
        if len(parts) < 2:
            raise ValueError(f"parts has {len(parts)} number; give 2 or more, or use Number")
        self.parts = dict(parts)

    def read(self, guess: Any) -> dict[str, int | float]:
        """A mapping of label to number, or the numbers in the order of the parts."""
        if isinstance(guess, Iterable) and not isinstance(guess, Mapping | str):
            values = list(guess)
            if len(values) != len(self.parts):
                raise ValueError(f"guess has {len(values)} numbers; it must be {self.request()}")
            guess = dict(zip(self.parts, values, strict=True))
        if not isinstance(guess, Mapping):
            raise TypeError(f"guess is {guess!r}; it must be {self.request()}")
        if set(guess) != set(self.parts):
            raise ValueError(f"guess names {', '.join(map(str, guess))}; it must be {self.request()}")
        return {label: self._part(label, guess[label]) for label in self.parts}

    def _part(self, label: str, guess: Any) -> int | float:
        try:
            return self.parts[label].read(guess)
        except (TypeError, ValueError) as error:
            raise type(error)(f"{label}: {error}") from None

    def request(self) -> str:
        """Every label with its own request."""
        return "; ".join(f"{label}: {number.request()}" for label, number in self.parts.items())

    def words(self, guess: Mapping[str, float]) -> str:
        """Every label with its number."""
        return ", ".join(f"{label}: {number.words(guess[label])}" for label, number in self.parts.items())

    def _wrong_parts(self, guess: Mapping[str, float], answer: Mapping[str, float]) -> list[str]:
        return [part for part, number in self.parts.items() if not number.agrees(guess[part], answer[part])]

    def points(self, guess: Mapping[str, float], answer: Mapping[str, float]) -> tuple[int, int]:
        """One point for each right number."""
        return len(self.parts) - len(self._wrong_parts(guess, answer)), len(self.parts)

    def shows(
        self, wrong: Mapping[str, float], guess: Mapping[str, float], answer: Mapping[str, float]
    ) -> Collection[str]:
        """The wrong numbers that are the misconception's; ``wrong`` may name some parts only."""
        return [
            part
            for part in self._wrong_parts(guess, answer)
            if part in wrong and self.parts[part].agrees(guess[part], wrong[part])
        ]

    def comparison(self, guess: Mapping[str, float], answer: Mapping[str, float]) -> list[str]:
        """One sentence a part."""
        return [
            f"{label}: {sentence}"
            for label, number in self.parts.items()
            for sentence in number.comparison(guess[label], answer[label])
        ]


class Choice:
    """One of several options.

    ``options`` are the sentences to choose from, or a mapping of a short key to each sentence; guesses,
    answers and misconceptions then use the keys.
    """

    def __init__(self, options: Sequence[str] | Mapping[str, str]) -> None:
        self.options = (
            dict(options) if isinstance(options, Mapping) else {option: option for option in options}
        )
        if len(self.options) < 2 or len(self.options) != len(options):
            raise ValueError(f"options is {list(options)!r}; give 2 or more, all different")

    def read(self, guess: Any) -> str:
        """The key of an option, given as its key or as its sentence."""
        for key, sentence in self.options.items():
            if isinstance(guess, str) and guess in (key, sentence):
                return key
        raise ValueError(f"guess is {guess!r}; it must be {self.request()}")

    def request(self) -> str:
        """The keys to choose from."""
        return "one of: " + "; ".join(self.options)

    def words(self, guess: str) -> str:
        """The chosen sentence."""
        return self.options[guess]

    def points(self, guess: str, answer: str) -> tuple[int, int]:
        """One point for the right option."""
        return int(guess == answer), 1

    def shows(self, wrong: str, guess: str, answer: str) -> Collection[str]:
        """The whole guess, if it is the misconception's option and not the answer."""
        return WHOLE if guess == wrong != answer else ()

    def comparison(self, guess: str, answer: str) -> list[str]:
        """Chosen and right option in one sentence."""
        if guess == answer:
            return [f'You chose "{self.words(guess)}", and so it is.']
        return [f'You chose "{self.words(guess)}"; it is "{self.words(answer)}".']


class Order:
    """All items, ranked; ``first`` and ``last`` say what the ends mean, such as "fastest" and "slowest"."""

    def __init__(self, items: Sequence[str], first: str, last: str) -> None:
        if len(items) < 2 or len(set(items)) != len(items):
            raise ValueError(f"items is {list(items)!r}; give 2 or more, all different")
        self.items = tuple(items)
        self.first = first
        self.last = last

    def read(self, guess: Any) -> list[str]:
        """The items in order, each once."""
        if isinstance(guess, str) or not isinstance(guess, Iterable):
            raise TypeError(f"guess is {guess!r}; it must be {self.request()}")
        order = list(guess)
        if sorted(map(str, order)) != sorted(self.items):
            raise ValueError(f"guess is {order!r}; it must be {self.request()}")
        return order

    def request(self) -> str:
        """The items and what the ends mean."""
        return f"all of {', '.join(self.items)}, in order, {self.first} first, {self.last} last"

    def words(self, guess: Sequence[str]) -> str:
        """The items, first to last."""
        return ", then ".join(guess)

    def points(self, guess: Sequence[str], answer: Sequence[str]) -> tuple[int, int]:
        """One point for each item in its own place."""
        return sum(mine == right for mine, right in zip(guess, answer, strict=True)), len(self.items)

    def shows(self, wrong: Sequence[str], guess: Sequence[str], answer: Sequence[str]) -> Collection[str]:
        """The whole guess, if it is the misconception's order and not the answer."""
        return WHOLE if list(guess) == list(wrong) != list(answer) else ()

    def comparison(self, guess: Sequence[str], answer: Sequence[str]) -> list[str]:
        """Both orders, one sentence each."""
        if list(guess) == list(answer):
            return [f"You said {self.words(guess)}, and so it is."]
        return [f"You said {self.words(guess)}.", f"It is {self.words(answer)}."]


def _plain(value: float) -> str:
    """A number without a needless fraction, to six figures."""
    if math.isfinite(value) and value == int(value):
        return str(int(value))
    return f"{value:.6g}"
