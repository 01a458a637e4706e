"""Clusters by time: in which GPC each one ran and when, as the trace tells; a row for each place in a GPC."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from hopperlab.views import svg
from hopperlab.views.palette import HUES_LIGHT
from hopperlab.views.picture import Picture
from hopperlab.views.trace.frame import LEFT, ROOM, TOP, axis, faded, framed, now_line, split
from hopperlab.views.trace.steps import Steps
from hopperlab.views.trace.words import counted, runs

ROW, GAP = 19, 5
MOST_TOLD = 30


class Placed(NamedTuple):
    """A cluster in a trace: its number, its SMs in the order of its blocks, its group, its first and last cycle."""

    cluster: int
    sms: tuple[int, ...]
    group: int
    start: float
    end: float


def clusters_of(steps: Steps, groups: Sequence[tuple[str, Sequence[int]]]) -> list[Placed]:
    """Give each cluster's place and time, by its number.

    Raises
    ------
    ValueError
        If a block ran on an SM of no group.
    """
    group_of = {sm: number for number, (_, sms) in enumerate(groups) for sm in sms}
    blocks: dict[int, list] = {}
    for stay in steps.stays:
        if stay.sm not in group_of:
            raise ValueError(f"groups have no SM {stay.sm}, on which block {stay.block} ran")
        blocks.setdefault(stay.cluster, []).append(stay)
    horizon = steps.trace.horizon
    return [
        Placed(
            cluster,
            tuple(stay.sm for stay in stays),
            group_of[stays[0].sm],
            min(stay.start for stay in stays),
            max(horizon if stay.end is None else stay.end for stay in stays),
        )
        for cluster, stays in sorted(blocks.items())
    ]


def cluster_chart(steps: Steps, place: int | None, groups: Sequence[tuple[str, Sequence[int]]]) -> Picture:
    """Draw each cluster's stay, up to a step; what lies later is pale.

    Parameters
    ----------
    steps
        Of a timed run with clusters.
    place
        Which step is the present; None for the last.
    groups
        The card's GPCs: their names and the SMs of each.
    """
    place = steps.last if place is None else place
    now, unit = steps[place].cycle, ROOM / max(steps.trace.horizon, 1.0)
    placed = clusters_of(steps, groups)
    rows = _rows(placed)
    body, y, tops = [], float(TOP), {}
    for row in sorted(set(rows.values())):
        group, lane = row
        if lane == 0:
            y += GAP
            body.append(svg.text(20, y + 14, groups[group][0], size=14, bold=True))
        tops[row] = y
        y += ROW
    for one in placed:
        body += _bar(one, tops[rows[one.cluster]], unit, now)
    bottom = y + 2
    body.append(now_line(LEFT + unit * now, TOP - 4, bottom))
    body += axis(bottom, unit, steps.trace.horizon)
    states = _states(steps, place)
    told = [_row(one, groups, states.get(one.cluster, "later")) for one in placed[:MOST_TOLD]]
    told += [f"and {counted(len(placed) - MOST_TOLD, 'more cluster')}"] * (len(placed) > MOST_TOLD)
    return framed(
        steps, place, body, bottom + 34, "\n".join(["Clusters of the kernel, as the trace has them:", *told])
    )


def _rows(placed: Sequence[Placed]) -> dict[int, tuple[int, int]]:
    """By cluster, its row: its group, and a lane that is free as long as it stays."""
    busy_until: dict[tuple[int, int], float] = {}
    found = {}
    for one in sorted(placed, key=lambda one: (one.start, one.cluster)):
        lane = 0
        while busy_until.get((one.group, lane), -1.0) > one.start:
            lane += 1
        busy_until[one.group, lane] = one.end
        found[one.cluster] = (one.group, lane)
    return found


def _bar(one: Placed, y: float, unit: float, now: float) -> Iterator[str]:
    """A cluster's stay, with its number on a patch of paper."""
    hue = f"f-hue{one.cluster % len(HUES_LIGHT)}"
    for start, end, later in split(one.start, one.end, now):
        yield faded([svg.rect(LEFT + unit * start, y, unit * (end - start), ROW - 2, hue, 'rx="2"')], later)
    middle, name = LEFT + unit * (one.start + one.end) / 2, str(one.cluster)
    yield svg.rect(middle - 6 - 4 * len(name), y + 1.5, 12 + 8 * len(name), ROW - 5, "f-paper", 'rx="3"')
    yield svg.text(middle, y + 13, name, size=13, anchor="middle", bold=True)


def _states(steps: Steps, place: int) -> dict[int, str]:
    """By cluster, whether it runs or is done after a step; none has an entry that has not started."""
    cluster_of = {stay.block: stay.cluster for stay in steps.stays}
    found = {}
    for event in steps.until(place):
        if event.verb in ("start", "leave"):
            found[cluster_of[event.block]] = "runs" if event.verb == "start" else "done"
    return found


def _row(one: Placed, groups: Sequence[tuple[str, Sequence[int]]], state: str) -> str:
    where = f"in {groups[one.group][0]}, SMs {runs(one.sms)}"
    return f"{state}: cluster {one.cluster} {where}, {one.start:,.0f} to {one.end:,.0f}"
