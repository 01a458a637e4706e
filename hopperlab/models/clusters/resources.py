"""How many blocks of a kernel fit on one SM, and what runs out first."""

from dataclasses import dataclass

from hopperlab.chip import Chip
from hopperlab.models.arguments import whole_number


@dataclass(frozen=True)
class BlockLimits:
    """Blocks of one kernel that fit on an SM, by each of the things that can run out.

    Attributes
    ----------
    by_blocks, by_warps, by_registers, by_shared_memory
        Blocks that fit if only the SM's block slots, warp slots, registers or shared memory counted.
    """

    by_blocks: int
    by_warps: int
    by_registers: int
    by_shared_memory: int

    @property
    def blocks(self) -> int:
        """Blocks that fit on one SM."""
        return min(self.by_blocks, self.by_warps, self.by_registers, self.by_shared_memory)

    @property
    def limiters(self) -> tuple[str, ...]:
        """What runs out first: one of ``blocks``, ``warps``, ``registers``, ``shared memory``, or several."""
        limits = {
            "blocks": self.by_blocks,
            "warps": self.by_warps,
            "registers": self.by_registers,
            "shared memory": self.by_shared_memory,
        }
        return tuple(name for name, limit in limits.items() if limit == self.blocks)


def blocks_per_sm(chip: Chip, threads: int, registers: int = 32, shared_bytes: int = 0) -> int:
    """Blocks of a kernel that fit on one SM; 0 where not even one does.

    See ``block_limits`` for the arguments, the errors, and for what runs out first.
    """
    return block_limits(chip, threads, registers, shared_bytes).blocks


def block_limits(chip: Chip, threads: int, registers: int = 32, shared_bytes: int = 0) -> BlockLimits:
    """Blocks of a kernel that fit on one SM of ``chip``, by the rules of NVIDIA's cuda_occupancy.h.

    Parameters
    ----------
    chip
        The chip's sheet: ``hopperlab.chip.chip(name)``.
    threads
        Threads of a block.
    registers
        Registers of a thread, as the compiler reports them. A warp's are rounded up to 256 (lit-021.f), and
        each of the SM's four parts holds whole warps (chip-003).
    shared_bytes
        Shared memory of a block in bytes, static and dynamic together. The system adds 1 KiB (chip-004),
        and the sum is rounded up to 128 bytes (chip-046).

    Raises
    ------
    ValueError
        For a block that CUDA refuses to launch: more than 1,024 threads, 255 registers a thread, or 227 KiB
        of shared memory on Hopper. Threads and registers that are each allowed but together more than an SM
        has give 0 by registers.
    """
    whole_number("threads", threads, 1, chip.max_threads_per_block)
    whole_number("registers", registers, 1, chip.max_registers_per_thread)
    whole_number("shared_bytes", shared_bytes, 0, chip.max_shared_bytes_per_block)
    warps = -(-threads // chip.threads_per_warp)
    return BlockLimits(
        by_blocks=chip.max_blocks_per_sm,
        by_warps=chip.max_warps_per_sm // warps,
        by_registers=_blocks_by_registers(chip, warps, registers),
        by_shared_memory=_blocks_by_shared_memory(chip, shared_bytes),
    )


def _blocks_by_registers(chip: Chip, warps: int, registers: int) -> int:
    parts = chip.warp_allocation_granularity
    per_warp = _round_up(registers * chip.threads_per_warp, chip.register_allocation_unit)
    warps_per_part = chip.registers_per_sm // parts // per_warp
    return warps_per_part * parts // warps


def _blocks_by_shared_memory(chip: Chip, shared_bytes: int) -> int:
    allocated = _round_up(shared_bytes + chip.reserved_shared_bytes_per_block, chip.shared_allocation_unit)
    return chip.shared_bytes_per_sm // allocated if allocated else chip.max_blocks_per_sm


def _round_up(value: int, unit: int) -> int:
    return -(-value // unit) * unit
