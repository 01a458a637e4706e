"""Where a warp finds what it wants of a tile: the shared-memory addresses of its lanes, after the swizzle.

Whoever reads a swizzled tile must compute these addresses as the engine did. They decide how many passes the
access takes (see ``banks``).
"""

import numpy as np

from hopperlab.models.tma.banks import LANES
from hopperlab.models.tma.descriptor import Descriptor
from hopperlab.models.tma.footprint import Footprint, footprint

CHUNK = 16  # bytes: the grain of the swizzle, and what ldmatrix reads of a row; claim lit-040.d
ACCESSES = ("a row", "a column", "a column of 16 bytes")
"""Lanes along a row; lanes down a column, an element each; lanes down a column, 16 bytes each."""


def warp_access(
    descriptor: Descriptor, access: str, index: int, places: Footprint | None = None
) -> tuple[np.ndarray, int]:
    """The shared-memory address of each lane, and the bytes that a lane reads.

    Parameters
    ----------
    descriptor
        An accepted tensor map; its tile has a row of the innermost dimension for each index of the others.
    access
        One of ACCESSES. At most 32 lanes take part: the first elements of the row, or the first rows.
    index
        Which row, column of elements, or column of 16 bytes.
    places
        The box's footprint, if it is at hand; its tile starts on an address at which the swizzle begins anew.

    Raises
    ------
    ValueError
        For an unknown access, or an index beyond the tile.
    """
    if access not in ACCESSES:
        raise ValueError(f"access={access!r}: allowed are {', '.join(ACCESSES)}")
    places = footprint(descriptor, (0,) * descriptor.rank) if places is None else places
    tile = places.shared_offsets.reshape(-1, descriptor.box_shape[0])
    nbytes = descriptor.element_type.nbytes
    step = CHUNK // nbytes if access == "a column of 16 bytes" else 1
    last = (tile.shape[0] if access == "a row" else tile.shape[1] // step) - 1
    if not 0 <= index <= last:
        raise ValueError(f"index={index}: the tile has {access} of index 0 to {last}")
    lanes = tile[index] if access == "a row" else tile[:, index * step]
    return lanes[:LANES], step * nbytes
