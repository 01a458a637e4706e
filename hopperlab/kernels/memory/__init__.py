"""Kernels that measure memory: how far away a byte is, and how many come a second."""

from hopperlab.kernels.memory.chases import (
    chase,
    chase_addresses,
    chase_constants,
    chase_shared,
    count_misses,
    link_up,
    revisit_lines,
)
from hopperlab.kernels.memory.stream import copy, fill, read, read_tiles, tick, write

__all__ = [
    "chase",
    "chase_addresses",
    "chase_constants",
    "chase_shared",
    "copy",
    "count_misses",
    "fill",
    "link_up",
    "read",
    "read_tiles",
    "revisit_lines",
    "tick",
    "write",
]
