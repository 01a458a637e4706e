"""The 256 KB of an SM: what is shared memory, what the system keeps, and what is left to the L1 cache."""

from hopperlab.chip import chip
from hopperlab.models.arguments import whole_number

HOPPER = chip("H100 SXM5")
KIB = 1024
CARVE_OUTS = tuple(size * KIB for size in (0, 8, 16, 32, 64, 100, 132, 164, 196, 228))
"""Bytes that can be set apart as shared memory (lit-020.c)."""


def carve_out(blocks: int, shared_bytes: int) -> int:
    """Give the smallest shared memory in bytes that holds so many blocks, each with the 1 KiB kept for it.

    Parameters
    ----------
    blocks
        Blocks on the SM, 0 to 32.
    shared_bytes
        Shared memory of a block, at most 227 KiB (lit-020.b).

    Raises
    ------
    ValueError
        If an argument is out of range, or the blocks do not fit.
    """
    whole_number("blocks", blocks, 0, HOPPER.max_blocks_per_sm)
    whole_number("shared_bytes", shared_bytes, 0, HOPPER.max_shared_bytes_per_block)
    needed = blocks * (shared_bytes + HOPPER.reserved_shared_bytes_per_block)
    if needed > HOPPER.shared_bytes_per_sm:
        raise ValueError(f"blocks={blocks} of shared_bytes={shared_bytes} need more than 228 KiB")
    return next(size for size in CARVE_OUTS if size >= needed)
