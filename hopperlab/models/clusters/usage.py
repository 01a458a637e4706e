"""How a schedule spends the time of the card's SMs: busy, or idle and why."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from hopperlab.models.clusters.gpc_map import GpcMap
from hopperlab.models.clusters.state import Event, Placement, idle_cause
from hopperlab.models.clusters.work import Grid


class Interval(NamedTuple):
    """A stretch of time in which nothing changes: SMs with a block, and idle SMs by cause."""

    start: float
    end: float
    busy_sms: int
    idle_sms: dict[str, int]


def intervals(
    gpc_map: GpcMap,
    grids: Sequence[Grid],
    placements: dict[tuple[int, int], Placement],
    events: Sequence[Event],
    horizon: float,
) -> Iterator[Interval]:
    """The stretches of a schedule from time 0 to ``horizon``, in order, without gaps."""
    blocks_on: Counter[int] = Counter()
    busy_in = [0] * len(gpc_map.groups)
    left = {}  # units still to start of each grid in the queue, in its order
    previous = 0.0
    for time, now in groupby(events, key=lambda event: event.time):
        if time > previous:
            yield _interval(previous, time, gpc_map, busy_in, grids, left)
        for _, kind, grid, unit, _ in now:
            if kind == "queued":
                left[grid] = grids[grid].units
            elif kind == "launched":
                _change(placements[grid, unit], 1, blocks_on, busy_in)
                left[grid] -= 1
                if not left[grid]:
                    del left[grid]
            elif kind == "finished":
                _change(placements[grid, unit], -1, blocks_on, busy_in)
        previous = time
    if horizon > previous:
        yield _interval(previous, horizon, gpc_map, busy_in, grids, left)


def _change(placement: Placement, blocks: int, blocks_on: Counter[int], busy_in: list[int]) -> None:
    """Add (1) or remove (-1) a block on each SM of a placement, and count the SMs that turn busy or idle."""
    for sm in placement.sms:
        before = blocks_on[sm]
        blocks_on[sm] = before + blocks
        busy_in[placement.gpc] += (before + blocks > 0) - (before > 0)


def _interval(
    start: float, end: float, gpc_map: GpcMap, busy_in: list[int], grids: Sequence[Grid], left: dict[int, int]
) -> Interval:
    smallest_gpc = grids[next(iter(left))].smallest_gpc if left else 0
    busy = sum(busy_in)
    idle: dict[str, int] = {}
    for sms, in_use in zip(gpc_map.gpc_sm_counts, busy_in, strict=True):
        if sms > in_use:
            cause = idle_cause(sms, smallest_gpc, busy > 0)
            idle[cause] = idle.get(cause, 0) + sms - in_use
    return Interval(start, end, busy, idle)
