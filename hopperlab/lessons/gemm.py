"""Lesson 11, the asynchronous matrix product: its panels and figures.

from hopperlab.lessons import gemm as lesson
"""

from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np

from hopperlab import ledger
from hopperlab.chip import chip
from hopperlab.course.gemm import LESSON, recorded
from hopperlab.course.gemm.predictions import DEPTH, SIDE, WIDTHS
from hopperlab.course.gemm.predictions import rounds as rounds_asked
from hopperlab.course.gemm.specimens import SPECIMENS
from hopperlab.course.report import Report, Table
from hopperlab.device.simulator.timing import Costs, Engine
from hopperlab.kernels.gemm import schedule_for
from hopperlab.kernels.gemm.ladder import BYTES, RUNGS, rung
from hopperlab.lessons.comparison import compared
from hopperlab.lessons.controls import choice, slider, stepper
from hopperlab.lessons.panel import Panel
from hopperlab.measure.gemm.fp8_product import FP8_PRODUCT
from hopperlab.measure.gemm.ladder import ALONE, GEMM_LADDER, LIBRARY, format_of
from hopperlab.measure.gemm.launch_cost import LAUNCH_COST
from hopperlab.models.gemm import (
    BF16_TILE,
    MECHANISMS,
    Rounds,
    Tile,
    copy_latency,
    fixed_and_slope,
    flop_per_second,
    pipeline,
    step_work,
)
from hopperlab.models.gemm.ladder import COPY_CYCLES, COPY_CYCLES_PER_KIB
from hopperlab.models.roofline import LANES, Roofline, roofline
from hopperlab.views import gemm as views
from hopperlab.views.barriers import Lanes
from hopperlab.views.barriers import timeline as threads_over_time
from hopperlab.views.evidence import Evidence, evidence
from hopperlab.views.picture import Picture
from hopperlab.views.roofline import Program
from hopperlab.views.roofline import roofline as roofs

predict, commit, reveal = LESSON.predict, LESSON.commit, LESSON.reveal
panel, quiz, summary = LESSON.panel, LESSON.quiz, LESSON.summary
exercise, check, hint, solution = LESSON.exercise, LESSON.check, LESSON.hint, LESSON.solution

CARD = chip(recorded.CARD)
TERA = 1e12
STEPS = 12
FORMATS = {"BF16": ("bf16", 2), "FP8": ("fp8", 1)}
IN_WORDS = {"float32": "FP32", "bf16": "BF16", "e4m3": "FP8"}
PRODUCT = "multiply, of hopperlab.kernels.gemm"
L2_CLAIM = "lit-079.b"
SMALL_COLUMNS, SMALL_STEPS = 16, 8
SECONDS = 1e6  # microseconds of one


class FullTile(Costs):
    """The simulator's costs, but for the engines: a small tile takes what one of 256 columns would.

    A stage lands after 860 cycles and 12 for each of its 48 KiB (lit-123); a product keeps the tensor cores for
    128 cycles, at their dense rate (lit-051.b), and is told 43 after its end (lit-136.a).
    """

    def copy(self, word: str) -> Engine:
        """Give what a word's copies, or products, are done by."""
        if word.startswith("wgmma"):
            return Engine("tensor cores", latency=128.0 + 43.0, between=128.0)
        small = Tile(BF16_TILE.rows, SMALL_COLUMNS, BF16_TILE.step, BF16_TILE.operand_bytes)
        per_byte = COPY_CYCLES_PER_KIB * BF16_TILE.stage_bytes / 1024 / small.stage_bytes
        return Engine("copies", latency=float(COPY_CYCLES), per_byte=per_byte)


def kernel(name: str) -> Any:
    """The kernel of a rung; `kernel.source()` shows it."""
    step = rung(name)
    return step.make(step.size, step.stages)


def ladder() -> Report:
    """The nine rungs, and what changed on each."""
    told = [
        f"{number}. {step.name}, {IN_WORDS[step.format]}. {step.changed}"
        for number, step in enumerate(RUNGS, 1)
    ]
    return Report(*told)


