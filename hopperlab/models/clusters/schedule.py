"""What a scheduler did: placements and events, the card's state at any time or step, and what it cost."""

from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from functools import cached_property
from math import inf

from hopperlab.models.arguments import finite_number, whole_number
from hopperlab.models.clusters.gpc_map import GpcMap
from hopperlab.models.clusters.state import IDLE_CAUSES, Event, Placement, State, replay
from hopperlab.models.clusters.usage import Interval, intervals
from hopperlab.models.clusters.work import Grid


@dataclass(frozen=True)
class Schedule:
    """The course of some grids on a card, from ``schedule_grids``.

    Attributes
    ----------
    gpc_map, grids
        The card and the work.
    placements
        Every unit that ran, in launch order.
    events
        All that happened, in order.
    overtaking
        Whether later grids might pass one whose next unit had no room.
    hang
        Empty, or why the rest never finishes.
    """

    gpc_map: GpcMap
    grids: tuple[Grid, ...]
    placements: tuple[Placement, ...]
    events: tuple[Event, ...]
    overtaking: bool = False
    hang: str = ""

    # What it cost

    @property
    def makespan(self) -> float:
        """When the last unit finishes; infinite if some never does."""
        return inf if self.hang else self.events[-1].time

    @cached_property
    def horizon(self) -> float:
        """A finite end for a time axis: the makespan, or some time after the last event of a hang."""
        last = self.events[-1].time
        return last + max(max(grid.durations) for grid in self.grids) if self.hang else last

    @cached_property
    def intervals(self) -> tuple[Interval, ...]:
        """The stretches of time, up to the horizon, between which something changes."""
        return tuple(intervals(self.gpc_map, self.grids, self._placement_of, self.events, self.horizon))

    @property
    def busy_sm_time(self) -> float:
        """Time that SMs hold at least one block, summed over SMs, up to the horizon."""
        return sum(span.busy_sms * (span.end - span.start) for span in self.intervals)

    @cached_property
    def idle_sm_time(self) -> dict[str, float]:
        """Time that SMs hold no block, summed over SMs, up to the horizon, by each of ``IDLE_CAUSES``."""
        totals = dict.fromkeys(IDLE_CAUSES, 0.0)
        for span in self.intervals:
            for cause, sms in span.idle_sms.items():
                totals[cause] += sms * (span.end - span.start)
        return totals

    @property
    def utilization(self) -> float:
        """Share of all SM time, up to the horizon, in which an SM holds at least one block: 0 to 1."""
        return self.busy_sm_time / (self.busy_sm_time + sum(self.idle_sm_time.values()))

    @property
    def tail(self) -> tuple[float, float]:
        """When the last unit starts, and how long the card then drains."""
        start = self.placements[-1].start
        return start, self.horizon - start

    # Time and steps

    @cached_property
    def times(self) -> tuple[float, ...]:
        """The times at which something happens, each once, in order."""
        return tuple(dict.fromkeys(event.time for event in self.events))

    def next_time(self, time: float) -> float:
        """The first time after ``time`` at which something happens; the last one if there is none."""
        return self.times[min(bisect_right(self.times, time), len(self.times) - 1)]

    def previous_time(self, time: float) -> float:
        """The last time before ``time`` at which something happens; the first one if there is none."""
        return self.times[max(bisect_left(self.times, time) - 1, 0)]

    def state_at(self, time: float) -> State:
        """The card at ``time``, after everything that happens then; ValueError for a time below zero."""
        finite_number("time", time, at_least=0)
        step = bisect_right(self.events, time, key=lambda event: event.time)
        return self._state(step, time)

    def state_after(self, step: int) -> State:
        """The card after the first ``step`` events, 0 to all of them: a step forward or back is one event."""
        whole_number("step", step, 0, len(self.events))
        return self._state(step, self.events[max(step - 1, 0)].time)

    def _state(self, step: int, time: float) -> State:
        return replay(self.gpc_map, self.grids, self._placement_of, self.events[:step], time)

    @cached_property
    def _placement_of(self) -> dict[tuple[int, int], Placement]:
        return {(placement.grid, placement.unit): placement for placement in self.placements}

    # Words

    def name_of(self, grid: int, unit: int) -> str:
        """What a unit is called: ``Cluster 3``, or ``Cluster 3 of halo`` where there are several grids."""
        name = f"{self.grids[grid].unit_name} {unit}".capitalize()
        return name if len(self.grids) == 1 else f"{name} of {self.grids[grid].name}"

    def describe(self, event: Event) -> str:
        """An event in a sentence."""
        grid = self.grids[event.grid]
        if event.kind == "queued":
            return f"{grid.name}: {grid.units} {grid.unit_name}s join the queue."
        name = self.name_of(event.grid, event.unit)
        if event.kind == "refused":
            return f"{name} waits: it {event.reason}."
        placement = self._placement_of[event.grid, event.unit]
        where = (
            f"on SM {placement.sms[0]}"
            if grid.cluster_size == 1
            else f"in {self.gpc_map.name_of(placement.gpc)}"
        )
        return f"{name} {'starts' if event.kind == 'launched' else 'finishes'} {where}."
