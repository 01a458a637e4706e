"""What the checks remember of memory: for each cell who wrote it last, and who has read it since.

A cell is an element, or a part of it where arrays of different element sizes look at the same bytes. A write is
remembered as a tuple (who, number, epoch, code, instruction, how), `how` being "write", "atomic", "copy", "reduce"
or "host"; a read as (who, epoch, code, instruction, atomic). A read that happened before another one need not be
remembered beside it: whatever comes after the later one comes after both. Of more than two reads that nothing
orders, two are kept: a write that is ordered after these, and not after a third, is found only in runs with another
seed.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from hopperlab.device.simulator.memory import VIEWS, Array, Region
from hopperlab.device.simulator.numbers import SINGLES, float32
from hopperlab.device.simulator.sanitizer import races
from hopperlab.device.simulator.threads import NEXT_LOAD

HOST = (None, -1, 0, None, 0, "host")
_frame = sys._getframe


class Shadow:
    """What is remembered of a region.

    Attributes
    ----------
    unit
        Bytes of a cell.
    written
        By cell, the last write; None where nobody wrote.
    read
        By cell, the reads since: None, one, or a list: what the readers of a phase had seen, and two of them.
    sources
        Spans that copies read: (first cell, end, copy).
    clean
        What a thread has seen if it is sure to be ordered after every write to the region; None if nobody is.
    settled
        The same, if besides every cell remembers as many reads of the phase as it keeps.
    patience
        After how many reads by threads that have seen the same the region is looked at as a whole.
    pristine
        Whether nobody but the host has written the region so far.
    learned
        While the region is clean, the indices of cells that remember as many, as the array `learner` has them.
    """

    __slots__ = (
        "asked", "clean", "learned", "learner", "pairs", "patience", "pristine", "read", "settled", "sources",
        "times", "unit", "written",
    )  # fmt: skip

    def __init__(self, nbytes: int, unit: int, initial: Any) -> None:
        self.unit = unit
        self.clean: Any = None
        self.asked: Any = None
        self.settled: Any = None
        self.learned: set = set()
        self.learner: Any = None
        self.pristine = initial is HOST  # nobody but the host has written it so far
        self.times = self.pairs = 0
        cells = -(-nbytes // unit)
        self.written: list = [initial] * cells
        self.read: list = [None] * cells
        self.patience = 16 + cells // 16
        self.sources: list = []

    def grow_patient(self, seen: dict) -> None:
        """Count a read that taught nothing new; after enough of them, look at the region as a whole."""
        if self.asked is not seen:
            self.asked, self.times = seen, 1
            return
        self.times += 1
        if self.times == self.patience:
            self.look_for_peace(seen)

    def look_for_peace(self, seen: dict) -> None:
        """Threads that have seen the same read on and on: find out whether all writes happened before them."""
        writes = {id(w): w for w in self.written}.values()
        if all(w is not None and (w[5] == "host" or seen.get(w[1], 0) >= w[2]) for w in writes):
            self.clean = seen
            self.learned, self.learner = set(), None
            self.pairs = sum(1 for r in self.read if r.__class__ is list and r[0] is seen)

    def settle(self, seen: dict) -> None:
        """A cell has two readers of a phase; once all have, a clean region has nothing more to learn in it."""
        if self.clean is not seen:
            return
        self.pairs += 1
        if self.pairs == len(self.written):
            self.settled = seen

    def disturb(self) -> None:
        """Something is written: nothing is sure any more."""
        self.clean = self.asked = self.settled = None
        self.pairs, self.pristine = 0, False

    def split(self, unit: int) -> None:
        """Make cells smaller."""
        parts = self.unit // unit
        self.written = [w for w in self.written for _ in range(parts)]
        self.read = [list(r) if r.__class__ is list else r for r in self.read for _ in range(parts)]
        self.sources = [(first * parts, end * parts, copy) for first, end, copy in self.sources]
        self.unit = unit
        self.patience = 16 + len(self.written) // 16
        self.disturb()


def shadow_of(region: Region, itemsize: int) -> Shadow:
    """Give a region's shadow, with cells no larger than an element."""
    if region.shadow is None:
        initial = HOST if region.space in ("global", "const") else None
        region.shadow = Shadow(region.octets.size, itemsize, initial)
    elif itemsize < region.shadow.unit:
        region.shadow.split(itemsize)
    return region.shadow


def readers_of(reads: Any) -> list[tuple]:
    """Give the reads that a cell remembers."""
    if reads is None:
        return []
    if reads.__class__ is tuple:
        return [reads]
    return reads[1:]


