"""Lesson 03, dynamic programming with DPX: its panels and figures.

from hopperlab.lessons import dpx as lesson
"""

import re
from collections.abc import Mapping
from functools import cache
from textwrap import dedent

import numpy as np

from hopperlab import ledger
from hopperlab.course.dpx import LESSON
from hopperlab.course.dpx.predictions import CARD
from hopperlab.course.dpx.specimens import SPECIMENS
from hopperlab.course.report import Code, Report, Table
from hopperlab.kernels.dpx import alignment, arithmetic
from hopperlab.kernels.dpx.lines import LINES
from hopperlab.kernels.dpx.listing import recorded
from hopperlab.lessons.comparison import compared
from hopperlab.lessons.controls import choice, slider
from hopperlab.lessons.panel import Panel
from hopperlab.measure.dpx.rates import RATE_CLAIMS
from hopperlab.measure.experiment import experiments
from hopperlab.models.dpx import Scoring, results_per_clock, score_matrices, smith_waterman
from hopperlab.views import dpx as views
from hopperlab.views.evidence import Evidence, evidence
from hopperlab.views.picture import Picture

predict, commit, reveal = LESSON.predict, LESSON.commit, LESSON.reveal
panel, quiz, summary = LESSON.panel, LESSON.quiz, LESSON.summary
exercise, check, hint, solution = LESSON.exercise, LESSON.check, LESSON.hint, LESSON.solution

kernel = alignment.smith_waterman(arithmetic.PLAIN)
"""The alignment kernel in plain 32 bits; `kernel.source()` shows it."""

QUERY = (0, 1, 2, 3, 3, 2, 1, 0, 0, 1, 2, 3, 1, 1, 2, 0, 3, 2, 1, 0)
TARGET = (1, 2, 3, 3, 2, 1, 1, 0, 2, 3, 1, 1)
RUNNERS = {"32 bits": ("named s32", "apart s32"), "pairs of 16 bits": ("named 16x2", "apart 16x2")}
TYPES = ("s32", "u32", "s16x2", "u16x2")
_TYPE = re.compile(f"_({'|'.join(TYPES)})")
PROGRAMS = ("Smith-Waterman", "Floyd-Warshall")


def body_of(name: str) -> str:
    """The lines of one way to write it, without its head and docstring."""
    return dedent(LINES[name].source().split('"""')[-1].strip("\n"))


def will_it_fuse() -> Panel:
    """Ten ways to write one line, and the machine code that each becomes."""
    return Panel(
        "dpx.fuse",
        lambda line: views.line_and_code(line, body_of(line), recorded()[line]),
        height=400,
        line=choice("The line", list(LINES)),
    )


def _speeds() -> dict[tuple[str, str], float]:
    """Giga cells a second by program and arithmetic, as recorded."""
    (recording,) = ledger.recordings("dpx_programs", card=CARD)
    return {(program, name): rate for program, name, *_, rate in recording.results["programs"]}


@cache
def _scores() -> np.ndarray:
    return score_matrices(np.array(QUERY), np.array([TARGET]))[0]


def _race(width: str, moment: int) -> Picture:
    cells = len(QUERY) * len(TARGET)
    fused, apart = (_speeds()["Smith-Waterman", name] for name in RUNNERS[width])
    filled = {
        f"fused, {fused:,.0f} giga cells a second": cells * moment / 100,
        f"apart, {apart:,.0f} giga cells a second": cells * moment / 100 * apart / fused,
    }
    return views.race(QUERY, TARGET, _scores(), filled)


def race() -> Panel:
    """Two alignments at the speeds that a card reached, as shares of the time that the faster one takes."""
    return Panel(
        "dpx.race",
        _race,
        height=420,
        width=choice("Numbers", list(RUNNERS), "pairs of 16 bits"),
        moment=slider("Time", 0, 100, 40, unit="% of the faster run"),
    )


def stepped(letters: int = 6, seed: int = 3) -> Report:
    """The kernel in the simulator: four short targets, one a warp, beside what the model scores."""
    rng = np.random.default_rng(seed)
    query = rng.integers(0, 4, alignment.QUERY).astype(np.uint8)
    cut = [query[at : at + letters] for at in (100, 200, 300)]
    targets = np.stack([*cut, rng.integers(0, 4, letters).astype(np.uint8)])
    costs = Scoring()
    scores = np.zeros(len(targets), np.int32)
    arguments = (query, targets, scores, costs.match, costs.mismatch, costs.gap_open, costs.gap_extend)
    run = kernel.simulate(1, 32 * alignment.WARPS, arguments)
    modelled = smith_waterman(query, targets, costs)
    rows = [
        [str(warp), "".join(views.BASES[one] for one in target), str(got), str(right)]
        for warp, (target, got, right) in enumerate(
            zip(targets, run.outputs["scores"], modelled, strict=True)
        )
    ]
    found = "No finding." if not run.findings else str(run.findings[0])
    note = f"One block of {32 * alignment.WARPS} threads, a query of {alignment.QUERY} letters. {found}"
    return Report(Table(["warp", "target", "score, simulator", "score, model"], rows), note)


