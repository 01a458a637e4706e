"""Why something happened when it did: the event before it that it waited for; for a wait, what ends it.

- A thread goes on because the last arrival or the last byte completed the barrier's phase, because its copy landed,
  or because the last of those that meet has come.
- What a thread does while it works it does because it went on, last, from something; at first, because its block
  started.
- Bytes are counted because their copy landed, and a copy lands because a thread asked for it.
- A block starts because another one left; at first, because of the launch.
- A thread that waits stands still until something ends its wait: that comes later. If nothing does, look at the last
  thing that happened to what it waits for.
"""

from __future__ import annotations

from collections.abc import Iterable

from hopperlab.device.trace import Event, Trace

COUNTED = ("init", "arrive", "expect", "count")
FREES = ("go", "part", "start")


def cause_of(trace: Trace, event: Event) -> Event | None:
    """Give the event that explains another one; None where nothing in the trace does."""
    return _RULES.get(event.verb, _last_freed)(trace, event)


def _last(events: Iterable[Event]) -> Event | None:
    """The latest of some events, in time."""
    return max(events, key=lambda event: (event.cycle, event.number), default=None)


def _before(trace: Trace, event: Event, *verbs: str) -> list[Event]:
    return [one for one in trace.events[: event.number] if one.verb in verbs and one.cycle <= event.cycle]


def _cluster(trace: Trace, block: int) -> int:
    for event in trace.events:
        if event.verb == "start" and event.block == block:
            return event.data["cluster"]
    return block


def _last_freed(trace: Trace, event: Event) -> Event | None:
    """What the thread last went on from, or its block's start."""
    own = [
        one for one in _before(trace, event, *FREES)
        if one.block == event.block and (one.thread in (None, event.thread) or _freed_with(one, event))
    ]  # fmt: skip
    return _last(own)


def _freed_with(part: Event, event: Event) -> bool:
    """Whether a parting of threads freed the thread of an event."""
    if part.verb != "part":
        return False
    return part.what.startswith("syncthreads") or part.thread // 32 == (event.thread or 0) // 32


def _of_go(trace: Trace, event: Event) -> Event | None:
    if event.what == "cluster.sync":
        return _last_to_come(trace, event)
    if event.what == "groups":
        own = {
            one.data["copy"] for one in _before(trace, event, "issue")
            if (one.block, one.thread) == (event.block, event.thread)
        }  # fmt: skip
        return _last(one for one in _before(trace, event, "land") if one.data["copy"] in own)
    return _completion(trace, event.what, event.block, event) or _last_freed(trace, event)


def _completion(trace: Trace, barrier: str, block: int | None, before: Event) -> Event | None:
    """The event that completed the barrier's latest phase before another event."""
    phase, found = 0, None
    for one in trace.events[: before.number]:
        if one.verb not in COUNTED or one.what != barrier or one.data["owner"] != block:
            continue
        if one.data["phase"] > phase:
            found = one
        phase = one.data["phase"]
    return found


def _last_to_come(trace: Trace, event: Event) -> Event | None:
    """Of those that met, the one that came last: each thread's as many-th meeting as the event's thread is at."""
    place = _cluster(trace, event.block) if event.what == "cluster.sync" else None
    came: dict[tuple, list[Event]] = {}
    for one in trace.of("meet"):
        here = one.block == event.block if place is None else _cluster(trace, one.block) == place
        if here and one.what == event.what:
            came.setdefault((one.block, one.thread), []).append(one)
    own = [one for one in came.get((event.block, event.thread), ()) if one.number < event.number]
    if not own:  # it goes on because a thread that others waited for has ended
        return _last(one for one in _before(trace, event, "end") if one.thread == event.thread)
    times = len(own)
    return _last(meetings[times - 1] for meetings in came.values() if len(meetings) >= times)


def end_of_wait(trace: Trace, event: Event) -> Event | None:
    """Give the event with which a thread that begins to wait goes on; None if it never does."""
    for one in trace.events[event.number + 1 :]:
        if one.verb == "go" and (one.block, one.thread) == (event.block, event.thread):
            return one
        if (
            one.verb == "part"
            and one.what == event.what
            and one.block == event.block
            and _freed_with(one, event)
        ):
            return one
    return None


def _of_wait(trace: Trace, event: Event) -> Event | None:
    """What ends the wait, later; if nothing does, the last that happened to what is waited for."""
    end = end_of_wait(trace, event)
    if end is not None:
        return _of_go(trace, end) if end.verb == "go" else _last_to_come(trace, end)
    if event.verb == "meet":
        return None
    about = (e for e in trace.events if e.verb in COUNTED and e.what == event.what)
    return _last(one for one in about if one.data["owner"] == event.block)


def _of_copy(trace: Trace, event: Event, verb: str) -> Event | None:
    if "copy" not in event.data:  # bytes that a thread counted itself
        return _last_freed(trace, event)
    return _last(one for one in _before(trace, event, verb) if one.data["copy"] == event.data["copy"])


def _of_start(trace: Trace, event: Event) -> Event | None:
    return _last(_before(trace, event, "leave")) if event.cycle else None


def _of_leave(trace: Trace, event: Event) -> Event | None:
    return _last(one for one in _before(trace, event, "end") if one.block == event.block)


def _of_finding(trace: Trace, event: Event) -> Event | None:
    """The thread's last event; that of the wait, for a hang."""
    own = [
        one for one in _before(trace, event, "wait", "meet", "go", "part", "issue", "read", "write", "atomic", "start")
        if one.block == event.block and one.thread in (None, event.thread)
    ]  # fmt: skip
    return _last(own)


_RULES = {
    "go": _of_go,
    "part": _last_to_come,
    "meet": _of_wait,
    "wait": _of_wait,
    "count": lambda trace, event: _of_copy(trace, event, "land"),
    "land": lambda trace, event: _of_copy(trace, event, "issue"),
    "start": _of_start,
    "leave": _of_leave,
    "finding": _of_finding,
}
