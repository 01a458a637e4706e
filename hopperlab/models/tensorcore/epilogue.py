"""What happens to an accumulator after the tensor core: scale, bias, activation, conversion, on ordinary lanes.

The tensor core has no part in it. Each step is one IEEE rounding in FP32 and the conversion another, so a value is
rounded twice on its way to BF16.
"""

from dataclasses import dataclass

import ml_dtypes
import numpy as np
from numpy.typing import ArrayLike

from hopperlab.models import fp8

OUTPUTS = ("f32", "bf16", "f16", "e4m3", "e5m2")
ACTIVATIONS = (None, "relu", "gelu")
NANS = {"f32": (np.uint32, 0x7FFFFFFF), "bf16": (np.uint16, 0x7FFF), "f16": (np.uint16, 0x7FFF)}
NARROW = {"f32": np.float32, "bf16": ml_dtypes.bfloat16, "f16": np.float16}


@dataclass(frozen=True)
class Finished:
    """What an epilogue gives.

    output
        The matrix in the output's dtype.
    amax
        Largest magnitude before conversion, NaN left aside: what delayed scaling records.
    """

    output: np.ndarray
    amax: np.float32


def epilogue(
    accumulator: np.ndarray,
    scale_a: ArrayLike = 1.0,
    scale_b: ArrayLike = 1.0,
    bias: ArrayLike | None = None,
    activation: str | None = None,
    output: str = "bf16",
    scale_output: float | None = None,
) -> Finished:
    """Finish a product as cuBLASLt does.

    Parameters
    ----------
    accumulator
        float32 or float16, (M, N).
    scale_a, scale_b
        Factors that undo the scaling of A and B: both scalars, whose product is rounded to FP32 and multiplied
        with; or scale_a per row, (M,) or (M, 1), and scale_b per column, (N,) or (1, N), multiplied with one after
        the other, B's first.
    bias
        (N,), added to each row.
    activation
        None, "relu" or "gelu" (the form with tanh; its last bits are the host's, not the card's).
    output
        "f32", "bf16", "f16", "e4m3" or "e5m2"; FP8 saturates, FP16 overflows to infinity.
    scale_output
        Factor before an FP8 conversion. `amax` is taken before it.

    Raises
    ------
    ValueError
        For a scale that is not finite and above zero, shapes that do not fit, or a choice that does not exist.
    TypeError
        For an accumulator of another dtype.
    """
    accumulator = np.asarray(accumulator)
    accumulator = accumulator.astype(accumulator.dtype.newbyteorder("="), copy=False)
    if accumulator.dtype not in (np.dtype(np.float32), np.dtype(np.float16)):
        raise TypeError(f"accumulator: dtype {accumulator.dtype} must be float32 or float16")
    if accumulator.ndim != 2:
        raise ValueError(f"accumulator: shape {accumulator.shape} must be (M, N)")
    if activation not in ACTIVATIONS:
        raise ValueError(f"activation={activation!r} must be one of {', '.join(map(repr, ACTIVATIONS))}")
    if output not in OUTPUTS:
        raise ValueError(f"output={output!r} must be one of {', '.join(map(repr, OUTPUTS))}")
    if scale_output is not None and output in NARROW:
        raise ValueError(f"scale_output={scale_output!r} must be None: output={output!r} is not FP8")
    rows, columns = accumulator.shape
    scale_a = _scale("scale_a", scale_a, rows, (rows, 1))
    scale_b = _scale("scale_b", scale_b, columns, (1, columns))
    with np.errstate(all="ignore"):
        y = _scaled(accumulator, scale_a, scale_b)
        if bias is not None:
            y = y + _bias(bias, columns)
        y = _activated(y, activation)
        amax = np.fmax.reduce(np.abs(y), axis=None, initial=np.float32(0))
        if scale_output is not None:
            y = y * _scale("scale_output", scale_output, 1, ())
        return Finished(_converted(y, output), amax)


def _scale(name: str, scale: ArrayLike, count: int, shape: tuple[int, ...]) -> np.ndarray:
    """Return a scale as float32, a scalar or of `shape`."""
    given = np.asarray(scale)
    if given.dtype.kind in "OSUbc":
        raise TypeError(f"{name}={scale!r} must be a number, or an array of numbers")
    with np.errstate(all="ignore"):
        values = given.astype(np.float32)
    if not (np.isfinite(values).all() and (values > 0).all()):
        raise ValueError(f"{name}={scale!r} must be finite and above zero in FP32")
    if values.ndim and values.shape not in ((count,), shape):
        allowed = " or ".join(map(str, dict.fromkeys([(), (count,), shape] if shape else [()])))
        raise ValueError(f"{name}: shape {values.shape} must be {allowed}")
    return values.reshape(shape) if values.ndim else values


def _scaled(accumulator: np.ndarray, scale_a: np.ndarray, scale_b: np.ndarray) -> np.ndarray:
    """Undo the scales: an FFMA with an addend of +0, so that a zero is +0."""
    factors = [scale_a * scale_b] if scale_a.ndim == scale_b.ndim == 0 else [scale_b, scale_a]
    y = accumulator.astype(np.float32)
    for factor in factors:
        y = (y.astype(np.float64) * factor.astype(np.float64) + 0.0).astype(np.float32)
    return y


def _bias(bias: ArrayLike, columns: int) -> np.ndarray:
    bias = np.asarray(bias).astype(np.float32)
    if bias.shape != (columns,):
        raise ValueError(f"bias: shape {bias.shape} must be ({columns},)")
    return bias


def _activated(y: np.ndarray, activation: str | None) -> np.ndarray:
    if activation == "relu":
        return np.maximum(y, np.float32(0))
    if activation == "gelu":
        inner = np.float32(np.sqrt(2 / np.pi)) * (y + np.float32(0.044715) * y * y * y)
        return np.float32(0.5) * y * (np.float32(1) + np.tanh(inner))
    return y


def _converted(y: np.ndarray, output: str) -> np.ndarray:
    """Narrow to the output, to nearest even, writing the one NaN."""
    if output not in NARROW:
        return fp8.encode(y, output)
    narrow = y.astype(NARROW[output])
    word, nan = NANS[output]
    narrow.view(word)[np.isnan(y)] = nan
    return narrow
