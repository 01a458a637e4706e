"""The controls of a panel: each has a label, a value, and a way to be worked from the keyboard.

JupyterLab keeps arrow keys and letters for itself in all but sliders and text fields, so there are no drop-down
lists here: Tab reaches every option, Space chooses it.
"""

import asyncio
from collections.abc import Callable, Iterable, Mapping
from decimal import Decimal
from typing import Any

import ipywidgets as widgets
import traitlets

WHOLE_LABEL = {"description_width": "initial"}
WIDE = "min(100%, 520px)"
PLAY_SECONDS = 0.5  # a step, while playing
LONGEST_ROW = 70  # characters of options beside each other; more stand below each other


def slider(
    label: str, low: float, high: float, value: float, step: float = 1, unit: str = ""
) -> widgets.IntSlider | widgets.FloatSlider:
    """A slider from low to high; whole numbers if all four numbers are. Arrow keys move it.

    It shows its value with as many decimals as its steps have.

    Raises
    ------
    ValueError
        If the value lies outside the range, or the step is not above 0.
    """
    if not low <= value <= high:
        raise ValueError(f"value of slider {label!r} is {value}; it must be {low} to {high}")
    if step <= 0:
        raise ValueError(f"step of slider {label!r} is {step}; it must be above 0")
    numbers = (low, high, value, step)
    whole = all(isinstance(number, int) for number in numbers)
    made = widgets.IntSlider if whole else widgets.FloatSlider
    return made(
        readout_format="d" if whole else f".{max(map(_decimals, numbers))}f",
        min=low,
        max=high,
        value=value,
        step=step,
        description=f"{label} ({unit})" if unit else label,
        style=WHOLE_LABEL,
        layout=widgets.Layout(width=WIDE),
    )


def _decimals(number: float) -> int:
    """How many decimals a number is written with."""
    return max(0, -Decimal(repr(float(number))).normalize().as_tuple().exponent)


def choice(label: str, options: Iterable[Any] | Mapping[str, Any], value: Any = None) -> widgets.RadioButtons:
    """One of several options, or of the values of a mapping of names; the first unless ``value`` says another."""
    named = options if isinstance(options, Mapping) else {str(option): option for option in options}
    values = list(named.values())
    if not values:
        raise ValueError(f"options of choice {label!r} is empty; give 1 or more")
    if value is not None and value not in values:
        raise ValueError(f"value of choice {label!r} is {value!r}; it must be one of {values!r}")
    in_a_row = sum(map(len, named)) <= LONGEST_ROW
    return widgets.RadioButtons(
        options=list(named.items()),
        value=values[0] if value is None else value,
        description=label,
        orientation="horizontal" if in_a_row else "vertical",
        style=WHOLE_LABEL,
        layout=widgets.Layout(width="max-content", max_width="100%"),
    )


def toggle(label: str, value: bool = False) -> widgets.Checkbox:
    """A box to check. Space turns it."""
    return widgets.Checkbox(value=value, description=label, indent=False)


class Stepper(widgets.HBox):
    """Steps through time: a slider, a step back, a step forward, play, and where causes are known a jump to one.

    ``value`` is the step, from 0 to ``last``; ``last`` may be changed when another control makes a longer trace.
    ``cause`` gives, for a step, the step that explains it, or None where nothing does.
    """

    value = traitlets.Int(0)
    last = traitlets.Int(0)

    def __init__(
        self, label: str, last: int, value: int = 0, cause: Callable[[int], int | None] | None = None
    ) -> None:
        if not 0 <= value <= last:
            raise ValueError(f"value of stepper {label!r} is {value}; it must be 0 to {last}")
        self.description = label
        self.slider = slider(label, 0, last, value)
        self.back = widgets.Button(description="Back", tooltip="One step back")
        self.forward = widgets.Button(description="Forward", tooltip="One step forward")
        self.play = widgets.ToggleButton(description="Play", tooltip="Play to the end")
        buttons = [self.back, self.forward, self.play]
        if cause is not None:
            self.to_cause = widgets.Button(
                description="To its cause", tooltip="The step that explains this one"
            )
            self.to_cause.on_click(lambda _: self.jump())
            buttons.append(self.to_cause)
        for button in buttons:
            button.layout.width = "max-content"
            button.layout.min_width = "6em"
        super().__init__([*buttons, self.slider])
        self.layout.flex_flow = "row wrap"
        self.last = last
        self.value = value
        self.back.on_click(lambda _: self.step(-1))
        self.forward.on_click(lambda _: self.step(+1))
        self.cause = cause
        self.play.observe(self._play_or_pause, "value")
        self._link = traitlets.link((self.slider, "value"), (self, "value"))
        self._run: object = None

    @property
    def continuous_update(self) -> bool:
        """Whether the slider reports while it is dragged."""
        return self.slider.continuous_update

    @continuous_update.setter
    def continuous_update(self, on: bool) -> None:
        self.slider.continuous_update = on

    @traitlets.validate("value")
    def _within(self, proposal: Any) -> int:
        return min(max(proposal["value"], 0), self.last)

    @traitlets.observe("last")
    def _lengthen(self, _: Any) -> None:
        self.slider.max = self.last
        self.value = min(self.value, self.last)

    def step(self, count: int) -> None:
        """Go so many steps on, or back if negative, and stop at the ends."""
        self.value = min(max(self.value + count, 0), self.last)

    def jump(self) -> None:
        """Go to the step that explains this one; stay where nothing does."""
        there = self.cause(self.value) if self.cause else None
        if there is not None:
            self.value = there

    def _play_or_pause(self, _: Any) -> None:
        self.play.description = "Pause" if self.play.value else "Play"
        self._run = object()  # a run that was going on sees that it is over
        if self.play.value:
            self.value = 0 if self.value == self.last else self.value
            self._task = asyncio.get_running_loop().create_task(self._play(self._run))

    async def _play(self, run: object) -> None:
        """Step on until the end, a pause, or the panel's closing."""
        while self._goes_on(run) and self.value < self.last:
            await asyncio.sleep(PLAY_SECONDS)
            if self._goes_on(run):
                self.step(+1)
        if self._goes_on(run):
            self.play.value = False

    def _goes_on(self, run: object) -> bool:
        return self._run is run and self.comm is not None


def stepper(
    label: str, last: int, value: int = 0, cause: Callable[[int], int | None] | None = None
) -> Stepper:
    """Steps 0 to ``last``, with back, forward and play, and a jump to each step's cause if causes are given."""
    return Stepper(label, last, value, cause)


def control_words(control: Any) -> str:
    """A control in words: ``"Cluster size (blocks)=16"``."""
    value = control.label if isinstance(control, widgets.RadioButtons) else control.value
    if isinstance(value, bool):
        value = "yes" if value else "no"
    if isinstance(value, float):
        value = f"{value:.6g}"
    return f"{control.description}={value}"
