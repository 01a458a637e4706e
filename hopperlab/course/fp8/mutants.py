"""Wrong solutions of lesson 04, as somebody with the misconception would write them."""

import math

import numpy as np


def _steps(magnitude, lowest=-6):
    exponent = max(math.frexp(magnitude)[1] - 1, lowest)
    return 2.0 ** (exponent - 3)


def _cast(x, whole=round, over=lambda magnitude: 448.0):
    if math.isnan(x):
        return x
    magnitude = abs(x)
    if magnitude > 464:
        return math.copysign(over(magnitude), x)
    step = _steps(magnitude)
    return math.copysign(min(whole(magnitude / step) * step, 448.0), x)


def nan_above_464(x):
    """Give NaN for what is too large."""
    return _cast(x, over=lambda magnitude: math.nan)


def infinity_above_464(x):
    """Give infinity for what is too large."""
    return _cast(x, over=lambda magnitude: math.inf)


def ties_up(x):
    """Round half up."""
    return _cast(x, whole=lambda steps: math.floor(steps + 0.5))


def through_half(x):
    """Go by way of FP16."""
    with np.errstate(over="ignore"):
        return _cast(float(np.float16(x)))


def no_subnormals(x):
    """Flush everything below the smallest normal value."""
    return math.copysign(0.0, x) if abs(x) < 2**-6 else _cast(x)


def toward_zero(x):
    """Cut instead of rounding."""
    return _cast(x, whole=math.floor)


def unsigned_zero(x):
    """Lose the sign where the value becomes zero."""
    return _cast(x) or 0.0


def _shared(exponent):
    first = max(-9, min(8, exponent // 2))
    return 2.0**first, 2.0 ** (exponent - first)


def vanishes_below_fp32(c):
    """Take the accumulator for a true FP32."""
    return _shared(max(math.floor(math.log2(c)) - 25, -18))


def last_kept_bit(c):
    """Be off by one bit."""
    return _shared(math.floor(math.log2(c)) - 13)


def half_of_half(c):
    """Leave room for rounding."""
    return _shared(max(math.floor(math.log2(c)) - 15, -18))


def one_factor(c):
    """Put the whole exponent into one factor."""
    return 1.0, 2.0 ** (math.floor(math.log2(c)) - 14)


def signed_bias(biases, allowed):
    """Compare with the sign."""
    return max((n for n, bias in biases.items() if bias <= allowed), default=None)


def shortest(biases, allowed):
    """Take the most exact one."""
    return min((n for n, bias in biases.items() if abs(bias) <= allowed), default=None)


def last_listed(biases, allowed):
    """Take the last that will do."""
    fine = [n for n, bias in biases.items() if abs(bias) <= allowed]
    return fine[-1] if fine else None


def strictly_below(biases, allowed):
    """Leave out the limit itself."""
    return max((n for n, bias in biases.items() if abs(bias) < allowed), default=None)


def always_some(biases, allowed):
    """Take the shortest where none will do."""
    return max((n for n, bias in biases.items() if abs(bias) <= allowed), default=min(biases))
