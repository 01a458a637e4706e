"""SMs by time: which block stood where and when, whether it worked, and when its copies were under way."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hopperlab.views import svg
from hopperlab.views.palette import HUES_LIGHT
from hopperlab.views.picture import Picture
from hopperlab.views.trace.frame import LEFT, ROOM, TOP, axis, faded, framed, now_line, split
from hopperlab.views.trace.steps import Stay, Steps
from hopperlab.views.trace.words import counted, runs

HEIGHT = 400  # of all rows, at most
TALLEST, SHORTEST = 34.0, 3.0
READABLE = 16  # px of a row that has room for words
DIGIT = 9  # px that a digit takes
MOST_TOLD = 24  # stays told one by one

Groups = Sequence[tuple[str, Sequence[int]]]


def sm_chart(steps: Steps, place: int | None = None, groups: Groups = ()) -> Picture:
    """Draw each SM's blocks over time, up to a step; what lies later is pale.

    Parameters
    ----------
    steps
        Of a timed run.
    place
        Which step is the present; the last if left out.
    groups
        Names of groups of SMs with their numbers, such as a card's GPCs: drawn together, in that order.
    """
    place = steps.last if place is None else place
    now, horizon = steps[place].cycle, max(steps.trace.horizon, 1.0)
    lanes = _lanes(steps.stays)
    rows = list(_rows(steps.stays, lanes, groups))
    height = max(SHORTEST, min(TALLEST, HEIGHT / len(rows)))
    tops = {row: TOP + height * number + 6 * group for number, (group, row) in enumerate(rows)}
    bottom = max(tops.values()) + height + 6
    unit = ROOM / horizon
    body = list(_labels(tops, height, groups))
    for stay in steps.stays:
        top = tops[stay.sm, lanes[stay.block]]
        body += _stay(steps, stay, top, height, unit, now)
    if not groups or height >= READABLE:
        body += _copies(steps, tops, lanes, height, unit, now)
    body += _names(steps, tops, lanes, height, unit)
    body.append(now_line(LEFT + unit * now, TOP - 8, bottom))
    body += axis(bottom, unit, horizon)
    body += _legend(bottom + 62)
    return framed(steps, place, body, bottom + 82, _told(steps, now))


def _lanes(stays: Sequence[Stay]) -> dict[int, int]:
    """By block, its lane on its SM: blocks that are there at one time lie beside each other."""
    busy_until: dict[tuple[int, int], float] = {}
    found = {}
    for stay in sorted(stays, key=lambda stay: (stay.start, stay.block)):
        lane = 0
        while busy_until.get((stay.sm, lane), -1.0) > stay.start:
            lane += 1
        busy_until[stay.sm, lane] = float("inf") if stay.end is None else stay.end
        found[stay.block] = lane
    return found


def _rows(
    stays: Sequence[Stay], lanes: dict[int, int], groups: Groups
) -> Iterator[tuple[int, tuple[int, int]]]:
    """The rows from top to bottom, each with its group's place: (SM, lane)."""
    used = {(stay.sm, lanes[stay.block]) for stay in stays}
    ordered = groups or [("", sorted({sm for sm, _ in used}))]
    for place, (_, sms) in enumerate(ordered):
        for sm in sms:
            deepest = max((lane for one, lane in used if one == sm), default=0 if groups else -1)
            for lane in range(deepest + 1):
                yield place, (sm, lane)


def _labels(tops: dict[tuple[int, int], float], height: float, groups: Groups) -> Iterator[str]:
    """Names of the SMs; of their groups instead where rows are too low for words."""
    if groups and height < READABLE:
        for name, sms in groups:
            first, last = tops[sms[0], 0], max(top for (sm, _), top in tops.items() if sm == sms[-1])
            if last + height - first >= READABLE:
                yield svg.text(20, (first + last + height) / 2 + 5, name, bold=True)
                yield svg.path(
                    f"M{LEFT - 8} {first:g}V{last + height - 1:g}", "f-none s-quiet", 'stroke-width="3"'
                )
        return
    every = max(1, round(READABLE / height + 0.4))
    for number, ((sm, lane), top) in enumerate(tops.items()):
        if lane == 0 and number % every == 0:
            yield svg.text(20, top + min(height, TALLEST) / 2 + 5, f"SM {sm}", bold=True)


def _stay(steps: Steps, stay: Stay, top: float, height: float, unit: float, now: float) -> Iterator[str]:
    """A block's bar: full where any thread works, hatched or thin where all wait."""
    hue = f"f-hue{stay.cluster % len(HUES_LIGHT)}"
    tall = height - (4 if height >= READABLE else 0.6)
    for span in steps.blocks[stay.block]:
        for start, end, later in split(span.start, span.end, now):
            box = (LEFT + unit * start, top, max(unit * (end - start), 0.4), tall)
            looks = [svg.rect(*box, hue, "" if span.kind == "working" else 'fill-opacity="0.3"')]
            if span.kind != "working" and height >= READABLE:
                looks.append(svg.path(svg.hatching(*box), "f-none s-quiet", 'stroke-width="1"'))
            yield faded(looks, later)