def _ring(stages: int, columns: int, kind: str, percent: int) -> Picture:
    data_type, nbytes = FORMATS[kind]
    tile = Tile(128, columns, 128 // nbytes, nbytes)
    latency = copy_latency(tile.stage_bytes) * percent / 100
    moving = COPY_CYCLES_PER_KIB * tile.stage_bytes / 1024
    line = pipeline(stages, STEPS, latency, step_work(tile, CARD), min(moving, latency), late=True)
    peak = roofline(CARD, data_type).peak_flop_per_s
    fits = (
        "which fits"
        if stages <= tile.most_stages()
        else f"of which a block gets 227: {tile.most_stages()} stages fit"
    )
    note = (
        f"{peak * line.busy / TERA:.0f} of {peak / TERA:.0f} TFLOP/s over {STEPS} steps. A stage lands after "
        f"{latency:.0f} cycles and takes {step_work(tile, CARD):.0f} of work. "
        f"{tile.shared_bytes(stages) / 1024:.0f} KiB, {fits}."
    )
    return views.timeline(line, note=note)


def ring() -> Panel:
    """A tile, its format, stages and latency: the pipeline that follows, with its bubbles and its speed."""
    return Panel(
        "gemm.ring",
        _ring,
        height=400,
        stages=slider("Stages", 1, 6, 2),
        columns=slider("Columns of the tile", 64, 256, 256, step=64),
        kind=choice("Operands", list(FORMATS)),
        percent=slider("Latency of a copy", 50, 300, 100, step=50, unit="% of the quoted one"),
    )


def figure() -> Picture:
    """A ring that is one stage too short, whose stages are given back one step late as by the sixth rung."""
    latency, work = copy_latency(BF16_TILE.stage_bytes), step_work(BF16_TILE, CARD)
    moving = COPY_CYCLES_PER_KIB * BF16_TILE.stage_bytes / 1024
    return views.timeline(
        pipeline(2, 8, latency, work, moving, late=True),
        note="Modelled: one stage too few, given back one step late. Each step but the second begins with a bubble.",
    )


def _asked_intensity(name: str) -> float:
    """FLOP for each byte that a rung's blocks ask for."""
    if name == "naive":
        return 2 / (2 * 4)
    step = rung(name)
    rows, columns, depth = step.tile()
    share = Tile(rows, columns // step.cluster, depth, BYTES[step.format])
    return 2 * rows * columns * depth / share.stage_bytes


def _roof(data_type: str, bandwidth: float, memory: str) -> Roofline:
    peak = roofline(CARD, data_type).peak_flop_per_s
    return Roofline(f"{CARD.name}, {data_type}, {memory}", peak, bandwidth)


def _roofline(size: int, memory: str) -> Picture:
    bandwidth = CARD.memory_bandwidth_bytes_per_s
    if memory == "L2":
        bandwidth = ledger.claim(L2_CLAIM).number * 1e9
    speeds = recorded.speeds(size)
    programs = [
        Program(step.name, _asked_intensity(step.name), speeds[step.name], label=str(number))
        for number, step in enumerate(RUNGS, 1)
        if step.name in speeds
    ]
    kinds = (LANES, "bf16", "fp8")
    lines = [_roof(kind, bandwidth, memory) for kind in kinds]
    above = [p.name for p in programs if p.flop_per_s > p.intensity * bandwidth]
    title = f"{size} cubed under the roof of the {memory}: " + (
        f"{', '.join(above)} ask for more than it gives" if above else "no rung is above it"
    )
    note = (
        "Numbers are rungs, from the bottom up. A rung's intensity is FLOP for each byte that its blocks ask for. "
        f"Memory at 4.8 TB/s (recalled-001.b), the L2 at 9.67 TB/s ({L2_CLAIM}), both quoted."
    )
    return roofs(lines, programs, title=title, note=note)


def rungs_under_roofs() -> Panel:
    """The rungs, as measured, under the roof that memory makes, or the L2."""
    return Panel(
        "gemm.roofline",
        _roofline,
        height=500,
        size=choice("Size", {"4096 cubed": recorded.SIZE, "8192 cubed": recorded.LARGE}),
        memory=choice("Bytes from", ["memory", "L2"], "L2"),
    )


@cache
def simulated(name: str, stages: int) -> Any:
    """Run a rung on a tile of 128 x 16, eight steps deep, timed as if it had 256 columns."""
    step = rung(name)
    depth = SMALL_STEPS * 128
    random = np.random.default_rng(11)
    a, b = (random.integers(0, 2, (rows, depth // 2)) for rows in (128, SMALL_COLUMNS))
    a, b = ((x * BF16_ONE).astype(np.uint16).view(np.uint8) for x in (a, b))
    d = np.zeros((128, SMALL_COLUMNS), np.float32)
    launch = step.launch(a, b, d, size=SMALL_COLUMNS, stages=stages)
    return launch.simulate(timing=FullTile())


BF16_ONE = 0x3F80


def _simulated(name: str, stages: int) -> Picture:
    note = "Simulated, timed as a tile of 256 columns; modelled cycles."
    return views.timeline(views.traced(simulated(name, stages).trace), note=note)


def program() -> Panel:
    """Two rungs in the simulator: who waits for each product, and who starts the next one meanwhile."""
    return Panel(
        "gemm.program",
        _simulated,
        height=330,
        name=choice("Rung", ["tensor cores", "specialized"], "specialized"),
        stages=slider("Stages", 2, 4, 2),
    )


def steps() -> Panel:
    """The specialized rung, one event at a time: the producer's thread and the two that speak for the consumers."""
    lanes = Lanes(simulated("specialized", 2).trace, [(0, 256), (0, 0), (0, 128)])
    return Panel(
        "gemm.steps",
        lambda step: threads_over_time(lanes, step),
        height=380,
        step=stepper("Event", len(lanes.steps) - 1, 24),
    )


def specimens() -> Panel:
    """Broken kernels, each run in the simulator when it is chosen."""
    return Panel(
        "gemm.specimens",
        lambda specimen: specimen.picture(),
        height=720,
        specimen=choice("Specimen", {specimen.name: specimen for specimen in SPECIMENS}),
    )


def silicon(size: int = recorded.SIZE) -> Picture:
    """Every rung as measured, its bound, and cuBLASLt beside it; on top the package's own FP8 product."""
    speeds = dict(recorded.speeds(size))
    names = [step.name for step in RUNGS if step.name in speeds]
    modelled = {one.name: flop_per_second(one, size, size, size, CARD) for one in MECHANISMS}
    library = {
        name: speeds[LIBRARY + format_of(name)] for name in names if LIBRARY + format_of(name) in speeds
    }
    names.append(PRODUCT)
    speeds[PRODUCT], library[PRODUCT] = recorded.product(size)
    best = max(names, key=speeds.get)
    title = f"{size} cubed: from {speeds[names[0]] / TERA:.3g} to {speeds[best] / TERA:.0f} TFLOP/s"
    return views.rungs(names, speeds, modelled, library, title=title, card=CARD.name)


def depth() -> Picture:
    """Speed by depth, and how much of the time is spent once for each tile."""
    series = {name: recorded.by_depth(name) for name in ("specialized", "persistent", LIBRARY + "bf16")}
    ours = series["persistent"]
    area = 2 * recorded.SIZE**2
    near, far = recorded.SIZE, max(ours)
    fixed, slope = fixed_and_slope((near, far), (area * near / ours[near], area * far / ours[far]))
    title = (
        f"Persistent: {fixed * SECONDS:.0f} microseconds however deep, and "
        f"{slope * recorded.SIZE * SECONDS:.0f} for 4096 of depth"
    )
    note = f"A line through K={near} and K={far}; at K=256 it foretells {_foretold(fixed, slope, area):.0f} TFLOP/s."
    return views.depths(series, title=title, card=CARD.name, note=note)


def _foretold(fixed: float, slope: float, area: int) -> float:
    return area * 256 / (fixed + slope * 256) / TERA


def changes() -> Picture:
    """The FP8 product beside cuBLASLt, shape by shape, after each change."""
    shares, means = recorded.shares(), recorded.mean_shares()
    *_, last = means
    title = (
        f"From {min(means.values()):.3f} to {means[last]:.3f} of cuBLASLt's speed, the slowest shape at "
        f"{min(share[last] for share in shares.values()):.3f}"
    )
    remarks = {_in_words(shape): f"{_cut(*shape)} as chosen" for shape in shares}
    return views.changes(
        {_in_words(shape): share for shape, share in shares.items()},
        means,
        remarks,
        title=title,
        card=CARD.name,
    )


def _in_words(shape: tuple[int, int, int]) -> str:
    return " x ".join(map(str, shape))


def _cut(m: int, n: int, k: int) -> str:
    schedule = schedule_for(m, n, k)
    return f"{schedule.columns} columns, {'in pairs' if schedule.blocks > 1 else 'blocks alone'}"


def _rounds(m: int, n: int, together: int) -> Picture:
    note = (
        f"Modelled, {CARD.sms} SMs, tiles of 128 rows. A box is a round, as long as its tile is wide; between two "
        "lies what a tile costs at any width."
    )
    return views.rounds([Rounds(m, n, columns, together) for columns in WIDTHS], note=note)


def rounds() -> Panel:
    """Any M and N: the rounds that tiles of each width take, and the SMs without one in the last."""
    asked = rounds_asked(WIDTHS[0])
    return Panel(
        "gemm.rounds",
        _rounds,
        height=470,
        m=slider("M, rows of the result", 128, 16_384, asked.m, step=128),
        n=slider("N, columns of the result", 128, 16_384, asked.n, step=128),
        together=choice("Blocks", {"in pairs that share B": asked.together, "alone": 1}),
    )


def launches() -> Report:
    """What a launch costs the host, by the way it is launched."""
    (recording,) = ledger.recordings(LAUNCH_COST.name, card=CARD.name)
    rows = [
        [way, f"{found['median']:.1f}", f"{found['low']:.1f} to {found['high']:.1f}"]
        for way, found in recording.results.items()
    ]
    table = Table(["a launch of", "microseconds", "10 % to 90 % of batches"], rows)
    note = (
        f"The host's time, measured on {CARD.name}; the card was idle before each batch. Looked at anew and prepared, "
        "the FP8 product is the ladder's last rung; multiply() is the one on top, and does more."
    )
    return Report(table, note)


def claims() -> Picture:
    """What is quoted of such kernels, beside the models and the card."""
    speeds, by_stages = recorded.speeds(recorded.LARGE), recorded.by_stages()
    small = recorded.speeds()
    two = ledger.claim("talk-042")
    rows = [
        Evidence(
            "pipelined over not: four stages over two",
            quoted=ledger.claim("lit-131").number,
            modelled=_of_stages(),
            measured=by_stages[4] / by_stages[2],
            source="lit-131",
            card=CARD.name,
        ),
        Evidence(
            "clusters over none, persistent, 8192 cubed",
            quoted=(two.low + two.high) / 2,
            measured=speeds["persistent"] / speeds[ALONE],
            source=f"{two.id}, 2 to 3",
            card=CARD.name,
        ),
        Evidence(
            "clusters over none, not persistent, 4096 cubed",
            measured=small["multicast"] / small["specialized"],
            card=CARD.name,
        ),
        Evidence(
            "clusters over none, FP8 product, 8192 cubed",
            measured=_gain((recorded.LARGE,) * 3, "set up early", "in clusters of two"),
            card=CARD.name,
        ),
        Evidence(
            "224 columns over 256, FP8 product, 5120 x 5120",
            modelled=round(rounds_asked(256).time / rounds_asked(224).time, 3),
            measured=_gain((SIDE, SIDE, DEPTH), "in clusters of two", "as chosen"),
            card=CARD.name,
        ),
        Evidence(
            "FP8 over BF16, persistent, 8192 cubed",
            quoted=ledger.claim("talk-014").number,
            modelled=_of_formats(),
            measured=speeds["FP8"] / speeds["persistent"],
            source="talk-014",
            card=CARD.name,
        ),
    ]
    note = "Quoted are other kernels on other cards: lit-131 an H800 PCIe, the talk's an H100."
    return evidence(
        rows, title="What a mechanism is worth: quoted, modelled, measured", unit="times", note=note
    )


def _gain(shape: tuple[int, int, int], before: str, after: str) -> float:
    """How many times faster the FP8 product became from one change to another."""
    share = recorded.shares()[shape]
    return share[after] / share[before]


def _of_stages() -> float:
    slow, fast = (
        flop_per_second(replace(MECHANISMS[5], stages=stages), *[recorded.SIZE] * 3, CARD)
        for stages in (2, 4)
    )
    return round(fast / slow, 3)


def _of_formats() -> float:
    bf16, fp8 = (flop_per_second(MECHANISMS[place], *[recorded.LARGE] * 3, CARD) for place in (7, 8))
    return round(fp8 / bf16, 3)


def audit() -> Report:
    """The models against the recordings of the ladder, and the product and its launch against their bars."""
    note = (
        "Compared are speeds and ratios of them. Most speeds stand beside a bound, and only one above its bound is a "
        "mismatch, however far the others stay below. The naive rung and what stages bring must meet the model; the "
        "FP8 product must reach cuBLASLt's speed in the mean, and 0.85 of it on each shape; a prepared launch must "
        "cost the host no more than torch's."
    )
    return compared([GEMM_LADDER, FP8_PRODUCT, LAUNCH_COST], note=note)


LESSON.panels = {
    "ring": ring,
    "roofline": rungs_under_roofs,
    "rounds": rounds,
    "program": program,
    "steps": steps,
    "specimens": specimens,
}
