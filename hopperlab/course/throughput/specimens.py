"""Four measurements of nothing, or of something else: a forgotten loop, a sum, a published log, a chain."""

from hopperlab import ledger
from hopperlab.course.specimens import Specimen
from hopperlab.course.throughput.recorded import by_warps, lane_results, latency, seeming
from hopperlab.kernels.throughput.listing import recorded
from hopperlab.models.throughput import LANE_RESULTS, ceiling
from hopperlab.views.picture import Picture
from hopperlab.views.side_by_side import side_by_side

ROUNDS = 4096
MOST = ceiling(128, LANE_RESULTS)
HEADS = ["what", "asked for", "found"]


def _forgotten() -> str:
    left = len(recorded()["forget"])
    return (
        f"{seeming('forgotten'):,.0f} lane results a clock (measured), of at most {MOST:g}: between the two looks at "
        f"the clock stand {left} instructions."
    )


def _forgotten_table() -> Picture:
    rows = [
        ["multiply-adds of a thread", f"{ROUNDS:,}", "0 (machine code)"],
        ["lane results a clock and SM", f"at most {MOST:g}", f"{seeming('forgotten'):,.0f}"],
        ["the same, results stored", f"at most {MOST:g}", f"{lane_results('fp32 fma'):.1f}"],
    ]
    return side_by_side("A loop whose result nobody wants", HEADS, rows, [0, 1])


def _added_up() -> str:
    (only,) = recorded()["add_up"]
    return (
        f"{seeming('added up'):,.0f} lane results a clock (measured): of {ROUNDS:,} additions the compiler made one "
        f"shift, `{only}`."
    )


def _added_up_table() -> Picture:
    rows = [
        ["additions of a thread", f"{ROUNDS:,}", "0, and a shift (machine code)"],
        ["lane results a clock and SM", f"at most {MOST:g}", f"{seeming('added up'):,.0f}"],
        ["the same, of changing numbers", f"at most {MOST:g}", f"{lane_results('int32 add'):.1f}"],
    ]
    return side_by_side("The same number, again and again", HEADS, rows, [0, 1])


def _log() -> str:
    rate, cycles = (ledger.claim(id).number for id in ("lit-147.a", "lit-147.b"))
    return (
        f"{rate:g} lane results a clock of a unit with 64 lanes, and {cycles:g} cycles each: the loop had been "
        "removed before it was timed."
    )


def _log_table() -> Picture:
    rate, cycles = (ledger.claim(id).number for id in ("lit-147.a", "lit-147.b"))
    other, short = (ledger.claim(id).number for id in ("lit-146.a", "lit-146.b"))
    rows = [
        ["__vibmax_s32, lane results", "at most 64 a clock", f"{rate:g} (quoted, lit-147.a)"],
        ["__vibmax_s32, latency", "more than 1 cycle", f"{cycles:g} (quoted, lit-147.b)"],
        ["__vimax_s32_relu, lane results", "at most 64 a clock", f"{other:g} (quoted, lit-146.a)"],
        ["__vimax_s32_relu, latency", "about 4 cycles", f"{short:g} (quoted, lit-146.b)"],
    ]
    return side_by_side("A published log", HEADS, rows, [0, 1, 2, 3])


def _chain() -> str:
    return (
        f"{by_warps('fp32 fma')[1][1]:.2f} lane results a clock (measured) are 32 every {latency('fp32 fma'):.2f} "
        "cycles: the latency, turned upside down."
    )


def _chain_table() -> Picture:
    rates = by_warps("fp32 fma")
    cases = [(1, 1), (1, 4), (1, 16), (4, 4), (4, 32)]
    rows = [
        [
            f"{warps} warps of {chains}" if warps > 1 else f"1 warp of {chains}",
            f"{MOST:g}",
            f"{rates[chains][warps]:.1f}",
        ]
        for chains, warps in cases
    ]
    heads = ["warps and chains", "lane results, at most", "lane results a clock (measured)"]
    return side_by_side("FP32 multiply-adds", heads, rows, [0])


SPECIMENS = (
    Specimen(
        "A forgotten result",
        f"Every thread times {ROUNDS:,} multiply-adds and stores two clocks.",
        _forgotten,
        "Store what was computed, and compare it with a second way to compute it.",
        _forgotten_table,
    ),
    Specimen(
        "A sum with a shortcut",
        f"Every thread adds the same number {ROUNDS:,} times and stores the sum.",
        _added_up,
        "Let each operation need the one before, on numbers that change; then look for it in the machine code.",
        _added_up_table,
    ),
    Specimen(
        "A published log",
        "A suite times functions in loops, and prints what it finds.",
        _log,
        "Hold every rate against its ceiling and every latency against the shortest known. Print neither if it fails.",
        _log_table,
    ),
    Specimen(
        "A chain called a throughput",
        "One warp times multiply-adds, each of which needs the one before.",
        _chain,
        "Say which of the two is measured. For a throughput, put enough under way: lanes times latency.",
        _chain_table,
    ),
)