def specimens() -> Panel:
    """Programs and measurements that go wrong, each with its finding."""
    named = {specimen.name: specimen for specimen in SPECIMENS}
    return Panel(
        "dpx.specimens",
        lambda specimen: specimen.picture(),
        height=420,
        specimen=choice("Specimen", named),
    )


def rates() -> Picture:
    """Results a clock and SM of six functions and of their unfused twins, beside published logs."""
    (recording,) = ledger.recordings("dpx_rates", card=CARD)
    rows = {(name, how): rate for name, how, _, rate in recording.results["functions"]}
    shown = [name for name, how in rows if how == "apart"]
    measured = {how: {name: rows[name, how] for name in shown} for how in ("fused", "apart")}
    quoted = {name: ledger.claim(id).number for name, id in RATE_CLAIMS.items() if name in shown}
    title = "Fusing pays where numbers come in pairs"
    return views.rates(measured, quoted, CARD, "results a clock and SM", title)


def silicon() -> Picture:
    """Rates of the forms that a published log has: quoted, modelled, measured."""
    (recording,) = ledger.recordings("dpx_rates", card=CARD)
    rates = {name: rate for name, how, _, rate in recording.results["functions"] if how == "fused"}
    rows = [
        Evidence(
            name,
            quoted=ledger.claim(id).number,
            modelled=results_per_clock(("VIADDMNMX",)),
            measured=rates[name],
            source=id,
            card=CARD,
        )
        for name, id in RATE_CLAIMS.items()
    ]
    title = "Every fused form takes one place on a pipe of 64 lanes"
    return evidence(
        rows, title=title, unit="results a clock and SM", note="Quoted for another card with the same SM."
    )


def forms() -> Report:
    """Results a clock and SM of every fused form that can be timed: a row an operation, a column a type."""
    (recording,) = ledger.recordings("dpx_rates", card=CARD)
    rates = {name: rate for name, how, _, rate in recording.results["functions"] if how == "fused"}
    operations = dict.fromkeys(_TYPE.sub("", name) for name in rates)
    rows = [[operation, *(_rate_of(rates, operation, kind) for kind in TYPES)] for operation in operations]
    note = (
        f"Results a clock and SM, measured, {CARD}; a pair of 16 bits counts once. The vib forms, which also tell "
        "which number was larger, cannot be chained and were not timed."
    )
    return Report(Table(["fused form", *TYPES], rows), note)


def _rate_of(rates: Mapping[str, float], operation: str, kind: str) -> str:
    name, relu, _ = operation.partition("_relu")
    rate = rates.get(f"{name}_{kind}{relu}")
    return "" if rate is None else f"{rate:.1f}"


def programs() -> Report:
    """Whole programs on a card: cells a second in five arithmetics."""
    speeds = _speeds()
    names = [one.name for one in arithmetic.ARITHMETICS]
    rows = [[program, *(f"{speeds[program, name]:,.0f}" for name in names)] for program in PROGRAMS]
    gains = ledger.recordings("dpx_programs", card=CARD)[0].results["times_faster_with_dpx"]
    told = [
        f"{program}: {gain} times with DPX, {what}"
        for program, by in gains.items()
        for what, gain in by.items()
    ]
    note = f"Giga cells a second, measured on {CARD}. {'; '.join(told)}."
    return Report(Table(["program", *names], rows), note)


def audit() -> Report:
    """Every experiment of this lesson: what was compared with the model, and what differed."""
    return compared([one for one in experiments().values() if one.theme == "dpx"], card=CARD)


def machine_code(function: object) -> Report:
    """What a cell of three neighbors becomes: its instructions, the fused ones marked. Wants the `sass` extra."""
    from numba import cuda

    from hopperlab.device import kernel as as_kernel
    from hopperlab.kernels.dpx.listing import listing
    from hopperlab.models.dpx import fused

    said = cuda.jit(device=True)(function)

    @as_kernel(signature=f"void({', '.join(['int32[::1]'] * 6)})")
    def once(diagonal, above, left, score, gap, out):
        out[0] = said(diagonal[0], above[0], left[0], score[0], gap[0])

    try:
        code = listing(once)
    except (ImportError, FileNotFoundError, RuntimeError) as missing:
        return Report(
            f"No assembler is at hand: {missing} Install `hopperlab[sass]`, then run this cell again."
        )
    marked = [f"{one}{'   <- fused' if fused(one) else ''}" for one in code]
    return Report(Code("\n".join(marked)), f"{sum(map(fused, code))} of {len(code)} instructions are fused.")


LESSON.panels = {"fuse": will_it_fuse, "race": race, "specimens": specimens}
