"""The engines: copies that a thread hands over, and that land later, in any order that the seed picks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from hopperlab.device.simulator.arguments import Misuse
from hopperlab.device.simulator.memory import ARRAYS, Array, Region


class Span(NamedTuple):
    """Bytes of a region, from `start` up to but not including `end`."""

    region: Region
    start: int
    end: int


class Box(NamedTuple):
    """The elements of a tensor that a copy touches: byte offsets from `start` of `region`."""

    region: Region
    start: int
    offsets: Any
    itemsize: int


class Copy:
    """One copy under way.

    Attributes
    ----------
    number
        Its number among the threads' clocks.
    barriers
        Those that its bytes count on.
    read_done, done
        Whether it has read its source, and whether it has landed.
    """

    __slots__ = (
        "after",
        "barriers",
        "box",
        "crossed",
        "cycle",
        "done",
        "issuer",
        "nbytes",
        "number",
        "read_cycle",
        "read_done",
        "remote",
        "seen",
        "site",
        "sources",
        "steps",
        "targets",
        "waiters",
        "word",
        "world",
    )  # fmt: skip

    def __init__(
        self, world: Any, word: str, nbytes: int, steps: list[Callable[[], None]],
        sources: list[Span], targets: list[Span], barriers: tuple = (), remote: bool = False,
    ) -> None:  # fmt: skip
        self.world = world
        self.word = word
        self.nbytes = nbytes
        self.steps = steps
        self.sources = sources
        self.targets = targets
        self.barriers = barriers
        self.remote = remote
        self.issuer = world.thread
        self.number = world.next_copy()
        self.site = world.site()
        self.seen: dict[int, int] = {}
        self.crossed: dict[int, int] = {}
        self.cycle = self.read_cycle = 0.0  # when it lands, and when its source has been read
        self.read_done = self.done = False
        self.waiters: list = []
        self.box: Any = None  # which elements of a tensor it touches
        self.after: list[Copy] = []  # those that must have landed before this one begins

    def __repr__(self) -> str:
        """Name the copy as findings do."""
        line = f" of line {self.site.line}" if self.site else ""
        return f"the {self.word}{line} by {self.issuer!r}"

    @property
    def cure_for_source(self) -> str:
        """What to do before the source is written again."""
        if self.word.startswith("cp_async"):
            return "Wait for the copy with cp_async.wait_group first."
        if self.barriers:
            return "Wait until the copy's bytes have been counted and told back, before writing its source."
        return "Commit the copy and wait with wait_group_read, in the thread that issued it, before writing its source."

    def advance(self) -> bool:
        """Do the next step; say whether it was the last."""
        if any(not earlier.done for earlier in self.after):
            return False
        self.steps.pop(0)()
        self.read_done = True
        for span in self.targets:
            if span.region.shadow is not None:
                span.region.shadow.forget()
        self.done = not self.steps
        if self.done:
            self.world.landed(self)
        for thread in list(self.waiters):
            self.world.look_at_groups(thread)
        return self.done


def issue(world: Any, copy: Copy) -> Copy:
    """Hand a copy to its engine."""
    world.issued(copy)
    world.scheduler.under_way.append(copy)
    return copy


def span_of(word: str, name: str, array: Array, nbytes: int) -> Span:
    """Give the bytes that a copy of `nbytes` touches from an array's first element on.

    Raises
    ------
    Misuse
        If they leave the array's memory.
    """
    if not isinstance(array, ARRAYS):
        raise Misuse(f"{word}: {name} is {array!r}; give an array")
    start = array.offset
    if start + nbytes > array.region.octets.size:
        raise Misuse(
            f"{word}: {name} has {array.region.octets.size - start} bytes from there on, and {nbytes} are copied",
            "out of bounds",
        )
    return Span(array.region, start, start + nbytes)


class GroupWait:
    """Why a thread waits: for its own groups of copies."""

    __slots__ = ("groups", "pending", "reading")

    def __init__(self, groups: tuple[list[Copy], ...], pending: int, reading: bool) -> None:
        self.groups = groups
        self.pending = pending
        self.reading = reading

    def late(self) -> list[Copy]:
        """Give the copies that must get further before the wait is over."""
        oldest = self.groups[: max(0, len(self.groups) - self.pending)]
        return [c for group in oldest for c in group if not (c.read_done if self.reading else c.done)]

    def story(self, thread: Any) -> str:
        """Say what the thread waits for."""
        return f"waits for {len(self.late())} copies of its own groups"


def wait_for_groups(world: Any, which: str, pending: int, reading: bool) -> None:
    """Wait until at most `pending` of a thread's groups are under way, or still read."""
    thread = world.thread
    groups = getattr(thread, which)
    wait = GroupWait(groups, pending, reading)
    late = wait.late()
    if late:
        world.record("wait", "groups", pending=len(late))
        for copy in late:
            copy.waiters.append(thread)
        world.scheduler.wait(thread, wait)
    finished = groups[: max(0, len(groups) - pending)]
    world.groups_done([copy for group in finished for copy in group], reading)
    if not reading:
        setattr(thread, which, groups[len(finished) :])
