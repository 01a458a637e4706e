"""Threads by time: working, asleep on a barrier or on copies, waiting for each other; those alike in one lane."""

from __future__ import annotations

from collections.abc import Iterator

from hopperlab.views import svg
from hopperlab.views.barriers.strip import mark
from hopperlab.views.picture import Picture
from hopperlab.views.trace.frame import LEFT, ROOM, TOP, axis, faded, framed, now_line, split
from hopperlab.views.trace.steps import Span, Steps
from hopperlab.views.trace.words import counted, runs

ROW = 36
MOST_LANES = 12
TURN = 6  # px of the mark of an arrival

Lane = tuple[list[tuple[int, int]], tuple[Span, ...]]


def thread_lanes(steps: Steps, place: int | None = None) -> Picture:
    """Draw what threads do over time, up to a step; what lies later is pale.

    Threads of a block that do the same at the same times share a lane. Of many lanes those are drawn that do
    most; the others are told.
    """
    place = steps.last if place is None else place
    now, unit = steps[place].cycle, ROOM / max(steps.trace.horizon, 1.0)
    lanes = lanes_of(steps)
    busiest = sorted(lanes, key=lambda lane: -len(lane[1]))[:MOST_LANES]
    shown = [lane for lane in lanes if lane in busiest]
    body: list[str] = []
    for row, lane in enumerate(shown):
        body += _lane(steps, lane, TOP + ROW * row, unit, now)
    bottom = TOP + ROW * len(shown) + 4
    hidden = len(lanes) - len(shown)
    body.append(now_line(LEFT + unit * now, TOP - 8, bottom))
    body += axis(bottom, unit, steps.trace.horizon)
    body += _legend(bottom + 62)
    told = [_row(steps, lane, now) for lane in shown] + [
        f"{counted(hidden, 'more lane')}, which do less"
    ] * bool(hidden)
    if hidden:
        body.append(svg.text(20, bottom + 86, f"{hidden} more lanes, which do less", "f-quiet", size=14))
    return framed(steps, place, body, bottom + (106 if hidden else 82), "\n".join(told))


def lanes_of(steps: Steps) -> list[Lane]:
    """The lanes: threads of one block that do the same at the same times, with what they do."""
    found: dict[tuple, list[tuple[int, int]]] = {}
    for (block, thread), spans in steps.threads.items():
        found.setdefault((block, spans), []).append((block, thread))
    return [(threads, spans) for (_, spans), threads in found.items()]


def _name(steps: Steps, threads: list[tuple[int, int]]) -> str:
    ranks = [thread for _, thread in threads]
    if len(ranks) == steps.trace.threads_per_block > 1:
        name = "all threads"
    else:
        name = f"{'threads' if len(ranks) > 1 else 'thread'} {runs(ranks)}"
    return name if steps.trace.grid == (1, 1, 1) else f"block {threads[0][0]}, {name}"


def _short_name(steps: Steps, threads: list[tuple[int, int]]) -> str:
    """A lane's name as it fits beside it."""
    name = _name(steps, threads)
    return name.replace("threads ", "") if name.startswith("block") else name


def _lane(steps: Steps, lane: Lane, y: float, unit: float, now: float) -> Iterator[str]:
    threads, spans = lane
    yield svg.text(20, y + 19, _short_name(steps, threads), size=14, bold=True)
    for span in spans:
        for start, end, later in split(span.start, span.end, now):
            yield faded(mark(LEFT + unit * start, y, max(unit * (end - start), 0.6), 26, span.kind), later)
    who = set(threads)
    arrivals = [e for e in steps.trace.of("arrive") if (e.block, e.thread) in who]
    for cycle in sorted({event.cycle for event in arrivals}):
        x = LEFT + unit * cycle
        yield faded([svg.path(f"M{x:.5g} {y - 1:g}l{TURN} -8h-{2 * TURN}z", "f-barrier")], cycle > now)


def _legend(y: float) -> list[str]:
    drawn, x = [], 20.0
    for kind, words in (
        ("working", "working"),
        ("asleep", "asleep: waits for a barrier or copies"),
        ("waiting", "waits for other threads"),
    ):
        drawn += mark(x, y - 15, 22, 19, kind)
        drawn.append(svg.text(x + 30, y, words, "f-quiet", size=14))
        x += 60 + 8.4 * len(words)
    drawn.append(svg.path(f"M{x + 8:g} {y:g}l7 -10h-14z", "f-barrier"))
    drawn.append(svg.text(x + 24, y, "arrives on a barrier", "f-quiet", size=14))
    return drawn


def _row(steps: Steps, lane: Lane, now: float) -> str:
    threads, spans = lane
    told = [
        f"{span.kind} {span.start:,.0f} to {min(span.end, now):,.0f}"
        + (f" ({span.what})" if span.kind != "working" else "")
        for span in spans
        if span.start < now
    ]
    return f"{_name(steps, threads)}: {'; '.join(told) or 'nothing yet'}"
