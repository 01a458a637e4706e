"""What happened in a run, as data: one event after another, for views, exports and tests.

An `Event` is one thing that a thread, a copy engine or a block did. Its verb is one of `VERBS`, which says what
the verb means and which fields `data` has; every number there has its unit in the name or in `VERBS`. Views
draw traces and never run anything; `chrome_trace.chrome_trace` turns one into the format that Perfetto opens.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

VERBS: Mapping[str, str] = {
    "start": "a block starts on an SM; data: sm, cluster",
    "end": "a thread has ended",
    "leave": "a block has ended, and its shared memory is gone; data: sm",
    "meet": "a thread has come to a barrier of threads; what: syncthreads, syncwarp, cluster.sync, a shuffle, ...",
    "part": "the threads met and go on together; data: threads, a count",
    "wait": "a thread begins to wait; what: for which barrier; data: parity, or pending groups",
    "go": "a thread that waited goes on",
    "look": "a thread asked a barrier without waiting; data: parity, answer (0 or 1)",
    "init": "a barrier was initialized; data: the barrier's counts",
    "inval": "a barrier was invalidated",
    "arrive": "a thread arrived on a barrier; data: count, and the barrier's counts after it",
    "expect": "a thread announced bytes on a barrier; data: nbytes, and the barrier's counts after it",
    "count": "bytes were counted on a barrier; data: nbytes, and the barrier's counts after it",
    "issue": "a thread handed a copy to an engine; data: copy, nbytes, source, target",
    "land": "a copy's bytes are at their target; data: copy, nbytes",
    "commit": "a thread made a group of its copies; data: copies",
    "read": "a thread read memory (only where accesses are traced); data: offset, nbytes, value",
    "write": "a thread wrote memory (only where accesses are traced); data: offset, nbytes, value",
    "atomic": "a thread changed memory atomically; data: offset, value",
    "fence": "a thread's fence; what: which",
    "say": "a word that only tells: clock, smid, nanosleep, setmaxnreg, ...",
    "finding": "the checks found something; data: text",
}
"""Every verb, and what its events hold. A barrier's counts are phase, pending_arrivals and pending_bytes."""


class Event(NamedTuple):
    """One thing that happened.

    Attributes
    ----------
    number
        Its place in the trace, from 0; events of the whole grid, in the order in which they were simulated.
    cycle
        When, in clock cycles since the launch.
    verb
        A key of `VERBS`.
    block, thread
        Who: the block's number in the grid, and the thread's rank in its block; None where no thread did it.
    what
        The object: a barrier's or array's name, a word.
    line
        The kernel's line, counted from its first, 1; None where no line did it.
    data
        Further values, by name.
    """

    number: int
    cycle: float
    verb: str
    block: int | None
    thread: int | None
    what: str
    line: int | None
    data: Mapping[str, Any]


@dataclass(frozen=True)
class Trace:
    """The events of one run, and what they are about.

    Attributes
    ----------
    kernel
        Its name.
    source
        The lines of its source; an event's line 1 is the first.
    grid, block, cluster
        The launch's shape: blocks, threads a block, blocks a cluster, each (x, y, z).
    sms
        By block number, the SM that it ran on.
    events
        All events.
    """

    kernel: str
    source: tuple[str, ...]
    grid: tuple[int, int, int]
    block: tuple[int, int, int]
    cluster: tuple[int, int, int]
    sms: tuple[int, ...] = ()
    events: tuple[Event, ...] = field(default=(), repr=False)

    def of(self, *verbs: str) -> tuple[Event, ...]:
        """Give the events of some verbs.

        Raises
        ------
        ValueError
            For a verb that no event has.
        """
        unknown = set(verbs) - VERBS.keys()
        if unknown:
            raise ValueError(f"verbs={sorted(unknown)}: there are {', '.join(VERBS)}")
        return tuple(event for event in self.events if event.verb in verbs)
