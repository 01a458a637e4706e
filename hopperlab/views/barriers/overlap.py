"""The same work twice: with one joint step, and with arriving and waiting apart."""

from collections.abc import Sequence

from hopperlab.models.barriers import Schedule, arrive_then_wait, syncthreads
from hopperlab.views import svg
from hopperlab.views.barriers.strip import mark
from hopperlab.views.picture import Picture

WIDTH = 1010
LEFT = 130
ROOM = 850
ROW = 34
WAYS = ("syncthreads", "arrive, work, wait")


def overlap(before: Sequence[float], independent: Sequence[float], after: Sequence[float]) -> Picture:
    """Draw each thread's time through one phase, both ways, and what is gained.

    Parameters
    ----------
    before, independent, after
        Each thread's work until others need it, work that needs nobody, and work that needs all, in units.
    """
    schedules = (syncthreads(before, independent, after), arrive_then_wait(before, independent, after))
    works = list(zip(before, independent, after, strict=True))
    joint, split = (schedule.finishes for schedule in schedules)
    waited, less = (schedule.idle for schedule in schedules)
    title = (
        f"Arrive early, wait late: {joint - split:g} of {joint:g} units saved, "
        f"{waited - less:g} of {waited:g} units less waited"
    )
    body = [svg.text(20, 34, title, size=18, bold=True)]
    y = 74.0
    for way, schedule in zip(WAYS, schedules, strict=True):
        body += _block(y, way, works, schedule, ROOM / max(joint, 1))
        y += ROW * len(works) + 62
    body += _legend(y)
    text = "\n".join(
        part for way, schedule in zip(WAYS, schedules, strict=True) for part in _told(way, works, schedule)
    )
    return Picture(title, text, svg=svg.document(WIDTH, y + 20, title, text.partition("\n")[0], body))


def _block(y: float, way: str, works: list, schedule: Schedule, unit: float) -> list[str]:
    heading = f"{way}: all done at {schedule.finishes:g}, {schedule.idle:g} units waited by all together"
    drawn = [svg.text(20, y, heading, bold=True)]
    x = LEFT + unit * schedule.completes
    bottom = y + 18 + ROW * len(works)
    drawn.append(svg.path(f"M{x:g} {y + 8:g}V{bottom:g}", "f-none s-barrier", 'stroke-width="3"'))
    drawn.append(svg.text(x, bottom + 14, f"last arrival: {schedule.completes:g}", size=14, anchor="middle"))
    for thread, lane in enumerate(schedule.lanes):
        top = y + 14 + ROW * thread
        drawn.append(svg.text(20, top + 19, f"thread {thread}"))
        for kind, start, length in _pieces(way, works[thread], lane):
            if length > 0:
                box = (LEFT + unit * start, top, unit * length, 26)
                drawn += _piece(kind, box, length)
    return drawn


def _pieces(way: str, work: tuple, lane) -> list[tuple[str, float, float]]:
    needed, free, rest = work
    wait = ("asleep", lane.waits, lane.idle)
    if way == WAYS[0]:
        return [
            ("working", 0, needed),
            wait,
            ("free", lane.continues, free),
            ("rest", lane.continues + free, rest),
        ]
    return [("working", 0, needed), ("free", lane.arrives, free), wait, ("rest", lane.continues, rest)]


def _piece(kind: str, box: tuple[float, float, float, float], length: float) -> list[str]:
    x, y, width, _ = box
    if kind in ("working", "asleep"):
        drawn = mark(*box, kind)
    else:
        drawn = [svg.rect(*box, "f-memory" if kind == "free" else "f-barrier", 'rx="3"')]
    if width >= 20 and kind != "asleep":
        ink = {"working": "on-hue0", "free": "on-hue3", "rest": "on-hue4"}[kind]
        drawn.append(svg.text(x + width / 2, y + 18, f"{length:g}", ink, size=14, anchor="middle"))
    return drawn


def _legend(y: float) -> list[str]:
    drawn, x = [], 20.0
    for kind, words in (
        ("working", "work that others need"),
        ("free", "work that needs nobody"),
        ("asleep", "waiting"),
        ("rest", "work that needs all"),
    ):
        drawn += _piece(kind, (x, y - 15, 19, 19), 0)
        drawn.append(svg.text(x + 26, y, words, "f-quiet"))
        x += 240
    return drawn


def _told(way: str, works: list, schedule: Schedule) -> list[str]:
    rows = [f"{way}: the phase completes at {schedule.completes:g}, all done at {schedule.finishes:g}"]
    for thread, (lane, (needed, free, rest)) in enumerate(zip(schedule.lanes, works, strict=True)):
        rows.append(
            f"  thread {thread}: work {needed:g}, independent {free:g}, after {rest:g}; arrives at "
            f"{lane.arrives:g}, waits {lane.idle:g}, done at {lane.finishes:g}"
        )
    return rows
