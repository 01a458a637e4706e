"""Lesson 17, clocks and power: its panels and figures.

from hopperlab.lessons import power as lesson
"""

import numpy as np

from hopperlab import ledger
from hopperlab.course.power import LESSON, recorded
from hopperlab.course.power.numbers import fillings
from hopperlab.course.power.recorded import CARD, L2_MIXED, LOADS, MIXED, OF_FILLINGS, ZEROS
from hopperlab.course.power.specimens import SPECIMENS
from hopperlab.course.report import Report, Table
from hopperlab.kernels import power as kernels
from hopperlab.lessons.controls import choice, slider, toggle
from hopperlab.lessons.panel import Panel
from hopperlab.measure.power import against_model
from hopperlab.measure.power.watching import SCRAMBLE
from hopperlab.models import power as model
from hopperlab.models.fp8 import decode
from hopperlab.views import power as views
from hopperlab.views.evidence import Evidence, evidence
from hopperlab.views.picture import Picture

predict, commit, reveal = LESSON.predict, LESSON.commit, LESSON.reveal
panel, quiz, summary = LESSON.panel, LESSON.quiz, LESSON.summary
exercise, check, hint, solution = LESSON.exercise, LESSON.check, LESSON.hint, LESSON.solution


def _settled(filling: str, limit: float = model.LIMIT_WATTS) -> tuple[float, float, float]:
    """Share of the bits that change, watts and MHz, modelled."""
    share = model.changing_share(fillings()[filling])
    busy = model.busy_watts(share)
    mhz = model.clock_mhz(busy, limit)
    return share, model.power_watts(busy, mhz), mhz


def _numbers(filling: str, limit: int) -> Picture:
    rows = {name: _settled(name, limit) for name in fillings()}
    _, watts, mhz = rows[filling]
    title = f"{filling}: {watts:.0f} W at {mhz:.0f} MHz under a limit of {limit} W (modelled)"
    found = {name: recorded.result(load) for name, load in OF_FILLINGS.items()}
    measured = {name: (one["power_w"], one["sm_mhz"]) for name, one in found.items()}
    note = f"Modelled under the limit that is set here; measured, {CARD}, under its own, 700 W [chip-038]."
    return views.bits(fillings()[filling][0], rows, measured, chosen=filling, title=title, note=note)


def numbers() -> Panel:
    """The same products on four fillings of a matrix: bits that change, watts, and the clock that is left."""
    return Panel(
        "power.numbers",
        _numbers,
        height=550,
        filling=choice("Fill the matrix with", list(fillings())),
        limit=slider("Limit", 350, 700, 690, 10, "W"),
    )


def _curve(load: str, first: int, settled: int, falls: float, shown: bool) -> Picture:
    samples = recorded.samples(load)
    recorded_curve = [(at, mhz) for at, mhz, _ in recorded.since_start(load)]
    beside = {
        name: [(row[1] - samples[0][1], row[column]) for row in samples] if shown else ()
        for name, column in (("W, as read", 3), ("degrees C", 4))
    }
    last = round(recorded_curve[-1][0], 2)
    drawn = [(0.0, first), (falls, first), (falls, settled), (last, settled)]
    title = f"{load}: draw its clock"
    if shown:
        yours = [first if at < falls else settled for at, _ in recorded_curve]
        apart = np.mean([abs(one - mhz) for one, (_, mhz) in zip(yours, recorded_curve, strict=True)])
        title = f"{load}: your curve is {apart:.0f} MHz from the measured one, on the mean"
    return views.clock_curve(drawn, recorded_curve if shown else None, beside=beside, title=title, card=CARD)


def curve() -> Panel:
    """A clock curve to draw, over which the recorded one runs, with watts and degrees as they were read."""
    return Panel(
        "power.curve",
        _curve,
        height=690,
        load=choice("Kernel", list(LOADS)),
        first=slider("Clock at first", 1005, 1980, 1980, 15, "MHz"),
        settled=slider("Clock later", 1005, 1980, 1605, 15, "MHz"),
        falls=slider("It changes after", 0.0, 3.0, 2.0, 0.1, "s"),
        shown=toggle("Show the recorded curve"),
    )


def trailing() -> Picture:
    """Readings of power through the whole recording, measured and modelled."""
    samples = recorded.recording().samples
    return views.trailing(
        [row[1] for row in samples],
        [row[3] for row in samples],
        against_model.modelled_readings(recorded.recording()),
        against_model.schedule(recorded.recording()),
        [name for name, _ in recorded.phases()],
        card=CARD,
    )


def source() -> str:
    """The kernel that multiplies the same two tiles over and over."""
    return kernels.multiply.source()


