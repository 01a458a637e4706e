"""Which bytes one copy of a box touches, in global and in shared memory.

The engine walks the box with dimension 0 innermost. In shared memory the box lies row after row. With a
swizzle, every row takes a whole span of it, even if the box is narrower (CUDA C++ Programming Guide, tensor
memory accelerator, on the inner dimension), and its chunks are shuffled by their address.

Everything here is about places, not about values: the simulator and the views build on it, and ``copy``
moves the values.
"""

from dataclasses import dataclass
from math import prod

import numpy as np

from hopperlab.models.tma.descriptor import Descriptor, Interleave
from hopperlab.models.tma.rules import check
from hopperlab.models.tma.swizzle import swizzle_offset

SHARED_ALIGNMENT = 128  # of the tile's shared address, bytes; claim lit-042.a
COORDINATES = 2**31  # a coordinate is a signed 32-bit number in PTX
ROW_START = 16  # bytes; elsewhere a row's start is an illegal instruction (recording `tma_refusals`)


@dataclass(frozen=True)
class Footprint:
    """The places of every element of one box, as arrays shaped like the box, outermost dimension first.

    Attributes
    ----------
    global_offsets
        Byte offset from the tensor's address, int64. Where ``inside`` is False it is not to be touched.
    inside
        Whether the element lies in the tensor.
    written
        Whether a store writes it: stores write 16 bytes at a time, so beyond the end of a row that is no
        multiple of 16 bytes they go on to the next one. Measured on an H200.
    shared_offsets
        Byte offset from the tile's shared address, after swizzle, int64.
    nbytes
        Bytes counted on the barrier: the whole box, inside or not.
    shared_bytes
        Bytes of shared memory that the tile takes, with what a narrow row leaves free.
    """

    global_offsets: np.ndarray
    inside: np.ndarray
    written: np.ndarray
    shared_offsets: np.ndarray
    nbytes: int
    shared_bytes: int


def footprint(descriptor: Descriptor, coordinates: tuple[int, ...], shared_address: int = 0) -> Footprint:
    """Where the box at `coordinates` lies in both memories.

    Parameters
    ----------
    descriptor
        An accepted tensor map, without interleave.
    coordinates
        Of the box's first element, innermost first; negative or beyond the end where it hangs outside. The
        innermost is a multiple of 16 bytes.
    shared_address
        Of the tile in shared memory, a multiple of 128. The swizzle goes by addresses, so it matters.

    Raises
    ------
    ValueError
        For a refused tensor map, an interleaved one, or an argument out of range.
    """
    check(descriptor)
    if descriptor.interleave != Interleave.NONE:
        raise ValueError(f"interleave={descriptor.interleave.name}: only NONE is modelled for copies")
    _check_coordinates(descriptor, coordinates)
    _check_shared_address(shared_address)
    offsets, inside, written = _in_global(descriptor, coordinates)
    return Footprint(
        offsets,
        inside,
        written,
        _in_shared(descriptor, shared_address),
        descriptor.box_bytes,
        tile_bytes(descriptor),
    )


def global_addresses(descriptor: Descriptor, coordinates: tuple[int, ...]) -> np.ndarray:
    """The global byte addresses that the engine generates for a box: those inside the tensor, in its order."""
    found = footprint(descriptor, coordinates)
    return descriptor.global_address + found.global_offsets[found.inside]


def row_bytes(descriptor: Descriptor) -> int:
    """Bytes from one row of the tile to the next in shared memory."""
    return max(descriptor.inner_bytes, descriptor.swizzle.span)


def tile_bytes(descriptor: Descriptor) -> int:
    """Bytes of shared memory that a tile takes; more than the barrier counts where swizzled rows are narrow."""
    return prod(descriptor.box_shape[1:]) * row_bytes(descriptor)


def _in_global(
    descriptor: Descriptor, coordinates: tuple[int, ...]
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    offsets, inside, written = np.zeros((), np.int64), np.ones((), bool), np.ones((), bool)
    byte_strides = (descriptor.element_type.nbytes, *descriptor.global_strides)
    for axis in reversed(range(descriptor.rank)):
        index = coordinates[axis] + descriptor.steps[axis] * np.arange(descriptor.box_shape[axis])
        together = ROW_START // descriptor.element_type.nbytes if axis == 0 else 1  # elements written at once
        first = index - index % together
        size = descriptor.global_dim[axis]
        offsets = offsets[..., None] + index * byte_strides[axis]
        inside, written = (
            each[..., None] & (at >= 0) & (at < size) for each, at in ((inside, index), (written, first))
        )
    return offsets, inside, written


def _in_shared(descriptor: Descriptor, shared_address: int) -> np.ndarray:
    rows = prod(descriptor.box_shape[1:])
    row = np.arange(rows, dtype=np.int64)[:, None] * row_bytes(descriptor)
    column = np.arange(descriptor.box_shape[0], dtype=np.int64) * descriptor.element_type.nbytes
    places = swizzle_offset(shared_address + row + column, descriptor.swizzle) - shared_address
    return places.reshape(descriptor.box_shape[::-1])


def _check_coordinates(descriptor: Descriptor, coordinates: tuple[int, ...]) -> None:
    if len(coordinates) != descriptor.rank:
        raise ValueError(f"coordinates={coordinates}: {descriptor.rank} are needed, innermost first")
    for number in coordinates:
        if not -COORDINATES <= number < COORDINATES:
            raise ValueError(f"coordinates={coordinates}: allowed are {-COORDINATES} to {COORDINATES - 1}")
    step = ROW_START // descriptor.element_type.nbytes
    if coordinates[0] % step:
        raise ValueError(
            f"coordinates={coordinates}: the innermost must be a multiple of {step} elements, {ROW_START} bytes"
        )


def _check_shared_address(shared_address: int) -> None:
    if shared_address < 0 or shared_address % SHARED_ALIGNMENT:
        raise ValueError(
            f"shared_address={shared_address}: it must be a multiple of {SHARED_ALIGNMENT} bytes"
        )
