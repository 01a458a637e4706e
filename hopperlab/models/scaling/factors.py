"""From the largest magnitude of a tensor to the factor that brings it to the edge of FP8's range.

Formulas of Transformer Engine (source of August 2026, d0067d0), in FP32 as its kernels compute them.
"""

import numpy as np
from numpy.typing import ArrayLike

from hopperlab.models import fp8
from hopperlab.models.arguments import finite_number

FLOAT32_MAX = np.finfo(np.float32).max
MANTISSA = np.uint32(0x007FFFFF)


def amax(x: ArrayLike) -> np.float32:
    """Largest magnitude of a tensor, before any scaling, as the fused kernels find it.

    Their maximum drops NaN, so a tensor with NaN in it has the amax of the rest. An empty tensor has 0.
    """
    return np.fmax.reduce(np.abs(in_fp32("x", x)), axis=None, initial=np.float32(0))


def in_fp32(name: str, x: ArrayLike) -> np.ndarray:
    """Numbers rounded to float32, too large ones to infinity; TypeError if they are no real numbers."""
    values = np.asarray(x)
    if values.dtype.kind in "OSUbcmM":
        raise TypeError(f"{name}: dtype {values.dtype} must be that of real numbers")
    with np.errstate(over="ignore", invalid="ignore"):
        return values.astype(np.float32)


def current_scale(
    amax: ArrayLike, fmt: str = "e4m3", *, epsilon: float = 0.0, power_of_two: bool = False
) -> np.ndarray:
    """Scale of current scaling: largest finite value of the format over amax.

    Parameters
    ----------
    amax
        One or many, none negative. Zero, infinity and NaN give a scale of 1; a tiny one, whose scale is beyond
        FP32, gives the largest FP32 number.
    fmt
        Format of `models.fp8` that the tensor is cast to.
    epsilon
        Least amax to reckon with.
    power_of_two
        Clear the mantissa of the scale, so that scaling rounds nothing.

    Returns
    -------
    numpy.ndarray
        float32, the shape of `amax`.
    """
    amax = checked_amax(amax)
    if finite_number("epsilon", epsilon, at_least=0) > float(FLOAT32_MAX):
        raise ValueError(f"epsilon={epsilon!r} must be finite in FP32")
    epsilon = in_fp32("epsilon", epsilon)
    largest = np.float32(fp8.format_named(fmt).largest)
    amax = np.where(amax < epsilon, epsilon, amax)
    usable = np.isfinite(amax) & (amax > 0)
    with np.errstate(over="ignore"):
        scale = np.minimum(largest / np.where(usable, amax, np.float32(1)), FLOAT32_MAX)
    scale = np.where(usable, scale, np.float32(1))
    return cut_to_power_of_two(scale) if power_of_two else scale


def cut_to_power_of_two(scale: ArrayLike) -> np.ndarray:
    """Largest power of two that is no larger than a positive, normal float32 scale."""
    bits = np.asarray(scale, np.float32).view(np.uint32) & ~MANTISSA
    return bits.view(np.float32)


def checked_amax(amax: ArrayLike) -> np.ndarray:
    """Return amax as float32; ValueError if one is negative."""
    values = in_fp32("amax", amax)
    if (values < 0).any():
        raise ValueError(f"amax={amax!r} must not be negative")
    return values
