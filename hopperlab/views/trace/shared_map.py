"""Shared memory by byte: what nobody has written, what is there, what is in flight, at one step of a run."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from hopperlab.device.trace import Event
from hopperlab.views import svg
from hopperlab.views.picture import Picture
from hopperlab.views.trace.frame import TOP, WIDTH, framed
from hopperlab.views.trace.steps import Steps
from hopperlab.views.trace.words import counted

LEFT = 200
ROOM = WIDTH - LEFT - 30
ROW, TALL = 56, 28
MOST_ARRAYS = 9
POISON, PRESENT, IN_FLIGHT, LEAVING = range(4)
STATES = ("nobody has written", "written", "in flight: a copy brings them", "written, and a copy reads them")
LOOKS = ("f-none s-idle", "f-compute s-compute", "f-engine s-engine", "f-memory s-memory")


class Held(NamedTuple):
    """An array or barrier in a block's shared memory: its name, its first address and the state of each byte."""

    name: str
    address: int
    states: np.ndarray


def shared_map(steps: Steps, place: int | None = None, block: int = 0) -> Picture:
    """Draw a block's shared memory after a step: each array or barrier by the state of its bytes.

    Parameters
    ----------
    steps
        Of any run; what threads write is known only where it was traced with trace="accesses".
    place
        After which step; the last if left out.
    block
        Whose.

    Raises
    ------
    ValueError
        If there is no such block.
    """
    place = steps.last if place is None else place
    if block not in {stay.block for stay in steps.stays}:
        raise ValueError(f"block={block}: the run has blocks 0 to {max(stay.block for stay in steps.stays)}")
    held, gone = held_by(steps, place, block)
    body = [svg.text(20, TOP + 6, f"Shared memory of block {block}", bold=True)]
    if gone:
        body.append(svg.text(LEFT + 60, TOP + 6, "gone: the block has ended", "f-finding"))
    y = TOP + 22.0
    for one in held[:MOST_ARRAYS]:
        body += _array(one, y, touched(steps[place].events, one, block))
        y += ROW
    if not held:
        body.append(svg.text(20, y + 20, "nothing asked for yet", "f-quiet"))
        y += ROW
    notes = _notes(steps, held)
    body += [svg.text(20, y + 66 + 20 * row, note, "f-quiet", size=14) for row, note in enumerate(notes)]
    body += _legend(y + 34)
    told = [f"Shared memory of block {block}{', gone: the block has ended' if gone else ''}:"]
    told += [_row(one) for one in held] or ["nothing asked for yet"]
    return framed(steps, place, body, y + 60 + 22 * len(notes), "\n".join([*told, *notes]))


def held_by(steps: Steps, place: int, block: int) -> tuple[list[Held], bool]:
    """Give what a block has in its shared memory after a step, by address, and whether the block has ended."""
    seen = steps.until(place)
    newest = max((event.number for event in seen), default=-1)
    held = [
        Held(event.what, event.data["address"], np.full(event.data["nbytes"], POISON, np.uint8))
        for event in steps.trace.of("declare")
        if event.data["owner"] == block and event.number <= newest
    ]
    under_way: dict[int, Event] = {}
    for event in seen:
        _apply(held, event, block, under_way)
    for issue in under_way.values():
        _set(held, issue.data, "target_", block, IN_FLIGHT)
        _set(held, issue.data, "source_", block, LEAVING)
    ended = any(event.verb == "leave" and event.block == block for event in seen)
    return sorted(held, key=lambda one: one.address), ended


def _apply(held: list[Held], event: Event, block: int, under_way: dict[int, Event]) -> None:
    if event.verb == "issue":
        under_way[event.data["copy"]] = event
    elif event.verb == "land":
        issue = under_way.pop(event.data["copy"], None)
        if issue is not None:
            _set(held, issue.data, "target_", block, PRESENT)
    elif event.verb in ("write", "atomic"):
        _set(held, event.data, "", block, PRESENT)
    elif event.verb == "init" and event.data["owner"] == block:
        _initialize(held, event.what)


