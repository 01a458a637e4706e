"""Shared memory by the line that asks for it: one object a block, at the same address in every block."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

import numpy as np

from hopperlab.device.simulator.arguments import Misuse
from hopperlab.device.simulator.barriers import Barrier, Ring
from hopperlab.device.simulator.memory import ARRAYS, Array, Region
from hopperlab.device.simulator.numbers import CASTS, plain_float32
from hopperlab.device.simulator.sites import Site
from hopperlab.device.simulator.threads import Block
from hopperlab.models.barriers import OBJECT_BYTES

RESERVED = 1024  # bytes at the start of a block's shared memory that are the system's; chip-004
DYNAMIC_ALIGNMENT = 1024  # bytes


class SharedObjects:
    """The part of a run that knows the shared arrays and barriers of all blocks.

    Attributes
    ----------
    starts
        By the line that asks (its code's identity and how far into it), where its static memory begins.
    makers
        By the same, what makes its object in a block.
    """

    def __init__(self) -> None:
        self.starts: dict[Any, int] = {}
        self.makers: dict[Any, Callable[[Block], Any]] = {}
        self.static_bytes = 0

    def shared_array(self, shape: Any, dtype: Any, alignment: int | None) -> Array:
        """Give this block's array of the line that asks."""
        frame = sys._getframe(2)
        key = id(frame.f_code), frame.f_lasti
        known = self.thread.block.regions.get(key)
        if known is not None:
            return known
        if key not in self.makers:
            kind, sizes = dtype_of(dtype), shape_of(shape)
            if sizes == (0,):
                self.makers[key] = lambda block: self._dynamic_array(block, kind)
            else:
                nbytes = int(np.prod(sizes)) * kind.itemsize
                self._reserve(key, nbytes, int(alignment or kind.itemsize))
                name = _name(frame, "shared array")
                self.makers[key] = lambda block: self._static_array(block, key, name, sizes, kind)
        return self.made(self.thread.block, key)

    def made(self, block: Block, key: Any) -> Any:
        """Give the object of a line in a block; make it if that block has not come there yet."""
        known = block.regions.get(key)
        if known is None:
            known = block.regions[key] = self.makers[key](block)
        return known

    def _reserve(self, key: Any, nbytes: int, alignment: int) -> None:
        start = -(-(RESERVED + self.static_bytes) // alignment) * alignment
        self.starts[key] = start
        self.static_bytes = start + nbytes - RESERVED
        limit = self.chip.max_shared_bytes_per_block
        total = self.static_bytes + self.dynamic_bytes
        if total > limit:
            self.misuse(
                "too much shared memory",
                f"the block asks for {total} bytes, {self.static_bytes} of them declared in the kernel and "
                f"{self.dynamic_bytes} given at the launch; a block of the {self.chip.name} gets {limit}",
                "Take smaller tiles or fewer stages.",
            )

    def _static_array(self, block: Block, key: Any, name: str, sizes: tuple, kind: np.dtype) -> Array:
        nbytes = int(np.prod(sizes)) * kind.itemsize
        region = Region("shared", self.starts[key], nbytes, block, name, key=key)
        return self.array(np.ndarray(sizes, kind, region.octets), region)

    def _dynamic_array(self, block: Block, kind: np.dtype) -> Array:
        region = block.regions.get("dynamic")
        if region is None:
            start = (
                RESERVED + self.chip.max_shared_bytes_per_block - self.dynamic_bytes
            ) // DYNAMIC_ALIGNMENT
            region = Region(
                "shared",
                start * DYNAMIC_ALIGNMENT,
                self.dynamic_bytes,
                block,
                "dynamic shared memory",
                key="dynamic",
            )
            block.regions["dynamic"] = region
        usable = region.octets[: self.dynamic_bytes // kind.itemsize * kind.itemsize]
        return self.array(usable.view(kind), region)

    def shared_barriers(self, count: int | None) -> Barrier | Ring:
        """Give this block's barrier, or ring, of the line that asks."""
        frame: FrameType | None = sys._getframe(1)
        while frame is not None and id(frame.f_code) not in self.rebinding.codes:
            frame = frame.f_back
        key = id(frame.f_code), frame.f_lasti
        if key not in self.makers:
            self._reserve(key, OBJECT_BYTES * (count or 1), OBJECT_BYTES)
            name = _name(frame, "barrier")
            self.makers[key] = lambda block: self._barriers(block, key, name, count)
        return self.made(self.thread.block, key)

    def _barriers(self, block: Block, key: Any, name: str, count: int | None) -> Barrier | Ring:
        start = self.starts[key]
        if count is None:
            return Barrier(self, block, start, name, key, 0)
        return Ring(
            [Barrier(self, block, start + OBJECT_BYTES * n, f"{name}[{n}]", key, n) for n in range(count)]
        )

    def in_block(self, thing: Any, block: Block) -> Any:
        """Give the same array, barrier or ring in another block."""
        if block.ended:
            self.misuse(
                "remote access after the peer exited",
                f"{self.thread!r} maps shared memory of {block!r}, which has ended",
                "End all blocks of the cluster together: cluster.sync as the last thing that they do.",
            )
        if isinstance(thing, Barrier):
            ring = self.made(block, thing.ring)
            return ring[thing.number] if isinstance(ring, Ring) else ring
        if isinstance(thing, Ring):
            return self.made(block, thing.barriers[0].ring)
        if not isinstance(thing, ARRAYS) or thing.region.space != "shared":
            raise Misuse(f"cluster.map_shared_rank: {thing!r} is not in shared memory")
        region = self._region_in(thing.region, block)
        values = np.ndarray(thing.shape, thing.values.dtype, region.octets, thing.offset, thing.strides)
        return self.array(values, region, remote=block is not self.thread.block)

    def _region_in(self, region: Region, block: Block) -> Region:
        if region.key == "dynamic" and "dynamic" not in block.regions:
            self._dynamic_array(block, np.dtype(np.uint8))
        there = self.made(block, region.key)
        return there if isinstance(there, Region) else there.region

    def owner_of(self, thing: Any) -> Block:
        """Give the block in whose shared memory something is."""
        if isinstance(thing, Barrier):
            return thing.block
        if isinstance(thing, Ring):
            return thing.barriers[0].block
        if isinstance(thing, ARRAYS) and thing.region.space == "shared":
            return thing.region.owner
        raise Misuse(f"{thing!r} is not in shared memory")


def regions_of(block: Block) -> list[Region]:
    """Give the memory of the shared arrays that a block has so far."""
    found = (getattr(thing, "region", thing) for thing in block.regions.values())
    return [region for region in found if isinstance(region, Region)]


def extent(thing: Any) -> tuple[str, int, int]:
    """Give the name, the first address and the bytes of what a line of the kernel has in shared memory."""
    if isinstance(thing, Barrier):
        return thing.name, thing.address, OBJECT_BYTES
    if isinstance(thing, Ring):
        first = thing.barriers[0]
        return first.name.partition("[")[0], first.address, OBJECT_BYTES * len(thing.barriers)
    return thing.region.name, thing.region.address, thing.region.octets.size


def _name(frame: FrameType, what: str) -> str:
    site = Site(frame.f_code, frame.f_lasti)
    return site.assigned or f"the {what} of line {site.line}"


def dtype_of(given: Any) -> np.dtype:
    """Give the numpy dtype of what a kernel names as an array's element type."""
    if given is plain_float32:
        return np.dtype(np.float32)
    name = getattr(given, "__name__", None)
    if name in CASTS and CASTS[name] is given:
        return np.dtype("bool" if name == "boolean" else name)
    try:
        return np.dtype(given)
    except TypeError:
        raise Misuse(f"dtype is {given!r}; give a type of numba or numpy, as float32") from None


def shape_of(given: Any) -> tuple[int, ...]:
    """Give an array's shape as a tuple."""
    sizes = tuple(given) if isinstance(given, tuple | list) else (given,)
    for size in sizes:
        if not isinstance(size, int | np.integer) or size < 0:
            raise Misuse(f"shape is {given!r}; give a whole number of 0 or more, or a tuple of them")
    return tuple(map(int, sizes))
