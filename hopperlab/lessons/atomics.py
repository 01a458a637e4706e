"""Lesson 19, atomics: its panels and figures.

from hopperlab.lessons import atomics as lesson
"""

import inspect
from collections.abc import Mapping

import numpy as np

from hopperlab import ledger
from hopperlab.course.atomics import LESSON, recorded
from hopperlab.course.atomics.recorded import CARD, CLUSTER, GLOBAL, ONE_WARP, THIRD_BLOCK, TWO_WARPS
from hopperlab.course.atomics.specimens import SPECIMENS
from hopperlab.course.report import Report, Table
from hopperlab.kernels import atomics as kernels
from hopperlab.lessons.comparison import compared
from hopperlab.lessons.controls import choice, slider
from hopperlab.lessons.panel import Panel
from hopperlab.measure.atomics import ATOMIC_ADDITIONS, HAND_OFF
from hopperlab.models import atomics as model
from hopperlab.views import atomics as views
from hopperlab.views.evidence import Evidence, evidence
from hopperlab.views.picture import Picture

predict, commit, reveal = LESSON.predict, LESSON.commit, LESSON.reveal
panel, quiz, summary = LESSON.panel, LESSON.quiz, LESSON.summary
exercise, check, hint, solution = LESSON.exercise, LESSON.check, LESSON.hint, LESSON.solution

SMS = len(recorded.matrix())
SHOWN_CYCLES = 1800  # of every ladder, so that places can be compared
IN_SHARED = model.PAUSE_IN_SHARED_CYCLES
PLACES = {
    "global memory": (GLOBAL, 0.0),
    "cluster": (CLUSTER, model.CLUSTER_CYCLES),
    "shared memory, two warps": (TWO_WARPS, model.SHARED_CYCLES),
}
"""For each place: its name in the recording, and the cycles of a trip; in global memory these depend on the SM."""


def _distance(sm: int) -> tuple[str, float]:
    if sm in recorded.near_sms():
        return "near", model.NEAR_CYCLES
    return "far", model.FAR_CYCLES


def _ladder(place: str, first: int, further: int) -> Picture:
    name, trip = PLACES[place]
    pause = IN_SHARED
    if name == GLOBAL:
        pause = model.PAUSE_CYCLES
        sms = (first, (first + further) % SMS)
        measured = float(recorded.matrix()[sms])
        trips = tuple(_distance(sm)[1] for sm in sms)
        players = [f"SM {sm}, {_distance(sm)[0]}: {_distance(sm)[1]:.0f} cycles a trip" for sm in sms]
    else:
        measured, trips = recorded.cycles(name), (trip, trip)
        where = "block" if name == CLUSTER else "warp"
        players = [f"{where} {number}: {trip:.0f} cycles a trip" for number in (0, 1)]
    modelled = model.hand_off_cycles(*trips, pause)
    title = f"{place}: {measured:.0f} cycles a hand-off (measured, {CARD}), {modelled:.0f} (modelled)"
    tries = model.game(*trips, until=SHOWN_CYCLES, later=modelled, pause=pause)
    return views.ladder(tries, players, "the word", until=SHOWN_CYCLES, title=title)


def hand_off() -> Panel:
    """A word handed to and fro between two SMs, or within a cluster or a block, as a ladder of trips."""
    return Panel(
        "atomics.hand_off",
        _ladder,
        height=600,
        place=choice("The word is in", list(PLACES)),
        first=slider("In global memory: first player's SM", 0, SMS - 1, min(recorded.near_sms())),
        further=slider("In global memory: second player, SMs further on", 1, SMS - 1, 1),
    )


def _additions(spread: str, sms: int) -> Picture:
    return views.additions(
        recorded.additions(), recorded.shared_additions(), spread=spread, sms=sms, card=CARD
    )


def additions() -> Panel:
    """Additions a clock in global memory, by SMs at work and by which words they add to."""
    found = recorded.additions()
    return Panel(
        "atomics.additions",
        _additions,
        height=580,
        spread=choice("Threads add to", list(found)),
        sms=choice("SMs at work", [sms for sms, _ in found["one word"]], 132),
    )


def pairs() -> Picture:
    """All pairs of SMs by how far both are from the word."""
    matrix, near = recorded.matrix(), recorded.near_sms()
    groups: dict[str, list[float]] = {"both near": [], "one near, one far": [], "both far": []}
    names = list(groups)
    for one, other in zip(*np.triu_indices(SMS, 1), strict=True):
        far = (one not in near) + (other not in near)
        groups[names[far]].append(float(matrix[one, other]))
    return views.pairs(groups, _modelled_pairs(), card=CARD)


def _modelled_pairs() -> Mapping[str, float]:
    near, far = model.NEAR_CYCLES, model.FAR_CYCLES
    return {
        "both near": model.hand_off_cycles(near, near),
        "one near, one far": model.hand_off_cycles(near, far),
        "both far": model.hand_off_cycles(far, far),
    }


def source() -> str:
    """The kernel of a hand-off in shared memory, and what each of its players does."""
    player = inspect.getsource(kernels._hand_over.py_func)
    return f"{player}\n\n{kernels.hand_off_in_shared.source()}"


