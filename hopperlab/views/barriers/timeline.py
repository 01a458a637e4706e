"""Threads over the cycles of a simulated run: working, asleep on a barrier, waiting for each other."""

from collections.abc import Sequence
from typing import NamedTuple

from hopperlab.device.trace import Event, Trace
from hopperlab.views import svg
from hopperlab.views.barriers.strip import mark
from hopperlab.views.picture import Picture

WIDTH = 1010
LEFT = 170
ROOM = 800
ROW = 36
TOP = 110
BEGINS = {"meet": "waiting", "part": "working", "wait": "asleep", "go": "working", "end": "done"}
STEPPED = ("meet", "wait", "go", "init", "arrive", "expect", "issue", "count", "end")


class Span(NamedTuple):
    """What a thread does from one cycle to another."""

    kind: str
    start: float
    end: float


class Lanes:
    """Some threads of a timed run, looked up in its trace once: every step of them is then drawn from here.

    Parameters
    ----------
    trace
        Of a timed run.
    threads
        (block, thread) of each lane.

    Attributes
    ----------
    steps
        What these threads and the engines do, in the order of time.
    spans
        By (block, thread), its time, cut as `spans` cuts it.
    """

    def __init__(self, trace: Trace, threads: Sequence[tuple[int, int]]) -> None:
        self.trace = trace
        self.threads = tuple(threads)
        self.horizon = trace.horizon
        shown = [e for e in trace.of(*STEPPED) if e.thread is None or (e.block, e.thread) in self.threads]
        self.steps = sorted(shown, key=lambda event: (event.cycle, event.number))
        self.spans = {who: spans(trace, *who) for who in self.threads}

    def arrivals(self, block: int, thread: int) -> list[float]:
        """When a thread arrives on a barrier, in cycles."""
        own = (event for event in self.steps if (event.block, event.thread) == (block, thread))
        return [event.cycle for event in own if event.verb == "arrive"]


def spans(trace: Trace, block: int, thread: int) -> list[Span]:
    """One thread's time, cut where it begins to wait and where it goes on."""
    found, kind, since = [], "working", 0.0
    for event in trace.of("meet", "part", "wait", "go", "end"):
        own = (event.block, event.thread) == (block, thread)
        freed = event.verb == "part" and event.block == block and kind == "waiting"
        if not freed and (not own or event.verb == "part"):
            continue
        found.append(Span(kind, since, event.cycle))
        kind = BEGINS[event.verb]
        since = event.cycle
    return [
        span
        for span in [*found, Span(kind, since, trace.horizon)]
        if span.end > span.start and span.kind != "done"
    ]


def timeline(lanes: Lanes, step: int | None = None) -> Picture:
    """Draw some threads up to a step; what lies later is pale.

    Parameters
    ----------
    lanes
        The threads, a lane each.
    step
        A place in `lanes.steps`; the last if left out.

    Raises
    ------
    ValueError
        If there is no such step.
    """
    last = len(lanes.steps) - 1
    step = last if step is None else step
    if not 0 <= step <= last:
        raise ValueError(f"step={step}: there are steps 0 to {last}")
    event, horizon = lanes.steps[step], lanes.horizon
    title = f"Cycle {event.cycle:.0f} of {horizon:.0f}: {sentence(event)}"
    line = lanes.trace.text_of(event.line)
    unit = ROOM / max(horizon, 1)
    body = [svg.text(20, 34, title, size=18, bold=True)]
    if line:
        body.append(svg.text(20, 66, f"line {event.line}:  {line}", "f-quiet"))
    for row, who in enumerate(lanes.threads):
        body += _lane(lanes, TOP + ROW * row, who, unit, event)
    bottom = TOP + ROW * len(lanes.threads) + 4
    x = LEFT + unit * event.cycle
    body.append(svg.path(f"M{x:g} {TOP - 14}V{bottom:g}", "f-none s-finding", 'stroke-width="3"'))
    body += _axis(bottom, unit, horizon)
    body += _legend(bottom + 66)
    text = _twin(lanes, event, line)
    return Picture(title, text, svg=svg.document(WIDTH, bottom + 86, title, line or title, body))


