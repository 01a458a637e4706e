"""Scaling for FP8: how a tensor's largest magnitude becomes a factor, at once, delayed, or block by block."""

from hopperlab.models.scaling.delayed import DelayedScaling, ScaleState, reduce_amax
from hopperlab.models.scaling.factors import FLOAT32_MAX, amax, current_scale, cut_to_power_of_two
from hopperlab.models.scaling.quantized import Quantized, quantize, quantize_blocks, quantize_current

__all__ = [
    "FLOAT32_MAX",
    "DelayedScaling",
    "Quantized",
    "ScaleState",
    "amax",
    "current_scale",
    "cut_to_power_of_two",
    "quantize",
    "quantize_blocks",
    "quantize_current",
    "reduce_amax",
]
