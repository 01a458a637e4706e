"""What a tensor copy does to the bytes: load, store, and multicast.

A load brings a box of the tensor into shared memory and counts its bytes on a barrier. Elements outside the
tensor become zero or NaN, and count like the others. A store writes the box back and leaves out what hangs
over the edge, to the next 16 bytes; it counts on no barrier.

Memory is given as a numpy array, of any dtype, whose first byte has the tensor's address; shared memory is
bytes. Nothing given is changed.
"""

import numpy as np

from hopperlab.models.tma.descriptor import Descriptor, ElementType, Fill
from hopperlab.models.tma.elements import octets, put, take
from hopperlab.models.tma.footprint import Footprint, footprint

MULTICAST_BITS = 16  # of the mask, one a rank of the cluster; claim lit-045

# Every 16 bits of an element outside the tensor, where the fill is NaN. PTX only says "a special NaN";
# this one was read on an H200.
NAN_HALFWORD = 0x7FF7
TF32_NAN = 0x7FFFE000  # the bits of every NaN that a TF32 load delivers


def load(
    descriptor: Descriptor,
    memory: np.ndarray,
    coordinates: tuple[int, ...],
    *,
    shared_address: int = 0,
    shared: np.ndarray | None = None,
) -> tuple[np.ndarray, int]:
    """The tile as it lies in shared memory after a load, and the bytes that the barrier counts.

    Parameters
    ----------
    descriptor, coordinates, shared_address
        As for ``footprint``.
    memory
        Global memory from the tensor's address on, without gaps.
    shared
        Shared memory from the tile's address on, before the copy; zeros if left out. What a narrow swizzled
        row leaves free keeps its bytes.

    Returns
    -------
    shared : uint8 array
        Shared memory after the copy.
    nbytes : int
        What ``complete_tx`` is called with: the whole box, inside the tensor or not.
    """
    places = footprint(descriptor, coordinates, shared_address)
    inside = take("memory", memory, places.global_offsets[places.inside], descriptor.element_type.dtype)
    tile = np.full(places.inside.shape, fill_value(descriptor))
    tile[places.inside] = delivered(inside, descriptor.element_type)
    after = np.zeros(places.shared_bytes, np.uint8) if shared is None else octets("shared", shared).copy()
    put("shared", after, places.shared_offsets, tile)
    return after, places.nbytes


def store(
    descriptor: Descriptor,
    memory: np.ndarray,
    coordinates: tuple[int, ...],
    shared: np.ndarray,
    *,
    shared_address: int = 0,
) -> np.ndarray:
    """Global memory after the tile `shared` has been stored to the box at `coordinates`.

    Parameters
    ----------
    descriptor, coordinates, shared_address
        As for ``footprint``; the coordinates must not be negative (claim lit-044.b).
    memory
        Global memory before, from the tensor's address on.
    shared
        Shared memory from the tile's address on, laid out as a load would have.

    Returns
    -------
    memory : array
        Like `memory`; bytes outside the box, and outside the tensor, are unchanged, but for those that share
        16 bytes with the end of a row (``Footprint.written``).
    """
    check_store(coordinates)
    places = footprint(descriptor, coordinates, shared_address)
    after = octets("memory", memory).copy()
    reached = writes_into(places, after.size, descriptor.element_type)
    tile = take("shared", shared, places.shared_offsets[reached], descriptor.element_type.dtype)
    put("memory", after, places.global_offsets[reached], tile)
    return after.view(memory.dtype).reshape(memory.shape)


def multicast(
    descriptor: Descriptor,
    memory: np.ndarray,
    coordinates: tuple[int, ...],
    mask: int,
    cluster_size: int,
    *,
    shared_address: int = 0,
) -> dict[int, tuple[np.ndarray, int]]:
    """One load delivered to several blocks of the cluster: for each rank in `mask`, as ``load`` returns it.

    Every block gets the whole tile at the same shared address, and each block's own barrier, at the same
    address too, counts the whole box. So each of them must expect it.

    Parameters
    ----------
    mask
        Bit r stands for the block of rank r; 16 bits, none beyond the cluster.
    cluster_size
        Blocks in the cluster.

    Raises
    ------
    ValueError
        For an empty mask or one that names a rank outside the cluster.
    """
    if not 1 <= cluster_size <= MULTICAST_BITS:
        raise ValueError(f"cluster_size={cluster_size}: allowed are 1 to {MULTICAST_BITS} blocks")
    if not 1 <= mask < 1 << cluster_size:
        allowed = f"0x1 to {(1 << cluster_size) - 1:#x}"
        raise ValueError(f"mask={mask:#x}: allowed are {allowed} in a cluster of {cluster_size}")
    tile, nbytes = load(descriptor, memory, coordinates, shared_address=shared_address)
    return {rank: (tile.copy(), nbytes) for rank in range(cluster_size) if mask >> rank & 1}


def check_store(coordinates: tuple[int, ...]) -> None:
    """Refuse negative coordinates, which only a load may have (claim lit-044.b)."""
    if any(number < 0 for number in coordinates):
        raise ValueError(f"coordinates={coordinates}: a store begins at 0 or above, only loads below")


def writes_into(places: Footprint, nbytes: int, element_type: ElementType) -> np.ndarray:
    """Which elements of a box a store writes into memory of `nbytes`; what lies behind it is not modelled."""
    beyond = places.written & (places.global_offsets + element_type.nbytes <= nbytes)
    return places.inside | beyond


def fill_value(descriptor: Descriptor) -> np.generic:
    """The element, of the descriptor's dtype, that stands for one outside the tensor."""
    if descriptor.fill == Fill.ZERO:
        return np.zeros(1, descriptor.element_type.dtype)[0]
    halfwords = np.full(descriptor.element_type.nbytes // 2, NAN_HALFWORD, np.uint16)
    return halfwords.view(descriptor.element_type.dtype)[0]


def delivered(elements: np.ndarray, element_type: ElementType) -> np.ndarray:
    """Elements as a load delivers them: as they are, but for the TF32 kinds of float32.

    TF32 keeps 10 fraction bits, rounded to nearest, ties to even, and makes every NaN one. No kind flushes
    subnormal numbers, whatever its name says. Both were measured on an H200.
    """
    if element_type not in (ElementType.TFLOAT32, ElementType.TFLOAT32_FTZ):
        return elements
    bits = elements.view(np.uint32)
    finite = bits & 0x7F800000 != 0x7F800000
    rounded = bits + (0xFFF + (bits >> 13 & 1)) & 0xFFFFE000
    special = np.where(bits & 0x7FFFFF, TF32_NAN, bits)
    return np.where(finite, rounded, special).astype(np.uint32).view(np.float32)
