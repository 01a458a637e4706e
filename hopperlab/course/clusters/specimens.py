"""Launches that go wrong, kept to be looked at: each with its finding, computed by the scheduler, and a cure."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from hopperlab.chip import chip
from hopperlab.course.clusters.card import CARD, measured_map
from hopperlab.models.clusters import GpcMap, Grid, Hierarchy, Schedule, map_from_sizes, schedule_grids
from hopperlab.views import clusters as views
from hopperlab.views.finding import finding
from hopperlab.views.picture import Picture


@dataclass(frozen=True)
class Specimen:
    """One launch that goes wrong.

    Parameters
    ----------
    name
        What is wrong, in a few words.
    launch
        The launch in a sentence.
    card
        A function that gives the card it runs on.
    grid
        A function that gives the grid; a ValueError from it, or from the scheduler, is the finding.
    cure
        What to do, in a sentence.
    """

    name: str
    launch: str
    card: Callable[[], GpcMap]
    grid: Callable[[], Grid]
    cure: str

    @cached_property
    def _outcome(self) -> tuple[Schedule | None, str]:
        try:
            schedule = schedule_grids(self.card(), self.grid())
        except ValueError as refused:
            return None, f"refused: {refused}"
        return schedule, schedule.hang or _tail_in_words(schedule)

    @property
    def schedule(self) -> Schedule | None:
        """What the scheduler did; None where the launch was refused."""
        return self._outcome[0]

    @property
    def finding(self) -> str:
        """What went wrong, in the scheduler's words."""
        return self._outcome[1]

    def picture(self, time: float) -> Picture:
        """The card at a time of the launch, under the finding; only the card where nothing could start."""
        if self.schedule is None:
            shown = views.gpc_map(self.card())
        else:
            shown = views.board(self.schedule, min(time, self.schedule.horizon))
        return finding(self.name, self.launch, f"{self.finding}.", self.cure, shown)


def _tail_in_words(schedule: Schedule) -> str:
    start, length = schedule.tail
    state = schedule.state_at(start)
    busy = schedule.gpc_map.sms - len(state.idle_sms)
    return (
        f"the last wave runs {len(state.running)} of {schedule.grids[0].units} clusters on {busy} of "
        f"{schedule.gpc_map.sms} SMs for {length:g} of {schedule.makespan:g} µs"
    )


def _too_large_for_cuda() -> Grid:
    Hierarchy(grid=34, block=256, cluster=17, non_portable=True, chip=chip(CARD))
    raise AssertionError("a cluster of 17 must be refused")


SPECIMENS = (
    Specimen(
        "A tail that strands a GPC",
        "8 clusters of 16 blocks where 7 fit at once.",
        measured_map,
        lambda: Grid((10.0,) * 8, cluster_size=16, name="stencil"),
        "Choose the grid as a multiple of what fits at once, or smaller clusters for a shorter tail.",
    ),
    Specimen(
        "A cluster of 17",
        "34 blocks in clusters of 17.",
        measured_map,
        _too_large_for_cuda,
        "16 is the largest cluster of this chip, and 8 the largest that needs no opt-in.",
    ),
    Specimen(
        "A cluster that never launches",
        "Clusters of 10 blocks on a slice of a card whose GPC has 8 SMs.",
        lambda: map_from_sizes((8,), name="a slice of one GPC of 8 SMs"),
        lambda: Grid((10.0,) * 4, cluster_size=10, name="stencil"),
        "Ask cuOccupancyMaxActiveClusters before the launch, and choose a size with at least one place.",
    ),
    Specimen(
        "A grid that waits for itself",
        "133 plain blocks, one an SM; each spins until all 133 have raised a flag.",
        measured_map,
        lambda: Grid((10.0,) * 133, name="spinning grid", waits_for_itself=True),
        "Wait only within a cluster, whose blocks are placed together, or use a cooperative launch that fits.",
    ),
)
