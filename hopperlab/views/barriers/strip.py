"""The barrier strip: phase, arrivals missing and bytes missing over events, and below them who does what."""

from collections.abc import Sequence
from textwrap import wrap
from typing import NamedTuple

from hopperlab.views import svg
from hopperlab.views.picture import Picture

WIDTH = 1010
LEFT = 160
COLUMN = 104
SHOWN = 8  # events beside each other
TOP = 88
PHASE, ARRIVALS, BYTES = 176, 226, 330  # the tracks: chips, boxes, and the line that bars stand on
TALLEST = 46
LANES = 428


class Moment(NamedTuple):
    """A barrier after one event: the event's words, the barrier's counts, and the event's place in a trace."""

    event: str
    phase: int
    pending_arrivals: int
    pending_bytes: int
    number: int = 0


class Doing(NamedTuple):
    """What somebody does now, one of ``working``, ``passes``, ``waiting``, ``asleep``, ``sending``, ``done``; why."""

    who: str
    kind: str
    why: str


def strip(
    moments: Sequence[Moment], now: int | None = None, doings: Sequence[Doing] = (), title: str = ""
) -> Picture:
    """Draw a barrier's counts over events; those after `now` are pale.

    Parameters
    ----------
    moments
        The barrier after each event, at least one.
    now
        Which of them is shown as the present; the last if left out.
    doings
        Who does what at that moment, a lane each.
    title
        The statement on top; made from the state if left out.

    Raises
    ------
    ValueError
        If there are no moments, or `now` is none of them.
    """
    if not moments:
        raise ValueError("moments is empty: at least one event is needed")
    now = len(moments) - 1 if now is None else now
    if not 0 <= now < len(moments):
        raise ValueError(f"now={now}: there are events 0 to {len(moments) - 1}")
    state = moments[now]
    title = title or f"Event {now} of {len(moments) - 1}, {state.event}: {missing(state)}"
    first = max(0, min(now - SHOWN + 3, len(moments) - SHOWN)) if len(moments) > SHOWN else 0
    height = LANES + 34 * len(doings) + 14
    body = [
        *(svg.lines(20, 34, title, 80, size=18, bold=True)),
        *(
            svg.text(20, y, words, bold=True)
            for y, words in (
                (PHASE + 20, "phase"),
                (ARRIVALS + 20, "arrivals missing"),
                (BYTES, "bytes missing"),
            )
        ),
        *_columns(moments, first, now),
        *_lanes(doings),
    ]
    return Picture(
        title, _twin(moments, now, doings), svg=svg.document(WIDTH, height, title, state.event, body)
    )


def missing(state: Moment) -> str:
    """What the phase still needs, in words."""
    arrivals = counted(state.pending_arrivals, "arrival")
    if state.pending_bytes < 0:
        return f"phase {state.phase} lacks {arrivals} and an expect_tx for {-state.pending_bytes} bytes that came"
    return f"phase {state.phase} lacks {arrivals} and {counted(state.pending_bytes, 'byte')}"


def counted(number: int, noun: str) -> str:
    """A number with its noun: ``1 arrival``, ``0 bytes``."""
    return f"{number} {noun}" + ("" if number == 1 else "s")


def _columns(moments: Sequence[Moment], first: int, now: int) -> list[str]:
    shown = list(enumerate(moments))[first : first + SHOWN]
    most = max(1, *(abs(moment.pending_bytes) for _, moment in shown))
    drawn = []
    if first:
        drawn.append(svg.text(LEFT - 8, TOP + 12, f"{first} before", "f-quiet", size=14, anchor="end"))
    for place, (number, moment) in enumerate(shown):
        x = LEFT + COLUMN * place
        column = _column(x, moment, most, moments[number - 1] if number else moment)
        if number == now:
            drawn.append(svg.rect(x - 4, TOP - 16, COLUMN, 316, "f-waiting", 'fill-opacity="0.16" rx="6"'))
        fade = "" if number <= now else ' opacity="0.35"'
        drawn.append(f"<g{fade}>{''.join(column)}</g>")
    return drawn


