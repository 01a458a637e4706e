"""Lesson 01, the H100 at a glance: its panels and figures.

from hopperlab.lessons import chip as lesson
"""

import numpy as np

from hopperlab import ledger
from hopperlab.chip import chip
from hopperlab.course.chip import LESSON
from hopperlab.course.chip.specimens import SPECIMENS
from hopperlab.course.report import Report, Table
from hopperlab.kernels import roofline as kernels
from hopperlab.lessons.comparison import compared
from hopperlab.lessons.controls import choice, slider, toggle
from hopperlab.lessons.panel import Panel
from hopperlab.measure.experiment import experiments
from hopperlab.measure.roofline import copied_roof, expected
from hopperlab.measure.statements import statement
from hopperlab.models.chip import FACTORS, WORKLOADS, Workload, effective_bandwidth, gain, harvest
from hopperlab.models.roofline import LANES
from hopperlab.models.roofline import roofline as roof_of
from hopperlab.views import chip as views
from hopperlab.views import svg
from hopperlab.views.evidence import Evidence, evidence
from hopperlab.views.picture import Picture
from hopperlab.views.roofline import Program
from hopperlab.views.roofline import roofline as draw_roofline

predict, commit, reveal = LESSON.predict, LESSON.commit, LESSON.reveal
panel, quiz, summary = LESSON.panel, LESSON.quiz, LESSON.summary
exercise, check, hint, solution = LESSON.exercise, LESSON.check, LESSON.hint, LESSON.solution

CARD = "H200 SXM"
CHIPS = ("A100 SXM4 40GB", "A100 SXM4 80GB", "H100 PCIe", "H100 SXM5", "H200 SXM")
SOLD = ("H100 SXM5", "H100 PCIe", "H200 SXM")
KINDS = {"FP16 tensor": "fp16", "FP8 tensor": "fp8", "FP64 tensor": "fp64", "FP32 lanes": LANES}
LINKS = {"PCIe Gen5": 64e9, "Grace": 450e9}  # one direction
SIZES_GB = tuple(range(20, 621, 20))
TERA = 1e12


def spend() -> Panel:
    """Eight workloads, five factors: what counts, what idles, what bounces."""

    def drawn(workload: Workload, **given: bool) -> Picture:
        spent = [name for name in FACTORS if given[name.replace(" ", "_")]]
        return views.spending(workload, spent, gain(workload, spent))

    return Panel(
        "chip.spend",
        drawn,
        height=380,
        workload=choice("Workload", {one.name: one for one in WORKLOADS}),
        **{name.replace(" ", "_"): toggle(name, True) for name in FACTORS},
    )


def _roofs(kind: str, name: str, exponent: float) -> Picture:
    if not _has(name, kind):
        words = f"The {name} has no tensor cores for {kind}."
        return Picture("No such arithmetic", words, svg=_nothing(words))
    shown = [one for one in dict.fromkeys([name, "A100 SXM4 40GB"]) if _has(one, kind)]
    return views.on_roofs([roof_of(chip(one), kind) for one in shown], float(f"{10**exponent:.3g}"))


def _has(name: str, kind: str) -> bool:
    return kind == LANES or getattr(chip(name), f"tensor_{kind}_flop_per_clock_per_sm") is not None


def _nothing(words: str) -> str:
    return svg.document(1010, 60, "No such arithmetic", words, [svg.text(20, 36, words)])


def roofline() -> Panel:
    """A program on the roofs of two chips, moved along the intensities."""
    return Panel(
        "chip.roofline",
        _roofs,
        height=470,
        kind=choice("Arithmetic", KINDS),
        name=choice("Chip", CHIPS, "H100 SXM5"),
        exponent=slider("Intensity: 10 to the", -1.0, 4.0, 2.0, step=0.1),
    )


def _extended(size: int) -> Picture:
    card = chip("H100 SXM5")
    curves = {
        name: [
            effective_bandwidth(gb * 1e9, card.memory_bytes, card.memory_bandwidth_bytes_per_s, link) / 1e9
            for gb in SIZES_GB
        ]
        for name, link in LINKS.items()
    }
    return views.extension(SIZES_GB, curves, size)


def extension() -> Panel:
    """Data that outgrows the GPU's memory, over two links."""
    return Panel(
        "chip.extension", _extended, height=470, size=slider("Data", 20, 620, 200, step=20, unit="GB")
    )


def harvests() -> Picture:
    """What of a GH100 three products have."""
    return views.harvests([harvest(name) for name in SOLD])


