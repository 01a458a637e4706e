"""Loads by an address that a kernel has computed: which array it lies in, and which element that is."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from hopperlab.device.simulator.memory import Array, Region
from hopperlab.device.simulator.shared import regions_of


def element_at(world: Any, space: str, address: int, dtype: Any) -> tuple[Array, int]:
    """Give an array of `dtype` over the memory that holds an address, and the index of the element there.

    Parameters
    ----------
    space
        "global", "const", or "shared" for that of the block whose thread runs.
    address
        In bytes, in that space.

    Raises
    ------
    Stop
        With a finding, if the address is no multiple of an element's bytes, or no array lies there.
    """
    address, size = int(address), np.dtype(dtype).itemsize
    if address % size:
        world.misuse(
            "misaligned or oversized copy",
            f"{world.thread!r} loads {size} bytes at the address {address:#x}, which is no multiple of {size}",
            "Load from a multiple of what is loaded.",
        )
    for region in _regions(world, space):
        within = address - region.address
        if 0 <= within <= region.octets.size - size:
            first = within % size  # a region may begin anywhere
            usable = (region.octets.size - first) // size * size
            values = region.octets[first : first + usable].view(dtype)
            return world.array_type(values, region, world), within // size
    return world.misuse(
        "out of bounds",
        f"{world.thread!r} loads from the address {address:#x}, and no {space} array lies there",
        "Compute the address from that of an array that the kernel has.",
    )


def _regions(world: Any, space: str) -> Iterable[Region]:
    if space == "global":
        return world.memory.regions
    if space == "const":
        return world.constants
    return regions_of(world.thread.block)
