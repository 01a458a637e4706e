"""A gang scheduler: places plain blocks and clusters on a card, event by event.

What is quoted: all blocks of a cluster start together or none does, in one GPC (talk-027, talk-029). What is
assumed, for nothing public says: units of a grid start in order, grids queue in the order in which they
reach the card, and nothing passes the head of the queue. ``overtaking=True`` lets the next grid try when
the head has no room, as another stream's may. ``hopperlab.models.clusters.places`` says which SMs are
taken. An SM is shared by fractions: a block that fits ``n`` times takes 1/n of it. Launching costs no time.
"""

import heapq
from collections.abc import Sequence
from math import inf, lcm

from hopperlab.models.clusters.gpc_map import GpcMap, map_from_sizes
from hopperlab.models.clusters.places import Places, Seats
from hopperlab.models.clusters.schedule import Schedule
from hopperlab.models.clusters.state import Event, Placement
from hopperlab.models.clusters.work import Grid

FINISH, ARRIVE = 0, 1  # the order of events at one time; both come before anything is placed


def schedule_grids(
    gpc_map: GpcMap | Sequence[int], grids: Grid | Sequence[Grid], *, overtaking: bool = False
) -> Schedule:
    """Run ``grids`` on an empty card and return all that happened.

    Parameters
    ----------
    gpc_map
        The card, or only the SMs of each of its GPCs.
    grids
        One launch or several, in the order in which the program makes them.
    overtaking
        Whether a later grid may start when the one before it waits for room.

    Returns
    -------
    Schedule
        Deterministic. A grid that waits for itself without room for all of it ends the schedule with a
        ``hang`` that says why; nothing loops.

    Raises
    ------
    ValueError
        For a cluster larger than every GPC of the card, which could never start, and for no grids at all.
    """
    card = gpc_map if isinstance(gpc_map, GpcMap) else map_from_sizes(gpc_map)
    work = (grids,) if isinstance(grids, Grid) else tuple(grids)
    if not work:
        raise ValueError("grids=() must hold at least one grid")
    largest = max(card.gpc_sm_counts)
    for grid in work:
        if grid.smallest_gpc > largest:
            most = largest * (grid.places_per_sm if grid.policy == "load balancing" else 1)
            raise ValueError(
                f"cluster_size={grid.cluster_size} of {grid.name!r} never starts: the largest GPC of "
                f"{card.name!r} has {largest} SMs; allowed 1 to {most}"
            )
    return _Scheduler(card, work, overtaking).run()


class _Scheduler:
    """One run: a heap of what will happen, a queue of grids, and the card's places."""

    def __init__(self, card: GpcMap, grids: tuple[Grid, ...], overtaking: bool) -> None:
        self.card, self.grids, self.overtaking = card, grids, overtaking
        capacity = lcm(*(grid.places_per_sm for grid in grids))
        self.places = Places(card, capacity)
        self.shares = [capacity // grid.places_per_sm for grid in grids]
        self.queue: list[int] = []  # grids with units left to start, in the order they came
        self.started = [0] * len(grids)
        self.finished = [0] * len(grids)
        self.seats: dict[tuple[int, int], Seats] = {}
        self.starts: dict[tuple[int, int], float] = {}
        self.ends: dict[tuple[int, int], float] = {}
        self.events: list[Event] = []
        self.heap: list[tuple[float, int, int, int]] = []  # time, FINISH or ARRIVE, grid, unit
        self.streams: dict[int, list[int]] = {}
        for number, grid in enumerate(grids):
            self.streams.setdefault(grid.stream, []).append(number)

    def run(self) -> Schedule:
        for numbers in self.streams.values():
            self._release(numbers.pop(0), 0.0)
        while self.heap:
            time = self.heap[0][0]
            while self.heap and self.heap[0][0] == time:
                _, kind, grid, unit = heapq.heappop(self.heap)
                if kind == FINISH:
                    self._finish(time, grid, unit)
                else:
                    self.events.append(Event(time, "queued", grid, None))
                    self.queue.append(grid)
            self._place(time)
        placements = tuple(
            Placement(*unit, *self.seats[unit], start, self.ends.get(unit, inf))
            for unit, start in self.starts.items()
        )
        events = tuple(self.events)
        return Schedule(self.card, self.grids, placements, events, self.overtaking, self._hang())

    def _release(self, grid: int, time: float) -> None:
        heapq.heappush(self.heap, (max(time, self.grids[grid].ready), ARRIVE, grid, 0))

    def _finish(self, time: float, grid: int, unit: int) -> None:
        self.places.take(self.seats[grid, unit], -self.shares[grid])
        self.events.append(Event(time, "finished", grid, unit))
        self.finished[grid] += 1
        if self.finished[grid] == self.grids[grid].units:
            stream = self.streams[self.grids[grid].stream]
            if stream:
                self._release(stream.pop(0), time)

    def _place(self, time: float) -> None:
        """Start what finds room, in the queue's order, and note why the rest is refused for now."""
        refused = []
        for grid in tuple(self.queue):
            while self.started[grid] < self.grids[grid].units and self._start(time, grid):
                pass
            if self.started[grid] == self.grids[grid].units:
                self.queue.remove(grid)
                continue
            refused.append(grid)
            if not self.overtaking:
                break
        for grid in refused:
            launch = self.grids[grid]
            reason = self.places.why_not(launch.cluster_size, self.shares[grid], launch.smallest_gpc)
            self.events.append(Event(time, "refused", grid, self.started[grid], reason))

    def _start(self, time: float, grid: int) -> bool:
        """Start the grid's next unit, all of it or none; False where there is no room."""
        launch, share, unit = self.grids[grid], self.shares[grid], self.started[grid]
        seats = self.places.find(launch.cluster_size, share, launch.smallest_gpc)
        if seats is None:
            return False
        self.places.take(seats, share)
        self.seats[grid, unit] = seats
        self.starts[grid, unit] = time
        self.events.append(Event(time, "launched", grid, unit))
        self.started[grid] += 1
        if not launch.waits_for_itself:
            self._end_at(time, grid, unit)
        elif self.started[grid] == launch.units:
            for waiting_unit in range(launch.units):
                self._end_at(time, grid, waiting_unit)
        return True

    def _end_at(self, start: float, grid: int, unit: int) -> None:
        end = start + self.grids[grid].durations[unit]
        self.ends[grid, unit] = end
        heapq.heappush(self.heap, (end, FINISH, grid, unit))

    def _hang(self) -> str:
        """Why units are left although nothing more will happen; empty where none are."""
        spinning = [
            number
            for number, grid in enumerate(self.grids)
            if grid.waits_for_itself and 0 < self.started[number] < grid.units
        ]
        if not spinning:
            return ""
        grid, started = self.grids[spinning[0]], self.started[spinning[0]]
        return (
            f"{grid.name} hangs: its {started} running {grid.unit_name}s wait for the other "
            f"{grid.units - started}, which wait for their places"
        )
