"""What `simulate` accepts: its options, and the arrays that a kernel may be given; all else is refused in words."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from hopperlab.chip import NAMES, Chip
from hopperlab.chip import chip as chip_named
from hopperlab.device.simulator.timing import Costs

ELEMENTS = "booleans, whole numbers of 8 to 64 bits, float16, float32, float64, complex numbers, and records of these"
_SIZES = {"b": (1,), "i": (1, 2, 4, 8), "u": (1, 2, 4, 8), "f": (2, 4, 8), "c": (8, 16)}


def accepted_chip(given: Any) -> Chip:
    """Give the chip of a name, or a chip as it is.

    Raises
    ------
    TypeError
        If it is neither.
    ValueError
        If no chip has that name.
    """
    if isinstance(given, Chip):
        return given
    if not isinstance(given, str):
        raise TypeError(f"chip is {given!r}; give a chip, or a name: {', '.join(NAMES)}")
    return chip_named(given)


def check_options(seed: Any, timing: Any, checks: Any, trace: Any, patience: Any) -> None:
    """Refuse options of a run that mean nothing.

    Raises
    ------
    TypeError
        For a value of another type.
    ValueError
        For one out of range.
    """
    try:
        number = operator.index(seed)
    except TypeError:
        raise TypeError(f"seed is {seed!r}; give a whole number of 0 or more") from None
    if number < 0:
        raise ValueError(f"seed is {seed}; give a whole number of 0 or more")
    if timing is not None and not isinstance(timing, bool | Costs):
        raise TypeError(
            f"timing is {timing!r}; give None or True for the shipped costs, False for none, or Costs"
        )
    if not isinstance(checks, bool | np.bool_):
        raise TypeError(f"checks is {checks!r}; give True or False")
    if not isinstance(trace, bool | np.bool_) and trace != "accesses":
        raise ValueError(
            f"trace is {trace!r}; give True, False, or 'accesses' for every access of memory as well"
        )
    if not isinstance(patience, int | float) or isinstance(patience, bool):
        raise TypeError(f"patience is {patience!r}; give seconds above 0")
    if not patience > 0:
        raise ValueError(f"patience is {patience}; give seconds above 0")


def check_array(name: str, array: np.ndarray) -> None:
    """Refuse an array whose elements no register holds.

    Raises
    ------
    TypeError
        With the parameter's name and the dtype.
    """
    if not _fits(array.dtype):
        raise TypeError(
            f"{name} has the dtype {array.dtype}; a kernel takes arrays of {ELEMENTS}, all in native byte order"
        )


def _fits(dtype: np.dtype) -> bool:
    if dtype.subdtype is not None:
        return _fits(dtype.subdtype[0])
    if dtype.fields is not None:
        return all(_fits(field[0]) for field in dtype.fields.values())
    return dtype.isnative and dtype.itemsize in _SIZES.get(dtype.kind, ()) and not dtype.hasobject
