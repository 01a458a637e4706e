"""Lesson 02, the streaming multiprocessor: its panels and figures.

from hopperlab.lessons import sm as lesson
"""

import numpy as np

from hopperlab import ledger
from hopperlab.chip import chip
from hopperlab.course.report import Report, Table
from hopperlab.course.sm import LESSON
from hopperlab.course.sm.recorded import CARD, recording, wgmma_cycles
from hopperlab.course.sm.specimens import SPECIMENS
from hopperlab.device import tma
from hopperlab.kernels.tensorcore.warpgroup import tile_product
from hopperlab.lessons.comparison import compared
from hopperlab.lessons.controls import choice, slider
from hopperlab.lessons.panel import Panel
from hopperlab.measure.experiment import experiments
from hopperlab.measure.sm.answered import answered_otherwise
from hopperlab.measure.throughput.rates import row_of
from hopperlab.models.clusters import EXAMPLE_MAPS, block_limits, max_active_clusters
from hopperlab.models.sm import (
    GENERATIONS,
    Operands,
    RegisterTile,
    carve_out,
    delivery_energy,
    issue_rate,
    schedule,
)
from hopperlab.models.throughput import UNITS
from hopperlab.views import sm as views
from hopperlab.views.evidence import Evidence, evidence
from hopperlab.views.picture import Picture

predict, commit, reveal = LESSON.predict, LESSON.commit, LESSON.reveal
panel, quiz, summary = LESSON.panel, LESSON.quiz, LESSON.summary
exercise, check, hint, solution = LESSON.exercise, LESSON.check, LESSON.hint, LESSON.solution

COLUMNS = 64
kernel = tile_product("f16", "f16", COLUMNS)
"""A warpgroup's product of one tile: copies bring A and B, wgmma reads them; `kernel.source()` shows it."""

HOPPER = chip("H100 SXM5")
KIB = 1024
STEP = 64  # elements of FP16 in a row of 128 bytes
WIDTHS = (8, 16, 32, 64, 128, 256)
SHARED_COSTS = (0.5, 1.0, 2.0, 4.0)


def feeding() -> Panel:
    """What a wgmma wants from shared memory, by width and by where A lies."""
    return Panel(
        "sm.feeding",
        lambda columns, a, data_type: views.feeding(Operands(columns, a, data_type)),
        height=470,
        columns=slider("Columns of B", 8, 256, 256, 8),
        a=choice("A lies", {"in shared memory": False, "in registers": True}),
        data_type=choice("Data type", {"BF16": "bf16", "FP8": "fp8", "TF32": "tf32"}),
    )


def generations() -> Panel:
    """Three generations of tensor cores: their data types and rates, and the product of one instruction."""
    return Panel(
        "sm.generations",
        lambda generation, data_type: views.generations(generation, data_type, _tensor_rates(), CARD),
        height=470,
        generation=choice("Generation", {one.name: one for one in reversed(GENERATIONS)}),
        data_type=choice(
            "Data type", {kind.upper(): kind for kind in ("fp16", "bf16", "fp8", "int8", "tf32", "fp64")}
        ),
    )


def _tensor_rates() -> dict[str, float]:
    """FLOP of the card's SM in a clock, by data type: products of full width, with sums in FP32."""
    names = {"f16": "fp16", "bf16": "bf16", "tf32": "tf32", "e4m3": "fp8"}
    return {
        names[kind]: rate
        for kind, columns, sums, _, _, rate in recording("wgmma_rates").results["products"]
        if kind in names and (columns, sums) == (max(WIDTHS), "f32")
    }


