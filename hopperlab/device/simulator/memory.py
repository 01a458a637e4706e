"""Memory: regions of real bytes, and arrays that read registers out of them and write registers into them.

Every array that a kernel asks for, in shared, local or constant memory, is a region of its own, and so is every
array that it is given; so whatever leaves an array is found, even where another array lies next to it. Memory
that nobody has written is poison: all bits set, which reads as NaN, as -1 or as the largest unsigned number.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import EllipsisType
from typing import Any

import numpy as np

from hopperlab.device.simulator.arguments import Misuse
from hopperlab.device.simulator.numbers import (
    CASTS,
    SINGLES,
    Float32,
    Int8,
    Int16,
    Int32,
    LoadedInt64,
    UInt8,
    UInt16,
    UInt32,
    UInt64,
    float32,
    register_of,
)

POISON = 0xFF
INTEGERS = (int, np.integer)  # a bool is an int to Python, and no index to numba
ATTRIBUTES = ("shape", "size", "ndim", "dtype", "strides", "itemsize", "nbytes", "T", "reshape")
VIEWS = frozenset({np.ndarray, np.void, memoryview})  # what cells give where an index names no register
GLOBAL_START = 1 << 40  # address of the first array that a kernel is given
GLOBAL_ALIGNMENT = 512  # bytes; cudaMalloc gives at least 256
_REGISTERS: dict[str, type] = {
    "float32": Float32,
    "int8": Int8,
    "int16": Int16,
    "int32": Int32,
    "int64": LoadedInt64,
    "uint8": UInt8,
    "uint16": UInt16,
    "uint32": UInt32,
    "uint64": UInt64,
    "bool": bool,
}


class Region:
    """A piece of memory with one owner.

    Attributes
    ----------
    space
        "shared", "global", "local" or "const".
    address
        Of its first byte: in the shared window of its block, or in global memory.
    octets
        Its bytes, a uint8 array.
    owner
        The block whose shared memory it is, the thread whose local memory it is; None for global memory.
    name
        What findings call it.
    key
        The line that asked for it, where it is shared memory.
    shadow
        What the checks remember about it; None without checks.
    """

    __slots__ = ("address", "key", "name", "octets", "owner", "shadow", "space")

    def __init__(
        self,
        space: str,
        address: int,
        nbytes: int,
        owner: Any,
        name: str,
        octets: np.ndarray | None = None,
        key: Any = None,
    ) -> None:
        self.key = key
        self.space = space
        self.address = address
        self.owner = owner
        self.name = name
        self.octets = aligned_bytes(nbytes) if octets is None else octets
        self.shadow: Any = None

    def __repr__(self) -> str:
        """Name the region as findings do."""
        return self.name


def aligned_bytes(nbytes: int, alignment: int = 16) -> np.ndarray:
    """Give poisoned bytes that start on a multiple of `alignment` in the host's memory."""
    raw = np.full(nbytes + alignment, POISON, np.uint8)
    start = -raw.ctypes.data % alignment
    return raw[start : start + nbytes]


def is_whole(index: Any) -> bool:
    """Whether an index is a whole number, or a tuple of them; True, 1.0 and 1 are equal, and only 1 is one."""
    for place in index if index.__class__ is tuple else (index,):
        if place.__class__ is not int and (place.__class__ is bool or not isinstance(place, INTEGERS)):
            return False
    return True


