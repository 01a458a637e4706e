"""Arrays whose every access is checked, timed, and traced if wanted.

Nearly all loads of a kernel find nothing: the element was written before everybody's last meeting, and of its
readers as many are remembered as are kept. An array keeps the registers of such elements, which cannot change
before something is written; a load of one of them is a look into a dict, and takes its time.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from hopperlab.device.simulator.memory import VIEWS, Array, Region, is_whole
from hopperlab.device.simulator.numbers import SINGLES, float32
from hopperlab.device.simulator.sanitizer import races
from hopperlab.device.simulator.sanitizer.shadow import HOST, shadow_of
from hopperlab.device.simulator.threads import NEXT_LOAD

_frame = sys._getframe


class CheckedArray(Array):
    """An array whose every access is checked, timed, and traced if wanted."""

    __slots__ = (
        "axes", "base", "column", "knower", "known", "load_cycles", "next_cycles", "row", "shadow", "steps",
        "store_cycles", "unit", "wide",
    )  # fmt: skip

    def __init__(self, values: Any, region: Region, world: Any) -> None:
        super().__init__(values, region, world)
        self.known: dict[Any, Any] = {}  # registers by index, of elements of which nothing is left to learn
        self.knower: Any = None  # what a thread has seen for which that is so
        self.shadow = shadow_of(region, values.itemsize)
        self.load_cycles, self.store_cycles = world.access_cycles(region.space)
        self.next_cycles = min(self.load_cycles, NEXT_LOAD)
        self.axes = values.ndim
        self._count_in(self.shadow.unit)

    def _count_in(self, unit: int) -> None:
        """Count steps in cells of that many bytes."""
        self.unit = unit
        self.wide = max(1, self.values.itemsize // unit)
        self.base = self.offset // unit
        self.steps = tuple(step // unit for step in self.values.strides)
        self.row, self.column = (0, *self.steps)[-2:] if self.steps else (0, 0)

    def first_cell(self, index: Any) -> int:
        """Give the first cell of an element, which exists."""
        if self.unit != self.shadow.unit:
            self._count_in(self.shadow.unit)
        if self.axes == 1:
            index = index if index.__class__ is not tuple else index[0]
            return self.base + (index if index >= 0 else index + len(self.values)) * self.column
        if self.axes == 2:
            i, j = index
            if i >= 0 and j >= 0:
                return self.base + i * self.row + j * self.column
        places = zip(index, self.values.shape, self.steps, strict=True)
        return self.base + sum((i if i >= 0 else i + length) * step for i, length, step in places)

    def __getitem__(self, index: Any) -> Any:
        """Load an element, or give the view that a slice names."""
        thread = self.world.thread
        if self.knower is thread.seen:
            try:
                value = self.known.get(index)
            except TypeError:  # slices have no hash
                value = None
            if value is not None and (  # 1.0 and True find what 1 does, and are no index
                (type(index[0]) is int is type(index[1]) if self.axes == 2 else type(index) is int)
                or is_whole(index)
            ):
                # Thread.load, written out: nothing happens more often.
                now, cost = thread.cycles, self.load_cycles
                now += self.next_cycles if now == thread.loaded and thread.latency >= cost else cost
                thread.cycles = thread.loaded = now
                thread.latency = cost
                return value
        return self.look(index, thread)

    def look(self, index: Any, thread: Any) -> Any:
        """Load an element of which there may be something to learn: check the read, and remember it."""
        if index.__class__ is not int and not is_whole(index):
            return self.view(index)
        try:
            value = self.cells[index]
        except (TypeError, NotImplementedError):
            return self.view(index)
        except IndexError:
            raise self.outside(index) from None
        if value.__class__ in VIEWS:
            return self.view(index)
        if self.register is not None:
            value = self.register.__new__(self.register, value)
        thread.load(self.load_cycles)
        frame, seen, shadow = _frame(2), thread.seen, self.shadow
        if self.knower is seen:
            mark = (thread, thread.epoch, frame.f_code, frame.f_lasti, False)
            if shadow.remember(self.first_cell(index), thread, mark):
                self.known[index] = value
            return value
        clean = shadow.clean is seen
        whole = self.wide == 1 and self.unit == shadow.unit
        if not whole or not (clean or shadow.pristine) or self.world.curious:
            self.check_read(index, thread, frame.f_code, frame.f_lasti, False)
            return value
        mark = (thread, thread.epoch, frame.f_code, frame.f_lasti, False)
        if shadow.remember(self.first_cell(index), thread, mark):
            if not clean:
                shadow.grow_patient(seen)
            elif shadow.learner is None:
                shadow.learner, self.knower = self, seen
                self.known = {index: value}
        return value

    def check_read(self, index: Any, thread: Any, code: Any, instruction: int, atomic: bool) -> None:
        """Look whether a read is ordered after the last write, and remember it."""
        shadow, seen = self.shadow, thread.seen
        first = self.first_cell(index)
        mark = (thread, thread.epoch, code, instruction, atomic)
        for cell in range(first, first + self.wide) if self.wide > 1 else (first,):
            write = shadow.written[cell]
            if write is not HOST and write is not None and write[0] is not thread:
                if seen.get(write[1], 0) < write[2] and not (atomic and write[5] == "atomic"):
                    races.read_conflict(self.world, self, index, write)
            elif write is None:
                races.uninitialized(self.world, self, index)
            shadow.remember(cell, thread, mark)
        if self.world.curious:
            self.world.look_at_read(thread, self, index)
        elif self.wide == 1 and self.unit == shadow.unit:
            shadow.grow_patient(seen)

    def __setitem__(self, index: Any, value: Any) -> None:
        """Store an element, cast to the array's type."""
        if index.__class__ is not int and not is_whole(index):
            self.view(index).fill(value)
            return
        try:
            self.cells[index] = value
        except IndexError:
            raise self.outside(index) from None
        except (TypeError, ValueError, NotImplementedError, OverflowError):
            if self.names_several(index):
                self.view(index).fill(value)
                return
            self.store_cast(index, value)
        thread = self.world.thread
        thread.cycles += self.store_cycles
        frame = _frame(1)
        self.check_write(index, thread, frame.f_code, frame.f_lasti, "write")

    def touched(self, index: Any, writes: bool) -> None:
        """Check a field's access as one of the whole element."""
        thread, frame = self.world.thread, _frame(2)
        while frame.f_back is not None and id(frame.f_code) not in self.world.rebinding.codes:
            frame = frame.f_back
        if writes:
            thread.cycles += self.store_cycles
            self.check_write(index, thread, frame.f_code, frame.f_lasti, "write")
        else:
            thread.cycles += self.load_cycles
            self.check_read(index, thread, frame.f_code, frame.f_lasti, False)

    def names_several(self, index: Any) -> bool:
        """Whether an index names a part of the array rather than one element."""
        part = self.part(index)
        return isinstance(part, np.ndarray) and part.ndim > 0

    def check_write(self, index: Any, thread: Any, code: Any, instruction: int, how: str) -> None:
        """Look whether a write is ordered after all accesses before it, and remember it."""
        shadow, seen = self.shadow, thread.seen
        if shadow.pristine or shadow.asked is not None or shadow.clean is not None:
            shadow.disturb()
        first = self.first_cell(index)
        mark = (thread, thread.number, thread.epoch, code, instruction, how)
        for cell in range(first, first + self.wide) if self.wide > 1 else (first,):
            write = shadow.written[cell]
            if (
                write is not None
                and write[0] is not thread
                and seen.get(write[1], 0) < write[2]
                and not (how == write[5] == "atomic")
            ):
                races.write_conflict(self.world, self, index, write)
            reads = shadow.read[cell]
            if reads is not None:
                for reader, epoch, read_code, place, atomic in (
                    reads[1:] if reads.__class__ is list else (reads,)
                ):
                    if (
                        reader is thread
                        or seen.get(reader.number, 0) >= epoch
                        or (atomic and how == "atomic")
                    ):
                        continue
                    races.overwrite(self.world, self, index, reader, read_code, place, how)
                    break
                shadow.read[cell] = None
            shadow.written[cell] = mark
        if shadow.sources:
            races.check_sources(self.world, self, index, first, first + self.wide)
        if self.world.curious and how == "write":
            self.world.look_at_write(thread, self, index)

    def atomic_load(self, index: Any) -> Any:
        """Load what other threads may store atomically meanwhile."""
        value = self.peek(index)
        thread, frame = self.world.thread, _frame(2)
        self.check_read(index, thread, frame.f_code, frame.f_lasti, True)
        self.world.loaded(thread, self, self.first_cell(index), index)
        return value

    def peek(self, index: Any) -> Any:
        """Give an element's register, unchecked."""
        try:
            value = self.cells[index]
        except IndexError:
            raise self.outside(index) from None
        return value if self.register is None else self.register.__new__(self.register, value)

    def atomic(self, index: Any, new: Any, value: Any) -> Any:
        """Read, compute and write as one step; give the old value."""
        world = self.world
        thread = world.thread
        old = self.peek(index)
        if old.__class__ in SINGLES:
            value = float32(value)
        result = new(old, value)
        try:
            self.cells[index] = result
        except (TypeError, ValueError, OverflowError):
            self.store_cast(index, result)
        frame = _frame(2)
        first = self.first_cell(index)
        if self.shadow.written[first] is None:
            races.uninitialized(world, self, index)
        self.check_write(index, thread, frame.f_code, frame.f_lasti, "atomic")
        world.changed_atomically(thread, self, first, index)
        if world.spins:
            world.changed(old != result)
        return old


class CheckedRemoteArray(CheckedArray):
    """An array in another block's shared memory."""

    __slots__ = ()

    def __init__(self, values: Any, region: Region, world: Any) -> None:
        super().__init__(values, region, world)
        self.load_cycles, self.store_cycles = world.access_cycles("remote")
        self.next_cycles = min(self.load_cycles, NEXT_LOAD)

    def check_read(self, index: Any, thread: Any, code: Any, instruction: int, atomic: bool) -> None:
        """Look whether the other block is there."""
        self.world.remote_access(self.region)
        super().check_read(index, thread, code, instruction, atomic)

    def check_write(self, index: Any, thread: Any, code: Any, instruction: int, how: str) -> None:
        """Look whether the other block is there."""
        self.world.remote_access(self.region)
        super().check_write(index, thread, code, instruction, how)