def sentence(event: Event) -> str:
    """An event in words."""
    who = "an engine" if event.thread is None else f"thread {event.thread} of block {event.block}"
    said = {
        "meet": f"comes to {event.what}",
        "wait": f"waits for parity {event.data.get('parity')} of {event.what}",
        "go": f"goes on from {event.what}",
        "init": f"initializes {event.what}",
        "arrive": f"arrives on {event.what}",
        "expect": f"expects {event.data.get('nbytes')} bytes on {event.what}",
        "issue": f"asks for {event.data.get('nbytes')} bytes by {event.what}",
        "count": f"counts {event.data.get('nbytes')} bytes on {event.what}",
        "end": "ends",
    }
    if event.what == "groups":
        return f"{who} {'waits for' if event.verb == 'wait' else 'goes on from'} its copies"
    return f"{who} {said[event.verb]}"


def _lane(lanes: Lanes, y: float, who: tuple[int, int], unit: float, now: Event) -> list[str]:
    block, thread = who
    blocks = f"block {block}, " if lanes.trace.grid != (1, 1, 1) else ""
    drawn = [svg.text(20, y + 19, f"{blocks}thread {thread}", bold=True)]
    for span in lanes.spans[who]:
        for start, end, fade in (
            (span.start, min(span.end, now.cycle), ""),
            (max(span.start, now.cycle), span.end, 0.3),
        ):
            if end > start:
                box = mark(LEFT + unit * start, y, unit * (end - start), 26, span.kind)
                drawn.append(f'<g opacity="{fade}">{"".join(box)}</g>' if fade else "".join(box))
    for cycle in lanes.arrivals(block, thread):
        if cycle <= now.cycle:
            x = LEFT + unit * cycle
            drawn.append(svg.path(f"M{x:g} {y - 2:g}l7 -9h-14z", "f-barrier"))
    return drawn


def _axis(y: float, unit: float, horizon: float) -> list[str]:
    every = next((width for width in (50, 100, 200, 500, 1000, 2000, 5000) if horizon / width <= 9), 10000)
    drawn = [svg.path(f"M{LEFT} {y:g}H{LEFT + ROOM}", "f-none s-quiet", 'stroke-width="2"')]
    for cycle in range(0, int(horizon) + 1, every):
        x = LEFT + unit * cycle
        drawn.append(svg.path(f"M{x:g} {y:g}v6", "f-none s-quiet", 'stroke-width="2"'))
        drawn.append(svg.text(x, y + 24, str(cycle), "f-quiet", size=14, anchor="middle"))
    drawn.append(svg.text(20, y + 24, "cycles, modelled", "f-quiet", size=14))
    return drawn


def _legend(y: float) -> list[str]:
    drawn, x = [], 20.0
    for kind, words in (
        ("working", "working"),
        ("asleep", "asleep in a wait"),
        ("waiting", "waiting at syncthreads"),
    ):
        drawn += mark(x, y - 15, 22, 19, kind)
        drawn.append(svg.text(x + 30, y, words, "f-quiet"))
        x += 210
    drawn.append(svg.path(f"M{x + 10:g} {y:g}l8 -11h-16z", "f-barrier"))
    drawn.append(svg.text(x + 30, y, "arrives", "f-quiet"))
    return drawn


def _twin(lanes: Lanes, now: Event, line: str) -> str:
    rows = [f"line {now.line}: {line}"] if line else []
    for (block, thread), spent in lanes.spans.items():
        told = [
            f"{span.kind} {span.start:.0f} to {min(span.end, now.cycle):.0f}"
            for span in spent
            if span.start < now.cycle
        ]
        rows.append(f"block {block}, thread {thread}: {'; '.join(told) or 'not started'}")
    return "\n".join(rows)