class Array:
    """An array as a kernel sees it: `a[i]` is a register, `a[i] = x` a cast and a store.

    It has no `__getattr__`, with which Python would look up every attribute the slow way; `run` tells what is missing.

    Attributes
    ----------
    values
        The numpy array over the region's bytes.
    region
        Where it lies.
    shape, size
        Length of each axis, and number of elements.
    """

    __slots__ = ("cells", "region", "register", "shape", "size", "values", "world")

    def __init__(self, values: np.ndarray, region: Region, world: Any) -> None:
        self.values = values
        self.shape, self.size = values.shape, values.size
        self.region = region
        self.world = world
        self.register, self.cells = _reader(values, world)

    def __getitem__(self, index: Any) -> Any:
        """Load an element, or give the view that a slice names."""
        if index.__class__ is slice:
            return self.view(index)
        try:
            value = self.cells[index]
        except (TypeError, NotImplementedError):
            return self.view(index)
        except IndexError:
            raise self.outside(index) from None
        register = self.register
        if register is not None:
            return register.__new__(register, value)
        return self.view(index) if value.__class__ in VIEWS else value

    def __setitem__(self, index: Any, value: Any) -> None:
        """Store an element, cast to the array's type."""
        try:
            self.cells[index] = value
        except IndexError:
            raise self.outside(index) from None
        except (TypeError, ValueError, NotImplementedError, OverflowError):
            self.store_cast(index, value)

    def store_cast(self, index: Any, value: Any) -> None:
        """Store a value that has to be cast first, or fill a view."""
        target = self.part(index)
        if isinstance(target, np.ndarray) and target.ndim:
            self.view(index).fill(value)
            return
        if isinstance(value, Record):
            value = value.fields
        cast = CASTS.get(self.values.dtype.name)
        self.values[index] = value if cast is None else cast(value)

    def atomic_load(self, index: Any) -> Any:
        """Load what other threads may store atomically meanwhile."""
        return self[index]

    def atomic(self, index: Any, new: Callable[[Any, Any], Any], value: Any) -> Any:
        """Read, compute and write as one step; give the old value, and tell those that spin if it changed."""
        old = self[index]
        if old.__class__ in SINGLES:
            value = float32(value)
        result = new(old, value)
        self[index] = result
        if self.world.spins:
            self.world.changed(old != result)
        return old

    def touched(self, index: Any, writes: bool) -> None:
        """A field of an element was read, or written."""

    def fill(self, value: Any) -> None:
        """Store a value, or another array's values, element by element."""
        for place in np.ndindex(self.values.shape):
            self[place if len(place) > 1 else place[0]] = value[place] if isinstance(value, Array) else value

    def view(self, index: Any) -> Array:
        """Give the array that a slice or a row names; an element with fewer indices than axes is a row."""
        part = self.part(index)
        if isinstance(part, np.void):
            return Record(self, index, part)
        if not isinstance(part, np.ndarray):
            part = self.values[index : index + 1].reshape(())
        return type(self)(part, self.region, self.world)

    def part(self, index: Any) -> Any:
        """Give what an index names, as numpy does, if it is one that kernels have."""
        self.refuse_wrong_kinds(index)
        try:
            return self.values[index]
        except IndexError:
            raise self.outside(index) from None

    def refuse_wrong_kinds(self, index: Any) -> None:
        """Refuse an index that numba.cuda compiles on no card: a float, a boolean, an array."""
        for place in index if isinstance(index, tuple) else (index,):
            if not is_whole((place,)) and not isinstance(place, slice | EllipsisType):
                shown = "an array" if isinstance(place, Array | np.ndarray) else f"{place!r}"
                raise Misuse(f"an index of {self.region} is {shown}; give whole numbers and slices")

    def outside(self, index: Any) -> IndexError:
        """Say what an index is outside of."""
        self.refuse_wrong_kinds(index)
        shown = index if isinstance(index, tuple) else (index,)
        numbers = ", ".join(":" if isinstance(place, slice) else str(int(place)) for place in shown)
        if len(shown) != self.values.ndim:
            return IndexError(f"[{numbers}] of an array with {self.values.ndim} dimensions")
        return IndexError(f"[{numbers}] is outside of {self.region}, which has the shape {self.values.shape}")

    @property
    def address(self) -> int:
        """Address of the first element."""
        return self.region.address + self.offset

    @property
    def offset(self) -> int:
        """Bytes from the start of the region to the first element."""
        return self.values.ctypes.data - self.region.octets.ctypes.data

    def __len__(self) -> int:
        """Length of the first axis."""
        return len(self.values)

    def __iter__(self) -> Iterator[Any]:
        """Load one element, or row, after another."""
        return (self[i] for i in range(len(self.values)))

    @property
    def strides(self) -> tuple[int, ...]:
        """Bytes from one index to the next, of each axis."""
        return self.values.strides

    @property
    def ndim(self) -> int:
        """Number of axes."""
        return self.values.ndim

    @property
    def itemsize(self) -> int:
        """Bytes of an element."""
        return self.values.itemsize

    @property
    def nbytes(self) -> int:
        """Bytes of all elements."""
        return self.values.nbytes

    @property
    def dtype(self) -> Callable:
        """The element type; called, it casts."""
        return CASTS.get(self.values.dtype.name, self.values.dtype.type)

    @property
    def T(self) -> Array:  # noqa: N802 - numpy's name
        """The transposed view."""
        return type(self)(self.values.T, self.region, self.world)

    def reshape(self, *shape: Any) -> Array:
        """Give the same elements in another shape."""
        return type(self)(self.values.reshape(*shape), self.region, self.world)

    def view_as(self, values: np.ndarray, region: Region) -> Array:
        """Give an array of the same kind over other memory."""
        return type(self)(values, region, self.world)


