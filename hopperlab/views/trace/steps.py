"""A trace as steps: what happens at one time by one line is one step, in the order of time."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from itertools import groupby
from typing import NamedTuple

from hopperlab.device.trace import Event, Trace

WARP = 32
QUIET = frozenset({"declare"})
"""Verbs that happen without a step of their own: they are seen with the next one."""


class Step(NamedTuple):
    """Events of one verb, one object and one line at one time.

    Attributes
    ----------
    cycle
        When.
    events
        What each thread did, in the order of their numbers.
    """

    cycle: float
    events: tuple[Event, ...]

    @property
    def event(self) -> Event:
        """The last of the events, after which the step is over."""
        return self.events[-1]


class Span(NamedTuple):
    """From one cycle to another, somebody was `working`, `waiting` or `asleep`, on what and at which line."""

    kind: str
    start: float
    end: float
    what: str = ""
    line: int | None = None


class Stay(NamedTuple):
    """A block's stay on an SM; `end` is None if it never left."""

    block: int
    sm: int
    cluster: int
    start: float
    end: float | None


class Steps:
    """The steps of a trace, and what stays the same whichever of them is looked at.

    Parameters
    ----------
    trace
        Of any run.

    Raises
    ------
    ValueError
        If nothing happened in it.
    """

    def __init__(self, trace: Trace) -> None:
        if not trace.events:
            raise ValueError("trace has no events: run the kernel with trace=True")
        self.trace = trace

    def __len__(self) -> int:
        """How many steps there are."""
        return len(self.all)

    def __getitem__(self, step: int) -> Step:
        """Give a step by its place, 0 to `last`.

        Raises
        ------
        ValueError
            If there is no such step.
        """
        if not 0 <= step <= self.last:
            raise ValueError(f"step={step}: there are steps 0 to {self.last}")
        return self.all[step]

    @property
    def last(self) -> int:
        """The last step's place."""
        return len(self.all) - 1

    @cached_property
    def all(self) -> tuple[Step, ...]:
        """The steps, in the order of time; of one time, blocks that start come last."""
        begun = {event.block: event.cycle for event in self.trace.of("start")}
        shown = (event for event in self.trace.events if event.verb not in QUIET)
        in_time = sorted(shown, key=lambda e: (e.cycle, begun.get(e.block) == e.cycle, e.number))
        return tuple(
            Step(cycle, tuple(events))
            for cycle, at_once in groupby(in_time, key=lambda event: event.cycle)
            for events in _grouped(at_once)
        )

    @cached_property
    def place_of(self) -> dict[int, int]:
        """By an event's number, its step's place."""
        return {event.number: place for place, step in enumerate(self.all) for event in step.events}

    def first(self, verb: str) -> int:
        """Give the place of the first step of a verb.

        Raises
        ------
        ValueError
            If there is none.
        """
        for place, step in enumerate(self.all):
            if step.event.verb == verb:
                return place
        raise ValueError(f"verb={verb!r}: no such thing happens in this run")

    def until(self, step: int) -> tuple[Event, ...]:
        """Give the events of all steps up to one, in their order."""
        self[step]
        return tuple(event for one in self.all[: step + 1] for event in one.events)

    # What the trace says of blocks, threads and copies as a whole

    @cached_property
    def stays(self) -> tuple[Stay, ...]:
        """Each block's stay, by the block's number."""
        left = {event.block: event.cycle for event in self.trace.of("leave")}
        return tuple(
            Stay(event.block, event.data["sm"], event.data["cluster"], event.cycle, left.get(event.block))
            for event in sorted(self.trace.of("start"), key=lambda event: event.block)
        )

    @cached_property
    def threads(self) -> dict[tuple[int, int], tuple[Span, ...]]:
        """By (block, thread), what each thread did over time."""
        lives = {
            (stay.block, thread): [("working", stay.start, "", None)]
            for stay in self.stays
            for thread in range(self.trace.threads_per_block)
        }
        for event in self.trace.of("meet", "part", "wait", "go", "end"):
            for who in _touched(event, lives):
                lives[who].append((_DOES[event.verb], event.cycle, event.what, event.line))
        return {who: tuple(_spans(life, self.trace.horizon)) for who, life in lives.items()}

    @cached_property
    def blocks(self) -> dict[int, tuple[Span, ...]]:
        """By block, when any of its threads worked, and when all that had not ended waited."""
        return {
            stay.block: tuple(_of_block(stay, self._spans_of(stay.block), self.trace.horizon))
            for stay in self.stays
        }

    def _spans_of(self, block: int) -> list[tuple[Span, ...]]:
        return [self.threads[block, thread] for thread in range(self.trace.threads_per_block)]

    @cached_property
    def copies(self) -> tuple[tuple[Event, float | None], ...]:
        """Each copy's issue, and the cycle in which it landed; None if it never did."""
        landed = {event.data["copy"]: event.cycle for event in self.trace.of("land")}
        return tuple((event, landed.get(event.data["copy"])) for event in self.trace.of("issue"))


