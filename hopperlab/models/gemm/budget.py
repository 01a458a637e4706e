"""What a tile of a matrix product takes of an SM: shared memory for its stages, registers for its sums."""

from __future__ import annotations

from dataclasses import dataclass

from hopperlab.chip import chip
from hopperlab.models.arguments import whole_number

HOPPER = chip("H100 SXM5")
WARPGROUP = 128
WARPGROUP_ROWS = 64
"""Rows of D that a wgmma has."""

BARRIER_BYTES = 2 * 8
"""Of a stage: its full and its empty barrier."""

TILE_ALIGNMENT = 1024
"""Bytes on which a tile swizzled within 128 bytes starts (lit-040.c)."""

REGISTER_STEP = 8
"""setmaxnreg and the compiler count registers a thread in eights."""


@dataclass(frozen=True)
class Tile:
    """A block's tile of D, and the part of A and B that one step along K needs.

    Attributes
    ----------
    rows, columns
        Of D.
    step
        Elements along K.
    operand_bytes
        Of an element of A and B.
    """

    rows: int
    columns: int
    step: int
    operand_bytes: int

    def __post_init__(self) -> None:
        """Refuse a tile without elements."""
        for name in ("rows", "columns", "step", "operand_bytes"):
            whole_number(name, getattr(self, name), 1, 2**20)

    @property
    def stage_bytes(self) -> int:
        """Bytes of a tile of A and a tile of B."""
        return (self.rows + self.columns) * self.step * self.operand_bytes

    @property
    def flop(self) -> int:
        """FLOP of one step."""
        return 2 * self.rows * self.columns * self.step

    @property
    def intensity(self) -> float:
        """FLOP for each byte that comes into shared memory."""
        return self.flop / self.stage_bytes

    def shared_bytes(self, stages: int) -> int:
        """Bytes of shared memory that so many stages take, with their barriers and room to align the tiles."""
        barriers = whole_number("stages", stages, 1, 2**20) * BARRIER_BYTES
        return stages * self.stage_bytes + -(-barriers // TILE_ALIGNMENT) * TILE_ALIGNMENT

    def most_stages(self, limit: int = HOPPER.max_shared_bytes_per_block) -> int:
        """The most stages that fit a block's shared memory; 0 if none does."""
        stages = 0
        while self.shared_bytes(stages + 1) <= limit:
            stages += 1
        return stages

    def sums_per_thread(self, warpgroups: int) -> int:
        """Registers of a thread that hold sums in FP32, with so many warpgroups to share the tile."""
        return self.rows * self.columns // (whole_number("warpgroups", warpgroups, 1, 8) * WARPGROUP)


def launch_registers(threads: int, registers: int = HOPPER.registers_per_sm) -> int:
    """Registers a thread that a block of so many threads may start with, alone on its SM (lit-021.d and e)."""
    most = HOPPER.max_registers_per_thread // REGISTER_STEP * REGISTER_STEP
    fair = registers // whole_number("threads", threads, 1, HOPPER.max_threads_per_block)
    return min(most, fair // REGISTER_STEP * REGISTER_STEP)


def producer_registers(consumers: int, each: int) -> int:
    """Registers a thread that are left for one producing warpgroup, when each consuming one takes `each`.

    What setmaxnreg trades is what the launch gave the block.

    Raises
    ------
    ValueError
        If the consumers want more than there is.
    """
    threads = (whole_number("consumers", consumers, 1, 7) + 1) * WARPGROUP
    pool = launch_registers(threads) * threads
    left = (pool - consumers * WARPGROUP * whole_number("each", each, 24, 256)) // WARPGROUP
    if left < 24:
        raise ValueError(
            f"each={each}: {consumers} warpgroups of it leave {left} registers, and 24 is the least"
        )
    return left // REGISTER_STEP * REGISTER_STEP
