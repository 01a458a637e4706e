"""Three ways to keep an SM waiting: too few registers, too narrow a product, and 1 KiB too much."""

from hopperlab.chip import chip
from hopperlab.course.sm.recorded import CARD, multiply_adds, wgmma_cycles
from hopperlab.course.specimens import Specimen
from hopperlab.models.clusters.resources import block_limits
from hopperlab.models.sm import Operands, RegisterTile
from hopperlab.views.picture import Picture
from hopperlab.views.side_by_side import side_by_side

FULL, QUARTER = RegisterTile(3), RegisterTile(8)
NARROW = 8
MOST_WARPS = chip("H100 SXM5").max_warps_per_sm
ASKED = 228 * 1024


def _occupied() -> str:
    slower = QUARTER.multiply_adds_per_clock / FULL.multiply_adds_per_clock
    return (
        f"at {FULL.occupancy:.0%} occupancy it takes {slower:.2g} times as long as the same product at "
        f"{QUARTER.occupancy:.0%} (modelled): shared memory cannot feed it."
    )


def _occupied_table() -> Picture:
    rows = [
        [
            f"{tile.side} x {tile.side} sums",
            "modelled",
            str(tile.registers),
            f"{tile.occupancy:.0%}",
            f"{tile.multiply_adds_per_clock:g}",
        ]
        for tile in (FULL, QUARTER)
    ]
    # A check on the card, without shared memory: independent work replaces warps.
    for chains, warps in ((1, 32), (4, 8)):
        rows.append(
            [
                f"{warps} warps, {chains} chain{'s' * (chains > 1)}",
                "measured",
                "-",
                f"{warps / MOST_WARPS:.1%}",
                f"{multiply_adds(chains, warps):.1f}",
            ]
        )
    heads = ["of a thread", "known how", "registers", "occupancy", "results a clock"]
    return side_by_side(f"Multiply-adds a clock and SM (measured: {CARD})", heads, rows, [0])


def _narrow() -> str:
    share = Operands(NARROW, data_type="fp16").math_cycles / wgmma_cycles(NARROW)
    return f"the tensor cores are busy {share:.0%} of the time (measured): 64 rows of A are read for {NARROW} columns."


def _narrow_table() -> Picture:
    rows = []
    for columns in (NARROW, 32, 64, 256):
        one = Operands(columns, data_type="fp16")
        rows.append(
            [one.name, f"{one.math_cycles:g}", f"{one.shared_cycles:g}", f"{wgmma_cycles(columns):.1f}"]
        )
    heads = ["product", "arithmetic (modelled)", "bytes (modelled)", "measured"]
    return side_by_side("Cycles of products from shared memory", heads, rows, [0, 1])


def _refused() -> str:
    try:
        block_limits(chip("H100 SXM5"), 128, 32, ASKED)
    except ValueError as refusal:
        return f"{refusal}."
    raise AssertionError("228 KiB were not refused")


def _refused_table() -> Picture:
    rows = [
        ["L1 and shared memory of an SM", "256 KiB", "talk-012.a"],
        ["shared memory of an SM, at most", "228 KiB", "lit-020.a"],
        ["kept for each block", "1 KiB", "chip-004"],
        ["shared memory of a block, at most", "227 KiB", "lit-020.b"],
        ["asked for", "228 KiB", "this kernel"],
    ]
    return side_by_side("Where 256 KB go (quoted)", ["what", "size", "source"], rows, [4])


SPECIMENS = (
    Specimen(
        "Full, and slow",
        "A product on the FP32 lanes keeps 3 x 3 sums in a thread, so that 64 warps of 31 registers fit.",
        _occupied,
        "Spend registers on sums: 8 x 8 of them need 16 words for 64 multiply-adds, and 16 warps suffice.",
        _occupied_table,
    ),
    Specimen(
        "A narrow product",
        f"A wgmma of {NARROW} columns reads A and B from shared memory, over and over.",
        _narrow,
        "Take 64 columns or more, or keep A in registers.",
        _narrow_table,
    ),
    Specimen(
        "One KiB too much",
        "A block asks for all 228 KiB of an SM's shared memory.",
        _refused,
        "Ask for 227 KiB at most, and reckon 1 KiB more for every block.",
        _refused_table,
    ),
)
