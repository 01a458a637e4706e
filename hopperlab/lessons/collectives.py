"""Lesson 12, all-to-all and all-reduce: its panels and figures.

from hopperlab.lessons import collectives as lesson
"""

import inspect

from hopperlab import ledger
from hopperlab.course.collectives import LESSON
from hopperlab.course.collectives.specimens import SPECIMENS
from hopperlab.course.report import Report, Table
from hopperlab.lessons.controls import choice, slider, stepper, toggle
from hopperlab.lessons.panel import Panel
from hopperlab.measure.collectives import EXPERIMENTS
from hopperlab.measure.collectives.experiment import MULTICAST_OFF, RANKS, busbw, seconds_of
from hopperlab.models.collectives import UNITS_OF_RATE, estimate, protocol
from hopperlab.views import collectives as views
from hopperlab.views.collectives import Measured
from hopperlab.views.evidence import Evidence, evidence
from hopperlab.views.picture import Picture

predict, commit, reveal = LESSON.predict, LESSON.commit, LESSON.reveal
panel, quiz, summary = LESSON.panel, LESSON.quiz, LESSON.summary
exercise, check, hint, solution = LESSON.exercise, LESSON.check, LESSON.hint, LESSON.solution

GIB = 2**30
MOST_RANKS = 16
RUNS = {
    "all-reduce in the switch": ("all-reduce", "in-network", "NVLS"),
    "all-reduce by ring": ("all-reduce", "ring", "ring"),
    "all-gather by ring": ("all-gather", "ring", "ring"),
    "all-to-all": ("all-to-all", "direct", "ring"),
}
PROTOCOLS = {
    "all-reduce by ring": ("all-reduce", "ring"),
    "all-reduce in the switch": ("all-reduce", "in-network"),
    "all-reduce by tree": ("all-reduce", "tree"),
    "all-gather by ring": ("all-gather", "ring"),
    "reduce-scatter by ring": ("reduce-scatter", "ring"),
}
MOST_STEPS = 14


def one_gpu() -> Panel:
    """One GPU's packets, with and without SHARP, a packet time at a step."""
    return Panel(
        "collectives.one-gpu",
        lambda ranks, ticks: views.one_gpu(ranks, ticks),
        height=440,
        ranks=slider("GPUs", 2, MOST_RANKS, 8),
        ticks=stepper("Packet times", 2 * MOST_RANKS - 2, 6),
    )


def gains() -> Picture:
    """SHARP's gain as spoken, corrected, modelled and run, on one axis."""
    quoted = ledger.claim("derived-019.b")
    return views.sharp_gains({8: (quoted.number, quoted.id)})


def _run_in_units(run: str, unit: str, directions: str, ranks: int) -> Picture:
    op, algorithm, tuned = RUNS[run]
    modelled = estimate(tuned, ranks, 8 * GIB)
    seconds = modelled.seconds if op == "all-reduce" else modelled.seconds / 2  # half of a ring's steps
    return views.one_run(op, algorithm, ranks, 8 * GIB, seconds, unit, directions)


def units() -> Panel:
    """One run in every unit: GB or GiB or Gb, one direction or both."""
    return Panel(
        "collectives.units",
        _run_in_units,
        height=360,
        run=choice("Run of 8 GiB", list(RUNS)),
        unit=choice("Unit", list(UNITS_OF_RATE)),
        directions=choice("Directions", {"one": "one", "both, added": "both"}),
        ranks=slider("GPUs", 2, 8, 8),
    )


def recorded(ranks: int) -> list[Measured]:
    """What was measured over so many GPUs: the all-reduce by ring and by tree, a card at a time."""
    found = []
    for recording in ledger.recordings(f"collectives_{ranks}"):
        nccl = recording.results["versions"].get("nccl", "unknown")
        provenance = f"{ranks} x {recording.provenance}, NCCL {nccl}; {MULTICAST_OFF}"
        for variant in ("ring", "tree"):
            values = busbw(recording, "all-reduce", variant)
            if values:
                found.append(Measured(f"{variant}, {recording.card_name}", values, provenance))
    return found


def curve() -> Picture:
    """Bandwidth against size as NCCL's model has it: for as many GPUs as were recorded, else for eight."""
    ranks = max((count for count in RANKS if recorded(count)), default=8)
    return views.busbw_curves(ranks, multicast=not recorded(ranks), measured=recorded(ranks))


def curves() -> Panel:
    """The same for other numbers of GPUs, with and without multicast."""
    return Panel(
        "collectives.curves",
        lambda ranks, multicast: views.busbw_curves(ranks, multicast, recorded(ranks)),
        height=500,
        ranks=slider("GPUs", 2, 8, 8),
        multicast=toggle("The switch may multicast (NVLS)", True),
    )


