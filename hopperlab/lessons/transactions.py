"""Lesson 09, transaction barriers: its panels and figures.

from hopperlab.lessons import transactions as lesson
"""

import random
from functools import cache
from typing import Any

import numpy as np

from hopperlab import ledger
from hopperlab.course.broken_kernels import shown_under
from hopperlab.course.report import Report, Table, sentence
from hopperlab.course.transactions import LESSON
from hopperlab.course.transactions.specimens import SPECIMENS
from hopperlab.device.simulator.timing import Costs
from hopperlab.kernels.exchange.ping_pong import ping_pong_by_flag, ping_pong_by_st_async
from hopperlab.kernels.transactions import TILE, gather_edges
from hopperlab.kernels.transactions import ring as ring_kernel
from hopperlab.lessons.barrier_machine import barrier_machine
from hopperlab.lessons.comparison import compared
from hopperlab.lessons.controls import choice, slider, stepper
from hopperlab.lessons.panel import EventPanel, Panel
from hopperlab.measure.barriers import EXPERIMENTS
from hopperlab.models.barriers import Event, Ring, State, explore, mistakes
from hopperlab.models.barriers import Exploration as Walk
from hopperlab.views import barriers as views
from hopperlab.views.evidence import Evidence, evidence
from hopperlab.views.picture import Picture

predict, commit, reveal = LESSON.predict, LESSON.commit, LESSON.reveal
panel, quiz, summary = LESSON.panel, LESSON.quiz, LESSON.summary
exercise, check, hint, solution = LESSON.exercise, LESSON.check, LESSON.hint, LESSON.solution

kernel, ring = gather_edges, ring_kernel
"""The kernels of this lesson; `kernel.source()` shows one."""

CARD = "H200 SXM"
RIGHT = "as it should be"
LONGEST_WALK = 40  # events of the ring that is stepped
TILES = 8
PASSED = "counts_passed", "divided_by_bytes"  # of a copy: columns of the recording
WORD = 4  # bytes
ROUNDS = 2, 6  # of a word to and fro: what the further ones take is that of a loop under way


def machine() -> EventPanel:
    """A barrier worked by buttons: two arrivals a phase, and bytes."""
    words = {
        "arrive": ("arrive", 1),
        "expect 32": ("expect_tx", 32),
        "arrive and expect 64": ("arrive_expect_tx", 64),
        "32 bytes land": ("complete_tx", 32),
        "4 bytes land": ("complete_tx", 4),
        "wait for parity 0": ("test_wait", 0),
        "wait for parity 1": ("test_wait", 1),
    }
    return barrier_machine("transactions.machine", 2, words)


def figure() -> Picture:
    """The talk's halo, as a strip: three senders of unequal size, one barrier."""
    run = _halo(8, 12, 4, 0)
    moments = views.history(run.trace, "full")
    return views.strip(moments, 3, views.doings(run.trace, moments[3].number))


@cache
def _halo(first: int, second: int, third: int, wrong: int) -> Any:
    """Run `gather_edges` with edges of so many words, expecting so many bytes too many."""
    starts = np.cumsum([0, 0, first, second, third]).astype(np.int32)
    words = int(starts[-1])
    expected = np.int32(max(0, 4 * words + wrong))
    edges = np.arange(1, words + 1, dtype=np.float32)
    return gather_edges.simulate(4, 16, (edges, starts, expected, np.zeros(1, np.float32)), cluster=4)


def _halo_picture(first: int, second: int, third: int, wrong: int, event: int) -> Picture:
    run = _halo(first, second, third, wrong)
    moments = views.history(run.trace, "full")
    shown = min(event, len(moments) - 1)
    strip = views.strip(moments, shown, views.doings(run.trace, moments[shown].number))
    if not run.findings or shown < len(moments) - 1:
        return strip
    right = 4 * (first + second + third)
    launch = (
        f"Blocks 1 to 3 send {first}, {second} and {third} words of 4 bytes; block 0 expects "
        f"{max(0, right + wrong)} bytes, and {right} come."
    )
    return shown_under(run.findings[0], "The halo", launch, strip)


