"""What the rungs on the tensor cores share: tiles of 128 rows, half of them for each of two warpgroups.

Along K a tile holds 128 bytes: 64 elements of BF16 or 128 of FP8, four instructions. Its rows are swizzled within
128 bytes, by the copy engine as it writes and by the tensor core as it reads.
"""

from numba import types

from hopperlab.device import tma

WARPGROUP = 128
CONSUMERS = 2
"""Warpgroups that multiply."""

ROWS = 64
"""Rows of D for each of them."""

TILE_ROWS = CONSUMERS * ROWS
STEP = 128
"""Bytes along K that a tile holds."""

INSTRUCTIONS = STEP // 32
A_BYTES = TILE_ROWS * STEP

SIGNATURE = (tma.map_type(2), tma.map_type(2), types.Array(types.float32, 2, "C"), types.int32)
"""Maps of A and B as bytes, in boxes of (TILE_ROWS, STEP) and (columns, STEP), D, and the bytes of a row."""


def stage_bytes(columns: int) -> int:
    """Give the bytes of one stage: a tile of A, and one of B with so many rows."""
    return A_BYTES + columns * STEP


PRODUCER = CONSUMERS * WARPGROUP
"""The thread that asks for tiles, where a warpgroup does nothing else."""

THREADS = PRODUCER + WARPGROUP
LEAN, RICH = 40, 232
"""Registers a thread, after the producer has handed its own on: 128 * 40 + 256 * 232 of 65,536."""
