"""Meetings: threads of a warp, a block or a cluster that wait for each other and go on together."""

from __future__ import annotations

from typing import Any

from hopperlab.device.simulator.threads import Thread


class Meeting:
    """One gathering: who came, with which values, and what it is called.

    Attributes
    ----------
    place
        The warp, block or cluster whose threads meet.
    word
        What they said to meet.
    values
        By thread, what it brought.
    needed
        How many must come, or, in a warp, which lanes (a bit each).
    """

    __slots__ = ("needed", "place", "result", "site", "values", "word")

    def __init__(self, place: Any, word: str, needed: int) -> None:
        self.place = place
        self.word = word
        self.needed = needed
        self.values: dict[Thread, Any] = {}
        self.site: Any = None  # where in the kernel the first of them came
        self.result: Any = None

    def story(self, thread: Thread) -> str:
        """Say what a thread in it waits for."""
        return f"waits in {self.word} for the others of {self.place!r}: {self.missing()} have not come"

    def missing(self) -> str:
        """Say who has not come."""
        late = [t for t in threads_of(self.place) if t not in self.values and t.state != "ended"]
        return named(late) if late else "some that have ended"


def threads_of(place: Any) -> list[Thread]:
    """Give the threads of a warp, a block or a cluster."""
    if hasattr(place, "blocks"):
        return [thread for block in place.blocks for thread in block.threads]
    return place.threads


def named(threads: list[Thread]) -> str:
    """Name threads in short: runs of them by their ends."""
    runs: list[list[Thread]] = []
    for thread in sorted(threads, key=lambda t: t.number):
        if runs and thread.number == runs[-1][1].number + 1 and thread.block is runs[-1][1].block:
            runs[-1][1] = thread
        else:
            runs.append([thread, thread])
    shown = [_run(first, last) for first, last in runs[:4]]
    more = f" and {len(runs) - 4} more groups of threads" if len(runs) > 4 else ""
    return ", ".join(shown) + more


def _run(first: Thread, last: Thread) -> str:
    if first is last:
        return repr(first)
    return f"threads {first.rank} to {last.rank} of {first.block!r}"


def meet_in_block(world: Any, word: str, value: Any = None) -> dict[Thread, Any]:
    """Wait for all threads of the block that have not ended; give what each brought."""
    thread = world.thread
    block = thread.block
    meeting = block.turnstile
    if meeting is None:
        meeting = block.turnstile = Meeting(block, word, block.live)
    meeting.values[thread] = value
    if world.watched:
        world.came(meeting, thread)
    if len(meeting.values) < block.live:
        world.scheduler.wait(thread, meeting)
    else:
        block.turnstile = None
        part(world, meeting, thread)
    return meeting.values


def meet_in_warp(world: Any, word: str, mask: int, value: Any = None) -> Meeting:
    """Wait for the lanes of `mask`; give the meeting, with what each lane brought."""
    thread = world.thread
    warp = thread.warp
    if not mask >> thread.lane & 1:
        world.misuse(
            "lane outside its own mask",
            f"{thread!r} says {word} with the mask {mask & 0xFFFFFFFF:#010x}, which leaves out its lane {thread.lane}",
            "Give a mask that has every lane that says the word.",
        )
    key = (word, mask & 0xFFFFFFFF)
    meeting = warp.meetings.get(key)
    if meeting is None:
        meeting = warp.meetings[key] = Meeting(warp, word, mask)
    meeting.values[thread] = value
    if world.watched:
        world.came(meeting, thread)
    if len(meeting.values) < (meeting.needed & warp.live).bit_count():
        world.scheduler.wait(thread, meeting)
    else:
        del warp.meetings[key]
        part(world, meeting, thread)
    return meeting


def part(world: Any, meeting: Meeting, last: Thread | None) -> None:
    """Let everybody go on; `last` is the one that came last and has not waited."""
    if world.watched:
        world.met(meeting)
    scheduler = world.scheduler
    scheduler.wake_all([thread for thread in meeting.values if thread is not last])
    if last is not None and scheduler.random is not None:
        scheduler.give_way(last)


def leave(world: Any, thread: Thread) -> None:
    """A thread has ended: those that waited only for it go on."""
    block, warp = thread.block, thread.warp
    warp.live &= ~(1 << thread.lane)
    block.live -= 1
    meeting = block.turnstile
    if meeting is not None and len(meeting.values) == block.live:
        block.turnstile = None
        part(world, meeting, None)
    for key, meeting in list(warp.meetings.items()) if warp.meetings else ():
        if len(meeting.values) == (meeting.needed & warp.live).bit_count():
            del warp.meetings[key]
            part(world, meeting, None)