def halo() -> Panel:
    """Three blocks send edges to a fourth, in the simulator: their sizes, and how wrong the expectation is."""
    return Panel(
        "transactions.halo",
        _halo_picture,
        height=760,
        first=slider("Words of block 1", 0, 16, 8),
        second=slider("Words of block 2", 0, 16, 12),
        third=slider("Words of block 3", 0, 16, 4),
        wrong=slider("Expected too many", -8, 8, 0, step=4, unit="bytes"),
        event=stepper("Event", 8, 1),
    )


def off_by_a_word() -> Report:
    """The halo in the simulator, with a word too many expected and with one too few: what it finds."""
    return Report(*(_off_by(wrong) for wrong in (WORD, -WORD)))


def _off_by(wrong: int) -> str:
    words = (8, 12, 4)
    found, came = _halo(*words, wrong).findings[0], WORD * sum(words)
    seen = sentence(found.seen[0].upper() + found.seen[1:])
    return f"{came + wrong} bytes expected, {came} come, word by word (modelled): {found.name}. {seen}"


@cache
def _walk(stages: int, producers: int, seed: int) -> tuple[Ring, tuple[State, ...], tuple[Event, ...]]:
    """One way that a right ring may run: at each step one of the possible events, by chance."""
    right, chance = Ring(stages=stages, producers=producers), random.Random(seed)
    path, events = [right.start()], []
    for _ in range(LONGEST_WALK):
        event, state = chance.choice(list(right.successors(path[-1])))
        events.append(event)
        path.append(state)
    return right, tuple(path), tuple(events)


def _ring_picture(stages: int, producers: int, order: int, step: int) -> Picture:
    right, path, events = _walk(stages, producers, order)
    return views.ring_history(right, path, events, step)


def ring_steps() -> Panel:
    """A right ring, one event at a time: stages, producers, and the order in which things happen to fall."""
    return Panel(
        "transactions.ring",
        _ring_picture,
        height=640,
        stages=slider("Stages", 2, 4, 2),
        producers=slider("Producers", 1, 3, 2),
        order=slider("Order of events", 1, 9, 1, unit="number of the draw"),
        step=stepper("Step", LONGEST_WALK, 6),
    )


@cache
def _explored(name: str, stages: int, producers: int) -> tuple[Ring, Walk]:
    right = Ring(stages=stages, producers=producers)
    tried = right if name == RIGHT else mistakes(right)[name]
    return tried, explore(tried)


def _proof_picture(mistake: str, stages: int, producers: int, back: int) -> Picture:
    tried, walk = _explored(mistake, stages, producers)
    if walk.proved:
        verdict = f"Proved: {walk.states} states, and no trouble in any"
    else:
        verdict = f"{walk.verdict.capitalize()} after {len(walk.events)} events, by the shortest way"
    step = max(0, len(walk.events) - back)
    path = walk.path or (tried.start(),)
    return views.ring_history(
        tried, path, walk.events, step, verdict=verdict, why=walk.explanation, proved=walk.proved
    )


def proof() -> Panel:
    """Every order of events tried: a proof, or the shortest way into trouble, walked backward."""
    names = [RIGHT, *mistakes(Ring())]
    return Panel(
        "transactions.proof",
        _proof_picture,
        height=760,
        mistake=choice("Ring", names, "expects too few bytes"),
        stages=slider("Stages", 1, 3, 2),
        producers=slider("Producers", 1, 2, 1),
        back=slider("Steps back from the end", 0, 35, 0),
    )


@cache
def _ring_run(stages: int) -> Any:
    source = np.arange(TILES * TILE, dtype=np.float32)
    return ring_kernel.simulate(1, 64, (source, np.zeros_like(source), np.int32(stages)))


def pipeline() -> Panel:
    """The kernel `ring` in the simulator: its buffers over time, with one to four stages."""
    return Panel(
        "transactions.pipeline",
        lambda stages: views.pipeline(_ring_run(stages).trace, producer=TILE, consumer=0),
        height=480,
        stages=slider("Stages", 1, 4, 2),
    )


def steps() -> Panel:
    """The kernel `ring` in the simulator, one event after another: the producer and a reader."""
    lanes = views.Lanes(_ring_run(2).trace, [(0, 0), (0, TILE)])
    return Panel(
        "transactions.steps",
        lambda step: views.timeline(lanes, step),
        height=360,
        step=stepper("Event", len(lanes.steps) - 1, 8),
    )


