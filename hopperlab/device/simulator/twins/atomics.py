"""Twins of numba.cuda's atomics: each reads, computes and writes as one step, and gives the old value."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numba import cuda

from hopperlab.device.simulator.arguments import Misuse
from hopperlab.device.simulator.twins import twin

UNSIGNED = ("uint32", "uint64")
WHOLE = ("int32", "int64", *UNSIGNED)
NUMBERS = ("float32", "float64", *WHOLE)
"""The element types that numba.cuda has an atomic for."""


def _numbers_of(elements: tuple[str, ...]) -> frozenset[int]:
    """Give numpy's numbers of types: a dtype's own hash takes longer than an atomic."""
    return frozenset(np.dtype(code).num for code in np.typecodes["All"] if np.dtype(code).name in elements)


def _atomic(name: str, new: Callable[[Any, Any], Any], elements: tuple[str, ...]) -> Callable:
    allowed = _numbers_of(elements)

    def act(world: Any, array: Any, index: Any, value: Any) -> Any:
        if array.values.dtype.num not in allowed:
            _refuse(name, array, elements)
        return array.atomic(index, new, value)

    act.__name__ = name
    act.__doc__ = f"Atomic {name}: give the old value."
    return act


def _refuse(name: str, array: Any, elements: tuple[str, ...]) -> None:
    found = array.values.dtype
    raise Misuse(f"cuda.atomic.{name} on an array of {found}; a card has it for {', '.join(elements)}")


def _nan_ignored(better: Callable) -> Callable[[Any, Any], Any]:
    def new(old: Any, value: Any) -> Any:
        if old != old:
            return value
        return better(old, value) if value == value else old

    return new


def _nan_kept(better: Callable) -> Callable[[Any, Any], Any]:
    """numba's atomic.max and min: a NaN in memory stays, a NaN given is taken for nothing."""

    def new(old: Any, value: Any) -> Any:
        return old if old != old or value != value else better(old, value)

    return new


twin(cuda.atomic.add)(_atomic("add", lambda old, value: old + value, NUMBERS))
twin(cuda.atomic.sub)(_atomic("sub", lambda old, value: old - value, NUMBERS))
twin(cuda.atomic.max)(_atomic("max", _nan_kept(max), NUMBERS))
twin(cuda.atomic.min)(_atomic("min", _nan_kept(min), NUMBERS))
twin(cuda.atomic.nanmax)(_atomic("nanmax", _nan_ignored(max), NUMBERS))
twin(cuda.atomic.nanmin)(_atomic("nanmin", _nan_ignored(min), NUMBERS))
twin(cuda.atomic.and_)(_atomic("and_", lambda old, value: int(old) & int(value), WHOLE))
twin(cuda.atomic.or_)(_atomic("or_", lambda old, value: int(old) | int(value), WHOLE))
twin(cuda.atomic.xor)(_atomic("xor", lambda old, value: int(old) ^ int(value), WHOLE))
twin(cuda.atomic.exch)(_atomic("exch", lambda old, value: value, WHOLE))
twin(cuda.atomic.inc)(_atomic("inc", lambda old, top: 0 if old >= top else int(old) + 1, UNSIGNED))
twin(cuda.atomic.dec)(
    _atomic("dec", lambda old, top: top if old == 0 or old > top else int(old) - 1, UNSIGNED)
)


_COMPARED = _numbers_of(WHOLE)


@twin(cuda.atomic.cas)
def compare_and_swap_at(world: Any, array: Any, index: Any, expected: Any, value: Any) -> Any:
    """Store the value if the element is what is expected; give the old value."""
    if array.values.dtype.num not in _COMPARED:
        _refuse("cas", array, WHOLE)
    return array.atomic(index, lambda old, new: new if old == expected else old, value)


@twin(cuda.atomic.compare_and_swap)
def compare_and_swap(world: Any, array: Any, expected: Any, value: Any) -> Any:
    """The same on the first element."""
    return compare_and_swap_at(world, array, 0 if array.ndim == 1 else (0,) * array.ndim, expected, value)