def _occupancy(threads: int, registers: int, shared: int, cluster: int) -> Picture:
    limits = block_limits(HOPPER, threads, registers, shared * KIB)
    clusters = max_active_clusters(EXAMPLE_MAPS[CARD].gpc_sm_counts, cluster, limits.blocks)
    words = f"Clusters of {cluster} on an {CARD} with the GPCs of lesson 06: {clusters} at once (modelled)."
    if limits.blocks:
        size = carve_out(limits.blocks, shared * KIB) // KIB
        words += f" Smallest carve-out for these blocks: {size} KiB."
    return views.occupancy(limits, -(-threads // HOPPER.threads_per_warp), HOPPER.max_warps_per_sm, words)


def occupancy() -> Panel:
    """The occupancy calculator: what fits on an SM, and what runs out."""
    return Panel(
        "sm.occupancy",
        _occupancy,
        height=340,
        threads=slider("Threads of a block", 32, 1024, 256, 32),
        registers=slider("Registers of a thread", 16, 255, 64),
        shared=slider("Shared memory of a block", 0, 227, 32, unit="KiB"),
        cluster=slider("Cluster size", 1, 16, 1, unit="blocks"),
    )


def scheduling() -> Panel:
    """The four schedulers at work: warps that issue, could issue, and wait."""
    return Panel(
        "sm.scheduling",
        lambda warps, latency, per_clock: views.scheduling(
            schedule(warps, latency, per_clock), per_clock, issue_rate(warps, latency, per_clock)
        ),
        height=540,
        warps=slider("Warps", 1, 64, 8),
        latency=slider("Latency", 1, 60, 30, unit="cycles"),
        per_clock=choice("The unit takes in a clock", {"1 (loads from shared memory)": 1, "4 (FP32)": 4}),
    )


def register_tiles() -> Picture:
    """Occupancy against speed, for threads that keep more and more sums."""
    return views.register_tiles([RegisterTile(side) for side in (1, 2, 3, 4, 6, 8)])


def delivery() -> Picture:
    """Operand delivery of two generations' instructions, by a model whose assumption is on the axis."""
    return views.delivery({cost: delivery_energy(cost) for cost in SHARED_COSTS})


def stepped() -> Report:
    """The kernel in the simulator: one tile, 64 deep, beside numpy and beside the bytes of the model."""
    rng = np.random.default_rng(2)
    a = rng.integers(-4, 5, (64, STEP)).astype(np.float16)
    b = rng.integers(-4, 5, (COLUMNS, STEP)).astype(np.float16)
    maps = [tma.tensor_map(x.view(np.uint8), (len(x), 2 * STEP), swizzle=128) for x in (a, b)]
    c = np.zeros((64, COLUMNS), np.float32)
    run = kernel.simulate(1, 128, (*maps, c, np.zeros_like(c), 2 * STEP), trace=False)
    expected = a.astype(np.float32) @ b.astype(np.float32).T
    one = Operands(COLUMNS, data_type="fp16")
    products = STEP // one.depth
    rows = [
        ["equal to numpy, bit for bit", "yes" if (run["d"] == expected).all() else "no"],
        ["findings", str(len(run.findings))],
        [f"{one.name} that the tile takes", str(products)],
        ["bytes read from shared memory (modelled)", f"{products * one.shared_bytes:,}"],
        ["bytes brought by copies (modelled)", f"{a.nbytes + b.nbytes:,}"],
    ]
    return Report(Table(["one block of 128 threads, in the simulator", ""], rows))


def specimens() -> Panel:
    """Kernels that keep an SM waiting, each with its finding."""
    named = {specimen.name: specimen for specimen in SPECIMENS}
    return Panel(
        "sm.specimens",
        lambda specimen: specimen.picture(),
        height=420,
        specimen=choice("Specimen", named),
    )


def silicon() -> Picture:
    """FLOP of an SM in a clock by wgmma, from narrow to wide: quoted, modelled, measured."""
    cycles = ledger.claim("lit-132.a").number
    rows = []
    for columns in WIDTHS:
        one = Operands(columns, data_type="fp16")
        quoted = one.flop / cycles if columns == max(WIDTHS) else None
        rows.append(
            Evidence(
                one.name,
                quoted=quoted,
                modelled=one.flop_per_clock,
                measured=one.flop / wgmma_cycles(columns),
                source="lit-132.a" if quoted else "",
                card=CARD,
            )
        )
    note = "FP16, both operands in shared memory. Quoted for another card with the same SM, from its cycles."
    title = "Below 64 columns shared memory decides"
    return evidence(rows, title=title, unit="FLOP a clock and SM", note=note)


def units() -> Report:
    """Rates of an SM's units in a clock: published beside measured; and the latency of shared memory."""
    rates = recording("instruction_rates")
    rows = [
        [
            f"{unit.name}: {unit.operations[-1]}",
            f"{unit.results_per_clock} results a clock ({unit.claim})",
            f"{row_of(rates, unit.operations[-1])['results_per_clock_per_sm']:.1f}",
        ]
        for unit in UNITS
    ]
    (_, cycles), *_ = recording("memory_latency").results["shared"]
    rows.append(["load from shared memory", "29 cycles (lit-061.a)", f"{cycles:.1f} cycles"])
    return Report(Table(["unit", "published", f"measured, {CARD}"], rows))


def calculator() -> Report:
    """The calculator against the driver's answers about random launches, and what each of its rules is needed for."""
    asked = recording("sm_occupancy")
    some, kernels = asked.results["configurations"], len(asked.results["registers"])
    fit = some - asked.results["do_not_fit"]
    without = {
        f"a warp has its registers in one of {HOPPER.warp_allocation_granularity} sub-partitions (chip-003)": {
            "warp_allocation_granularity": 1
        },
        f"{HOPPER.reserved_shared_bytes_per_block // KIB} KiB is kept for each block (chip-004)": {
            "reserved_shared_bytes_per_block": 0
        },
        f"shared memory is handed out by {HOPPER.shared_allocation_unit} bytes (chip-046)": {
            "shared_allocation_unit": 1
        },
        f"registers are handed out to a warp by {HOPPER.register_allocation_unit} (lit-021.f)": {
            "register_allocation_unit": 1
        },
    }
    return Report(
        *compared([one for one in experiments().values() if one.theme == "sm"], card=CARD).blocks,
        f"{fit:,} of the {some:,} fit on an SM at all (measured). What each rule of the calculator decides:",
        Table(
            ["without the rule that", f"of {some:,}, blocks counted otherwise"],
            [[rule, str(answered_otherwise(asked, **sizes))] for rule, sizes in without.items()],
        ),
        f"The {kernels} kernels have registers whose rounding costs none of them a block.",
    )


LESSON.panels = {
    "generations": generations,
    "feeding": feeding,
    "occupancy": occupancy,
    "scheduling": scheduling,
    "specimens": specimens,
}