def specimens() -> Panel:
    """Broken kernels, each run in the simulator when it is chosen."""
    return Panel(
        "transactions.specimens",
        lambda specimen: specimen.picture(),
        height=860,
        specimen=choice("Specimen", {specimen.name: specimen for specimen in SPECIMENS}),
    )


def silicon() -> Picture:
    """Quoted, modelled and measured: what a barrier's operations and messages by way of it cost."""
    costs = Costs()
    arrive, expect = costs.word("mbarrier.arrive"), costs.word("mbarrier.arrive_expect_tx")
    wait, wake = costs.word("mbarrier.wait"), costs["wake"]
    message = costs.word("dsmem.st_async") + costs.copy("dsmem.st_async").latency
    rows = [
        _cost("arrive", "lit-114", arrive),
        _cost("wait that is true", "lit-115", wait),
        _cost("arrive_expect_tx(0), then wait", "lit-116", expect + wake),
        _cost("arrive on a peer's barrier until its owner goes on", "lit-118.b", message + wake),
        _cost("wait that is false, until its time limit", "lit-117", None),
        _message("a word to and fro, one-sided", "st.async", _to_and_fro(ping_pong_by_st_async)),
        _message(
            "a word to and fro, by a flag in global memory",
            "flag in global memory",
            _to_and_fro(ping_pong_by_flag),
        ),
    ]
    note = (
        "Modelled: the simulator's costs, set by what kernels that repeat one thing took on an H200 SXM, and sums of "
        "them; to and fro it runs the kernels of lesson 07. Quoted of an H200 NVL, measured on an H200 SXM."
    )
    title = "Cycles of a barrier's operations"
    return evidence(rows, title=title, unit="cycles", logarithmic=True, note=note)


@cache
def _to_and_fro(sending: Any) -> float:
    """Cycles of a word to and fro in the simulator, without what the first rounds take more."""
    between = () if sending is ping_pong_by_st_async else (np.zeros(64, np.uint32), np.zeros(64, np.uint32))
    took = []
    for rounds in ROUNDS:
        results = np.zeros(2, np.uint32), np.zeros(2, np.uint32)
        run = sending.simulate(2, 1, (np.uint32(rounds), *between, *results), cluster=2)
        took.append(int(run["cycles"][0]))
    return (took[1] - took[0]) / (ROUNDS[1] - ROUNDS[0])


def _cost(label: str, claim: str, modelled: float | None) -> Evidence:
    modelled = None if modelled is None else round(modelled)
    return Evidence(label, quoted=ledger.claim(claim).value, source=claim, modelled=modelled)


def _message(label: str, way: str, modelled: float | None) -> Evidence:
    recording = ledger.recordings("exchange_round_trip", card=CARD)[0]
    modelled = None if modelled is None else round(modelled)
    return Evidence(label, modelled=modelled, measured=recording.results[way], card=CARD)


def pieces() -> Report:
    """In which pieces a card counts a bulk copy's bytes: what the counts it stopped at are multiples of."""
    found = ledger.recordings("copy_pieces", card=CARD)[0].results
    rows = []
    for copy in found["copies"]:
        told = dict(zip(found["columns"], copy, strict=True))
        passed = [str(told[name]) if told["counts_passed"] else "-" for name in PASSED]
        rows.append([str(told["nbytes"]), str(told["skipped"]), *passed])
    head = [
        "copy, bytes",
        "starts at byte",
        "expected less: at how many counts a phase ended",
        "all multiples of, bytes",
    ]
    return Report(Table(head, rows))


def audit() -> Report:
    """The model against every recording of the barriers' experiments: operations compared, mismatches."""
    note = (
        "Compared are counts, not cycles: arrivals and parities after each operation, and whether whole copies end "
        "their phases; counts at which parts of copies end one have no model. Of times, one ratio: the last row."
    )
    return compared(EXPERIMENTS, note=note)


LESSON.panels = {
    "machine": machine,
    "halo": halo,
    "ring": ring_steps,
    "proof": proof,
    "pipeline": pipeline,
    "steps": steps,
    "specimens": specimens,
}