class Record:
    """An element of a structured array: `r.x` and `r["x"]` are registers, and may be assigned to.

    Attributes
    ----------
    fields
        The element, which lies in the array's memory.
    """

    __slots__ = ("_array", "_index", "fields")

    def __init__(self, array: Array, index: Any, fields: np.void) -> None:
        object.__setattr__(self, "_array", array)
        object.__setattr__(self, "_index", index)
        object.__setattr__(self, "fields", fields)

    def __getitem__(self, name: str) -> Any:
        """Load a field."""
        value = self.fields[name]
        if isinstance(value, np.void):
            return Record(self._array, self._index, value)
        self._array.touched(self._index, writes=False)
        if isinstance(value, np.ndarray):  # its elements are not checked one by one
            return Array(value, self._array.region, self._array.world)
        return register_of(value)

    def __setitem__(self, name: str, value: Any) -> None:
        """Store a field, cast to its type."""
        cast = CASTS.get(self.fields.dtype[name].name)
        self.fields[name] = value if cast is None else cast(value)
        self._array.touched(self._index, writes=True)

    def __getattr__(self, name: str) -> Any:
        """Load a field."""
        if name not in (self.fields.dtype.names or ()):
            raise AttributeError(
                f"the record has no field {name}; it has {', '.join(self.fields.dtype.names)}"
            )
        return self[name]

    def __setattr__(self, name: str, value: Any) -> None:
        """Store a field, cast to its type."""
        if name not in (self.fields.dtype.names or ()):
            raise AttributeError(
                f"the record has no field {name}; it has {', '.join(self.fields.dtype.names)}"
            )
        self[name] = value


class PlainArray(np.ndarray):
    """A numpy array that knows its region: where its elements, as they come, are the registers."""

    region: Region
    world: Any

    def __array_finalize__(self, source: Any) -> None:
        """Let views know where they lie."""
        self.region = getattr(source, "region", None)
        self.world = getattr(source, "world", None)

    @property
    def values(self) -> np.ndarray:
        """The numpy array over the region's bytes."""
        return self.view(np.ndarray)

    address = Array.address
    offset = Array.offset
    refuse_wrong_kinds = Array.refuse_wrong_kinds
    outside = Array.outside
    atomic_load = Array.atomic_load
    atomic = Array.atomic


ARRAYS = (Array, PlainArray)


def plain_array(values: np.ndarray, region: Region, world: Any) -> PlainArray:
    """Give a plain array over the bytes of `values`."""
    array = values.view(PlainArray)
    array.region, array.world = region, world
    return array


def _reader(values: np.ndarray, world: Any) -> tuple[type | None, Any]:
    """Give the class of an array's registers, None where the cells give them as they are, and the cells."""
    name = values.dtype.name
    if name == "float32" and world.plain_float32:
        return None, values
    if name == "int32" and not world.widths_matter:
        return None, memoryview(values)
    register = _REGISTERS.get(name)
    plain = register is not None or name == "float64"
    return register, memoryview(values) if plain else values


class RemoteArray(Array):
    """An array in another block's shared memory: gone when that block has ended."""

    __slots__ = ()

    def __getitem__(self, index: Any) -> Any:
        """Load an element, if the block is there."""
        self.world.remote_access(self.region)
        return super().__getitem__(index)

    def __setitem__(self, index: Any, value: Any) -> None:
        """Store an element, if the block is there."""
        self.world.remote_access(self.region)
        super().__setitem__(index, value)


class GlobalMemory:
    """The arrays that a kernel was given, copied into the simulated chip's memory one after the other.

    Arrays that overlap on the host overlap there too. The first lies at `GLOBAL_START`.
    """

    def __init__(self, world: Any) -> None:
        self.world = world
        self.regions: list[Region] = []
        self._ranges: list[tuple[int, int, Region]] = []
        self._next = GLOBAL_START

    def place(self, arrays: list[tuple[str, np.ndarray]]) -> None:
        """Copy host arrays in; `arrays` are pairs of a name and an array."""
        spans = sorted((*_bounds(array), n, name) for n, (name, array) in enumerate(arrays) if array.size)
        merged: list[list] = []
        for low, high, number, name in spans:
            if merged and low < merged[-1][1]:
                last = merged[-1]
                last[1], last[2] = max(high, last[1]), min(number, last[2])
                last[3] += "" if name in last[3].split(", ") else f", {name}"
            else:
                merged.append([low, high, number, name])
        for low, high, _, name in sorted(merged, key=lambda span: span[2]):
            region = Region("global", self._next, high - low, None, name, aligned_bytes(high - low, 64))
            self._next += -(-(high - low) // GLOBAL_ALIGNMENT) * GLOBAL_ALIGNMENT + GLOBAL_ALIGNMENT
            self._ranges.append((low, high, region))
            self.regions.append(region)
        for _, array in arrays:
            if array.size:
                self.twin(array)[...] = array

    def region_of(self, array: np.ndarray) -> tuple[Region, int]:
        """Give the region that a host array was copied to, and the byte in it where the array's span begins."""
        low = _bounds(array)[0]
        for start, end, region in self._ranges:
            if start <= low < end:
                return region, low - start
        raise KeyError("array was not placed")

    def twin(self, array: np.ndarray) -> np.ndarray:
        """Give the simulated array of a host array: the same shape, strides and type over the copied bytes."""
        if not array.size:
            return array.copy()
        region, offset = self.region_of(array)
        first = offset + array.__array_interface__["data"][0] - _bounds(array)[0]
        return np.ndarray(array.shape, array.dtype, region.octets, first, array.strides)


def _bounds(array: np.ndarray) -> tuple[int, int]:
    return np.lib.array_utils.byte_bounds(array)
