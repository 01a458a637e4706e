"""Elements at byte offsets of a memory: taken out, or put in, many at once."""

import numpy as np


def octets(name: str, memory: np.ndarray) -> np.ndarray:
    """`memory` as a flat array of bytes; `name` is for the refusal of one with gaps."""
    if not memory.flags.c_contiguous:
        raise ValueError(f"{name} has strides {memory.strides}: whole memory is needed, without gaps")
    return memory.reshape(-1).view(np.uint8)


def take(name: str, memory: np.ndarray, offsets: np.ndarray, dtype: np.dtype) -> np.ndarray:
    """The elements of `dtype` that begin at the byte `offsets` of `memory`; `name` is for the refusal."""
    octet = octets(name, memory)
    return octet[_places(name, octet, offsets, dtype)].view(dtype)[..., 0]


def put(name: str, octet: np.ndarray, offsets: np.ndarray, elements: np.ndarray) -> None:
    """Write `elements` at the byte `offsets` of `octet`, in place; the last one wins where offsets repeat."""
    places = _places(name, octet, offsets, elements.dtype)
    octet[places] = np.ascontiguousarray(elements)[..., None].view(np.uint8)


def _places(name: str, octet: np.ndarray, offsets: np.ndarray, dtype: np.dtype) -> np.ndarray:
    reach = int(offsets.max()) + dtype.itemsize if offsets.size else 0
    if reach > octet.size:
        raise ValueError(f"{name} has {octet.size} bytes: the box reaches {reach} bytes far")
    return offsets[..., None] + np.arange(dtype.itemsize)
