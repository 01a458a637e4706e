"""Notebook 00: the tour, and the card (or none) that this is.

from hopperlab.lessons import start_here as lesson
"""

from functools import cache

from hopperlab import ledger
from hopperlab.course.clusters import measured_map
from hopperlab.course.clusters.card import CARD
from hopperlab.course.report import Report
from hopperlab.course.start_here import LESSON
from hopperlab.device.simulator.run import Run
from hopperlab.kernels.specimens import kernel_of, wrong_arrival_count
from hopperlab.lessons.controls import slider
from hopperlab.lessons.panel import Panel
from hopperlab.lessons.placed_kernel import PlacedKernel
from hopperlab.lessons.stepping import stepped
from hopperlab.models.clusters import Grid, max_active_clusters, schedule_grids
from hopperlab.views import clusters as views
from hopperlab.views.evidence import Evidence, evidence
from hopperlab.views.picture import Picture
from hopperlab.views.trace import Steps

predict, commit, reveal = LESSON.predict, LESSON.commit, LESSON.reveal
panel, summary = LESSON.panel, LESSON.summary


def _full_card(size: int) -> Picture:
    card = measured_map()
    at_once = max_active_clusters(card.gpc_sm_counts, size)
    return views.board(schedule_grids(card, Grid((10.0,) * (2 * at_once), size, name="work")))


def stranded() -> Panel:
    """A card full of clusters, and the SMs that they strand."""
    size = slider("Cluster size", 1, 16, 5, unit="blocks")
    return Panel("start_here.stranded", _full_card, height=600, size=size)


broken = kernel_of(wrong_arrival_count)
"""A kernel that hangs; `broken.source()` shows it."""


@cache
def hang() -> Run:
    """The broken kernel, run in the simulator: it is stopped, and told who waits for what."""
    grid, block, arguments, options = wrong_arrival_count.launch(0)
    return broken.simulate(grid, block, arguments, trace="accesses", **options)


def hang_steps() -> Panel:
    """The same run, stepped; begins where threads begin to wait for what never comes."""
    first = Steps(hang().trace).first("wait")
    return stepped("start_here.hang", hang(), step=first, height=400)


@cache
def placed() -> PlacedKernel:
    """A kernel that works, in the simulator: thirty clusters of 5 on the card above."""
    return PlacedKernel(CARD, size=5, clusters=30)


def placed_steps() -> Panel:
    """It and the scheduler that placed its clusters, stepped."""
    return placed().panel("start_here.placed")


def measurement() -> Picture:
    """A published count of busy SMs, our model of it, and what one H200 did."""
    quoted = ledger.claim("lit-006")
    size = 8
    placed = ledger.recordings("cluster_placement", card=CARD)[0]
    measured = next(
        clusters
        for policy, blocks, at, clusters in placed.results["at_once"]
        if (policy, blocks, at) == ("default", 1, size)
    )
    row = Evidence(
        "SMs busy, clusters of 8",
        quoted=quoted.value,
        modelled=max_active_clusters(measured_map().gpc_sm_counts, size) * size,
        measured=measured * size,
        source=quoted.id,
        card=f"{placed.card_name}, driver {placed.software['driver']}, {placed.date:%Y-%m-%d}",
    )
    return evidence(
        [row],
        title="Clusters of 8 leave some of 132 SMs idle",
        unit="SMs",
        note="Quoted from another card, an H100 with 132 SMs: both have 15 places for clusters of 8.",
    )


def card() -> Report:
    """The Hopper card of this machine, or what stands in for it."""
    from hopperlab.device.silicon.card import NoHopper
    from hopperlab.device.silicon.card import card as found

    try:
        here = found()
    except NoHopper as reason:
        plain = str(reason).partition(" (")[0]
        return Report(f"Here: {plain}.", "Models run as they are; figures show recordings of real cards.")
    return Report(f"Here: {here.name} with {here.sms} SMs. Kernels run on it, and you can measure anew.")


LESSON.panels = {"stranded": stranded, "hang": hang_steps, "placed": placed_steps}
