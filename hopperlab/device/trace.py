"""What happened in a run, as data: one event after another, for views, exports and tests.

An `Event` is one thing that a thread, a copy engine or a block did. `FIELDS` says what each of its fields holds.
Its verb is one of `VERBS`, which says what the verb means and which further values its `data` has; every number
there has its unit beside it. Views draw traces and never run anything; `chrome_trace.chrome_trace` turns one into
the format that Perfetto opens.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, NamedTuple

FIELDS: Mapping[str, str] = MappingProxyType(
    {
        "number": "its place in the trace, from 0: the order in which the grid was simulated",
        "cycle": "when, in clock cycles since the launch, modelled; 0 without timing",
        "verb": "what kind of thing happened: one of the verbs",
        "block": "who: the block's number in the grid; None where no block did it",
        "thread": "who: the thread's rank in its block; None where no thread did it",
        "what": "the object: a barrier's or array's name, a word",
        "line": "the kernel's line, its first being 1; None where no line of it did it",
        "data": "further values, by name: see the verbs",
    }
)
"""What each field of an event holds."""


class Verb(NamedTuple):
    """One kind of event.

    Attributes
    ----------
    meaning
        What happened, in a sentence.
    data
        What `Event.data` holds: by name, what the value is, with its unit.
    """

    meaning: str
    data: Mapping[str, str] = MappingProxyType({})


_COUNTS = {
    "phase": "of the barrier, after the event",
    "pending_arrivals": "arrivals that the phase still needs",
    "pending_bytes": "bytes that the phase still needs; below 0, bytes that came before they were expected",
    "owner": "the block whose barrier it is",
}
_PLACE = {
    "space": "shared, global, local or const",
    "owner": "the block whose memory it is; None for global and constant memory",
    "address": "of its first byte, in its block's shared memory or in global memory",
    "offset": "bytes from the start of the array that the kernel asked for or was given",
    "nbytes": "bytes",
}
_COPY = {"copy": "the copy's number, the same from issue to count", "nbytes": "bytes"}


def _end(which: str, words: str) -> dict[str, str]:
    """What a copy's event says of one of its ends, where it is in memory."""
    return {
        which: f"the array that the bytes {words}; None where it is none",
        f"{which}_space": "its space, as of a read",
        f"{which}_owner": "the block whose memory it is; None for global memory",
        f"{which}_address": "of the first byte that is touched",
        f"{which}_nbytes": "bytes from the first to the last that is touched",
    }


VERBS: Mapping[str, Verb] = MappingProxyType(
    {
        "start": Verb(
            "a block starts on an SM",
            {"sm": "the SM's number", "cluster": "the cluster's number in the grid"},
        ),
        "declare": Verb(
            "a block has got an array or barriers in its shared memory",
            {"owner": "the block", "address": "of the first byte", "nbytes": "bytes"},
        ),
        "end": Verb("a thread has ended"),
        "leave": Verb("a block has ended, and its shared memory is gone", {"sm": "the SM's number"}),
        "meet": Verb("a thread has come to a meeting of threads: syncthreads, cluster.sync, a shuffle, ..."),
        "part": Verb("the threads of a warp or block have met and go on", {"threads": "how many"}),
        "wait": Verb(
            "a thread begins to wait for a barrier's phase, or for groups of its copies",
            {"parity": "of the phase, for a barrier", "pending": "copies that it waits for, for groups"},
        ),
        "go": Verb(
            "a thread that waited goes on; one that needed no wait tells only this",
            {"parity": "of the phase, for a barrier", "pending": "copies that it waited for, for groups"},
        ),
        "look": Verb(
            "a thread asked a barrier without waiting, and the answer was no",
            {"parity": "of the phase", "answer": "0: the phase goes on"},
        ),
        "init": Verb("a barrier was initialized", _COUNTS),
        "inval": Verb("a barrier was invalidated", {"owner": "the block whose barrier it was"}),
        "arrive": Verb("a thread arrived on a barrier", {"count": "arrivals", **_COUNTS}),
        "expect": Verb("a thread announced bytes on a barrier", {"nbytes": "bytes", **_COUNTS}),
        "count": Verb("a copy's bytes were counted on a barrier", {**_COPY, **_COUNTS}),
        "issue": Verb(
            "a thread handed a copy, or a product of matrices, to an engine",
            {**_COPY, **_end("source", "come from"), **_end("target", "go to")},
        ),
        "land": Verb("a copy's bytes are at their target, or a product is done", _COPY),
        "read": Verb("a thread read memory; only with trace='accesses'", {**_PLACE, "value": "what it read"}),
        "write": Verb(
            "a thread wrote memory; only with trace='accesses'", {**_PLACE, "value": "what it wrote"}
        ),
        "atomic": Verb(
            "a thread changed memory atomically; only with trace='accesses'",
            {**_PLACE, "value": "what is there now"},
        ),
        "fence": Verb("a thread's fence"),
        "finding": Verb(
            "the checks found something; what: the finding's name",
            {"text": "the finding, as the run tells it"},
        ),
    }
)
"""Every verb: what it means, and what its events hold besides."""


class Event(NamedTuple):
    """One thing that happened; `FIELDS` says what each field holds."""

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
        All events, by number: a sequence; a run's are made when first looked at.
    chip
        The name of the chip whose places held.
    accesses
        Whether every access of memory was traced.
    """

    kernel: str
    source: tuple[str, ...]
    grid: tuple[int, int, int]
    block: tuple[int, int, int]
    cluster: tuple[int, int, int]
    sms: tuple[int, ...] = ()
    events: Sequence[Event] = field(default=(), repr=False)
    chip: str = ""
    accesses: bool = False

    @property
    def horizon(self) -> float:
        """The cycle of the last thing that happened; 0 where nothing did."""
        return max((event.cycle for event in self.events), default=0.0)

    @property
    def threads_per_block(self) -> int:
        """How many threads a block has."""
        x, y, z = self.block
        return x * y * z

    @property
    def blocks_per_cluster(self) -> int:
        """How many blocks a cluster has; 1 without clusters."""
        x, y, z = self.cluster
        return x * y * z

    def text_of(self, line: int | None) -> str:
        """Give a line of the kernel without its indentation; "" where there is none."""
        return self.source[line - 1].strip() if line and line <= len(self.source) else ""

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
