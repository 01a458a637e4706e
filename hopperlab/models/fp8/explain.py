"""One cast at a time, with its reasons: exact fractions instead of bits, and every step kept.

The scalar twin of `encode` and `decode`. It shares no arithmetic with them, so each can vouch for the other.
"""

import math
from dataclasses import dataclass
from fractions import Fraction
from numbers import Real

import numpy as np

from hopperlab.models.arguments import whole_number
from hopperlab.models.fp8.formats import Format, format_named
from hopperlab.models.fp8.rounding import NEAREST, check_rounding, check_saturate

REASONS = {
    "not_a_number": "NaN stays NaN, and is written as one code only",
    "infinite": "infinity",
    "exact": "the value is one of the format's own",
    "nearer": "the nearer neighbor wins",
    "tie_to_even": "a tie, and the neighbor with the even mantissa field wins",
    "tie_away": "a tie, and the neighbor farther from zero wins",
    "toward_zero": "the mode takes the neighbor nearer to zero",
    "away_from_zero": "the mode takes the neighbor farther from zero",
    "toward_positive": "the mode takes the larger neighbor",
    "toward_negative": "the mode takes the smaller neighbor",
    "stochastic": "a draw decided, the odds being the distances to the neighbors",
    "too_large": "it rounds to a step beyond the largest finite value",
}


@dataclass(frozen=True)
class Number:
    """A code of a format, taken apart. `kind` is zero, subnormal, normal, infinity or nan."""

    fmt: Format
    code: int
    sign: int
    exponent_field: int
    mantissa_field: int
    kind: str
    value: float

    @property
    def exponent(self) -> int:
        """Power of two that the significand is multiplied by; a subnormal has the smallest normal's."""
        return max(self.exponent_field, 1) - self.fmt.bias

    @property
    def significand(self) -> Fraction:
        """Mantissa with its hidden bit: 1 to 2 for a normal value, below 1 for a subnormal."""
        hidden = 1 if self.exponent_field else 0
        return hidden + Fraction(self.mantissa_field, 2**self.fmt.mantissa_bits)

    @property
    def bits(self) -> str:
        """Sign, exponent field and mantissa field in binary, apart: "0 1111 110"."""
        f = self.fmt
        return (
            f"{self.sign} {self.exponent_field:0{f.exponent_bits}b} {self.mantissa_field:0{f.mantissa_bits}b}"
        )

    def __str__(self) -> str:
        """Fields, code and value on one line."""
        if self.kind in ("infinity", "nan"):
            return f"{self.bits} = 0x{self.code:02X} = {_plain(self.value)}"
        product = f"{'-' if self.sign else '+'}{_plain(self.significand)} x 2^{self.exponent}"
        return f"{self.bits} = 0x{self.code:02X} = {product} = {_plain(self.value)}"


@dataclass(frozen=True)
class Explanation:
    """Why a value became the code it became.

    `lower` and `upper` enclose `source` on the format's grid and are equal if it lies on it. The grid goes
    one step past the largest finite value, because that step's midpoint decides what overflows; beyond that
    step the outer end is infinity and there is no midpoint. All three are None for NaN and infinity.
    `rule` is a key of `REASONS`.
    """

    source: float
    fmt: Format
    saturate: bool
    rounding: str
    lower: float | None
    upper: float | None
    midpoint: float | None
    rule: str
    result: Number

    @property
    def reason(self) -> str:
        """The rule as a sentence, with what became of a value too large."""
        sentence = REASONS[self.rule]
        if self.rule == "too_large" and self.result.value == math.copysign(self.fmt.largest, self.source):
            why = "saturation" if self.saturate else "the mode"
            return f"{sentence}; {why} gives the largest finite value"
        if self.rule == "infinite" and self.saturate:
            return f"{sentence}; saturation gives the largest finite value"
        if self.rule in ("too_large", "infinite"):
            return f"{sentence}; without saturation that is {'infinity' if self.fmt.has_infinity else 'NaN'}"
        return sentence

    def __str__(self) -> str:
        """The cast in a few lines of text."""
        lines = [f"{_plain(self.source)} to {self.fmt.title}, {self.rounding.replace('_', ' ')}"]
        if self.lower is not None and self.lower != self.upper:
            middle = "" if self.midpoint is None else f", midpoint {_plain(self.midpoint)}"
            lines.append(f"between {_plain(self.lower)} and {_plain(self.upper)}{middle}")
        return "\n  ".join([*lines, self.reason, str(self.result)])


def unpack(code: int, fmt: str) -> Number:
    """Take a code 0..255 of a format apart."""
    target = format_named(fmt)
    code = whole_number("code", code, 0, 255)
    magnitude = code & 0x7F
    sign, field = code >> 7, magnitude >> target.mantissa_bits
    mantissa = magnitude & (2**target.mantissa_bits - 1)
    kind = _kind(code, target)
    if kind == "nan":
        value = math.nan
    elif kind == "infinity":
        value = -math.inf if sign else math.inf
    else:
        significand = (field > 0) + mantissa / 2**target.mantissa_bits
        value = math.copysign(math.ldexp(significand, max(field, 1) - target.bias), -sign)
    return Number(target, code, sign, field, mantissa, kind, value)


