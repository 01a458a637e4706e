"""Rounding to FP8 on the bits of float32 or float64, in plain numpy, every rounding mode.

A value is significand * 2**(exponent - M), M being the source's fraction bits. FP8's grid at that exponent is
2**(shift) of those units apart, so that one shift splits the significand into the steps kept and a remainder;
the mode looks at the remainder and adds a step or does not. A carry runs into the exponent field by itself,
and below the smallest normal value the grid just stops getting finer: subnormals need no case of their own.
"""

from dataclasses import dataclass

import numpy as np

from hopperlab.models.fp8.formats import Format

NEAREST = ("nearest_even", "nearest_away")
DIRECTED = ("toward_zero", "away_from_zero", "toward_positive", "toward_negative")
ROUNDINGS = (*NEAREST, *DIRECTED, "stochastic")


@dataclass(frozen=True)
class Source:
    """A binary format wider than FP8 that a value comes from."""

    word: type
    fraction_bits: int
    bias: int

    @property
    def sign_shift(self) -> int:
        """Place of the sign bit."""
        return self.word(0).nbytes * 8 - 1

    @property
    def infinity(self) -> int:
        """Bits of plus infinity; any larger magnitude is a NaN."""
        return (2 * self.bias + 1) << self.fraction_bits


SOURCES = {
    np.dtype(np.float32): Source(np.uint32, 23, 127),
    np.dtype(np.float64): Source(np.uint64, 52, 1023),
}


def check_rounding(rounding: str, rng: np.random.Generator | None) -> None:
    """Refuse a mode that does not exist, chance that is missing, and chance that nobody asked for."""
    if rounding not in ROUNDINGS:
        raise ValueError(f"rounding={rounding!r} must be one of {', '.join(map(repr, ROUNDINGS))}")
    if (rounding == "stochastic") != isinstance(rng, np.random.Generator):
        raise ValueError(
            f"rng={rng!r} must be a numpy Generator for 'stochastic' rounding and None otherwise"
        )


def check_saturate(saturate: bool) -> None:
    """Refuse what is neither True nor False: "no" would saturate, and so would any other word."""
    if not isinstance(saturate, bool | np.bool):
        raise TypeError(f"saturate={saturate!r} must be True or False")


def round_to_codes(
    x: np.ndarray, fmt: Format, saturate: bool, rounding: str, rng: np.random.Generator | None
) -> np.ndarray:
    """Round a float32 or float64 array to uint8 codes of `fmt`, once."""
    source = SOURCES[x.dtype]
    bits = x.view(source.word)
    negative = (bits >> source.sign_shift).astype(bool)
    magnitude = bits & source.word(2**source.sign_shift - 1)

    exponent_field = np.maximum(magnitude >> source.fraction_bits, 1)  # a subnormal's exponent is that of 1
    significand = magnitude - ((exponent_field - 1) << source.fraction_bits)
    exponent = exponent_field.astype(np.int32) - source.bias
    grid_exponent = np.maximum(exponent, fmt.minimum_exponent)

    shift = source.fraction_bits - fmt.mantissa_bits + grid_exponent - exponent
    steps, remainder, half = _split(significand, np.minimum(shift, source.fraction_bits + 2))
    if rounding == "stochastic":
        up = rng.random(x.shape) < np.ldexp(significand.astype(np.float64), -shift) - steps
    else:
        up = _rounds_up(steps, remainder, half, negative, rounding)
    code = steps.astype(np.int32) + up + ((grid_exponent - fmt.minimum_exponent) << fmt.mantissa_bits)

    too_large = code > fmt.largest_code
    to_largest = saturate | (_stops_at_largest(negative, rounding) & (magnitude < source.infinity))
    code = np.where(too_large, np.where(to_largest, fmt.largest_code, fmt.overflow_code), code)
    signed = negative & ((code > 0) | fmt.has_negative_zero)
    code = np.where(magnitude > source.infinity, fmt.nan_code, code | (signed << np.int32(7)))
    return code.astype(np.uint8)


def _split(significand: np.ndarray, shift: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Steps of the target's grid, what is left over, and half a step, all in the source's units."""
    shift = shift.astype(significand.dtype)
    steps = significand >> shift
    one = significand.dtype.type(1)
    return steps, significand - (steps << shift), one << (shift - one)


def _rounds_up(
    steps: np.ndarray, remainder: np.ndarray, half: np.ndarray, negative: np.ndarray, rounding: str
) -> np.ndarray:
    """Whether the magnitude grows by one step."""
    if rounding == "nearest_even":
        return remainder + (steps & 1) > half
    if rounding == "nearest_away":
        return remainder >= half
    grows = {
        "toward_zero": np.False_,
        "away_from_zero": np.True_,
        "toward_positive": ~negative,
        "toward_negative": negative,
    }[rounding]
    return grows & (remainder > 0)


def _stops_at_largest(negative: np.ndarray, rounding: str) -> np.ndarray:
    """Whether a finite overflow ends at the largest finite value by the mode's own direction (IEEE 754)."""
    if rounding == "toward_positive":
        return negative
    if rounding == "toward_negative":
        return ~negative
    return np.full(negative.shape, rounding == "toward_zero")