def factors() -> Report:
    """The talk's product of factors, beside the sheets."""
    h100, a100 = chip("H100 SXM5"), chip("A100 SXM4 40GB")
    sms, clock = h100.sms / a100.sms, h100.tensor_clock_hz / a100.tensor_clock_hz
    rate = h100.tensor_fp16_flop_per_clock_per_sm / a100.tensor_fp16_flop_per_clock_per_sm
    eight = h100.tensor_fp8_flop_per_clock_per_sm / h100.tensor_fp16_flop_per_clock_per_sm
    memory = h100.memory_bandwidth_bytes_per_s / a100.memory_bandwidth_bytes_per_s
    leap = statement("talk-093", ()).evidence
    channels = ledger.claim("chip-048.b").number / ledger.claim("chip-048.a").number
    rows = [
        ["SMs", "1.22 (talk-021)", f"{sms:.3f}"],
        ["tensor rate of an SM", "2 (talk-013)", f"{rate:g}"],
        ["eight bits", "2 (talk-014)", f"{eight:g}"],
        ["clock", "1.3 (talk-022)", f"{clock:.3f}"],
        ["all of these", "about 6 (talk-023)", f"{sms * rate * eight * clock:.2f}"],
        ["channels of one HBM site", "2 (talk-010)", f"{channels:g}"],
        ["memory", "the largest leap (talk-093)", f"{memory:.2f}"],
    ]
    return Report(
        Table(["what grew", "quoted", "modelled, from the sheets"], rows), f"The leaps of memory: {leap}."
    )


def kernel(rounds: int = 32):
    """The kernel that moves along the roofline."""
    return kernels.multiply_adds(rounds)


def stepped(rounds: int = 4, blocks: int = 2, threads: int = 32) -> Report:
    """The kernel in the simulator: its results, and what it did for each byte."""
    values = np.linspace(-4, 4, blocks * threads * kernels.VALUES, dtype=np.float32)
    results = np.zeros_like(values)
    run = kernel(rounds).simulate(blocks, threads, (values, results))
    same = bool((run.outputs["results"] == expected(values, rounds)).all())
    flop, nbytes = 2 * rounds * values.size, kernels.BYTES * values.size
    rows = [
        ["values", f"{values.size:,}"],
        ["equal to the model, bit for bit", "yes" if same else "no"],
        ["FLOP", f"{flop:,}"],
        ["bytes read and written", f"{nbytes:,}"],
        ["FLOP a byte", f"{kernels.intensity(rounds):g}"],
    ]
    found = "No finding." if not run.findings else str(run.findings[0])
    return Report(Table(["what", "this run"], rows), found)


def specimens() -> Panel:
    """Data sheets read wrongly, each with its finding."""
    named = {specimen.name: specimen for specimen in SPECIMENS}
    return Panel(
        "chip.specimens", lambda specimen: specimen.picture(), height=360, specimen=choice("Specimen", named)
    )


def sweep() -> Picture:
    """One kernel at nine intensities on a card, below its roofs."""
    (recording,) = ledger.recordings("roofline_sweep", card=CARD)
    programs = [Program(f"{rounds} rounds", at, rate) for rounds, at, rate in recording.results["programs"]]
    roofs = [roof_of(chip(CARD), LANES), copied_roof(recording)]
    named = [
        roofs[0],
        type(roofs[1])(
            "with the bandwidth of the driver's copy", roofs[1].peak_flop_per_s, roofs[1].bytes_per_s
        ),
    ]
    title = "One kernel, from one FLOP in four bytes to 128 in one"
    return draw_roofline(named, programs, title=title, note=f"Measured on {recording.provenance}.")


def silicon() -> Picture:
    """Peaks of the chip: quoted, modelled, and what kernels of this workbook reached."""
    card = chip(CARD)
    (products,) = ledger.recordings("wgmma_rates", card=CARD)
    best = {
        fmt: max(rate for name, *_, rate in products.results["products"] if name == fmt)
        for fmt in ("f16", "e4m3")
    }
    reached = {fmt: rate * card.sms * card.tensor_clock_hz / TERA for fmt, rate in best.items()}
    rows = [
        Evidence(
            "FP16 tensor, SM rate at the sheet's clock",
            quoted=ledger.claim("lit-054.a").number,
            modelled=roof_of(card, "fp16").peak_flop_per_s / TERA,
            measured=reached["f16"],
            source="lit-054.a",
            card=CARD,
        ),
        Evidence(
            "FP8 tensor, SM rate at the sheet's clock",
            quoted=ledger.claim("lit-054.b").number,
            modelled=roof_of(card, "fp8").peak_flop_per_s / TERA,
            measured=reached["e4m3"],
            source="lit-054.b",
            card=CARD,
        ),
        Evidence(
            "FP32 lanes",
            quoted=ledger.claim("recalled-003.a").number,
            modelled=roof_of(card, LANES).peak_flop_per_s / TERA,
            measured=max(
                rate for *_, rate in ledger.recordings("roofline_sweep", card=CARD)[0].results["programs"]
            )
            / TERA,
            source="recalled-003.a",
            card=CARD,
        ),
    ]
    note = "Quoted for the H100 SXM5, whose SMs, rates and clocks the H200 has too."
    return evidence(
        rows, title="What a clock gives, and what a kernel reaches", unit="TFLOP/s, dense", note=note
    )


def audit() -> Report:
    """Every experiment of this lesson: what was compared with the model, and what differed."""
    return compared([experiments()[name] for name in ("roofline_sweep", "tma_copy")], card=CARD)


LESSON.panels = {"spend": spend, "roofline": roofline, "extension": extension, "specimens": specimens}
