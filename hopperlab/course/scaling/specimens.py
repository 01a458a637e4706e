"""Three ways to scale wrongly: not at all, with a scale that stands still, and with another one's inverse."""

from dataclasses import replace
from functools import cache
from statistics import fmean

import numpy as np

from hopperlab.course.specimens import Specimen
from hopperlab.measure.training import shipped_runs, text
from hopperlab.models import training
from hopperlab.models.scaling import DelayedScaling, amax, current_scale, quantize
from hopperlab.models.scaling.timeline import frozen_for, timeline
from hopperlab.views import scaling as scaling_views
from hopperlab.views import training as training_views
from hopperlab.views.picture import Picture

WINDOW, STEPS, EVENT = 8, 48, 34  # the tensor grows after it


@cache
def step_tensors(steps: int = 50) -> dict[str, np.ndarray]:
    """The tensors of one training step in FP32, after so many steps: what has to fit into FP8."""
    run = training.train(text(), training.RECIPES["FP32"], steps=steps, every=steps)
    casts = training.Casts(run.recipe)
    training.step(run.parameters, *text().batch(np.random.default_rng(1)), casts)
    order = [f"{kind}{layer}" for kind in ("x", "w", "dy") for layer in (1, 2, 3)]
    return {name: casts.seen[name] for name in order}


def _unscaled() -> str:
    runs = shipped_runs()
    without, fp32 = (fmean(runs[name].final.values()) for name in ("FP8 unscaled, all E4M3", "FP32"))
    lost = "because most of the last layer's gradients became zero"
    return f"the loss ends at {without:.1f} instead of {fp32:.2f}, {lost}."


def _events() -> dict[int, str]:
    return {EVENT: "infinity"}


def _frozen() -> str:
    moments = timeline(DelayedScaling(history_length=WINDOW), STEPS, _events())
    frozen = frozen_for(moments, EVENT)
    clipped = max(moment.clipped for moment in moments[EVENT + 1 : EVENT + 1 + frozen])
    return (
        f"the scale stands still for {frozen} steps, for as long as the window remembers it, while the tensor grows: "
        f"up to {100 * clipped:.0f} % of its elements are clipped."
    )


def _frozen_picture() -> Picture:
    moments = timeline(DelayedScaling(history_length=WINDOW), STEPS, _events())
    return scaling_views.timeline(moments, WINDOW, _events())


@cache
def _weights() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """A weight, and what its cached bytes give with their own scale_inv and with a newer one."""
    weight = (0.02 * np.random.default_rng(2).normal(size=64)).astype(np.float32)
    kept = quantize(weight, "e4m3", current_scale(amax(weight)))
    newer = np.float32(1) / current_scale(4 * amax(weight))
    return weight, kept.dequantize(), replace(kept, scale_inv=newer).dequantize()


def _stale() -> str:
    weight, own, other = _weights()
    errors = [float(np.sqrt(np.mean((x - weight) ** 2) / np.mean(weight**2))) for x in (own, other)]
    return f"the error grows from {errors[0]:.3f} to {errors[1]:.1f} times the weight itself, with no message at all."


def _stale_picture() -> Picture:
    weight, own, other = _weights()
    restored = {"its own scale_inv": own.tolist(), "a newer scale_inv": other.tolist()}
    return scaling_views.undone(weight.tolist(), restored, "Bytes and scale_inv belong together")


SPECIMENS = (
    Specimen(
        "Unscaled FP8",
        "All tensors are cast to E4M3 as they are, gradients too.",
        _unscaled,
        "Give each tensor a scale of its own.",
        lambda: training_views.tensor_ranges(step_tensors()),
    ),
    Specimen(
        "Frozen scale",
        f"One element is infinite in step {EVENT}; the history has {WINDOW} steps.",
        _frozen,
        "Keep infinities out of the history (skip the step, as loss scaling does), or keep the window short.",
        _frozen_picture,
    ),
    Specimen(
        "Stale scale_inv",
        "A weight is cast once and its bytes are kept; the scale is updated, and its new inverse undoes the old bytes.",
        _stale,
        "Store scale_inv with the bytes, and replace both or neither.",
        _stale_picture,
    ),
)
