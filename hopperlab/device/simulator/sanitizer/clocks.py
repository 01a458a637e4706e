"""What happened before what: a clock for each thread, that travels with every synchronization.

A thread counts its own epochs. What it has `seen` is, for each other thread (or copy), the latest epoch that
something told it of: a barrier, a phase that it waited for, a flag read between fences. An access of epoch e by
thread u happened before what thread t does now if t is u, or if `t.seen[u] >= e`. If neither of two accesses
happened before the other, no order is promised, whatever order this run took: that is a race.

`crossed` is the same for the async proxy: what generic accesses the copy engines are sure to see.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

Clock = dict[int, int]

_last: list[Any] = [None, None, None]  # the last merge: many threads make the same one after another


def merged(one: Clock, other: Clock) -> Clock:
    """Give the later of two clocks, thread by thread. Clocks are never changed in place."""
    if one is other or not other:
        return one
    if not one:
        return other
    if _last[0] is one and _last[1] is other:
        return _last[2]
    result = dict(one)
    for number, epoch in other.items():
        if result.get(number, 0) < epoch:
            result[number] = epoch
    _last[:] = one, other, result
    return result


def release(thread: Any) -> tuple[Clock, Clock]:
    """Give what others may learn of this thread now, and begin its next epoch."""
    seen = {**thread.seen, thread.number: thread.epoch}
    thread.epoch += 1
    return seen, thread.crossed


def acquire(thread: Any, seen: Clock, crossed: Clock) -> None:
    """Let a thread learn what others released."""
    thread.seen = merged(thread.seen, seen)
    if crossed:
        thread.crossed = merged(thread.crossed, crossed)


def meet(threads: Iterable[Any]) -> None:
    """Let all of these learn of each other, as at a barrier."""
    threads = list(threads)
    seen: Clock = {}
    for known in {id(t.seen): t.seen for t in threads}.values():
        seen = merged(seen, known)
    seen = dict(seen)
    crossed: Clock = {}
    for known in {id(t.crossed): t.crossed for t in threads}.values():
        crossed = merged(crossed, known)
    for thread in threads:
        number, epoch = thread.number, thread.epoch
        if seen.get(number, 0) < epoch:
            seen[number] = epoch
        thread.epoch = epoch + 1
        thread.seen = seen
        thread.crossed = crossed


def happened_before(number: int, epoch: int, thread: Any) -> bool:
    """Whether an access of that thread and epoch happened before what `thread` does now."""
    return number == thread.number or thread.seen.get(number, 0) >= epoch
