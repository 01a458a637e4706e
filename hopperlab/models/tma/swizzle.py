"""Swizzle: which 16-byte chunk of shared memory a chunk of the tile really goes to.

The engine moves chunks within a span of 32, 64 or 128 bytes (claim lit-040.d: the grain is 16 bytes). Which
way depends on where the chunk lies: the number of its 128-byte line, modulo 2, 4 or 8, is exclusive-ored
onto its chunk number. So the pattern repeats after 256, 512 or 1024 bytes (lit-040.a to lit-040.c), and it
is fixed to the *address*, not to the start of the tile: a tile that does not start on a period is shuffled
as from the middle of the pattern.

Exclusive or undoes itself, so the same function leads there and back.
"""

import numpy as np

from hopperlab.models.tma.descriptor import Swizzle

CHUNK = 16  # bytes, the grain; claim lit-040.d
LINE = 128  # bytes: all 32 banks once; the row number that the pattern looks at counts these


def swizzle_period(mode: Swizzle) -> int:
    """Bytes after which the pattern repeats: 256, 512 or 1024; 16, a single chunk, without swizzle."""
    return LINE * (mode.span // CHUNK) or CHUNK


def swizzle_offset(byte_offset: int | np.ndarray, mode: Swizzle) -> int | np.ndarray:
    """Where the byte that belongs at `byte_offset` is found, and the other way round.

    Parameters
    ----------
    byte_offset
        A shared-memory address, or an offset from a tile that starts on a period; an int or an array.
    mode
        The swizzle mode of the tensor map.
    """
    chunks = mode.span // CHUNK
    if not chunks:
        return byte_offset
    line = byte_offset // LINE % chunks
    return byte_offset ^ (line * CHUNK)


unswizzle_offset = swizzle_offset  # it is its own inverse