ONLY_IN_A_ROW = frozenset(
    {"init", "arrive", "expect", "count", "issue", "land", "look", "finding", "start", "leave"}
)


def _grouped(at_once: Iterator[Event]) -> list[list[Event]]:
    """Bring together, of one cycle, what threads do alike, each thread's own events staying in their order."""
    groups: list[list[Event]] = []
    latest: dict[tuple, int] = {}  # by what is done, its newest group
    last_of: dict[tuple, int] = {}  # by who, the group of its last event
    for event in at_once:
        who, block = (event.block, event.thread), (event.block, None)
        likeness = (event.verb, event.what, event.line, event.data.get("parity"))
        whole = event.thread is None or event.verb == "part"
        after = max((place for other, place in last_of.items() if other[0] == event.block), default=-1) if whole else (
            max(last_of.get(who, -1), last_of.get(block, -1))
        )  # fmt: skip
        place = latest.get(likeness, -1)
        in_a_row = place == len(groups) - 1 or event.verb not in ONLY_IN_A_ROW
        if place < 0 or place < after or last_of.get(who) == place or not in_a_row:
            place = latest[likeness] = len(groups)
            groups.append([])
        groups[place].append(event)
        last_of[block if whole else who] = place
    return groups


_DOES = {"meet": "waiting", "wait": "asleep", "part": "working", "go": "working", "end": "done"}


def _touched(event: Event, lives: dict[tuple[int, int], list]) -> list[tuple[int, int]]:
    """Which threads an event is about: its own, or all that met."""
    if event.verb != "part":
        return [(event.block, event.thread)]
    whole = event.what.startswith("syncthreads")
    return [
        (block, thread)
        for (block, thread), life in lives.items()
        if block == event.block and life[-1][0] == "waiting" and life[-1][2] == event.what
        and (whole or thread // WARP == event.thread // WARP)
    ]  # fmt: skip


def _spans(life: list[tuple], horizon: float) -> Iterator[Span]:
    ends = [since for _, since, _, _ in life[1:]] + [horizon]
    for (kind, since, what, line), end in zip(life, ends, strict=True):
        if kind != "done" and end > since:
            yield Span(kind, since, end, what, line)


def _of_block(stay: Stay, threads: list[tuple[Span, ...]], horizon: float) -> Iterator[Span]:
    """Cut a block's stay where its first thread begins to work or its last one begins to wait."""
    end = horizon if stay.end is None else stay.end
    working = sorted((s.start, s.end) for spans in threads for s in spans if s.kind == "working")
    since = stay.start
    for start, stop in working:
        if start > since:
            yield Span("waiting", since, start)
            since = start
        if stop > since:
            yield Span("working", since, stop)
            since = stop
    if end > since:
        yield Span("waiting", since, end)