def reduction_rate() -> Panel:
    """All-reduce bandwidth by the SMs that are given to it."""
    return Panel(
        "collectives.rate",
        lambda ranks, rate: views.reduction_rate(ranks, 450, rate),
        height=420,
        ranks=slider("GPUs", 2, 8, 8),
        rate=slider("One SM moves", 5, 100, 25, step=5, unit="GB/s, assumed"),
    )


def _holdings(run: str, ranks: int, step: int) -> Picture:
    return views.holdings(*PROTOCOLS[run], ranks, step)


def steps() -> Panel:
    """A protocol step by step: what everyone holds."""
    return Panel(
        "collectives.steps",
        _holdings,
        height=480,
        run=choice("Protocol", list(PROTOCOLS)),
        ranks=slider("Ranks", 2, 8, 4),
        step=stepper("Step", MOST_STEPS, 1),
    )


def source() -> str:
    """The protocols of the ring and of the switch, as they stand in the model."""
    functions = (
        protocol._ring_reduce,
        protocol._ring_gather,
        protocol._switch_reduce,
        protocol._switch_gather,
    )
    return "\n\n".join(inspect.getsource(function).rstrip() for function in functions)


def specimens() -> Panel:
    """Collectives that go wrong."""
    return Panel(
        "collectives.specimens",
        lambda specimen: SPECIMENS[specimen](),
        height=640,
        specimen=choice("Specimen", list(SPECIMENS)),
    )


def silicon() -> Picture:
    """Large all-reduces, quoted, modelled and, where a host of several GPUs was at hand, measured."""
    rows = [
        _evidence("8 GPUs by ring, H100", "lit-214.a", estimate("ring", 8, 8 * GIB).bus_gb_per_s),
        _evidence("8 GPUs in the switch, H100", "lit-214.b", estimate("NVLS", 8, 8 * GIB).bus_gb_per_s),
        _evidence("8 GPUs in the switch, H200", "lit-214.c", estimate("NVLS", 8, 8 * GIB).bus_gb_per_s),
        _evidence("5 GPUs in the switch, H100", "lit-214.d", estimate("NVLS", 5, 8 * GIB).bus_gb_per_s),
        *_measured_rows(),
    ]
    note = f"Measured on our hosts: {MULTICAST_OFF}."
    if not any(row.measured for row in rows):
        note = "No host of several GPUs has been measured yet; the column of measured values waits for one."
    return evidence(
        rows,
        title="busbw of large all-reduces",
        unit="GB/s, one direction, as nccl-tests prints it",
        note=note,
    )


def _evidence(label: str, claim: str, modelled: float) -> Evidence:
    quoted = ledger.claim(claim)
    value = quoted.number if quoted.relation != "range" else (quoted.low + quoted.high) / 2
    return Evidence(label, quoted=value, modelled=round(modelled, 1), source=claim)


def _measured_rows() -> list[Evidence]:
    rows = []
    for experiment in EXPERIMENTS:
        for recording in ledger.recordings(experiment.name):
            ranks = recording.results["ranks"]
            for variant in ("ring", "tree"):
                values = busbw(recording, "all-reduce", variant)
                if values:
                    size = max(values)
                    modelled = round(estimate(variant, ranks, size).bus_gb_per_s, 1)
                    label = f"{ranks} GPUs by {variant}, {size // GIB} GiB"
                    rows.append(
                        Evidence(label, modelled=modelled, measured=values[size], card=recording.card_name)
                    )
    return rows


def audit() -> Report:
    """Start-up and bandwidth against every recording: sizes from 256 MiB on, by ring; and the smallest message."""
    rows = []
    for experiment in EXPERIMENTS:
        found = ledger.recordings(experiment.name)
        if not found:
            rows.append([experiment.question, "not measured yet", "-", "-", "-"])
            continue
        compared = experiment.compare(found)
        times = seconds_of(found[-1], "all-reduce")
        least = f"{min(times.values()) * 1e6:.1f} \u00b5s" if times else "-"
        rows.append(
            [experiment.question, compared.card, str(compared.compared), str(compared.mismatches), least]
        )
    return Report(Table(["measured", "card", "sizes compared", "off by over 10 %", "fastest call"], rows))


LESSON.panels = {
    "one-gpu": one_gpu,
    "units": units,
    "steps": steps,
    "curves": curves,
    "rate": reduction_rate,
    "specimens": specimens,
}
