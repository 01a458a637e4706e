"""Lesson 21, the throughput of instructions: its panels and figures.

from hopperlab.lessons import throughput as lesson
"""

import numpy as np

from hopperlab import ledger
from hopperlab.chip import Chip, chip
from hopperlab.course.report import Code, Report, Table
from hopperlab.course.throughput import LESSON
from hopperlab.course.throughput.recorded import CARD, by_warps, dpx_latency, dpx_results, latency, recording
from hopperlab.course.throughput.specimens import SPECIMENS
from hopperlab.course.throughput.suspects import suspects
from hopperlab.kernels.throughput import forget, multiply_adds
from hopperlab.kernels.throughput.listing import recorded
from hopperlab.lessons.comparison import compared
from hopperlab.lessons.controls import choice, slider, toggle
from hopperlab.lessons.panel import Panel
from hopperlab.lessons.peers import beside_peers
from hopperlab.measure.experiment import experiments
from hopperlab.measure.throughput.rates import additions, row_of
from hopperlab.models.throughput import UNITS, in_flight_to_fill, rate, rate_of, warps_to_fill
from hopperlab.models.throughput.units import WARP
from hopperlab.views import throughput as views
from hopperlab.views.evidence import Evidence, evidence
from hopperlab.views.picture import Picture

predict, commit, reveal = LESSON.predict, LESSON.commit, LESSON.reveal
panel, quiz, summary = LESSON.panel, LESSON.quiz, LESSON.summary
exercise, check, hint, solution = LESSON.exercise, LESSON.check, LESSON.hint, LESSON.solution

kernel = multiply_adds(4)
"""Four chains of multiply-adds between two looks at the clock; `kernel.source()` shows it."""

BASE = "A100 SXM4 40GB"
NEWER = ("H100 PCIe", "H100 SXM5")
INSTRUCTIONS = {
    "FP32": "fp32_lanes_per_sm",
    "FP64": "fp64_lanes_per_sm",
    "INT32 multiply": "int32_lanes_per_sm",
}
UNDER_LOAD = "H100 PCIe, under load"
CLIENT_GHZ = 2.0
PEAKS = (20, 40, 60, 80)
WARPS = 32
QUOTED = {
    "fp32 fma": "lit-157.b",
    "fp64 fma": "lit-157.c",
    "fp16x2 fma": "recalled-013",
    "int32 add": "recalled-017",
    "int32 multiply": "recalled-018",
    "exp2": "recalled-014",
    "int32 count bits": "recalled-015",
    "shuffle": "recalled-016",
    "fp32 to fp64 and back": "recalled-019",
    "reduce over a warp": "recalled-020",
}
DPX = "viaddmax_s32"


def spot() -> Panel:
    """Eight throughputs to judge, with their machine code hidden at first."""
    shown = suspects()

    def drawn(stage: str, **marks: bool) -> Picture:
        marked = {number for number in range(len(shown)) if marks[f"mark_{number + 1}"]}
        return views.spot(shown, stage, marked)

    return Panel(
        "throughput.spot",
        drawn,
        height=420,
        **{f"mark_{n}": toggle(f"{n} is impossible") for n in range(1, len(shown) + 1)},
        stage=choice(
            "Show", {"only what is printed": "printed", **{stage: stage for stage in views.STAGES[1:]}}
        ),
    )


def _filling(operation: str, chains: int, warps: int) -> Picture:
    measured = by_warps(operation)
    lanes, cycles = rate_of(operation), latency(operation)
    modelled = {
        count: {at: rate(lanes, cycles, at, count) for at in range(1, WARPS + 1)} for count in measured
    }
    return views.filling(operation, lanes, modelled, measured, (chains, warps), CARD)


def filling() -> Panel:
    """Dependent and independent work: how many warps, of how many chains, fill a unit."""
    return Panel(
        "throughput.filling",
        _filling,
        height=530,
        operation=choice("Operation", ["fp32 fma", "fp64 fma", "exp2"]),
        chains=choice("Independent chains of a thread", [1, 2, 4]),
        warps=slider("Warps", 1, WARPS, 1),
    )


def in_flight() -> Report:
    """Threads that must be under way in an SM to fill a unit: lanes times latency."""
    rows = []
    for operation in ("fp32 fma", "fp64 fma", "fp16x2 fma", "int32 multiply", "exp2", "shuffle"):
        unit = next(unit for unit in UNITS if operation in unit.operations)
        needed = in_flight_to_fill(unit.lanes, latency(operation))
        filled = warps_to_fill(unit.lanes, latency(operation))
        rows.append(
            [
                operation,
                str(unit.lanes),
                f"{latency(operation):.1f}",
                f"{needed:,.0f}",
                str(filled),
            ]
        )
    note = "Lanes are quoted, latencies measured, the rest modelled: lanes x latency; warps dealt to sub-partitions."
    heads = ["operation", "lanes", "latency (cycles)", "chains under way", "warps of one chain"]
    return Report(Table(heads, rows), note)


def _per_second(card: Chip, field: str) -> float:
    return getattr(card, field) * card.sms * card.boost_clock_hz


def levels() -> Picture:
    """An H100 over an A100: of an SM in a clock, and of two chips in a second."""
    base = chip(BASE)
    of_an_sm = {
        name: getattr(chip("H100 SXM5"), field) / getattr(base, field) for name, field in INSTRUCTIONS.items()
    }
    of_chips = {
        f"{name}, in a second": {
            kind: _per_second(chip(name), field) / _per_second(base, field)
            for kind, field in INSTRUCTIONS.items()
        }
        for name in NEWER
    }
    return views.levels({"an SM, in a clock": of_an_sm, **of_chips}, f"an {BASE}")


