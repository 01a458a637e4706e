"""What a tensor goes through under a scaling recipe, step by step: its range, the scale, what is lost."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from hopperlab.models import fp8
from hopperlab.models.arguments import finite_number, whole_number
from hopperlab.models.scaling.delayed import DelayedScaling
from hopperlab.models.scaling.factors import amax

EVENTS = ("spike", "infinity", "not a number", "zeros")
ELEMENTS = 1024
MOST_STEPS = 4096
LARGEST_SPIKE = 2.0**100


@dataclass(frozen=True)
class Moment:
    """One step of one tensor.

    amax
        Its largest magnitude, before scaling.
    scale
        What it was multiplied with, from the steps before.
    largest, smallest
        Magnitudes that the format reaches at that scale: its largest finite value and its smallest subnormal.
    clipped, flushed
        Shares of its elements that are finite but too large, and that are not zero but become zero.
    error
        Root mean square of what was lost, as a share of that of the tensor; its finite elements alone count.
    """

    step: int
    amax: float
    scale: float
    largest: float
    smallest: float
    clipped: float
    flushed: float
    error: float


def timeline(
    recipe: DelayedScaling, steps: int, events: Mapping[int, str] = {}, spike: float = 64.0, seed: int = 0
) -> tuple[Moment, ...]:
    """Follow one tensor of the forward direction: normal values whose size drifts slowly, and what befalls it.

    Parameters
    ----------
    recipe
        Delayed scaling, with its history.
    steps
        How many to follow.
    events
        By step, from 0, one of `EVENTS`: all elements times `spike`, one infinity, one NaN, or all zero.
    spike
        The factor of a spike, up to 2**100.

    Raises
    ------
    ValueError
        For an event that does not exist, or comes in no step, and a factor out of range.
    """
    whole_number("steps", steps, 1, MOST_STEPS)
    if finite_number("spike", spike, above=0) > LARGEST_SPIKE:
        raise ValueError(f"spike={spike!r} must be at most 2**100")
    for step, event in events.items():
        whole_number("step of an event", step, 0, steps - 1)
        if event not in EVENTS:
            raise ValueError(f"event {event!r} must be one of {', '.join(EVENTS)}")
    rng = np.random.default_rng(seed)
    state = recipe.start("forward")
    tensors, scales, magnitudes = [], [], []
    for step in range(steps):
        size = 2.0 ** (1.5 * np.sin(step / 6))
        x = _befallen((size * rng.normal(size=ELEMENTS)).astype(np.float32), events.get(step, ""), spike)
        tensors.append(x)
        scales.append(state.scale)
        magnitudes.append(float(amax(x)))
        state = state.record(magnitudes[-1]).update()
    return _moments(np.stack(tensors), np.array(scales, np.float32), magnitudes, state.fmt)


def _befallen(x: np.ndarray, event: str, spike: float) -> np.ndarray:
    if event == "spike":
        return x * np.float32(spike)
    if event == "zeros":
        return np.zeros_like(x)
    if event:
        x[0] = np.inf if event == "infinity" else np.nan
    return x


def _moments(x: np.ndarray, scale: np.ndarray, magnitudes: Sequence[float], fmt: str) -> tuple[Moment, ...]:
    """All steps at once, a row each: one large cast instead of many small ones."""
    target = fp8.format_named(fmt)
    finite = np.where(np.isfinite(x), x, 0)
    scaled = finite * scale[:, None]
    rounded = fp8.decode(fp8.encode(scaled, fmt), fmt) / scale[:, None]
    size = np.sqrt(np.mean(finite**2, axis=1, dtype=np.float64))
    lost = np.sqrt(np.mean((rounded - finite) ** 2, axis=1, dtype=np.float64))
    clipped = np.mean(np.abs(scaled) > target.largest, axis=1)
    flushed = np.mean((finite != 0) & (rounded == 0), axis=1)
    return tuple(
        Moment(
            step=step,
            amax=magnitudes[step],
            scale=float(scale[step]),
            largest=float(target.largest / scale[step]),
            smallest=float(target.smallest_subnormal / scale[step]),
            clipped=float(clipped[step]),
            flushed=float(flushed[step]),
            error=float(lost[step] / size[step]) if size[step] else 0.0,
        )
        for step in range(len(x))
    )


def frozen_for(moments: Sequence[Moment], event_step: int) -> int:
    """Steps after an event during which the scale stays what it was."""
    scales = [moment.scale for moment in moments[event_step + 1 :]]
    return next((n for n, scale in enumerate(scales) if scale != scales[0]), len(scales))
