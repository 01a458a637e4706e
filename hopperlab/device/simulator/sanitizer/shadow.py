"""What the checks remember of memory: for each cell who wrote it last, and who has read it since.

A cell is an element, or a part of it where arrays of different element sizes look at the same bytes. A write is
remembered as a tuple (who, number, epoch, code, instruction, how), `how` being "write", "atomic", "copy", "reduce"
or "host"; a read as (who, epoch, code, instruction, atomic). A read that happened before another one need not be
remembered beside it: whatever comes after the later one comes after both. Of more than two reads that nothing
orders, two are kept: a write that is ordered after these, and not after a third, is found only in runs with another
seed.
"""

from __future__ import annotations

from typing import Any

from hopperlab.device.simulator.memory import Region

HOST = (None, -1, 0, None, 0, "host")


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
    patience
        After how many reads by threads that have seen the same the region is looked at as a whole.
    pristine
        Whether nobody but the host has written the region so far.
    learner
        The array that keeps, while the region is clean, what there is nothing more to learn of.
    """

    __slots__ = (
        "asked", "clean", "learner", "patience", "pristine", "read", "sources", "times", "unit", "written",
    )  # fmt: skip

    def __init__(self, nbytes: int, unit: int, initial: Any) -> None:
        self.unit = unit
        self.clean: Any = None
        self.asked: Any = None
        self.learner: Any = None
        self.pristine = initial is HOST
        self.times = 0
        cells = -(-nbytes // unit)
        self.written: list = [initial] * cells
        self.read: list = [None] * cells
        self.patience = 16 + cells // 16
        self.sources: list = []

    def remember(self, cell: int, thread: Any, mark: tuple) -> bool:
        """Remember a read of a cell beside those that it is not ordered after; say whether no more are kept."""
        seen, read = thread.seen, self.read
        reads = read[cell]
        if reads is None:
            read[cell] = mark
            return False
        if reads.__class__ is list:
            if reads[0] is seen:
                return True
            _, reads, other = reads
            if reads[0] is thread or seen.get(reads[0].number, 0) >= reads[1]:
                reads = other
        if reads[0] is thread or seen.get(reads[0].number, 0) >= reads[1]:
            read[cell] = mark
            return False
        read[cell] = [seen, reads, mark]
        return True

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
            self.forget()
            self.clean = seen

    def forget(self) -> None:
        """What an array keeps of the region may be so no longer."""
        if self.learner is not None:
            self.learner.knower = self.learner = None

    def disturb(self) -> None:
        """Something is written: nothing is sure any more."""
        self.forget()
        self.clean = self.asked = None
        self.pristine = False

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
