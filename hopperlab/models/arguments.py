"""Refuse a bad argument by its name, its value and what is allowed."""

import math
import operator


def whole_number(name: str, value: int, low: int, high: int) -> int:
    """``value`` as an int within ``low`` to ``high``.

    Raises
    ------
    TypeError
        If it is not a whole number.
    ValueError
        If it is out of range; the message names the argument, the value and the range.
    """
    if isinstance(value, bool):
        raise TypeError(f"{name}={value!r} must be a whole number, not a bool")
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{name}={value!r} must be a whole number, not {type(value).__name__}") from None
    if not low <= number <= high:
        raise ValueError(f"{name}={number} must be in {low} to {high}")
    return number


def finite_number(name: str, value: float, *, above: float = -math.inf, at_least: float = -math.inf) -> float:
    """``value``, if it is a finite real number above ``above`` and at least ``at_least``.

    Raises
    ------
    TypeError
        If it is not a number.
    ValueError
        If it is out of range, infinite or not a number; the message names argument, value and range.
    """
    if isinstance(value, bool | str) or not hasattr(value, "__float__"):
        raise TypeError(f"{name}={value!r} must be a number, not {type(value).__name__}")
    if not (math.isfinite(value) and value > above and value >= at_least):
        bound = f"greater than {above:g}" if above > -math.inf else f"at least {at_least:g}"
        raise ValueError(f"{name}={value!r} must be finite and {bound}")
    return value
