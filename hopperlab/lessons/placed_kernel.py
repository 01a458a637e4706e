"""A cluster kernel stepped in the simulator, beside the scheduler's board at the same moment."""

from functools import cached_property, partial
from math import isclose, nextafter

import numpy as np

from hopperlab.chip import chip
from hopperlab.device.simulator.placement import map_of
from hopperlab.device.simulator.run import Run
from hopperlab.kernels.clusters import report_placement
from hopperlab.lessons.controls import stepper
from hopperlab.lessons.panel import Panel
from hopperlab.models.clusters import GpcMap, Grid, Schedule, schedule_grids
from hopperlab.views import clusters as boards
from hopperlab.views import trace as views
from hopperlab.views.picture import Picture
from hopperlab.views.stacked import stacked

STAY = 5_000
"""How long (ns) each block stays: a choice."""

UNIT = "cycles"

ALONE_ON_ITS_SM = 200 * 1024
"""Shared memory (bytes) of a block that leaves no room for another one on its SM."""


class PlacedKernel:
    """So many clusters of `report_placement` on a chip, run in the simulator, and the schedule that places them.

    Parameters
    ----------
    chip
        Its name: see `hopperlab.chip.NAMES`.
    size
        Blocks a cluster.
    clusters
        How many.
    """

    def __init__(self, chip: str, size: int, clusters: int) -> None:
        self.chip_name, self.size, self.clusters = chip, size, clusters

    @cached_property
    def run(self) -> Run:
        """The kernel's run: one thread a block, one block an SM."""
        blocks = self.size * self.clusters
        arrays = np.zeros(blocks, np.uint32), np.zeros(blocks, np.uint64), np.zeros(blocks, np.uint64)
        arguments = (*arrays, np.uint64(STAY))
        return report_placement.simulate(blocks, 1, arguments, ALONE_ON_ITS_SM, self.size, self.chip_name)

    @cached_property
    def steps(self) -> views.Steps:
        """The steps of its trace."""
        return views.Steps(self.run.trace)

    @cached_property
    def card(self) -> GpcMap:
        """The GPCs on which the simulator places blocks of that chip."""
        return map_of(chip(self.chip_name))

    @cached_property
    def groups(self) -> list[tuple[str, tuple[int, ...]]]:
        """The GPCs by name, with their SMs."""
        return [(self.card.name_of(number), sms) for number, sms in enumerate(self.card.groups)]

    @cached_property
    def placed(self) -> list[views.Placed]:
        """Where and when each cluster ran, as the trace has it."""
        return views.clusters_of(self.steps, self.groups)

    @cached_property
    def schedule(self) -> Schedule:
        """What the scheduler of `hopperlab.models.clusters` does with clusters of the lengths that the run had."""
        lengths = tuple(one.end - one.start for one in self.placed)
        return schedule_grids(self.card, Grid(lengths, self.size, name=self.run.kernel))

    def board_step(self, step: int) -> int:
        """How many of the scheduler's events have happened by a step of the kernel."""
        seen = self.steps.until(step)
        happened = {
            kind: sum(event.verb == verb for event in seen) // self.size
            for kind, verb in (("launched", "start"), ("finished", "leave"))
        }
        for number, event in enumerate(self.schedule.events):
            if event.kind in happened:
                happened[event.kind] -= 1
                if happened[event.kind] < 0:
                    return number
        return len(self.schedule.events)

    def board(self, step: int) -> Picture:
        """The scheduler's board at a step of the kernel: of one time, only what has happened by then."""
        cycle, done = self.steps[step].cycle, self.board_step(step)
        events = self.schedule.events
        if isclose(events[done - 1].time, cycle):
            return boards.board(self.schedule, step=done, time_unit=UNIT)
        waits = done < len(events) and (events[done].time <= cycle or isclose(events[done].time, cycle))
        time = nextafter(events[done].time, 0.0) if waits else cycle
        return boards.board(self.schedule, time, time_unit=UNIT)

    def picture(self, step: int) -> Picture:
        """The kernel's clusters over time and, below, the scheduler's board, both at one step."""
        return stacked([views.cluster_chart(self.steps, step, self.groups), self.board(step)])

    def panel(self, name: str) -> Panel:
        """Both, stepped; begins just before the first cluster leaves."""
        step, cause = self.steps.first("leave") - 1, partial(views.cause_place, self.steps)
        return Panel(name, self.picture, height=840, step=stepper("Step", self.steps.last, step, cause))