def explain(
    x: Real,
    fmt: str,
    saturate: bool = True,
    rounding: str = "nearest_even",
    *,
    rng: np.random.Generator | None = None,
) -> Explanation:
    """Cast one number to FP8 and say why it came out as it did. Arguments as for `encode`.

    `x` is a Python or numpy number; an exact `fractions.Fraction` is welcome too.
    """
    target = format_named(fmt)
    check_rounding(rounding, rng)
    check_saturate(saturate)
    value = _number(x)
    negative = math.copysign(1.0, value) < 0
    draw = None if rng is None else rng.random()  # for every value, exact or not, as in `encode`

    def because(rule: str, code: int, lower: Real | None = None, upper: Real | None = None) -> Explanation:
        signed = negative and rule != "not_a_number" and (code > 0 or target.has_negative_zero)
        result = unpack(code | signed << 7, fmt)
        if lower is None:
            return Explanation(float(value), target, saturate, rounding, None, None, None, rule, result)
        ends = sorted((math.copysign(lower, value), math.copysign(upper, value)))
        middle = sum(ends) / 2 if math.isfinite(upper) else None
        return Explanation(float(value), target, saturate, rounding, *ends, middle, rule, result)

    if math.isnan(value):
        return because("not_a_number", target.nan_code)
    if math.isinf(value):
        return because("infinite", target.largest_code if saturate else target.overflow_code)

    magnitude = abs(Fraction(value))
    exponent = max(_exponent(magnitude), target.minimum_exponent)
    step = Fraction(2) ** (exponent - target.mantissa_bits)
    steps, rest = divmod(magnitude / step, 1)
    up, rule = _decision(steps, rest, negative, rounding, draw)
    code = steps + up + ((exponent - target.minimum_exponent) << target.mantissa_bits)
    lower, upper = steps * step, (steps + (rest > 0)) * step

    if code <= target.largest_code:
        return because(rule, code, lower, upper)
    if lower > target.largest:
        lower, upper = target.largest, math.inf
    stops = saturate or rounding == "toward_zero" or rounding == _mode_back_to_zero(negative)
    return because("too_large", target.largest_code if stops else target.overflow_code, lower, upper)


def _kind(code: int, fmt: Format) -> str:
    """Say which class of value a code belongs to."""
    magnitude = code & 0x7F
    if code == fmt.nan_code or (magnitude > fmt.largest_code and not fmt.has_infinity):
        return "nan"
    if magnitude > fmt.largest_code:
        return "infinity" if magnitude == fmt.overflow_code else "nan"
    if magnitude == 0:
        return "zero"
    return "normal" if magnitude >> fmt.mantissa_bits else "subnormal"


def _number(x: Real) -> Fraction | float:
    """Return `x` as a Fraction if it is one, else as the float64 of the same value."""
    if isinstance(x, bool | str) or not hasattr(x, "__float__") or np.ndim(x):
        raise TypeError(f"x={x!r} must be a number, not {type(x).__name__}")
    try:
        value = float(x)
    except OverflowError:
        raise ValueError(f"x={x!r} must be within float64's range") from None
    return x if isinstance(x, Fraction) else value


def _exponent(magnitude: Fraction) -> int:
    """Floor of the base-2 logarithm; far below any format for zero."""
    if not magnitude:
        return -(10**6)
    guess = magnitude.numerator.bit_length() - magnitude.denominator.bit_length()
    return guess if magnitude >= Fraction(2) ** guess else guess - 1


def _decision(
    steps: int, rest: Fraction, negative: bool, rounding: str, draw: float | None
) -> tuple[bool, str]:
    """Whether the magnitude takes one more step of the grid, and the rule that says so.

    `rest` is the part of a step left over, `draw` a random number from 0 to 1 for stochastic rounding.
    """
    if rest == 0:
        return False, "exact"
    if rounding == "stochastic":
        return draw < rest, rounding
    if rounding in NEAREST:
        if rest != Fraction(1, 2):
            return rest > Fraction(1, 2), "nearer"
        return (steps % 2 == 1, "tie_to_even") if rounding == "nearest_even" else (True, "tie_away")
    grows = rounding in ("away_from_zero", "toward_negative" if negative else "toward_positive")
    return grows, rounding


def _mode_back_to_zero(negative: bool) -> str:
    """Return the directed mode that pulls a value of this sign back toward zero."""
    return "toward_positive" if negative else "toward_negative"


def _plain(value: Real) -> str:
    """Write a number as short as it can be read back."""
    text = repr(float(value))
    return text[:-2] if text.endswith(".0") else text