def _column(x: float, moment: Moment, most: int, before: Moment) -> list[str]:
    middle = x + COLUMN / 2 - 4
    breakable = moment.event.replace("arrive_expect", "arrive_ expect").replace("_tx(", "_tx (")
    words = wrap(breakable, 13)[:4]
    drawn = [
        svg.text(middle, TOP + 17 * row, line, size=14, anchor="middle") for row, line in enumerate(words)
    ]
    drawn.append(svg.rect(x, PHASE, COLUMN - 8, 30, "f-barrier", 'rx="4"'))
    turned = " new" if moment.phase != before.phase else ""
    drawn.append(
        svg.text(middle, PHASE + 21, f"{moment.phase}{turned}", "on-hue4", anchor="middle", bold=True)
    )
    filled = "f-compute" if moment.pending_arrivals else "f-none"
    drawn.append(svg.rect(middle - 26, ARRIVALS, 22, 28, f"{filled} s-compute", 'rx="4" stroke-width="2"'))
    drawn.append(svg.text(middle + 6, ARRIVALS + 20, str(moment.pending_arrivals)))
    tall = max(4, TALLEST * abs(moment.pending_bytes) / most) if moment.pending_bytes else 0
    bar = (x + 14, BYTES - tall if moment.pending_bytes >= 0 else BYTES, COLUMN - 36, tall)
    if tall:
        drawn.append(svg.rect(*bar, "f-engine", 'rx="2"'))
        if moment.pending_bytes < 0:
            drawn.append(svg.path(svg.hatching(*bar), "f-none s-paper", 'stroke-width="2"'))
    drawn.append(svg.path(f"M{x + 8:g} {BYTES:g}h{COLUMN - 24:g}", "f-none s-quiet", 'stroke-width="2"'))
    below = BYTES + 20 + (tall if moment.pending_bytes < 0 else 0)
    drawn.append(svg.text(middle, below, str(moment.pending_bytes), anchor="middle"))
    return drawn


def _lanes(doings: Sequence[Doing]) -> list[str]:
    drawn = (
        [svg.path(f"M20 {LANES - 26}H{WIDTH - 20}", "f-none s-line", 'stroke-width="2"')] if doings else []
    )
    for row, doing in enumerate(doings):
        y = LANES + 34 * row
        drawn.append(svg.text(20, y, doing.who, bold=True))
        drawn += mark(LEFT + 70, y - 15, 22, 20, doing.kind)
        drawn.append(svg.text(LEFT + 104, y, f"{doing.kind}: {doing.why}" if doing.why else doing.kind))
    return drawn


def mark(x: float, y: float, width: float, height: float, kind: str) -> list[str]:
    """A box that says what somebody does, by color and pattern."""
    box = (x, y, width, height)
    if kind in ("working", "passes", "sending"):
        return [svg.rect(*box, "f-engine" if kind == "sending" else "f-compute", 'rx="3"')]
    if kind == "done":
        return [svg.rect(*box, "f-none s-line", 'rx="3" stroke-width="2"')]
    hatched = svg.hatching(*box, crossed=kind == "waiting")
    return [
        svg.rect(*box, "f-waiting", 'rx="3" fill-opacity="0.25"'),
        svg.path(hatched, "f-none s-waiting", 'stroke-width="2"'),
    ]


def _twin(moments: Sequence[Moment], now: int, doings: Sequence[Doing]) -> str:
    width = max(len("event"), *(len(moment.event) for moment in moments))
    rows = [f"  {'event':{width}}  phase  arrivals missing  bytes missing"]
    for number, moment in enumerate(moments):
        sign = ">" if number == now else " "
        rows.append(
            f"{sign} {moment.event:{width}}  {moment.phase:5}  {moment.pending_arrivals:16}  "
            f"{moment.pending_bytes:13}"
        )
    rows += [f"{doing.who}: {doing.kind}" + (f", {doing.why}" if doing.why else "") for doing in doings]
    return "\n".join(row.rstrip() for row in rows)
