"""Which lines share a set of the L1 cache: a hash of addresses, read off an H200 line by line.

A line far away, added to a ring that just fits, makes one set overflow; the lines of the ring that miss then are
those that share its set. One such line for each bit of an address shows what the hash does with that bit. It is
linear: what two bits do together is the exclusive-or of what they do alone. Each of the sets belongs to one of four
pools, which share out the places of the cache.

The rings are in the recording `memory_latency`, under `lines`. Which number a set has is our choice: nothing
measured shows it, only which lines are in one together.
"""

import numpy as np

LINE = 128
"""Bytes of a line of the L1 and the L2 cache."""

SETS, WAYS, POOLS = 512, 4, 4
"""Sets of the L1 cache, places of a set at most, and pools. Four in each set would be all of an SM's 256 KiB."""

COLUMNS = (
    *(1 << bit for bit in range(9)),
    *(0x071, 0x01B, 0x176, 0x149, 0x039, 0x1E1, 0x1DD, 0x0EE, 0x194, 0x08D),
    *(0x1AC, 0x0F4, 0x12F, 0x0F2, 0x080, 0x115, 0x1FC, 0x15F, 0x13D),
)
"""What each bit of a line's number adds to its set, by exclusive-or; numbers of 28 bits are lines of 32 GiB.

Where a bit's own line fitted, sums with other bits showed it, or, of bit 14, rings at other strides did. Of the bits
22 and 23 only the sum was seen, and that the latter's line fits: this is one of 128 pairs that do so.
"""

_POOL_MASKS = (0x0B5, 0x1DA)
"""Bits of a set whose parities are its pool."""


def sets_of(lines: np.ndarray) -> np.ndarray:
    """Give the set of each line, 0 to 511, of an array of lines' numbers: addresses over 128.

    Bits beyond those of `COLUMNS` are left out.
    """
    lines = np.asarray(lines, dtype=np.int64)
    found = np.zeros_like(lines)
    for bit, column in enumerate(COLUMNS[: int(lines.max(initial=0)).bit_length()]):
        found ^= (lines >> bit & 1) * column
    return found


def pools_of(sets: np.ndarray) -> np.ndarray:
    """Give the pool of each set, 0 to 3."""
    high, low = (np.bitwise_count(np.asarray(sets) & mask) & 1 for mask in _POOL_MASKS)
    return (2 * high + low).astype(np.int64)
