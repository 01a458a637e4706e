"""Lesson 08, asynchronous barriers: its panels and figures.

from hopperlab.lessons import barriers as lesson
"""

from functools import cache
from typing import Any

import numpy as np

from hopperlab import ledger
from hopperlab.course.barriers import LESSON
from hopperlab.course.barriers.specimens import SPECIMENS
from hopperlab.course.barriers.work import AFTER, NEEDED, OWN
from hopperlab.course.report import Report, Table
from hopperlab.device.simulator.timing import Costs
from hopperlab.kernels.overlap import share_apart, share_at_once
from hopperlab.lessons.barrier_machine import barrier_machine
from hopperlab.lessons.comparison import compared
from hopperlab.lessons.controls import choice, slider, stepper
from hopperlab.lessons.panel import EventPanel, Panel
from hopperlab.measure.barriers import EXPERIMENTS
from hopperlab.models.barriers import arrive_then_wait, syncthreads
from hopperlab.views import barriers as views
from hopperlab.views.evidence import Evidence, evidence
from hopperlab.views.picture import Picture

predict, commit, reveal = LESSON.predict, LESSON.commit, LESSON.reveal
panel, quiz, summary = LESSON.panel, LESSON.quiz, LESSON.summary
exercise, check, hint, solution = LESSON.exercise, LESSON.check, LESSON.hint, LESSON.solution

kernel, joint = share_apart, share_at_once
"""The kernels of this lesson; `kernel.source()` shows one."""

CARD = "H200 SXM"
KERNELS = {"arrive, work, wait": share_apart, "syncthreads": share_at_once}
LONGEST_RING = 6
LAST_ITERATION = 23


def _overlap(**work: int) -> Picture:
    needed = [work[f"needed{thread}"] for thread in range(len(NEEDED))]
    own = [work[f"own{thread}"] for thread in range(len(OWN))]
    return views.overlap(needed, own, AFTER)


def overlap() -> Panel:
    """Four threads: the work of each that others need, and the work that is its own."""
    needed = {
        f"needed{thread}": slider(f"Thread {thread}: needed by others", 0, 12, work, unit="units")
        for thread, work in enumerate(NEEDED)
    }
    own = {
        f"own{thread}": slider(f"Thread {thread}: its own", 0, 12, work, unit="units")
        for thread, work in enumerate(OWN)
    }
    return Panel("barriers.overlap", _overlap, height=560, **needed, **own)


def machine() -> EventPanel:
    """A barrier of three arrivals, worked by buttons."""
    words = {
        "arrive": ("arrive", 1),
        "arrive twice": ("arrive", 2),
        "arrive and leave": ("arrive_drop", 1),
        "wait for parity 0": ("test_wait", 0),
        "wait for parity 1": ("test_wait", 1),
    }
    return barrier_machine("barriers.machine", 3, words)


def parities() -> Panel:
    """A ring of buffers: stage, lap and parity of every iteration."""
    return Panel(
        "barriers.parities",
        lambda stages, iteration: views.parities(stages, iteration),
        height=330,
        stages=slider("Stages", 1, LONGEST_RING, 3),
        iteration=stepper("Iteration", LAST_ITERATION, 4),
    )


def spinning() -> Panel:
    """How often waiting warps look at the barrier when they spin, and when they sleep."""
    limit = ledger.claim("lit-117").value
    return Panel(
        "barriers.spinning",
        lambda waited, every, warps: views.spin_and_sleep(waited, every, limit, warps),
        height=250,
        waited=slider("Waiting", 100, 20_000, 2_000, step=100, unit="cycles"),
        every=slider("A spinning warp looks every", 10, 200, 110, step=10, unit="cycles"),
        warps=slider("Warps that wait", 1, 63, 40),
    )


def figure() -> Picture:
    """The block that the predictions ask about, both ways."""
    return views.overlap(NEEDED, OWN, AFTER)


