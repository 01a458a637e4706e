"""Comparing a learner's result with the right one: a sentence on how they differ."""

import math
import numbers
from collections.abc import Callable, Mapping, Sequence
from typing import Any

RELATIVE_TOLERANCE = 1e-9  # for results with a fraction; integers are compared exactly
LONGEST = 240  # characters of a value that are shown


def shown(value: Any) -> str:
    """A value as a learner would write it, cut if it is very long."""
    item = getattr(value, "item", None)
    text = repr(item() if callable(item) and getattr(value, "ndim", None) == 0 else value)
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}... ({len(text)} characters)"


def difference(result: Any, right: Any) -> str:
    """How a result differs from the right one; empty if it does not.

    Numbers are equal by value, whatever their type; lists and tuples element by element; NumPy arrays by
    shape and element.
    """
    if result is None and right is not None:
        return "it gives None; is a return missing?"
    for accepts, compare in _COMPARISONS:
        if accepts(right):
            return compare(result, right) if accepts(result) else _wrong_type(result, right)
    if type(result) is not type(right):
        return _wrong_type(result, right)
    return "" if result == right else "the values differ"


def _wrong_type(result: Any, right: Any) -> str:
    return f"it gives {_kind(result)} where {_kind(right)} is wanted"


def _kind(value: Any) -> str:
    names = {
        "ndarray": "an array",
        "int": "an integer",
        "NoneType": "None",
        "builtin_function_or_method": "a function",
    }
    name = type(value).__name__
    return names.get(name, f"a {name}")


def _is_array(value: Any) -> bool:
    return hasattr(value, "shape") and getattr(value, "ndim", 0) > 0


def _is_truth(value: Any) -> bool:
    return isinstance(value, bool) or type(value).__name__ in ("bool", "bool_")


def _is_number(value: Any) -> bool:
    return isinstance(value, numbers.Number) or getattr(value, "ndim", None) == 0


def _is_sequence(value: Any) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str | bytes)


def _compare_arrays(result: Any, right: Any) -> str:
    if result.shape != right.shape:
        return f"its shape is {result.shape} where {right.shape} is wanted"
    return _compare_elements(result.ravel().tolist(), right.ravel().tolist())


def _compare_truths(result: Any, right: Any) -> str:
    return "" if bool(result) == bool(right) else "the values differ"


def _compare_numbers(result: Any, right: Any) -> str:
    if result == right or (result != result and right != right):
        return ""
    if isinstance(right, numbers.Integral) or not isinstance(result, numbers.Real):
        return "the values differ"
    return "" if math.isclose(result, right, rel_tol=RELATIVE_TOLERANCE) else "the values differ"


def _compare_sequences(result: Any, right: Any) -> str:
    if len(result) != len(right):
        return f"its length is {len(result)} where {len(right)} is wanted"
    return _compare_elements(result, right)


def _compare_elements(result: Any, right: Any) -> str:
    for place, (mine, wanted) in enumerate(zip(result, right, strict=True)):
        if differs := difference(mine, wanted):
            return f"at index {place}, {differs}"
    return ""


def _compare_mappings(result: Any, right: Any) -> str:
    if set(result) != set(right):
        return "its keys differ"
    for key in right:
        if differs := difference(result[key], right[key]):
            return f"at key {key!r}, {differs}"
    return ""


_COMPARISONS: tuple[tuple[Callable[[Any], bool], Callable[[Any, Any], str]], ...] = (
    (_is_array, _compare_arrays),
    (_is_truth, _compare_truths),
    (_is_number, _compare_numbers),
    (lambda value: isinstance(value, Mapping), _compare_mappings),
    (_is_sequence, _compare_sequences),
)
