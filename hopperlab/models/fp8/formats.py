"""What an FP8 format is: how its eight bits are shared out, and which codes are not numbers.

E4M3 and E5M2 are the OCP OFP8 formats as CUDA implements them (claims lit-046 to lit-048). IEEE-style
E4M3 and E4M3FNUZ stand beside them as foils: same field widths, other range, other specials.
"""

from dataclasses import dataclass

import ml_dtypes
import numpy as np


@dataclass(frozen=True)
class Format:
    """An 8-bit floating-point format. Codes are integers 0..255: sign, exponent field, mantissa field.

    `largest_code` is the code of the largest finite value, `overflow_code` what a cast without saturation
    makes of anything larger, `nan_code` the NaN that a cast writes; all three are codes of positive sign.
    `claims` names the rows that give largest value, its code, smallest normal and smallest subnormal value.
    """

    name: str
    title: str
    exponent_bits: int
    mantissa_bits: int
    bias: int
    largest_code: int
    overflow_code: int
    nan_code: int
    has_infinity: bool
    has_negative_zero: bool
    dtype: np.dtype
    claims: tuple[str, ...] = ()

    @property
    def minimum_exponent(self) -> int:
        """Exponent of the smallest normal value, and of every subnormal's grid."""
        return 1 - self.bias

    @property
    def maximum_exponent(self) -> int:
        """Exponent of the largest finite value."""
        return (self.largest_code >> self.mantissa_bits) - self.bias

    @property
    def largest(self) -> float:
        """Largest finite value."""
        mantissa = self.largest_code & (2**self.mantissa_bits - 1)
        return (1 + mantissa * 2.0**-self.mantissa_bits) * 2.0**self.maximum_exponent

    @property
    def smallest_normal(self) -> float:
        """Smallest positive value with a full significand."""
        return 2.0**self.minimum_exponent

    @property
    def smallest_subnormal(self) -> float:
        """Smallest positive value, and the spacing of all values below the smallest normal."""
        return 2.0 ** (self.minimum_exponent - self.mantissa_bits)


_E4M3 = Format(
    name="e4m3",
    title="E4M3",
    exponent_bits=4,
    mantissa_bits=3,
    bias=7,
    largest_code=0x7E,
    overflow_code=0x7F,
    nan_code=0x7F,
    has_infinity=False,
    has_negative_zero=True,
    dtype=np.dtype(ml_dtypes.float8_e4m3fn),
    claims=("lit-046.a", "lit-046.b", "lit-046.c", "lit-046.d"),
)
_E5M2 = Format(
    name="e5m2",
    title="E5M2",
    exponent_bits=5,
    mantissa_bits=2,
    bias=15,
    largest_code=0x7B,
    overflow_code=0x7C,
    nan_code=0x7F,
    has_infinity=True,
    has_negative_zero=True,
    dtype=np.dtype(ml_dtypes.float8_e5m2),
    claims=("lit-047.a", "lit-047.b", "lit-047.c", "lit-047.d"),
)
_E4M3_IEEE = Format(
    name="e4m3_ieee",
    title="E4M3, IEEE style",
    exponent_bits=4,
    mantissa_bits=3,
    bias=7,
    largest_code=0x77,
    overflow_code=0x78,
    nan_code=0x7C,
    has_infinity=True,
    has_negative_zero=True,
    dtype=np.dtype(ml_dtypes.float8_e4m3),
)
_E4M3_FNUZ = Format(
    name="e4m3_fnuz",
    title="E4M3FNUZ",
    exponent_bits=4,
    mantissa_bits=3,
    bias=8,
    largest_code=0x7F,
    overflow_code=0x80,
    nan_code=0x80,
    has_infinity=False,
    has_negative_zero=False,
    dtype=np.dtype(ml_dtypes.float8_e4m3fnuz),
)

FORMATS: dict[str, Format] = {f.name: f for f in (_E4M3, _E5M2, _E4M3_IEEE, _E4M3_FNUZ)}


def format_named(fmt: str) -> Format:
    """Return the format of that name; ValueError lists the names there are."""
    if isinstance(fmt, str) and fmt in FORMATS:
        return FORMATS[fmt]
    raise ValueError(f"fmt={fmt!r} must be one of {', '.join(map(repr, FORMATS))}")
