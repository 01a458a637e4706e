"""Lesson 06, thread block clusters: its panels and figures.

from hopperlab.lessons import clusters as lesson
"""

from functools import cache

from hopperlab import ledger
from hopperlab.course.clusters import LESSON, measured_map
from hopperlab.course.clusters.card import CARD
from hopperlab.course.clusters.specimens import SPECIMENS
from hopperlab.course.report import Report
from hopperlab.kernels.clusters import report_placement
from hopperlab.lessons.comparison import compared
from hopperlab.lessons.controls import choice, slider
from hopperlab.lessons.panel import Panel
from hopperlab.lessons.placed_kernel import PlacedKernel
from hopperlab.measure.clusters import EXPERIMENTS
from hopperlab.models.clusters import (
    EXAMPLE_MAPS,
    GpcMap,
    Grid,
    Hierarchy,
    Schedule,
    cluster_occupancy,
    max_active_clusters,
    schedule_grids,
)
from hopperlab.views import clusters as views
from hopperlab.views.evidence import Evidence, evidence
from hopperlab.views.picture import Picture

predict, commit, reveal = LESSON.predict, LESSON.commit, LESSON.reveal
panel, quiz, summary = LESSON.panel, LESSON.quiz, LESSON.summary
exercise, check, hint, solution = LESSON.exercise, LESSON.check, LESSON.hint, LESSON.solution

kernel = report_placement
"""The kernel of this lesson; `kernel.source()` shows it."""

BOARD_HEIGHT = 600


@cache
def maps() -> dict[str, GpcMap]:
    """The maps to play on: the measured one first, then examples with their provenance."""
    examples = {f"{name} ({shown.provenance})": shown for name, shown in EXAMPLE_MAPS.items() if name != CARD}
    return {"one H200 (measured)": measured_map(), **examples}


def gpc_map() -> Picture:
    """The SMs of the measured card by GPC, and what stays open."""
    return views.gpc_map(measured_map())


def hierarchy() -> Picture:
    """Grid, cluster, block and thread of one small launch, with one block picked out."""
    return views.hierarchy(
        Hierarchy(grid=(8, 4), block=(8, 8), cluster=(4, 2)), block=(5, 1, 0), thread=(3, 2, 0)
    )


@cache
def _two_waves(card: GpcMap, size: int, blocks_per_sm: int, clusters: int) -> tuple[Schedule, Schedule]:
    """So many clusters of equal length, and the same work as plain blocks."""
    work = Grid((10.0,) * clusters, size, blocks_per_sm, name="stencil")
    return schedule_grids(card, work), schedule_grids(card, work.as_plain_blocks())


def _board(card: GpcMap, size: int, blocks_per_sm: int, waves: float, time: int) -> Picture:
    at_once = cluster_occupancy(card.gpc_sm_counts, size, blocks_per_sm).clusters
    if not at_once:
        raise ValueError(
            f"cluster size {size} fits no GPC of {card.name}: the largest has {max(card.gpc_sm_counts)} SMs"
        )
    schedule, plain = _two_waves(card, size, blocks_per_sm, max(1, round(waves * at_once)))
    return views.board(schedule, min(time, schedule.horizon), plain=plain)


def board() -> Panel:
    """Clusters on a card: size, blocks an SM, how much work, and time."""
    return Panel(
        "clusters.board",
        _board,
        height=BOARD_HEIGHT,
        card=choice("Card", maps()),
        size=slider("Cluster size", 1, 16, 5, unit="blocks"),
        blocks_per_sm=slider("Blocks that fit an SM", 1, 4, 1),
        waves=slider("Work", 0.5, 3.0, 1.5, step=0.25, unit="times what fits at once"),
        time=slider("Time", 0, 40, 0, unit="µs"),
    )


@cache
def _measured_counts(blocks_per_sm: int) -> dict[int, int]:
    """What the driver of the recorded card answered, by cluster size."""
    recording = ledger.recordings("cluster_occupancy", card=CARD)[0]
    return {
        size: clusters
        for policy, size, blocks, clusters, _ in recording.results["answers"]
        if policy == 0 and blocks == blocks_per_sm
    }


def _curve(card: GpcMap, blocks_per_sm: int) -> Picture:
    measured = _measured_counts(blocks_per_sm) if card.provenance == "measured" else None
    return views.occupancy_curve(card.gpc_sm_counts, blocks_per_sm, measured, card.name)


def curve() -> Picture:
    """Clusters at once against cluster size on the measured card, one block an SM."""
    return _curve(measured_map(), 1)


def curves() -> Panel:
    """The occupancy curve for other cards and other blocks per SM."""
    return Panel(
        "clusters.curve",
        _curve,
        height=520,
        card=choice("Card", maps()),
        blocks_per_sm=slider("Blocks that fit an SM", 1, 8, 2),
    )


@cache
def placed() -> PlacedKernel:
    """The kernel in the simulator: fifteen clusters of 10 on a card that runs seven at once."""
    return PlacedKernel("H100 PCIe", size=10, clusters=15)


def steps() -> Panel:
    """The kernel in the simulator, one event at a time, beside the scheduler's board."""
    return placed().panel("clusters.steps")


def specimens() -> Panel:
    """Launches that go wrong, each with what the scheduler finds."""
    return Panel(
        "clusters.specimens",
        lambda specimen, time: specimen.picture(time),
        height=BOARD_HEIGHT + 140,
        specimen=choice("Specimen", {specimen.name: specimen for specimen in SPECIMENS}),
        time=slider("Time", 0, 20, 10, unit="µs"),
    )


def silicon() -> Picture:
    """Quoted, modelled and measured: clusters at once on the cards that anybody has reported."""
    counts = measured_map().gpc_sm_counts
    measured = _measured_counts(1)
    rows = [
        Evidence(
            f"clusters of {size}, one H200",
            modelled=max_active_clusters(counts, size),
            measured=measured[size],
            card=CARD,
        )
        for size in (2, 4, 5, 8, 10, 16)
    ]
    quoted = ledger.claim("lit-006")
    rows.append(Evidence("clusters of 8, an H100 of 132 SMs", quoted=quoted.value / 8, source=quoted.id))
    return evidence(
        rows,
        title="Clusters at once, one block an SM",
        unit="clusters",
        note="The quoted card is another one than the measured card: its GPCs may differ.",
    )


def audit() -> Report:
    """The model against every recording of the lesson's experiments: configurations compared, mismatches."""
    return compared(EXPERIMENTS, card=CARD)


LESSON.panels = {"board": board, "curve": curves, "steps": steps, "specimens": specimens}
