"""The functions of math in a kernel, with the type that numba gives each: float32 in, float32 out.

Transcendental functions are computed in float64 and rounded to float32 once. The card's own, from libdevice,
may differ by their documented error of a few units in the last place.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from hopperlab.device.simulator.numbers import SINGLES, like

_ONE = {
    "acos": np.arccos, "acosh": np.arccosh, "asin": np.arcsin, "asinh": np.arcsinh, "atan": np.arctan,
    "atanh": np.arctanh, "ceil": np.ceil, "cos": np.cos, "cosh": np.cosh, "degrees": np.degrees, "exp": np.exp,
    "exp2": np.exp2, "expm1": np.expm1, "fabs": np.fabs, "floor": np.floor, "log": np.log, "log10": np.log10,
    "log1p": np.log1p, "log2": np.log2, "radians": np.radians, "sin": np.sin, "sinh": np.sinh, "sqrt": np.sqrt,
    "tan": np.tan, "tanh": np.tanh, "trunc": np.trunc, "cbrt": np.cbrt,
}  # fmt: skip
_FROM_MATH = {"erf": math.erf, "erfc": math.erfc, "gamma": math.gamma, "lgamma": math.lgamma}
_TWO = {
    "atan2": np.arctan2,
    "copysign": np.copysign,
    "fmod": np.fmod,
    "hypot": np.hypot,
    "pow": np.power,
}
_QUESTIONS = {"isfinite": np.isfinite, "isinf": np.isinf, "isnan": np.isnan}


def of_one(compute: Callable) -> Callable[[Any], Any]:
    """Give a function of float64 as numba types it: a float32 gives a float32."""

    def function(x: Any) -> Any:
        with np.errstate(all="ignore"):
            result = float(compute(np.float64(x)))
        return like(x, result) if x.__class__ in SINGLES else result

    return function


def of_two(compute: Callable) -> Callable[[Any, Any], Any]:
    """The same of two arguments: float32 if both are."""

    def function(x: Any, y: Any) -> Any:
        with np.errstate(all="ignore"):
            result = float(compute(np.float64(x), np.float64(y)))
        return like(x, result) if x.__class__ in SINGLES and y.__class__ in SINGLES else result

    return function


def _guarded(compute: Callable) -> Callable[[Any], float]:
    """What raises in Python gives an infinity, or NaN, on the card."""

    def guarded(x: float) -> float:
        try:
            return compute(x)
        except OverflowError:
            return math.inf
        except ValueError:
            return math.nan if x != 0 else math.inf

    return guarded


def _question(compute: Callable) -> Callable[[Any], bool]:
    return lambda x: bool(compute(float(x)))


def _scaled(x: Any, exponent: int) -> Any:
    with np.errstate(all="ignore"):
        result = float(np.ldexp(np.float64(x), int(exponent)))
    return like(x, result) if x.__class__ in SINGLES else result


def _split(x: Any) -> tuple[Any, int]:
    fraction, exponent = math.frexp(x)
    return (like(x, fraction) if x.__class__ in SINGLES else fraction), exponent


def _parts(x: Any) -> tuple[Any, Any]:
    fraction, whole = math.modf(x)
    return (like(x, fraction), like(x, whole)) if x.__class__ in SINGLES else (fraction, whole)


def rounded_to(x: Any, digits: int | None = None) -> Any:
    """Give `round(x)`, a whole number, or `round(x, digits)`, of the type of `x`."""
    if digits is None:
        return round(float(x)) if isinstance(x, float) else round(x)
    result = round(float(x), digits)
    return like(x, result) if x.__class__ in SINGLES else result


cube_root = of_one(np.cbrt)


def _following(x: Any, towards: Any) -> Any:
    """Give the next number of the type of `x`."""
    if x.__class__ in SINGLES and towards.__class__ in SINGLES:
        return like(x, float(np.nextafter(np.float32(x), np.float32(towards))))
    return math.nextafter(x, towards)


def _remainder(x: float, y: float) -> float:
    try:
        return math.remainder(x, y)
    except ValueError:
        return math.nan


FUNCTIONS: dict[Callable, Callable] = {
    **{getattr(math, name): of_one(compute) for name, compute in _ONE.items() if hasattr(math, name)},
    **{getattr(math, name): of_one(_guarded(compute)) for name, compute in _FROM_MATH.items()},
    **{getattr(math, name): of_two(compute) for name, compute in _TWO.items()},
    **{getattr(math, name): _question(compute) for name, compute in _QUESTIONS.items()},
    math.remainder: of_two(_remainder),
    math.nextafter: _following,
    math.ldexp: _scaled,
    math.frexp: _split,
    math.modf: _parts,
    **{
        getattr(np, name): of_one(compute)
        for name, compute in _ONE.items()
        if name not in ("acos", "acosh", "asin", "asinh", "atan", "atanh") and hasattr(np, name)
    },
}
"""The twins of the functions of math, and of numpy's of the same name."""