class CheckedArray(Array):
    """An array whose every access is checked, timed, and traced if wanted."""

    __slots__ = (
        "base",
        "flat",
        "load_cycles",
        "next_cycles",
        "shadow",
        "steps",
        "store_cycles",
        "unit",
        "wide",
    )

    def __init__(self, values: Any, region: Region, world: Any) -> None:
        super().__init__(values, region, world)
        self.shadow = shadow_of(region, values.itemsize)
        self.load_cycles, self.store_cycles = world.access_cycles(region.space)
        self.next_cycles = min(self.load_cycles, NEXT_LOAD)
        self.flat = values.ndim == 1
        self._count_in(self.shadow.unit)

    def _count_in(self, unit: int) -> None:
        """Count steps in cells of that many bytes."""
        self.unit = unit
        self.wide = max(1, self.values.itemsize // unit)
        self.base = self.offset // unit
        self.steps = tuple(step // unit for step in self.values.strides)

    def first_cell(self, index: Any) -> int:
        """Give the first cell of an element, which exists."""
        if self.unit != self.shadow.unit:
            self._count_in(self.shadow.unit)
        if self.flat:
            index = index if index.__class__ is not tuple else index[0]
            return self.base + (index if index >= 0 else index + len(self.values)) * self.steps[0]
        if len(self.steps) == 2:
            (i, j), (row, column) = index, self.steps
            if i >= 0 and j >= 0:
                return self.base + i * row + j * column
        places = zip(index, self.values.shape, self.steps, strict=True)
        return self.base + sum((i if i >= 0 else i + length) * step for i, length, step in places)

    def __getitem__(self, index: Any) -> Any:
        """Load an element, or give the view that a slice names."""
        try:
            value = self.cells[index]
        except (TypeError, NotImplementedError):
            return self.view(index)
        except IndexError:
            raise self.outside(index) from None
        if value.__class__ in VIEWS:
            return self.view(index)
        shadow, thread = self.shadow, self.world.thread
        now, cost = thread.cycles, self.load_cycles  # Thread.load, written out: nothing happens more often
        now += self.next_cycles if now == thread.loaded and thread.latency >= cost else cost
        thread.cycles = thread.loaded = now
        thread.latency = cost
        seen = thread.seen
        if shadow.settled is not seen and (
            shadow.clean is not seen or index not in shadow.learned or shadow.learner is not self
        ):
            self.learn(index, thread, seen, shadow)
        register = self.register
        return value if register is None else register.__new__(register, value)

    def learn(self, index: Any, thread: Any, seen: dict, shadow: Shadow) -> None:
        """Check a read, and remember it unless the cell remembers enough of the phase already."""
        frame = _frame(2)
        whole = self.wide == 1 and self.unit == shadow.unit
        clean = shadow.clean is seen
        if not whole or not (clean or shadow.pristine) or self.world.curious:
            self.check_read(index, thread, frame.f_code, frame.f_lasti, False)
            return
        cell = self.first_cell(index)
        reads = shadow.read[cell]
        if reads.__class__ is not list or reads[0] is not seen:
            self.remember(cell, thread, (thread, thread.epoch, frame.f_code, frame.f_lasti, False))
        elif not clean:
            shadow.grow_patient(seen)
        elif shadow.learner is self:
            shadow.learned.add(index)
        elif shadow.learner is None:
            shadow.learner = self

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
            self.remember(cell, thread, mark)
        if self.world.curious:
            self.world.look_at_read(thread, self, index)
        elif self.wide == 1 and self.unit == shadow.unit:
            shadow.grow_patient(seen)

    def remember(self, cell: int, thread: Any, mark: tuple) -> None:
        """Remember a read of a cell beside the others that it is not ordered after."""
        seen, read = thread.seen, self.shadow.read
        reads = read[cell]
        if reads is None:
            read[cell] = mark
        elif reads.__class__ is list:
            if reads[0] is not seen:
                read[cell] = self._joined(reads, thread, mark)
        elif reads[0] is thread or seen.get(reads[0].number, 0) >= reads[1]:
            read[cell] = mark
        else:
            read[cell] = [seen, reads, mark]
            self.shadow.settle(seen)

    @staticmethod
    def _joined(reads: list, thread: Any, mark: tuple) -> Any:
        """Put a read beside those of an earlier phase; alone, if all of them happened before it."""
        seen = thread.seen
        for read in reads[1:]:
            if read[0] is not thread and seen.get(read[0].number, 0) < read[1]:
                return [seen, read, mark]  # of two phases: the cell is not settled in this one
        return mark

    def __setitem__(self, index: Any, value: Any) -> None:
        """Store an element, cast to the array's type."""
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
        while frame.f_back is not None and frame.f_code not in self.world.rebinding.codes:
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
                for reader, epoch, *where, atomic in readers_of(reads):
                    late = reader is not thread and seen.get(reader.number, 0) < epoch
                    if late and not (atomic and how == "atomic"):
                        races.overwrite(self.world, self, index, reader, *where, how)
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
