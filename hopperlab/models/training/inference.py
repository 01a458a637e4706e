"""Inference after training: FP8 as it was trained, and INT8 with the step of calibration that it needs.

FP8 with current scaling asks nothing; with a static scale it too must have seen what is to come. INT8 has one
step size for a whole tensor, so its scale decides between clipping the largest and losing the smallest.
"""

from dataclasses import dataclass, field

import numpy as np

from hopperlab.models import fp8
from hopperlab.models.arguments import finite_number
from hopperlab.models.scaling import amax, current_scale
from hopperlab.models.training.exposure import INT8, check_eight_bits, int8_through
from hopperlab.models.training.recipes import Operand


@dataclass
class StaticCasts:
    """Casts for inference, with limits that were found beforehand.

    fmt
        "int8", or a format of `models.fp8`.
    limits
        Largest magnitude foreseen of each activation, by name, as `calibrate` finds it. A tensor without one
        is scaled by its own largest magnitude: a weight, which is at hand, or under current scaling anything.
    """

    fmt: str
    limits: dict[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Refuse a format that does not exist."""
        check_eight_bits(self.fmt)

    def cast(self, name: str, x: np.ndarray, direction: str = "forward") -> Operand:
        """Cast a tensor; all of inference is forward."""
        limit = self.limits.get(name, float(amax(x)))
        if self.fmt == INT8:
            return Operand(int8_through(x.astype(np.float64), limit), self.fmt, np.float32(1))
        scale = np.float32(current_scale(limit, self.fmt))
        codes = fp8.encode(x * scale, self.fmt, engine="numba", threads=1)
        return Operand(fp8.decode(codes, self.fmt).astype(np.float64), self.fmt, np.float32(1) / scale)


@dataclass
class Calibration:
    """Casts that round nothing and note the magnitudes of what passes."""

    share: float = 1.0
    seen: dict[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Refuse what is no share."""
        if finite_number("share", self.share, above=0) > 1:
            raise ValueError(f"share={self.share!r} must be at most 1")

    def cast(self, name: str, x: np.ndarray, direction: str = "forward") -> Operand:
        """Note the magnitude below which `share` of the tensor lies."""
        largest = float(np.quantile(np.abs(x), self.share))
        self.seen[name] = max(largest, self.seen.get(name, 0.0))
        return Operand(x.astype(np.float64), "float32", np.float32(1))

    @property
    def limits(self) -> dict[str, float]:
        """Limits of the activations; weights are at hand and need none."""
        return {name: limit for name, limit in self.seen.items() if name.startswith("x")}
