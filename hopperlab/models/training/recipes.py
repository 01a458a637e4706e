"""Recipes: in which format each tensor of a training step is multiplied, and how it is scaled before the cast."""

from dataclasses import dataclass, replace
from typing import Protocol

import ml_dtypes
import numpy as np

from hopperlab.models import fp8
from hopperlab.models.scaling import DelayedScaling, ScaleState, amax, current_scale

WIDE = {"float32": np.float32, "float16": np.float16, "bfloat16": ml_dtypes.bfloat16}
SCALINGS = ("none", "current", "delayed")


@dataclass(frozen=True)
class Recipe:
    """How the operands of every matrix product are cast. Weights, biases and the optimizer stay in FP32.

    name
        What a reader calls it.
    forward, backward
        Format of activations and weights, and of the gradients that come back: "float32", "float16",
        "bfloat16", or a name of `models.fp8.FORMATS`.
    scaling
        "none", "current" or "delayed"; only FP8 is scaled.
    history_length
        Steps that delayed scaling remembers.
    """

    name: str
    forward: str = "float32"
    backward: str = "float32"
    scaling: str = "none"
    history_length: int = 16

    def __post_init__(self) -> None:
        """Refuse formats and scalings that do not exist."""
        allowed = (*WIDE, *fp8.FORMATS)
        for field in ("forward", "backward"):
            if getattr(self, field) not in allowed:
                raise ValueError(f"{field}={getattr(self, field)!r} must be one of {', '.join(allowed)}")
        if self.scaling not in SCALINGS:
            raise ValueError(f"scaling={self.scaling!r} must be one of {', '.join(SCALINGS)}")
        DelayedScaling(history_length=self.history_length)  # refuses what it does not remember


RECIPES: dict[str, Recipe] = {
    recipe.name: recipe
    for recipe in (
        Recipe("FP32"),
        Recipe("FP16", "float16", "float16"),
        Recipe("BF16", "bfloat16", "bfloat16"),
        Recipe("FP8 delayed, HYBRID", "e4m3", "e5m2", "delayed"),
        Recipe("FP8 current, HYBRID", "e4m3", "e5m2", "current"),
        Recipe("FP8 delayed, all E4M3", "e4m3", "e4m3", "delayed"),
        Recipe("FP8 delayed, all E5M2", "e5m2", "e5m2", "delayed"),
        Recipe("FP8 unscaled, HYBRID", "e4m3", "e5m2"),
        Recipe("FP8 unscaled, all E4M3", "e4m3", "e4m3"),
    )
}
"""By name. Transformer Engine refuses E5M2 for all tensors; it stands here to show why."""


@dataclass(frozen=True)
class Operand:
    """One side of a matrix product: what the tensor core sees, in FP64, and the factor that undoes the scaling."""

    values: np.ndarray
    fmt: str
    scale_inv: np.float32

    @property
    def transposed(self) -> "Operand":
        """The same for the transposed matrix."""
        return Operand(self.values.T, self.fmt, self.scale_inv)


def product(a: Operand, b: Operand) -> np.ndarray:
    """Multiply two operands: sums in FP64, rounded once to FP32, then scaled back.

    Sums of FP8 products are exact in FP64 but for the rarest, so every machine gives the same run. No
    accumulator is modelled here: see `tensor_cores`.
    """
    return (a.values @ b.values).astype(np.float32) * np.float32(a.scale_inv * b.scale_inv)


class Caster(Protocol):
    """Whatever casts the operands of a network's products."""

    def cast(self, name: str, x: np.ndarray, direction: str = "forward") -> Operand:
        """Cast a tensor by its name; `direction` is "forward" or "backward"."""


class Casts:
    """All casts of one run: the recipe, and under delayed scaling each tensor's history.

    Attributes
    ----------
    recipe
        What is followed.
    states
        Under delayed scaling, the `ScaleState` of each tensor that was cast so far, by name.
    seen
        The tensors of the last step, by name.
    """

    def __init__(self, recipe: Recipe) -> None:
        self.recipe = recipe
        self.states: dict[str, ScaleState] = {}
        self.seen: dict[str, np.ndarray] = {}

    def cast(self, name: str, x: np.ndarray, direction: str = "forward") -> Operand:
        """Cast a tensor by its name; `direction` is "forward" or "backward"."""
        self.seen[name] = x
        fmt = self.recipe.forward if direction == "forward" else self.recipe.backward
        if fmt in WIDE:
            with np.errstate(over="ignore"):
                return Operand(x.astype(WIDE[fmt]).astype(np.float64), fmt, np.float32(1))
        scale = np.float32(self._scale(name, x, fmt))
        codes = fp8.encode(x * scale, fmt, engine="numba", threads=1)  # thousands of small casts: compiled
        return Operand(fp8.decode(codes, fmt).astype(np.float64), fmt, np.float32(1) / scale)

    def looking_on(self) -> "Casts":
        """Casts with the same scales, that leave no trace in these histories."""
        other = Casts(self.recipe)
        other.states = dict(self.states)
        return other

    def end_step(self) -> None:
        """Turn every history into the next scale."""
        self.states = {name: state.update() for name, state in self.states.items()}

    def _scale(self, name: str, x: np.ndarray, fmt: str) -> float:
        if self.recipe.scaling == "none":
            return 1.0
        if self.recipe.scaling == "current":
            return float(current_scale(amax(x), fmt))
        state = self.states.get(name) or _start(fmt, self.recipe.history_length)
        self.states[name] = state.record(amax(x))
        return state.scale


def _start(fmt: str, history_length: int) -> ScaleState:
    """A history for a tensor of this format, whatever the direction: its scales reach that format's own edge."""
    return replace(DelayedScaling(history_length=history_length).start(), fmt=fmt)