def used(numbers: np.ndarray) -> np.ndarray:
    """The values of the first 32 columns of a tile as the tensor core reads it: 16-byte chunks are swizzled."""
    rows, columns = np.arange(len(numbers))[:, None], np.arange(32)[None]
    return np.asarray(
        decode(numbers[rows, (columns // 16 ^ rows % 8) * 16 + columns % 16], "e4m3"), np.float64
    )


def stepped() -> Report:
    """The kernel in the simulator, on zeros and on the mixed numbers: its sums beside those of NumPy."""
    a, b = (used(operand) for operand in recorded.mixed_numbers())
    rows = []
    for name, scramble in (("zeros", 0), ("mixed numbers", SCRAMBLE)):
        out = np.zeros((kernels.ROWS, kernels.COLUMNS), np.float32)
        run = kernels.multiply.simulate(1, 128, (np.uint32(scramble), np.int32(1), out))
        must = kernels.TOGETHER * a @ b.T if scramble else np.zeros_like(out)
        apart = float(np.abs(run["d"] - must).max() / max(np.abs(must).max(), 1.0))
        share = recorded.mixed_share() if scramble else 0.0
        rows.append(
            [name, f"{kernels.FLOP_OF_A_GROUP:,}", f"{share:.1%}", f"{apart:.2%}", str(len(run.findings))]
        )
    heads = [
        "operands",
        "FLOP",
        "operand bits that change",
        "furthest from NumPy, of the largest sum",
        "findings",
    ]
    return Report(Table(heads, rows), "One group of products of one block. The FLOP are the same.")


def specimens() -> Panel:
    """Four measurements gone wrong, each with its finding."""
    named = {specimen.name: specimen for specimen in SPECIMENS}
    return Panel(
        "power.specimens",
        lambda specimen: specimen.picture(),
        height=460,
        specimen=choice("Specimen", named),
    )


def silicon() -> Picture:
    """Clocks under load: quoted for other cards, modelled, measured."""
    fitted = model.busy_watts(recorded.mixed_share())

    def row(label: str, modelled: float | None, measured: float | None, id: str = "") -> Evidence:
        quoted = ledger.claim(id).number if id else None
        card = CARD if measured is not None else ""
        return Evidence(label, quoted=quoted, modelled=modelled, measured=measured, source=id, card=card)

    busy = recorded.result(L2_MIXED)["power_w"] - model.IDLE_WATTS
    rows = [
        row(
            "highest clock", None, float(max(sample[2] for sample in recorded.recording().samples)), "lit-053"
        ),
        *(
            row(
                f"products of {name}",
                _settled(name)[2],
                recorded.result(load)["sm_mhz"],
                "lit-052.a" if load == ZEROS else "",
            )
            for name, load in OF_FILLINGS.items()
        ),
        row("products, mixed (fitted)", model.clock_mhz(fitted), recorded.result(MIXED)["sm_mhz"]),
        row(
            "L2 reads, mixed",
            model.clock_mhz(busy, at_mhz=model.BOOST_MHZ),
            recorded.result(L2_MIXED)["sm_mhz"],
        ),
        row("L2 reads at 350 W", model.clock_mhz(busy, 350, model.BOOST_MHZ), None, "article-005.b"),
        row("A100 under a 400 W limit", None, None, "article-041"),
    ]
    note = "350 W: quoted for an H100 PCIe, modelled for an H200 with such a limit; none was set or measured."
    return evidence(rows, title="The clock under load", unit="MHz", note=note)


def phases() -> Report:
    """Each kernel as it settles: what was measured, and the highest temperature."""
    rows = []
    for load in LOADS:
        found = recorded.result(load)
        hottest = max(row[4] for row in recorded.samples(load))
        reasons = ", ".join(found["reasons"]).replace("sw_power_cap", "power cap") or "none"
        rows.append(
            [
                load,
                f"{found['sm_mhz']:.0f}",
                str(found["least_sm_mhz"]),
                f"{found['power_w']:.0f}",
                str(hottest),
                reasons,
                f"{1e6 * found['tera_per_second'] / found['sm_mhz']:,.0f}",
            ]
        )
    heads = ["kernel", "MHz", "least", "W", "hottest, degrees C", "reasons", "FLOP or bytes a clock"]
    return Report(Table(heads, rows), f"Measured, {CARD}: medians of the later half of each phase.")


def misses() -> Report:
    """The model of readings on phases that it was not fitted to, while readings move."""
    rows = []
    for number, (name, errors) in enumerate(against_model.reading_errors(recorded.recording()).items(), 1):
        apart = np.abs(errors)
        rows.append(
            [
                name,
                "fitted" if number == against_model.FITTED else "tested",
                str(len(apart)),
                f"{np.median(apart):.1%}",
                f"{apart.max():.1%}",
            ]
        )
    heads = ["phase", "used", "readings", "median error", "worst"]
    note = (
        "The level at which a phase settles is given to the model; how readings get there is what is tested."
    )
    return Report(Table(heads, rows), note)


def burst() -> Report:
    """The first moments of a load, before its clock has fallen: energy measured, and by three powers of the clock."""
    rows = []
    for load in (OF_FILLINGS["sorted"], OF_FILLINGS["random"], MIXED):
        seconds, mhz = recorded.burst(load)
        busy, settled = recorded.result(load)["power_w"] - model.IDLE_WATTS, recorded.result(load)["sm_mhz"]
        modelled = [
            f"{model.excess_joules(seconds, mhz, busy, settled, exponent):.1f}" for exponent in (1, 2, 3)
        ]
        rows.append(
            [load, f"{max(mhz):.0f} to {settled:.0f}", f"{recorded.burst_joules(load):.1f}", *modelled]
        )
    heads = [
        *("kernel", "MHz, falling", "J above what it settles at, measured"),
        *("first power, modelled", "second power", "third power"),
    ]
    note = f"{CARD}: the clock of each launch by its work a second; energy by how far the reading overshoots."
    return Report(Table(heads, rows), note)


LESSON.panels = {"numbers": numbers, "curve": curve, "specimens": specimens}
