"""The inputs of a prediction, one for each kind of guess: each has a ``guess``, and can show one, locked."""

import time
from collections.abc import Callable
from typing import Any

import ipywidgets as widgets

from hopperlab.course.cards.base import WHOLE_LABEL, WIDE
from hopperlab.course.guesses import Choice, Kind, Number, Numbers, Order

_ENTER_SECONDS = 1.0


class NumberInput(widgets.HBox):
    """A field for one number, its unit beside it; Enter commits."""

    def __init__(self, number: Number, commit: Callable[[], None], label: str = "Your guess") -> None:
        # The field sends its value when it is left or Enter is pressed, so that no digit is still on its way.
        self.field = widgets.Text(description=label, continuous_update=False, style=WHOLE_LABEL)
        self._commit = commit
        self._enter = 0.0
        self.field.on_msg(self._submitted)
        self.field.observe(self._changed, "value")
        super().__init__([self.field, widgets.Label(number.unit)])

    def _submitted(self, _: Any, content: dict[str, Any], __: Any) -> None:
        """Enter was pressed; the value itself comes with the next message."""
        if content.get("event") == "submit":
            self._enter = time.monotonic()

    def _changed(self, _: Any) -> None:
        if time.monotonic() - self._enter < _ENTER_SECONDS:
            self._enter = 0.0
            self._commit()

    @property
    def guess(self) -> str | None:
        """What is typed; None if nothing is."""
        return self.field.value.strip() or None

    def put(self, guess: float) -> None:
        """Show a committed guess, and lock it."""
        self.field.value = str(guess)
        self.field.disabled = True


class NumbersInput(widgets.VBox):
    """A field for each of several numbers."""

    def __init__(self, kind: Numbers, commit: Callable[[], None]) -> None:
        self.inputs = {part: NumberInput(number, commit, part) for part, number in kind.parts.items()}
        super().__init__(list(self.inputs.values()))

    @property
    def guess(self) -> dict[str, str] | None:
        """What is typed, by label; None while a field is empty."""
        typed = {part: field.guess for part, field in self.inputs.items()}
        return None if None in typed.values() else typed

    def put(self, guess: dict[str, float]) -> None:
        """Show a committed guess, and lock it."""
        for part, field in self.inputs.items():
            field.put(guess[part])


class ChoiceInput(widgets.RadioButtons):
    """Radio buttons, none chosen at first; Tab moves among them, Space chooses."""

    def __init__(self, kind: Choice, commit: Callable[[], None]) -> None:
        options = [(sentence, key) for key, sentence in kind.options.items()]
        layout = widgets.Layout(width=WIDE)
        super().__init__(
            options=options, value=None, description="Your guess", style=WHOLE_LABEL, layout=layout
        )

    @property
    def guess(self) -> str | None:
        """The key of the chosen option; None before."""
        return self.value

    def put(self, guess: str) -> None:
        """Show a committed guess, and lock it."""
        self.value = guess
        self.disabled = True


class OrderInput(widgets.VBox):
    """The items in a column, each with buttons that move it up or down; the focus goes with the item."""

    def __init__(self, kind: Order, commit: Callable[[], None]) -> None:
        self.order = list(kind.items)
        self._labels = [widgets.Label() for _ in self.order]
        self._up = [self._mover(place, -1) for place in range(len(self.order))]
        self._down = [self._mover(place, +1) for place in range(len(self.order))]
        rows = [widgets.HBox(row) for row in zip(self._up, self._down, self._labels, strict=True)]
        super().__init__([widgets.Label(f"First: {kind.first}"), *rows, widgets.Label(f"Last: {kind.last}")])
        self._name_rows()

    def _mover(self, place: int, step: int) -> widgets.Button:
        button = widgets.Button(description="Up" if step < 0 else "Down", layout=widgets.Layout(width="5em"))
        button.disabled = not 0 <= place + step < len(self.order)
        button.on_click(lambda _: self.move(place, step))
        return button

    def move(self, place: int, step: int) -> None:
        """Move the item at a place (from 0) by one, up (-1) or down (+1)."""
        target = place + step
        self.order[place], self.order[target] = self.order[target], self.order[place]
        self._name_rows()
        same, other = (self._up, self._down) if step < 0 else (self._down, self._up)
        (other if same[target].disabled else same)[target].focus()

    def _name_rows(self) -> None:
        for place, item in enumerate(self.order):
            self._labels[place].value = f"{place + 1}. {item}"
            self._up[place].tooltip = f"Move {item} up"
            self._down[place].tooltip = f"Move {item} down"

    @property
    def guess(self) -> list[str]:
        """The items as they stand."""
        return list(self.order)

    def put(self, guess: list[str]) -> None:
        """Show a committed guess, and lock it."""
        self.order = list(guess)
        self._name_rows()
        for button in (*self._up, *self._down):
            button.disabled = True


_INPUTS = {Number: NumberInput, Numbers: NumbersInput, Choice: ChoiceInput, Order: OrderInput}


def input_for(kind: Kind, commit: Callable[[], None]) -> Any:
    """The input that takes a kind of guess; ``commit`` is called when Enter is pressed in it."""
    return _INPUTS[type(kind)](kind, commit)
