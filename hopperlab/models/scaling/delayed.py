"""Delayed scaling: the scale of this step comes from the magnitudes of the steps before.

A state machine of two moves, as in Transformer Engine (source of August 2026, d0067d0). During a step `record`
stages the amax of every tensor cast; at its end `update` turns the history into the next scale and makes room. So
a tensor is never scaled by its own amax, and one infinity keeps the old scale for as long as it stays in the
window.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import reduce

import numpy as np
from numpy.typing import ArrayLike

from hopperlab.models import fp8
from hopperlab.models.arguments import whole_number
from hopperlab.models.scaling import factors
from hopperlab.models.scaling.factors import FLOAT32_MAX, checked_amax, cut_to_power_of_two
from hopperlab.models.scaling.quantized import Quantized, quantize

FORMATS = {"hybrid": {"forward": "e4m3", "backward": "e5m2"}, "e4m3": {"forward": "e4m3", "backward": "e4m3"}}
ALGORITHMS = ("max", "most_recent")
UPDATES = ("fused", "bulk", "python")
MOST_MARGIN, LONGEST_HISTORY = 100, 1 << 20
SMALLEST_SCALE = 2.0**-126  # the smallest normal number of FP32, whose inverse it holds too


@dataclass(frozen=True)
class DelayedScaling:
    """The recipe; its defaults are Transformer Engine's.

    margin
        Powers of two to stay below the edge of the range.
    fp8_format
        "hybrid" (E4M3 forward, E5M2 backward) or "e4m3". E5M2 in both directions is refused, as there.
    history_length
        Steps that are remembered.
    algorithm
        "max" of the history, or the "most_recent" amax.
    update
        Which of its implementations: "fused" kernel; "bulk" kernel, which leaves a history alone whose staged
        amax is zero (a weight that was not cast in this step); "python", whose maximum keeps NaN.
    power_of_two
        Scales cut to powers of two, as they were before version 0.13.
    """

    margin: int = 0
    fp8_format: str = "hybrid"
    history_length: int = 1024
    algorithm: str = "max"
    update: str = "fused"
    power_of_two: bool = False

    def __post_init__(self) -> None:
        """Refuse choices that Transformer Engine does not have."""
        whole_number("margin", self.margin, -MOST_MARGIN, MOST_MARGIN)
        whole_number("history_length", self.history_length, 1, LONGEST_HISTORY)
        choices = {"fp8_format": tuple(FORMATS), "algorithm": ALGORITHMS, "update": UPDATES}
        for field, allowed in choices.items():
            value = getattr(self, field)
            if value not in allowed:
                raise ValueError(f"{field}={value!r} must be one of {', '.join(map(repr, allowed))}")

    def start(self, direction: str = "forward") -> "ScaleState":
        """State before the first step of a tensor of one direction, "forward" or "backward": scale 1."""
        formats = FORMATS[self.fp8_format]
        if direction not in formats:
            raise ValueError(f"direction={direction!r} must be 'forward' or 'backward'")
        return ScaleState(self, formats[direction], (0.0,) * self.history_length, 1.0)


@dataclass(frozen=True)
class ScaleState:
    """One tensor's history and scale, between two moves.

    fmt
        Format that the tensor is cast to.
    history
        Magnitudes, float32 values: the one being staged, then from the oldest to the newest.
    scale
        What the tensor is multiplied with, a float32 value.
    """

    recipe: DelayedScaling
    fmt: str
    history: tuple[float, ...]
    scale: float

    @property
    def scale_inv(self) -> np.float32:
        """What undoes the scale, 1 / scale in FP32."""
        return np.float32(1) / np.float32(self.scale)

    def record(self, amax: float) -> "ScaleState":
        """Stage an amax. Of several in one step, the largest stays (an atomic maximum: NaN is above all)."""
        values = checked_amax(amax)
        if values.ndim:
            raise ValueError(f"amax: shape {values.shape} must be (), one number")
        amax = float(values)
        staged = self.history[0]
        if not np.isnan(staged) and not amax <= staged:
            staged = amax
        return replace(self, history=(staged, *self.history[1:]))

    def quantize(self, x: ArrayLike) -> tuple[Quantized, "ScaleState"]:
        """Cast a tensor with the scale at hand, and stage its amax."""
        return quantize(x, self.fmt, self.scale), self.record(factors.amax(x))

    def update(self) -> "ScaleState":
        """End the step: next scale, history rolled, room for the next amax.

        An amax that is zero, infinite or NaN keeps the scale; a scale beyond FP32 becomes its largest number.

        Raises
        ------
        ValueError
            If the margin makes a scale so small that FP32 does not hold its inverse.
        """
        history, recipe = np.array(self.history, np.float32), self.recipe
        if recipe.update == "bulk" and history[0] == 0:
            return self
        if recipe.algorithm == "most_recent":
            amax = history[0]
        else:
            amax = history.max() if recipe.update == "python" else np.fmax.reduce(history)
        rolled = np.roll(history, -1)
        rolled[0] = 0
        return replace(self, history=tuple(rolled.tolist()), scale=self._next_scale(amax))

    def _next_scale(self, amax: np.float32) -> float:
        if not (np.isfinite(amax) and amax > 0):
            return self.scale
        largest = np.float32(fp8.format_named(self.fmt).largest)
        with np.errstate(over="ignore"):
            scale = np.minimum(largest / amax / np.float32(2.0**self.recipe.margin), FLOAT32_MAX)
        if scale < SMALLEST_SCALE:
            given = f"margin={self.recipe.margin} with an amax of {amax:g}"
            raise ValueError(f"{given} gives a scale of {scale:g}; it must be at least 2**-126")
        return float(cut_to_power_of_two(scale) if self.recipe.power_of_two else scale)


def reduce_amax(states: Sequence[ScaleState]) -> tuple[ScaleState, ...]:
    """Give the states of one tensor on several GPUs the largest amax staged on any of them.

    Without it, ranks that share a tensor scale it differently, and the sums of their products are wrong.
    """
    staged = [state.history[0] for state in states]
    return tuple(reduce(ScaleState.record, staged, state) for state in states)