@cache
def _run(way: str) -> Any:
    """Run a kernel on four threads; a unit of work is one element to add."""

    def part(work: tuple[int, ...]) -> tuple[np.ndarray, np.ndarray]:
        return np.ones(sum(work), np.float32), np.cumsum([0, *work]).astype(np.int32)

    arguments = (*part(NEEDED), *part(OWN), np.zeros(len(OWN), np.float32))
    return KERNELS[way].simulate(1, len(OWN), arguments)


@cache
def _lanes(way: str) -> views.Lanes:
    return views.Lanes(_run(way).trace, [(0, thread) for thread in range(len(OWN))])


def _steps(way: str, step: int) -> Picture:
    lanes = _lanes(way)
    return views.timeline(lanes, min(step, len(lanes.steps) - 1))


def steps() -> Panel:
    """Both kernels in the simulator, one event after another."""
    return Panel(
        "barriers.steps",
        _steps,
        height=400,
        way=choice("Kernel", KERNELS.keys()),
        step=stepper("Event", 30, 14),
    )


def specimens() -> Panel:
    """Broken kernels, each run in the simulator when it is chosen."""
    return Panel(
        "barriers.specimens",
        lambda specimen: specimen.picture(),
        height=820,
        specimen=choice("Specimen", {specimen.name: specimen for specimen in SPECIMENS}),
    )


def silicon() -> Picture:
    """Quoted, modelled and measured: what arriving, waiting and syncthreads cost."""
    costs = Costs()
    limit = _looks()["sleep"]
    rows = [
        _cost("syncthreads of 1 warp (A100)", "lit-150.a", round(costs.meeting("syncthreads", 32))),
        _cost("syncthreads of 32 warps (A100)", "lit-150.b", round(costs.meeting("syncthreads", 1024))),
        _cost("arrive (H200 NVL)", "lit-114", round(costs.word("mbarrier.arrive"))),
        _cost("wait that is true (H200 NVL)", "lit-115", round(costs.word("mbarrier.wait"))),
        _cost("wait that is false, until its limit (H200 NVL)", "lit-117", None, limit),
    ]
    note = (
        "Modelled: the simulator's costs, set by what kernels that repeat one thing took on an NVIDIA H200. "
        f"Measured on an {CARD}."
    )
    return evidence(rows, title="Cycles of arriving and waiting", unit="cycles", logarithmic=True, note=note)


def _cost(label: str, claim: str, modelled: float | None, measured: float | None = None) -> Evidence:
    card = CARD if measured else ""
    quoted = ledger.claim(claim).value
    return Evidence(label, quoted=quoted, source=claim, modelled=modelled, measured=measured, card=card)


def _found() -> dict[str, Any]:
    return ledger.recordings("barrier_overlap", card=CARD)[0].results


def _looks() -> dict[str, float | None]:
    """The cycles of one look that failed, by the way of waiting, beside the most waiting warps."""
    return {way: each for way, *_, each in _found()["waiting"]}


def saving() -> Picture:
    """Measured and modelled: the lesson's block with a warp for each thread, apart and with syncthreads."""
    modelled = arrive_then_wait(NEEDED, OWN, AFTER).finishes / syncthreads(NEEDED, OWN, AFTER).finishes
    return views.saving([tuple(row) for row in _found()["same_work"]], modelled, CARD)


def slowdown() -> Picture:
    """Measured: what warps that spin, sleep or have left cost those that compute."""
    slower: dict[str, dict[int, float]] = {}
    for way, waiters, _, times, *_ in _found()["waiting"]:
        slower.setdefault(way, {})[waiters] = times
    return views.slowdown(slower, _looks(), CARD)


def simulated() -> Report:
    """Both kernels in the simulator: cycles, and the sums that must be equal."""
    rows = [
        [way, f"{_run(way).cycles:,.0f}", str(_run(way)["sums"].tolist()), str(len(_run(way).findings))]
        for way in KERNELS
    ]
    return Report(Table(["kernel", "cycles, modelled", "sums", "findings"], rows))


def audit() -> Report:
    """The model against every recording of the barriers' experiments: operations compared, mismatches."""
    return compared(EXPERIMENTS)


LESSON.panels = {
    "overlap": overlap,
    "machine": machine,
    "parities": parities,
    "spinning": spinning,
    "steps": steps,
    "specimens": specimens,
}
