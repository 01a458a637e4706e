"""A thread that keeps a tile of sums in registers: fewer threads fit, and each needs fewer loads."""

from dataclasses import dataclass

from hopperlab.chip import chip
from hopperlab.models.arguments import whole_number
from hopperlab.models.clusters.resources import blocks_per_sm

HOPPER = chip("H100 SXM5")
THREADS = 256
"""Threads of a block."""

OTHER_REGISTERS = 16
"""Registers for addresses and counters: an assumption."""

LOADS_PER_CLOCK = 32
"""Words of 4 bytes that shared memory gives an SM's threads in a clock: 128 bytes (chip-051.b)."""


@dataclass(frozen=True)
class RegisterTile:
    """A product on the FP32 lanes whose threads each keep side x side sums.

    Each step along K a thread loads 2 x side words from shared memory, one word at a time, and makes side x side
    multiply-adds of them. Latency is left out: the model knows only the two units.

    Attributes
    ----------
    side
        1 to 12 sums along each side.
    """

    side: int

    def __post_init__(self) -> None:
        """Refuse a tile that no thread could hold."""
        whole_number("side", self.side, 1, 12)

    @property
    def registers(self) -> int:
        """Registers of a thread: sums, a row and a column of operands, and the rest."""
        return self.side**2 + 2 * self.side + OTHER_REGISTERS

    @property
    def occupancy(self) -> float:
        """Share of the SM's 64 warps that are resident, 0 to 1."""
        warps = blocks_per_sm(HOPPER, THREADS, self.registers) * THREADS // HOPPER.threads_per_warp
        return warps / HOPPER.max_warps_per_sm

    @property
    def multiply_adds_per_clock(self) -> float:
        """Multiply-adds of an SM in a clock: the lanes, or what shared memory feeds."""
        return min(HOPPER.fp32_lanes_per_sm, LOADS_PER_CLOCK * self.side / 2)
