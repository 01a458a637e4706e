"""The formats that a tensor core multiplies, and how their values look to it: significand and exponent."""

from collections.abc import Callable
from dataclasses import dataclass

import ml_dtypes
import numpy as np
from numpy.typing import ArrayLike

from hopperlab.models import fp8

TF32_IGNORED_BITS = 13


@dataclass(frozen=True)
class InputFormat:
    """A format of A or B. A subnormal keeps the smallest normal's exponent and a significand below 1."""

    name: str
    title: str
    fraction_bits: int
    minimum_exponent: int
    dtype: np.dtype
    widen: Callable[[np.ndarray], np.ndarray]
    codes: bool = False  # uint8 codes are welcome too

    def values(self, array: ArrayLike, name: str) -> np.ndarray:
        """Return the values of `array` as float64, exactly; TypeError names the argument."""
        array = np.asarray(array)
        array = array.astype(array.dtype.newbyteorder("="), copy=False)
        if array.dtype == self.dtype or (self.codes and array.dtype == np.uint8):
            with np.errstate(
                invalid="ignore"
            ):  # numpy warns of a signaling NaN, which a tensor core takes as any
                return self.widen(array).astype(np.float64)
        allowed = f"{self.dtype} or uint8 codes" if self.codes else str(self.dtype)
        raise TypeError(f"{name}: dtype {array.dtype} must be {allowed} for {self.title}")


def _ignore_low_bits(array: np.ndarray) -> np.ndarray:
    """Cut float32 to TF32 as the tensor core does: it never sees the low 13 bits."""
    bits = array.view(np.uint32) >> TF32_IGNORED_BITS << TF32_IGNORED_BITS
    return np.where(np.isnan(array), array, bits.view(np.float32))


def _float32(array: np.ndarray) -> np.ndarray:
    return array.astype(np.float32)


def _fp8(name: str) -> InputFormat:
    fmt = fp8.format_named(name)
    return InputFormat(
        fmt.name,
        fmt.title,
        fmt.mantissa_bits,
        fmt.minimum_exponent,
        fmt.dtype,
        lambda codes: fp8.decode(codes, name),
        codes=True,
    )


INPUT_FORMATS: dict[str, InputFormat] = {
    f.name: f
    for f in (
        _fp8("e4m3"),
        _fp8("e5m2"),
        InputFormat("f16", "FP16", 10, -14, np.dtype(np.float16), _float32),
        InputFormat("bf16", "BF16", 7, -126, np.dtype(ml_dtypes.bfloat16), _float32),
        InputFormat("tf32", "TF32", 10, -126, np.dtype(np.float32), _ignore_low_bits),
    )
}


@dataclass(frozen=True)
class OutputFormat:
    """A format of C and D. `nan` holds the bits of the one NaN that tensor cores write."""

    name: str
    title: str
    fraction_bits: int
    minimum_exponent: int
    maximum_exponent: int
    dtype: np.dtype
    nan: int

    @property
    def word(self) -> np.dtype:
        """Unsigned integer of the same size."""
        return np.dtype(f"u{self.dtype.itemsize}")

    def from_float64(self, values: np.ndarray) -> np.ndarray:
        """Narrow values that this format has, writing the one NaN."""
        with np.errstate(invalid="ignore"):
            narrow = values.astype(self.dtype)
        narrow.view(self.word)[np.isnan(values)] = self.nan
        return narrow


FLOAT32 = OutputFormat("f32", "FP32", 23, -126, 127, np.dtype(np.float32), 0x7FFFFFFF)
FLOAT16 = OutputFormat("f16", "FP16", 10, -14, 15, np.dtype(np.float16), 0x7FFF)
