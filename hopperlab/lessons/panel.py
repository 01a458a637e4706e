"""Panels: controls above a picture that a pure function draws from their values.

A lesson makes one from a view and a few controls::

    Panel(
        "clusters.board",
        lambda size, blocks_per_sm: board(place(size, blocks_per_sm)),
        size=slider("Cluster size", 1, 16, 8, unit="blocks"),
        blocks_per_sm=slider("Blocks per SM", 1, 2, 1),
    )

Its ``text/plain`` is the state of the controls and the picture's twin. The first drawing may raise, so that a
test sees it; later errors are told in the panel, and the last good picture stays.
"""

import copy
import time
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import ipywidgets as widgets

from hopperlab.course.cards.base import Feedback, Named, button, close_all
from hopperlab.course.report import sentence
from hopperlab.lessons.controls import control_words
from hopperlab.lessons.display import HEIGHT, Screen
from hopperlab.views.picture import Picture

FAST_SECONDS = 0.05  # a slower picture is redrawn when a slider is let go, not while it moves
SLOW_SECONDS = 0.1  # where a new picture took longer, the next new one is announced before it is drawn


class Panel(Named):
    """One picture, drawn anew whenever a control changes.

    Parameters
    ----------
    name
        Making a panel of the same name again closes this one.
    draw
        A pure function from the controls' values, by their names, to a `Picture`.
    height
        Room kept for the picture, in pixels.
    controls
        The controls, in the order of the Tab key; see `hopperlab.lessons.controls`.
    """

    def __init__(
        self, name: str, draw: Callable[..., Picture], /, height: int = HEIGHT, **controls: widgets.Widget
    ) -> None:
        self.draw = draw
        self.controls = controls
        self.screen = Screen(height)
        self.problem = Feedback()
        self.error: Exception | None = None
        self._drawn_at = ""
        self._drawn: set[str] = set()
        self._slow = False
        parts = [*controls.values(), self.screen, self.problem]
        try:
            seconds = self._timed_draw()
            if seconds > FAST_SECONDS:  # the first drawing may have paid for imports
                seconds = self._timed_draw()
        except Exception:
            for part in parts:
                close_all(part)
            raise
        super().__init__(f"panel {name}", parts)
        for control in controls.values():
            if hasattr(control, "continuous_update"):
                control.continuous_update = seconds <= FAST_SECONDS
            control.observe(self._redraw, "value")

    @property
    def picture(self) -> Picture:
        """The picture that is shown."""
        return self.screen.picture

    @property
    def values(self) -> dict[str, Any]:
        """The controls' values by name."""
        return {name: control.value for name, control in self.controls.items()}

    def _timed_draw(self) -> float:
        started = time.perf_counter()
        self.screen.show(self.draw(**self.values))
        self._drawn_at = self._state()
        seconds = time.perf_counter() - started
        if self._drawn_at not in self._drawn:
            self._slow = seconds > SLOW_SECONDS
            self._drawn.add(self._drawn_at)
        return seconds

    def _redraw(self, _: Any) -> None:
        if self._slow and self._state() not in self._drawn:
            self.problem.show(f"Being worked out: {self._state()}.")
        try:
            self._timed_draw()
        except Exception as error:
            self.error = error
            tell(
                self.problem, error, f"{self._state()}: ", f" The picture is still that of {self._drawn_at}."
            )
        else:
            self.error = None
            self.problem.show("")

    def _state(self) -> str:
        return ", ".join(control_words(control) for control in self.controls.values())

    def release(self, keep: frozenset[widgets.Widget] = frozenset()) -> None:
        """Stop listening to the controls, then close the panel."""
        for control in self.controls.values():
            control.unobserve(self._redraw, "value")
        super().release(keep)

    def words(self) -> str:
        """The picture's title, the controls' state and the picture's text."""
        head = f"[panel] {self.picture.title} | {self._state()}".rstrip("| ")
        return "\n".join(line for line in (head, self.problem.text, self.picture.text) if line)


class Step(NamedTuple):
    """One step of an event panel: the event's label, empty for the start, and the state after it."""

    event: str
    state: Any


class EventPanel(Named):
    """A state machine worked by buttons, one an event, with undo.

    Parameters
    ----------
    name
        Making a panel of the same name again closes this one.
    initial_state
        The state to start from, and to start over from.
    events
        For each button's label, a function from the state to the next one. A ValueError refuses the event: its
        words are shown and the state stays.
    draw
        A pure function from the history, a tuple of `Step`, to a `Picture`; the last step holds the state.
    height
        Room kept for the picture, in pixels.
    """

    def __init__(
        self,
        name: str,
        initial_state: Any,
        events: Mapping[str, Callable[[Any], Any]],
        draw: Callable[[tuple[Step, ...]], Picture],
        /,
        height: int = HEIGHT,
    ) -> None:
        self.events = dict(events)
        self.draw = draw
        self.history = (Step("", copy.deepcopy(initial_state)),)
        self.screen = Screen(height)
        self.problem = Feedback()
        self.error: Exception | None = None
        self.screen.show(draw(self.history))
        labels = {label: (lambda label=label: self.do(label)) for label in self.events}
        actions = labels | {"Undo": self.undo, "Start over": self.start_over}
        self.buttons = {label: button(label, act, self.problem) for label, act in actions.items()}
        row = widgets.HBox(list(self.buttons.values()), layout=widgets.Layout(flex_flow="row wrap"))
        super().__init__(f"panel {name}", [row, self.screen, self.problem])

    @property
    def state(self) -> Any:
        """The state now."""
        return self.history[-1].state

    @property
    def picture(self) -> Picture:
        """The picture that is shown."""
        return self.screen.picture

    def do(self, label: str) -> None:
        """Let one event happen."""
        try:
            state = self.events[label](copy.deepcopy(self.state))
            self._show((*self.history, Step(label, state)))
        except Exception as error:
            self.error = error
            tell(self.problem, error, f"{label}: ", " The state is as before.")

    def undo(self) -> None:
        """Go back by one event."""
        if len(self.history) == 1:
            self.problem.show("Nothing to undo.")
        else:
            self._show(self.history[:-1])

    def start_over(self) -> None:
        """Go back to the initial state."""
        self._show(self.history[:1])

    def _show(self, history: tuple[Step, ...]) -> None:
        self.screen.show(self.draw(history))
        self.history = history
        self.error = None
        self.problem.show("")

    def words(self) -> str:
        """The picture's title, the events so far and the picture's text."""
        happened = ", ".join(step.event for step in self.history[1:]) or "none"
        head = f"[panel] {self.picture.title} | events so far: {happened}"
        buttons = f"Buttons: {', '.join(self.buttons)}."
        return "\n".join(line for line in (head, buttons, self.problem.text, self.picture.text) if line)


def tell(place: Feedback, error: Exception, before: str, after: str) -> None:
    """Show an error: a ValueError in its own words, any other with where it happened."""
    if isinstance(error, ValueError):
        place.show(f"{before}{sentence(str(error))}{after}")
    else:
        place.show_error(error, before, after)