def wide_and_slow() -> Picture:
    """Width and clock of four chips, with the clocks of client chips as the article quotes them."""
    shown = {
        name: (card.boost_clock_hz / 1e9, card.fp32_lanes_per_sm * card.sms)
        for name, card in ((name, chip(name)) for name in (BASE, *NEWER))
    }
    slowest = ledger.claim("article-005.b").number
    pcie = chip("H100 PCIe")
    shown[UNDER_LOAD] = (slowest / 1e3, pcie.fp32_lanes_per_sm * pcie.sms)
    return views.width_and_clock(shown, PEAKS, CLIENT_GHZ, "article-047")


def stepped(rounds: int = 16) -> Report:
    """The kernel in the simulator, with one chain and with four, beside what numpy makes of the same numbers."""
    rows = []
    for chains in (1, 4):
        values = np.linspace(-4, 4, chains * WARP, dtype=np.float32).reshape(chains, WARP)
        clocks = np.zeros((WARP, 2), np.uint64)
        run = multiply_adds(chains).simulate(1, WARP, (values, clocks, np.int32(rounds)))
        expected = values
        for _ in range(rounds):
            expected = expected * np.float32(0.5) + np.float32(0.25)
        same = "yes" if (run.outputs["values"] == expected).all() else "no"
        found = "none" if not run.findings else str(run.findings[0])
        rows.append([str(chains), str(rounds), f"{chains * rounds * WARP:,}", same, found])
    heads = ["chains", "rounds", "lane results", "equal to the model, bit for bit", "findings"]
    return Report(Table(heads, rows), "One warp, in the simulator.")


def vanished() -> Report:
    """The forgotten loop twice: as the simulator runs it line by line, and as the compiler leaves it."""
    clocks = np.zeros((WARP, 2), np.uint64)
    run = forget.simulate(1, WARP, (np.ones(WARP, np.float32), clocks))
    start, end = (int(clock) for clock in run.outputs["clocks"][0])
    left = recorded()["forget"]
    return Report(
        f"The simulator runs the lines that you wrote: 4,096 rounds, {end - start:,} cycles (modelled).",
        f"The compiler leaves {len(left)} instructions between the two looks at the clock:",
        Code("\n".join(["CS2R  the first look", *left, "CS2R  the second look"])),
        "The simulator has no compiler in it. For what is really timed, read the machine code.",
    )


def specimens() -> Panel:
    """Measurements of nothing, or of something else, each with its finding."""
    named = {specimen.name: specimen for specimen in SPECIMENS}
    return Panel(
        "throughput.specimens",
        lambda specimen: specimen.picture(),
        height=340,
        specimen=choice("Specimen", named),
    )


def silicon() -> Picture:
    """Lane results of an SM in a clock: quoted, modelled by lanes, measured."""
    found = recording()
    rows = [
        Evidence(
            operation,
            quoted=ledger.claim(id).number,
            modelled=additions() if operation == "int32 add" else rate_of(operation),
            measured=row_of(found, operation)["results_per_clock_per_sm"],
            source=id,
            card=CARD,
        )
        for operation, id in QUOTED.items()
    ]
    dpx = ledger.claim("recalled-011").number
    rows.append(
        Evidence(DPX, quoted=dpx, modelled=64, measured=dpx_results(DPX), source="recalled-011", card=CARD)
    )
    title = "Lanes decide, and additions of integers find a second unit"
    note = "Lane results: a multiply-add is one, a packed pair two. Quoted for the same SM."
    drawn = evidence(rows, title=title, unit="lane results a clock and SM", logarithmic=True, note=note)
    drawn.figure.update_xaxes(tickvals=[16, 32, 64, 128, 256])
    return drawn


def table() -> Report:
    """Every operation: latency, the rate of an SM in both units, and the rate of the card."""
    found = recording()
    rows = []
    for name, *_ in found.results["operations"]:
        row = row_of(found, name)
        per_clock = row["results_per_clock_per_sm"]
        pairs = 2 if name.startswith("fp16x2") else 1
        rows.append(
            [
                *(
                    name,
                    f"{row['latency_cycles']:.1f}",
                    f"{per_clock:.1f}",
                    f"{per_clock / WARP / pairs:.2f}",
                ),
                *(f"{row['tera_results_per_second']:.2f}", f"{row['clock_mhz']:,.0f}"),
            ]
        )
    per_clock = dpx_results(DPX)
    rows.append(
        [f"{DPX} (DPX)", f"{dpx_latency(DPX):.1f}", f"{per_clock:.1f}", f"{per_clock / WARP:.2f}", "", ""]
    )
    heads = [
        *("operation", "latency (cycles)", "lane results (/clk/SM)", "warp operations (/clk/SM)"),
        *("the card (10^12 lane results/s)", "clock (MHz)"),
    ]
    note = (
        f"Measured on {CARD}, all {chip(CARD).sms} SMs in the last two columns; of DPX, lesson 03 has all forms. "
        "Conversions there and back are two operations."
    )
    return Report(Table(heads, rows), note)


def peers() -> Report:
    """Public suites beside our recordings, and why they differ."""
    return beside_peers("arithmetic", CARD)


def audit() -> Report:
    """The experiment of this lesson: what was compared with the model, and what differed."""
    return compared([one for one in experiments().values() if one.theme == "throughput"], card=CARD)


LESSON.panels = {"spot": spot, "filling": filling, "specimens": specimens}