def stepped() -> Report:
    """The hand-off in the simulator, in one warp and between two: the word in the end, beside what it must be."""
    rows, findings = [], []
    for threads, rounds in ((2, 3), (64, 3), (64, 5)):
        arguments = (rounds, np.zeros(1, np.uint32), np.zeros(1, np.uint32))
        run = kernels.hand_off_in_shared.simulate(1, threads, arguments)
        findings += run.findings
        must = 2 * (kernels.WARM_UP + rounds)
        rows.append([f"0 and {threads - 1}", str(rounds), str(int(run["ends"][0])), str(must)])
    heads = ["threads that play", "rounds", "the word in the end, simulator", "the word in the end, model"]
    found = "No finding." if not findings else str(findings[0])
    note = f"{kernels.WARM_UP} rounds warm up; in each, the word is raised twice. {found}"
    return Report(Table(heads, rows), note)


def specimens() -> Panel:
    """What goes wrong with one word, each with its finding."""
    named = {specimen.name: specimen for specimen in SPECIMENS}
    return Panel(
        "atomics.specimens",
        lambda specimen: specimen.picture(),
        height=440,
        specimen=choice("Specimen", named),
    )


def silicon() -> Picture:
    """Hand-offs by place: quoted for an H100 PCIe, modelled, measured; in nanoseconds."""
    mhz = recorded.clock_mhz()

    def row(
        label: str, measured: float, trips: tuple[float, ...], id: str = "", pause: float = model.PAUSE_CYCLES
    ) -> Evidence:
        quoted = ledger.claim(id).number if id else None
        modelled = 1000 * model.hand_off_cycles(*trips, pause) / mhz if trips else None
        return Evidence(label, quoted=quoted, modelled=modelled, measured=measured, source=id, card=CARD)

    shared, cluster = (model.SHARED_CYCLES,) * 2, (model.CLUSTER_CYCLES,) * 2
    near, far = (model.NEAR_CYCLES,) * 2, (model.FAR_CYCLES,) * 2
    both_near = min(recorded.by_sides()[side, side] for side in (0, 1))
    both_far = max(recorded.by_sides()[side, side] for side in (0, 1))
    rows = [
        row("shared memory, one warp", recorded.nanoseconds(ONE_WARP), (), "article-021.a"),
        row("shared memory, two warps", recorded.nanoseconds(TWO_WARPS), shared, "article-021.a", IN_SHARED),
        row("cluster, first player (fitted)", recorded.nanoseconds(CLUSTER), cluster, pause=IN_SHARED),
        row("cluster, a third block", recorded.nanoseconds(THIRD_BLOCK), cluster, pause=IN_SHARED),
        row("L2, both near (fitted)", 1000 * both_near / mhz, near),
        row("L2, both far", 1000 * both_far / mhz, far),
        row("L2, median of all pairs", recorded.nanoseconds(GLOBAL), (near[0], far[0]), "article-022.a"),
    ]
    note = f"Quoted for an H100 PCIe; measured at {mhz:.0f} MHz."
    return evidence(rows, title="A hand-off, one way", unit="ns", note=note)


def contended() -> Report:
    """One word, by where it lies: a try alone, handed over by two, and wanted by every SM."""
    alone, crowd = recorded.recording("hand_off").results["alone_cycles"], recorded.contended_swap(SMS)
    sides = recorded.by_sides()
    rows = [
        ["shared memory, two warps", f"{alone['shared']:.0f}", f"{recorded.cycles(TWO_WARPS):.0f}", ""],
        ["a cluster's shared memory", f"{alone['cluster']:.0f}", f"{recorded.cycles(CLUSTER):.0f}", ""],
        ["L2 cache, both near", f"{model.NEAR_CYCLES:.0f}", f"{min(sides.values()):.0f}", ""],
        ["L2 cache, both far", f"{model.FAR_CYCLES:.0f}", f"{max(sides[0, 0], sides[1, 1]):.0f}", ""],
        [f"L2 cache, {SMS} SMs", "", "", f"{crowd:.0f}"],
    ]
    heads = [
        "the word lies in",
        "alone, there and back",
        "between two, one way",
        "among all, from one success to the next",
    ]
    return Report(Table(heads, rows), f"Cycles of compare-and-swap, measured, {CARD}.")


def misses() -> Report:
    """Additions a clock where the model is tested: at all numbers of SMs that it was not fitted to."""
    rows = []
    for spread, found in recorded.additions().items():
        errors = {
            sms: model.additions_per_clock(spread, sms) / rate - 1
            for sms, rate in found
            if sms not in model.ADDITIONS[spread].fitted
        }
        worst = max(errors, key=lambda sms: abs(errors[sms]))
        middle = float(np.median([abs(error) for error in errors.values()]))
        rows.append([spread, str(len(errors)), f"{middle:.1%}", f"{errors[worst]:+.1%} at {worst} SMs"])
    return Report(
        Table(["threads add to", "points tested", "median error", "worst, modelled over measured"], rows)
    )


def audit() -> Report:
    """Both experiments of this lesson: what was compared, and what differed."""
    return compared([HAND_OFF, ATOMIC_ADDITIONS], card=CARD)


LESSON.panels = {"hand_off": hand_off, "additions": additions, "specimens": specimens}