def _set(held: list[Held], data: dict, end: str, block: int, state: int) -> None:
    """Mark the bytes of an access, or of one end of a copy."""
    if data[f"{end}space"] != "shared" or data[f"{end}owner"] != block:
        return
    first, nbytes = data[f"{end}address"], data[f"{end}nbytes"]
    for one in held:
        start = first - one.address
        if 0 <= start < one.states.size:
            part = one.states[start : start + nbytes]
            if state == LEAVING:
                part[part == PRESENT] = LEAVING
            else:
                part[:] = state


def _initialize(held: list[Held], barrier: str) -> None:
    name, _, number = barrier.partition("[")
    for one in held:
        if one.name == name:
            start = 8 * int(number.rstrip("]") or 0)
            one.states[start : start + 8] = PRESENT


def stretches(states: np.ndarray) -> Iterator[tuple[int, int, int]]:
    """Give runs of bytes of one state: (first byte, one past the last, state)."""
    cuts = [0, *(np.flatnonzero(np.diff(states)) + 1).tolist(), states.size]
    for start, end in pairwise(cuts):
        yield start, end, int(states[start])


def touched(events: tuple[Event, ...], one: Held, block: int) -> list[tuple[int, int]]:
    """The bytes of an array that the events of a step touch."""
    found = []
    for event in events:
        for end in ("", "source_", "target_"):
            data = event.data
            if data.get(f"{end}space") == "shared" and data[f"{end}owner"] == block:
                start = data[f"{end}address"] - one.address
                if 0 <= start < one.states.size:
                    found.append((start, start + data[f"{end}nbytes"]))
    return found


def _array(one: Held, y: float, touches: list[tuple[int, int]]) -> Iterator[str]:
    size = one.states.size
    yield svg.text(20, y + 13, one.name, bold=True)
    yield svg.text(20, y + 32, f"{counted(size, 'byte')} at {one.address:,}", "f-quiet", size=14)
    for start, end, state in stretches(one.states):
        box = (LEFT + ROOM * start / size, y, ROOM * (end - start) / size, TALL)
        yield from _looks(box, state)
    if touches:
        first, last = min(a for a, _ in touches), max(b for _, b in touches)
        x, wide = LEFT + ROOM * first / size, max(ROOM * (last - first) / size, 3)
        yield svg.rect(x, y - 4, wide, TALL + 8, "f-none s-finding", 'stroke-width="3" rx="3"')


def _looks(box: tuple[float, float, float, float], state: int) -> Iterator[str]:
    opacity = {PRESENT: "0.85", LEAVING: "0.85", IN_FLIGHT: "0.25"}.get(state, "0")
    yield svg.rect(*box, LOOKS[state], f'fill-opacity="{opacity}" stroke-width="1.5"')
    if state == IN_FLIGHT:
        yield svg.path(svg.hatching(*box), "f-none s-engine", 'stroke-width="2"')
    if state == LEAVING:
        yield svg.path(svg.hatching(*box), "f-none s-paper", 'stroke-width="2"')
    if state == POISON:
        yield svg.path(svg.hatching(*box, crossed=True), "f-none s-idle", 'stroke-width="1" opacity="0.6"')


def _legend(y: float) -> Iterator[str]:
    x = 20.0
    for state, words in enumerate(STATES):
        yield from _looks((x, y - 14, 24, 17), state)
        yield svg.text(x + 32, y, words, "f-quiet", size=14)
        x += 58 + 8.2 * len(words)
    yield svg.rect(x, y - 14, 20, 17, "f-none s-finding", 'stroke-width="3" rx="3"')
    yield svg.text(x + 28, y, "now", "f-quiet", size=14)


def _notes(steps: Steps, held: list[Held]) -> list[str]:
    notes = []
    if not steps.trace.accesses:
        notes.append('What threads write was not traced: simulate with trace="accesses" to see it.')
    if len(held) > MOST_ARRAYS:
        notes.append(f"{len(held) - MOST_ARRAYS} more arrays are told in words only.")
    return notes


def _row(one: Held) -> str:
    parts = [
        f"bytes {start} to {end - 1} {STATES[state].partition(':')[0]}"
        for start, end, state in stretches(one.states)
    ]
    told = "; ".join(parts[:8]) + (f"; and {len(parts) - 8} more stretches" if len(parts) > 8 else "")
    return f"{one.name}, {counted(one.states.size, 'byte')} at {one.address:,}: {told}"
