"""Reduction: a store that combines with what lies in global memory instead of overwriting it.

``cp.reduce.async.bulk.tensor`` adds a tile into the tensor, or takes minima, or sets bits, element by
element and atomically, in the memory system; the threads neither load nor loop. What is reached is what a
store reaches.

Which operation goes with which element type is PTX's table (PTX ISA, cp.reduce.async.bulk, for a global
destination). The bitwise ones are listed there for the untyped .b32 and .b64: an H200 takes signed words of
32 bits for those, and refuses signed words of 64 as an illegal instruction (recording `tma_refusals`).
"""

from collections.abc import Callable

import numpy as np

from hopperlab.models.tma.copy import check_store, writes_into
from hopperlab.models.tma.descriptor import Descriptor, ElementType
from hopperlab.models.tma.elements import octets, put, take
from hopperlab.models.tma.footprint import footprint

_WORDS = {ElementType.UINT32, ElementType.INT32}
_LONGS = {ElementType.UINT64, ElementType.INT64}
_HALVES = {ElementType.FLOAT16, ElementType.BFLOAT16}

ALLOWED: dict[str, frozenset[ElementType]] = {
    "add": frozenset(_WORDS | {ElementType.UINT64, ElementType.FLOAT32, ElementType.FLOAT64} | _HALVES),
    "min": frozenset(_WORDS | _LONGS | _HALVES),
    "max": frozenset(_WORDS | _LONGS | _HALVES),
    "inc": frozenset({ElementType.UINT32}),
    "dec": frozenset({ElementType.UINT32}),
    "and": frozenset(_WORDS | {ElementType.UINT64}),
    "or": frozenset(_WORDS | {ElementType.UINT64}),
    "xor": frozenset(_WORDS | {ElementType.UINT64}),
}
"""Element types that each reduction takes."""


def reduce(
    descriptor: Descriptor,
    memory: np.ndarray,
    coordinates: tuple[int, ...],
    shared: np.ndarray,
    operation: str,
    *,
    shared_address: int = 0,
) -> np.ndarray:
    """Global memory after the tile `shared` has been combined into the box at `coordinates`.

    Parameters
    ----------
    descriptor, memory, coordinates, shared, shared_address
        As for ``store``; no two elements of the box may share an address.
    operation
        A key of ALLOWED. ``inc`` counts up from the old value and wraps to 0 after the tile's value; ``dec``
        counts down and wraps to the tile's value.

    Returns
    -------
    memory : array
        Like `memory`. Integers wrap around; floats are rounded to nearest even.

    Raises
    ------
    ValueError
        For an unknown operation, a type that it does not take, or elements that share an address.
    """
    if operation not in ALLOWED:
        raise ValueError(f"operation={operation!r}: allowed are {', '.join(ALLOWED)}")
    if descriptor.element_type not in ALLOWED[operation]:
        types = ", ".join(kind.name for kind in sorted(ALLOWED[operation]))
        raise ValueError(f"element_type={descriptor.element_type.name}: {operation} takes {types}")
    check_store(coordinates)
    places = footprint(descriptor, coordinates, shared_address)
    after = octets("memory", memory).copy()
    reached = writes_into(places, after.size, descriptor.element_type)
    offsets = places.global_offsets[reached]
    if np.unique(offsets).size < offsets.size:
        raise ValueError("global_strides let elements of the box share an address: one at a time is modelled")
    dtype = descriptor.element_type.dtype
    new = take("shared", shared, places.shared_offsets[reached], dtype)
    put("memory", after, offsets, _COMBINE[operation](take("memory", memory, offsets, dtype), new))
    return after.view(memory.dtype).reshape(memory.shape)


def _add(old: np.ndarray, new: np.ndarray) -> np.ndarray:
    if old.dtype != np.float32:
        return old + new
    return _flushed(_flushed(old) + _flushed(new))


def _flushed(values: np.ndarray) -> np.ndarray:
    """Subnormal float32 as zeros of their sign: what add.f32 does to what it reads and writes."""
    bits = values.view(np.uint32)
    return np.where(bits & 0x7F800000, bits, bits & 0x80000000).astype(np.uint32).view(np.float32)


def _inc(old: np.ndarray, top: np.ndarray) -> np.ndarray:
    return np.where(old >= top, 0, old + 1).astype(old.dtype)


def _dec(old: np.ndarray, top: np.ndarray) -> np.ndarray:
    return np.where((old == 0) | (old > top), top, old - 1).astype(old.dtype)


_COMBINE: dict[str, Callable[[np.ndarray, np.ndarray], np.ndarray]] = {
    "add": _add,
    "min": np.fmin,  # a number wins over NaN, as in PTX min and max without .NaN
    "max": np.fmax,
    "inc": _inc,
    "dec": _dec,
    "and": np.bitwise_and,
    "or": np.bitwise_or,
    "xor": np.bitwise_xor,
}