def _names(
    steps: Steps, tops: dict[tuple[int, int], float], lanes: dict[int, int], height: float, unit: float
) -> Iterator[str]:
    """Numbers on the bars: each block's where there is room, else each cluster's once."""
    horizon, clusters = steps.trace.horizon, {}
    for stay in steps.stays:
        clusters.setdefault(stay.cluster, []).append(stay)
    shown = (
        {stay: str(stay.block) for stay in steps.stays}
        if height >= READABLE
        else {_middle(stays, tops, lanes): str(cluster) for cluster, stays in clusters.items()}
    )
    for stay, name in shown.items():
        end = horizon if stay.end is None else stay.end
        wide = unit * (end - stay.start)
        if wide < DIGIT * len(name) + 8:
            continue
        x = LEFT + unit * stay.start + min(wide / 2, 14)
        y = tops[stay.sm, lanes[stay.block]] + height / 2 + 4
        yield svg.rect(
            x - 2 - 4.5 * len(name), y - 12, 9 * len(name) + 4, 15, "f-paper", 'rx="3" fill-opacity="0.85"'
        )
        yield svg.text(x, y, name, size=13, anchor="middle", bold=True)


def _middle(stays: list[Stay], tops: dict[tuple[int, int], float], lanes: dict[int, int]) -> Stay:
    return sorted(stays, key=lambda stay: tops[stay.sm, lanes[stay.block]])[len(stays) // 2]


def _copies(
    steps: Steps,
    tops: dict[tuple[int, int], float],
    lanes: dict[int, int],
    height: float,
    unit: float,
    now: float,
) -> Iterator[str]:
    """A line below a block's bar for each copy of it that is under way."""
    sm_of = {stay.block: stay.sm for stay in steps.stays}
    for issue, landed in steps.copies:
        top = tops[sm_of[issue.block], lanes[issue.block]] + height - 4
        end = steps.trace.horizon if landed is None else landed
        for start, stop, later in split(issue.cycle, end, now):
            box = (LEFT + unit * start, top, max(unit * (stop - start), 1), 3)
            yield faded([svg.rect(*box, "f-ink")], later)


def _legend(y: float) -> list[str]:
    drawn, x = [], 20.0
    for words, looks in (
        ("a thread of the block works", ""),
        ("all its threads wait", 'fill-opacity="0.3"'),
    ):
        box = (x, y - 14, 24, 16)
        drawn.append(svg.rect(*box, "f-hue0", looks))
        if looks:
            drawn.append(svg.path(svg.hatching(*box), "f-none s-quiet", 'stroke-width="1"'))
        drawn.append(svg.text(x + 32, y, words, "f-quiet", size=14))
        x += 260
    drawn.append(svg.rect(x, y - 6, 24, 3, "f-ink"))
    drawn.append(svg.text(x + 32, y, "a copy of its is under way", "f-quiet", size=14))
    drawn.append(svg.text(x + 270, y, "color: cluster", "f-quiet", size=14))
    return drawn


def _told(steps: Steps, now: float) -> str:
    """The chart in words: blocks with the same times together."""
    alike: dict[tuple, list[Stay]] = {}
    one_by_one = len(steps.stays) <= MOST_TOLD
    for stay in steps.stays:
        key = (stay.block,) if one_by_one else (stay.start, stay.end)
        alike.setdefault(key, []).append(stay)
    rows = [_row(steps, stays, now) for stays in alike.values()]
    more = [f"and {len(rows) - MOST_TOLD} more groups of blocks"] if len(rows) > MOST_TOLD else []
    here = sum(stay.start <= now and (stay.end is None or stay.end > now) for stay in steps.stays)
    sms = len({stay.sm for stay in steps.stays if stay.start <= now and (stay.end is None or stay.end > now)})
    return "\n".join([f"{counted(here, 'block')} on {counted(sms, 'SM')} now.", *rows[:MOST_TOLD], *more])


def _row(steps: Steps, stays: list[Stay], now: float) -> str:
    first = stays[0]
    blocks, sms, clusters = (runs([one[part] for one in stays]) for part in (0, 1, 2))
    s = "s" * (len(stays) > 1)
    end = "never left" if first.end is None else f"to {first.end:,.0f}"
    waiting = sum(span.end - span.start for span in steps.blocks[first.block] if span.kind != "working")
    waits = f", all threads waiting for {waiting:,.0f} cycles" if len(stays) == 1 else ""
    copies = sum(issue.block in {stay.block for stay in stays} for issue, _ in steps.copies)
    cluster = (
        f", cluster{'s' * (',' in clusters or ' ' in clusters)} {clusters}"
        if steps.trace.blocks_per_cluster > 1
        else ""
    )
    started = "" if first.start <= now else "later: "
    moved = f", {counted(copies, 'copy').replace('copys', 'copies')}" if copies else ""
    return f"{started}block{s} {blocks} on SM{s} {sms}{cluster}: {first.start:,.0f} {end}{waits}{moved}"
