"""What the checks remember of memory: for each cell who wrote it last, and who has read it since.

A cell is an element, or a part of it where arrays of different element sizes look at the same bytes. A write is
remembered as a tuple (who, number, epoch, code, instruction, how); `how` is "write", "atomic", "copy" or "host".
"""

from __future__ import annotations

import sys
from typing import Any

from hopperlab.device.simulator.memory import Array, Region
from hopperlab.device.simulator.sanitizer import races

HOST = (None, -1, 0, None, 0, "host")
MANY = 64  # readers of a cell, from which on those are forgotten that cannot race any more


class Shadow:
    """What is remembered of a region.

    Attributes
    ----------
    unit
        Bytes of a cell.
    written
        By cell, the last write; None where nobody wrote.
    read
        By cell, the threads that read since, each with its epoch and place; None where none did.
    sources
        Spans that copies read: (first cell, end, copy).
    """

    __slots__ = ("read", "sources", "unit", "written")

    def __init__(self, nbytes: int, unit: int, initial: Any) -> None:
        self.unit = unit
        cells = -(-nbytes // unit)
        self.written: list = [initial] * cells
        self.read: list = [None] * cells
        self.sources: list = []

    def split(self, unit: int) -> None:
        """Make cells smaller."""
        parts = self.unit // unit
        self.written = [w for w in self.written for _ in range(parts)]
        self.read = [dict(r) if r else None for r in self.read for _ in range(parts)]
        self.sources = [(first * parts, end * parts, copy) for first, end, copy in self.sources]
        self.unit = unit


def shadow_of(region: Region, itemsize: int) -> Shadow:
    """Give a region's shadow, with cells no larger than an element."""
    if region.shadow is None:
        initial = HOST if region.space in ("global", "const") else None
        region.shadow = Shadow(region.octets.size, itemsize, initial)
    elif itemsize < region.shadow.unit:
        region.shadow.split(itemsize)
    return region.shadow


class CheckedArray(Array):
    """An array whose every access is checked, timed, and traced if wanted."""

    __slots__ = ("load_cycles", "shadow", "sole", "steps", "store_cycles")

    def __init__(self, values: Any, region: Region, world: Any) -> None:
        super().__init__(values, region, world)
        self.shadow = shadow_of(region, values.itemsize)
        self.sole = values.itemsize  # the unit for which one element is one cell
        self.steps = values.strides
        self.load_cycles, self.store_cycles = world.access_cycles(region.space)

    def first_cell(self, index: Any) -> int:
        """Give the first cell of an element."""
        offset = self.values.ctypes.data - self.region.octets.ctypes.data
        index = index if index.__class__ is tuple else (index,)
        for i, length, step in zip(index, self.values.shape, self.steps, strict=True):
            offset += (i if i >= 0 else i + length) * step
        return offset // self.shadow.unit

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
        world = self.world
        thread = world.thread
        if thread is not None:
            thread.cycles += self.load_cycles
            self.check_read(index, thread, world, sys._getframe(1))
        register = self.register
        return value if register is None else register.__new__(register, value)

    def check_read(self, index: Any, thread: Any, world: Any, frame: Any, atomic: bool = False) -> None:
        """Look whether a read is ordered after the last write, and remember it."""
        shadow = self.shadow
        first = self.first_cell(index)
        seen = thread.seen
        for cell in range(first, first + max(1, self.sole // shadow.unit)):
            write = shadow.written[cell]
            if write is None:
                races.uninitialized(world, self, index)
            elif write[0] is not thread and seen.get(write[1], 0) < write[2]:
                if not atomic or write[5] != "atomic":
                    races.read_conflict(world, self, index, write)
            readers = shadow.read[cell]
            if readers is None:
                readers = shadow.read[cell] = {}
            elif len(readers) > MANY:
                forget(readers, thread)
            readers[thread] = (thread.epoch, frame.f_code, frame.f_lasti, atomic)
        if world.tracing_accesses:
            world.access("read", self, index)
        if world.asks_plainly:
            world.read_again(thread, self, first)

    def __setitem__(self, index: Any, value: Any) -> None:
        """Store an element, cast to the array's type."""
        world = self.world
        thread = world.thread
        try:
            self.cells[index] = value
        except IndexError:
            raise self.outside(index) from None
        except (TypeError, ValueError, NotImplementedError, OverflowError):
            self.store_cast(index, value)
            if index.__class__ is slice or (
                index.__class__ is tuple and any(i.__class__ is slice for i in index)
            ):
                return
        if thread is not None:
            thread.cycles += self.store_cycles
            self.check_write(index, thread, world, "write", sys._getframe(1))

    def check_write(self, index: Any, thread: Any, world: Any, how: str, frame: Any) -> None:
        """Look whether a write is ordered after all accesses before it, and remember it."""
        shadow = self.shadow
        first = self.first_cell(index)
        seen = thread.seen
        mark = (thread, thread.number, thread.epoch, frame.f_code, frame.f_lasti, how)
        end = first + max(1, self.sole // shadow.unit)
        for cell in range(first, end):
            write = shadow.written[cell]
            if write is not None and write[0] is not thread and seen.get(write[1], 0) < write[2]:
                if how != "atomic" or write[5] != "atomic":
                    races.write_conflict(world, self, index, write)
            readers = shadow.read[cell]
            if readers:
                for reader, (epoch, code, instruction, atomic) in readers.items():
                    if reader is not thread and seen.get(reader.number, 0) < epoch:
                        if atomic and how == "atomic":
                            continue
                        races.overwrite(world, self, index, reader, code, instruction, how)
                        break
                shadow.read[cell] = None
            shadow.written[cell] = mark
        if shadow.sources:
            races.check_sources(world, self, index, first, end)
        if world.tracing_accesses and how == "write":
            world.access("write", self, index)

    def atomic_load(self, index: Any) -> Any:
        """Load what other threads may store atomically meanwhile."""
        value = self.atomic_read(index)
        world = self.world
        self.check_read(index, world.thread, world, sys._getframe(2), atomic=True)
        world.loaded(world.thread, self, self.first_cell(index), index)
        return value

    def atomic_read(self, index: Any) -> Any:
        """Load for an atomic operation, which `atomic_write` ends."""
        try:
            value = self.cells[index]
        except IndexError:
            raise self.outside(index) from None
        if self.register is None:
            return value
        return self.register.__new__(self.register, value)

    def atomic_write(self, index: Any, old: Any, new: Any) -> None:
        """Store what an atomic operation made of `old`; check, order, and tell those that spin."""
        try:
            self.cells[index] = new
        except (TypeError, ValueError, OverflowError):
            self.store_cast(index, new)
        world = self.world
        thread = world.thread
        frame = sys._getframe(2)
        first = self.first_cell(index)
        write = self.shadow.written[first]
        if write is None:
            races.uninitialized(world, self, index)
        self.check_write(index, thread, world, "atomic", frame)
        world.atomic(thread, self, first, index)
        if world.spins:
            world.changed(old != new)

    def store_cast(self, index: Any, value: Any) -> None:
        """Store a value that has to be cast first, or fill a view."""
        super().store_cast(index, value)


class CheckedRemoteArray(CheckedArray):
    """An array in another block's shared memory."""

    __slots__ = ()

    def __init__(self, values: Any, region: Region, world: Any) -> None:
        super().__init__(values, region, world)
        self.load_cycles, self.store_cycles = world.access_cycles("remote")

    def check_read(self, index: Any, thread: Any, world: Any, frame: Any, atomic: bool = False) -> None:
        """Look whether the other block is there."""
        world.remote_access(self.region)
        super().check_read(index, thread, world, frame, atomic)

    def check_write(self, index: Any, thread: Any, world: Any, how: str, frame: Any) -> None:
        """Look whether the other block is there."""
        world.remote_access(self.region)
        super().check_write(index, thread, world, how, frame)


def forget(readers: dict, thread: Any) -> None:
    """Forget readers that happened before this thread's access: whoever writes after it comes after them."""
    seen = thread.seen
    for reader, (epoch, *_) in list(readers.items()):
        if seen.get(reader.number, 0) >= epoch:
            del readers[reader]
