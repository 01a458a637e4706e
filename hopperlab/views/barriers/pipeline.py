"""A ring of buffers over the cycles of a simulated run: copies, reading, and bubbles."""

from typing import NamedTuple

from hopperlab.device.trace import Trace
from hopperlab.views import svg
from hopperlab.views.barriers.strip import mark
from hopperlab.views.barriers.timeline import LEFT, ROOM, ROW, TOP, WIDTH, _axis, spans
from hopperlab.views.picture import Picture


class Use(NamedTuple):
    """One tile's time in a buffer: asked for, landed, read by all."""

    tile: int
    asked: float
    landed: float
    emptied: float


def uses(trace: Trace) -> dict[int, list[Use]]:
    """By buffer, the tiles that went through it; barriers are named full[i] and empty[i]."""
    stage, asked, landed, emptied = None, [], {}, {}
    for event in trace.of("expect", "issue", "count", "arrive"):
        if event.verb == "expect":
            stage = _place(event.what)
        elif event.verb == "issue":
            asked.append((stage, event.cycle, event.data["copy"]))
        elif event.verb == "count":
            landed[event.data["copy"]] = event.cycle
        elif event.what.startswith("empty"):
            lap = event.data["phase"] - 1  # the phase that this arrival completed, if it did
            emptied.setdefault(_place(event.what), {}).setdefault(lap, event.cycle)
    horizon = max(event.cycle for event in trace.events)
    found: dict[int, list[Use]] = {}
    for tile, (stage, cycle, copy) in enumerate(asked):
        lap = len(found.setdefault(stage, []))
        read = emptied.get(stage, {}).get(lap, horizon)
        found[stage].append(Use(tile, cycle, landed.get(copy, horizon), read))
    return found


def _place(name: str) -> int:
    return int(name.partition("[")[2].rstrip("]") or 0)


def pipeline(trace: Trace, producer: int, consumer: int) -> Picture:
    """Draw each buffer's tiles, and when the producer and a consumer of block 0 wait.

    Parameters
    ----------
    trace
        Of a timed run of a ring with barriers full[i] and empty[i].
    producer, consumer
        Their threads.
    """
    by_stage, horizon = uses(trace), max(event.cycle for event in trace.events)
    tiles = sum(len(used) for used in by_stage.values())
    asleep = sum(span.end - span.start for span in spans(trace, 0, consumer) if span.kind == "asleep")
    title = (
        f"{len(by_stage)} stage{'s'[: len(by_stage) != 1]}: {tiles} tiles in {horizon:.0f} cycles, "
        f"the consumer asleep for {100 * asleep / horizon:.0f} %"
    )
    unit = ROOM / horizon
    body = [svg.text(20, 34, title, size=18, bold=True)]
    body.append(
        svg.text(20, 66, "Simulated, with published costs of each word; hatched is waiting.", "f-quiet")
    )
    y, rows = float(TOP), []
    for stage, used in sorted(by_stage.items()):
        body += _stage(y, stage, used, unit)
        told = "; ".join(f"tile {u.tile} {u.asked:.0f}, {u.landed:.0f}, {u.emptied:.0f}" for u in used)
        rows.append(f"buffer {stage} (asked for, landed, read by all): {told}")
        y += ROW
    for name, thread in (("producer", producer), ("consumer", consumer)):
        body.append(svg.text(20, y + 19, name, bold=True))
        for span in spans(trace, 0, thread):
            body += mark(LEFT + unit * span.start, y, unit * (span.end - span.start), 26, span.kind)
        waits = [f"{s.start:.0f} to {s.end:.0f}" for s in spans(trace, 0, thread) if s.kind == "asleep"]
        rows.append(f"{name}, thread {thread}, asleep: {'; '.join(waits) or 'never'}")
        y += ROW
    body += _axis(y + 4, unit, horizon)
    body += _legend(y + 70)
    return Picture(title, "\n".join(rows), svg=svg.document(WIDTH, y + 90, title, rows[-1], body))


def _stage(y: float, stage: int, used: list[Use], unit: float) -> list[str]:
    drawn = [svg.text(20, y + 19, f"buffer {stage}", bold=True)]
    since = 0.0
    for use in used:
        if use.asked > since:
            drawn += mark(LEFT + unit * since, y, unit * (use.asked - since), 26, "asleep")
        copying = (LEFT + unit * use.asked, y, unit * (use.landed - use.asked), 26)
        reading = (LEFT + unit * use.landed, y, unit * (use.emptied - use.landed), 26)
        drawn += [svg.rect(*copying, "f-engine"), svg.rect(*reading, "f-compute")]
        if copying[2] > 22:
            drawn.append(
                svg.text(
                    copying[0] + copying[2] / 2, y + 18, str(use.tile), "on-hue2", size=14, anchor="middle"
                )
            )
        since = use.emptied
    return drawn


def _legend(y: float) -> list[str]:
    drawn, x = [], 20.0
    for kind, words in (
        ("sending", "a copy under way, with its tile"),
        ("working", "landed, being read"),
        ("asleep", "empty, or asleep: a bubble"),
    ):
        drawn += mark(x, y - 15, 22, 19, kind)
        drawn.append(svg.text(x + 30, y, words, "f-quiet"))
        x += 300
    return drawn
