"""The card at one moment of a schedule: what runs, what waits and why, which SMs stand idle."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from hopperlab.models.clusters.gpc_map import GpcMap
from hopperlab.models.clusters.work import Grid

SMALL_GPC = "GPC smaller than the cluster"
LEFT_OVER = "too few left in the GPC"
TAIL = "nothing waits: tail"
NO_WORK = "nothing runs"

IDLE_CAUSES = (SMALL_GPC, LEFT_OVER, TAIL, NO_WORK)
"""Why an SM stands idle. With the first two it is stranded: work waits and cannot use it."""


class Placement(NamedTuple):
    """One unit's stay on the card, from ``start`` up to but not including ``end``.

    ``grid`` is the grid's number in the schedule, ``unit`` the cluster's or block's in its grid, ``gpc`` the
    group of SMs and ``sms`` the SM of each of its blocks. ``end`` is infinite for one that never finishes.
    """

    grid: int
    unit: int
    gpc: int
    sms: tuple[int, ...]
    start: float
    end: float


class Event(NamedTuple):
    """One thing that happened: a grid was ``queued``; a unit was ``launched``, ``refused`` or ``finished``.

    ``reason`` says why a refused unit has to wait; ``unit`` is None for a grid that was queued.
    """

    time: float
    kind: str
    grid: int
    unit: int | None
    reason: str = ""


class Waiting(NamedTuple):
    """Units of one grid in the queue: ``count`` of them from unit ``first`` on."""

    grid: int
    first: int
    count: int


@dataclass(frozen=True)
class State:
    """The card after some of a schedule's events.

    Attributes
    ----------
    time
        When.
    running
        What is on the card, in launch order.
    waiting
        The queue; its first unit is the head.
    reason
        Why the head has to wait; empty where nothing waits or the head has not been tried since.
    finished
        Units done.
    idle_sms
        Each SM without a block, in the map's order, with its cause; "" while the head is untried.
    """

    time: float
    running: tuple[Placement, ...]
    waiting: tuple[Waiting, ...]
    reason: str
    finished: int
    idle_sms: dict[int, str]

    @property
    def units_waiting(self) -> int:
        """Units in the queue."""
        return sum(grid.count for grid in self.waiting)

    @property
    def stranded_sms(self) -> tuple[int, ...]:
        """SMs that stand idle although work waits."""
        return tuple(sm for sm, cause in self.idle_sms.items() if cause in (SMALL_GPC, LEFT_OVER))


def idle_cause(sms_in_gpc: int, smallest_gpc: int, anything_runs: bool) -> str:
    """Why an SM without a block stands idle.

    ``smallest_gpc`` is how many SMs the unit at the head of the queue needs in a GPC, 0 where nothing waits.
    """
    if smallest_gpc > sms_in_gpc:
        return SMALL_GPC
    if smallest_gpc:
        return LEFT_OVER
    return TAIL if anything_runs else NO_WORK


def replay(
    gpc_map: GpcMap,
    grids: Sequence[Grid],
    placements: dict[tuple[int, int], Placement],
    events: Sequence[Event],
    time: float,
) -> State:
    """The state after ``events``, which begin with the schedule's first; ``placements`` by grid and unit."""
    queue: dict[int, Waiting] = {}
    running: dict[tuple[int, int], Placement] = {}
    reasons: dict[int, str] = {}
    finished = 0
    for _, kind, grid, unit, reason in events:
        if kind == "queued":
            queue[grid] = Waiting(grid, 0, grids[grid].units)
        elif kind == "refused":
            reasons[grid] = reason
        elif kind == "launched":
            running[grid, unit] = placements[grid, unit]
            _, first, count = queue[grid]
            queue[grid] = Waiting(grid, first + 1, count - 1)
            if count == 1:
                del queue[grid]
        else:
            del running[grid, unit]
            finished += 1
            reasons.clear()  # there is room again: whoever waits is tried anew
    placed, waiting = tuple(running.values()), tuple(queue.values())
    reason = reasons.get(waiting[0].grid, "") if waiting else ""
    smallest_gpc = grids[waiting[0].grid].smallest_gpc if waiting else 0
    busy = {sm for placement in placed for sm in placement.sms}
    untried = bool(waiting) and not reason
    idle = {
        sm: "" if untried else idle_cause(len(group), smallest_gpc, bool(placed))
        for group in gpc_map.groups
        for sm in group
        if sm not in busy
    }
    return State(time, placed, waiting, reason, finished, idle)
