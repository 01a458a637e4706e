"""How long each rung of the ladder takes at least: what limits it, from the lanes to the tensor cores' pipeline.

The bounds are simple: they leave out what instructions cost that they do not name, conflicts in the L2, and clocks
that fall under load. A card stays below them, and where it stays far below, something else is the limit.
"""

from __future__ import annotations

from dataclasses import dataclass

from hopperlab.chip import Chip
from hopperlab.chip import chip as chip_named
from hopperlab.models.gemm.budget import Tile
from hopperlab.models.gemm.pipeline import pipeline, step_cycles

H200 = chip_named("H200 SXM")
RESULT_BYTES = 4
WARP = 32

COPY_CYCLES = 860
"""Of a tensor copy, whatever its size (lit-123.a)."""

COPY_CYCLES_PER_KIB = 12
"""And for each KiB of it (lit-123.b)."""

TENSOR_TYPES = {2: "bf16", 1: "fp8"}
"""The tensor cores' data type, by bytes of an operand."""


@dataclass(frozen=True)
class Mechanism:
    """What a rung does, as far as the bounds ask.

    Attributes
    ----------
    name
        The rung.
    tile
        Of a block; None where each thread fetches for itself.
    stages
        Of the ring; 0 on the ordinary lanes.
    overlapped
        Whether a product is started before the last one has ended.
    persistent
        Whether the next tile's copies go on while sums are written.
    lines
        Cache lines that a warp touches for one multiply-add, where there is no tile.
    instructions
        Issue slots for each multiply-add, on the ordinary lanes: read off the machine code's inner loop.
    """

    name: str
    tile: Tile | None
    stages: int = 0
    overlapped: bool = False
    persistent: bool = False
    lines: int = 0
    instructions: float = 1.0


LANE_TILE = Tile(128, 128, 8, 4)
BF16_TILE = Tile(128, 256, 64, 2)
FP8_TILE = Tile(128, 256, 128, 1)
MECHANISMS = (
    # A warp has 2 rows of A and 16 of B under way, each in a line of its own; a line takes the L1 a cycle.
    Mechanism("naive", None, lines=18),
    # 64 multiply-adds in a loop of 130 instructions: 16 loads, and the arithmetic of their addresses.
    Mechanism("shared tiles", LANE_TILE, instructions=130 / 64),
    Mechanism("copies ahead", LANE_TILE, instructions=130 / 64),
    Mechanism("tensor copies", LANE_TILE, instructions=137 / 64),
    Mechanism("tensor cores", BF16_TILE, 4),
    Mechanism("specialized", BF16_TILE, 4, overlapped=True),
    Mechanism("multicast", BF16_TILE, 4, overlapped=True),
    Mechanism("persistent", BF16_TILE, 4, overlapped=True, persistent=True),
    Mechanism("FP8", FP8_TILE, 4, overlapped=True, persistent=True),
)


def mechanism(name: str) -> Mechanism:
    """Give the mechanism of a rung; ValueError if there is none."""
    for known in MECHANISMS:
        if known.name == name:
            return known
    raise ValueError(f"name={name!r}: there are {', '.join(known.name for known in MECHANISMS)}")


def copy_latency(nbytes: int) -> float:
    """Cycles from asking for so many bytes to their landing (lit-123)."""
    return COPY_CYCLES + COPY_CYCLES_PER_KIB * nbytes / 1024


def step_work(tile: Tile, chip: Chip = H200) -> float:
    """Cycles that an SM's tensor cores take for one step of a tile, at their dense rate."""
    return tile.flop / chip.tensor_flop_per_clock_per_sm(TENSOR_TYPES[tile.operand_bytes])


def drained(tile: Tile, chip: Chip = H200) -> float:
    """Cycles to write a tile's sums at an SM's even share of the memory's bandwidth."""
    share = chip.memory_bandwidth_bytes_per_s / chip.sms / chip.tensor_clock_hz
    return tile.rows * tile.columns * RESULT_BYTES / share


def start_and_wait() -> float:
    """Cycles of a step in which nothing multiplies, if each product is waited for before the next is started.

    43: what a wgmma that is waited for takes beyond its rate, in the published fit of 43 + n / 2 (lit-136.a).
    """
    return 43.0


def bound(rung: Mechanism, m: int, n: int, k: int, chip: Chip = H200) -> float:
    """Seconds that a rung takes at least for D (m x n) over a depth of k."""
    if rung.stages == 0:
        return _on_the_lanes(rung, m, n, k, chip)
    tile = rung.tile
    tiles = -(-m // tile.rows) * -(-n // tile.columns)
    waves = -(-tiles // chip.sms)
    latency, work = copy_latency(tile.stage_bytes), step_work(tile, chip)
    steps = -(-k // tile.step)
    if not rung.overlapped:
        work += start_and_wait()
    once = pipeline(rung.stages, steps, latency, work, late=rung.overlapped).cycles
    if rung.persistent:
        rest = steps * step_cycles(rung.stages, latency, work, late=True)
        cycles = once + (waves - 1) * rest + waves * drained(tile, chip)
    else:
        cycles = waves * (once + drained(tile, chip))
    return cycles / chip.tensor_clock_hz


def _on_the_lanes(rung: Mechanism, m: int, n: int, k: int, chip: Chip) -> float:
    warps_a_cycle = chip.fp32_lanes_per_sm / WARP
    multiply_adds = m * n * k / WARP / chip.sms
    per_warp = max(rung.instructions / warps_a_cycle, rung.lines)
    return multiply_adds * per_warp / chip.boost_clock_hz


def flop_per_second(rung: Mechanism, m: int, n: int, k: int, chip: Chip = H200) -> float:
    """FLOP a second that a rung reaches at most."""
    return 2 * m * n * k / bound(rung, m, n, k, chip)


def fixed_and_slope(depths: tuple[int, int], seconds: tuple[float, float]) -> tuple[float, float]:
    """Split the times at two depths into what each product costs, in s, and each element of depth, in s.

    Raises
    ------
    ValueError
        If the depths are equal.
    """
    if depths[0] == depths[1]:
        raise ValueError(f"depths={depths}: give two that differ")
    slope = (seconds[1] - seconds[0]) / (depths[1] - depths[0])
    return seconds[0] - slope * depths[0], slope
