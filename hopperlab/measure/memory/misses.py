"""Which lines of a ring miss the L1 cache: where sets overflow, line by line, instead of a mean over all of them.

A line far away that is added to a ring which just fits makes one set overflow. The lines that miss then are those
that share its set: so a far line of one address bit shows what the hash does with that bit. Of curves that are held
out, no stride and no carve-out is among these rings.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from hopperlab.measure.memory.curves import LINE

if TYPE_CHECKING:
    from hopperlab.measure.memory.rings import Memory

FULL = 1920
"""Lines, one after the other, that just fit the L1 cache with no memory shared: 15 for four sets of 4."""

FAR_BITS = range(11, 28)
"""Bits of a line's number: beyond `FULL`, and within 16 GiB."""

FAR_SUMS = (
    (11, 12),
    (11, 13),
    (12, 19),
    (11, 20),
    (13, 16, 21),
    (11, 14, 17),
    (12, 15, 18, 24),
    (16, 25),
    (20, 21),
)
"""Bits of far lines with several of them: by exclusive-ors, each is at the sum of its bits' places."""

STRIDES = (3, 5, 9, 17, 65)
OF_STRIDE = (768, 1152, 1536)
OF_CARVEOUT = {
    0: (FULL, 1936, 1952, 1984, 2016),
    100: (1168, 1184, 1200, 1216, 1248, 1280),
    132: (912, 928, 944, 960, 992, 1024),
    228: (144, 152, 160, 168, 176, 192),
}
"""By shared KiB, numbers of lines about where the L1 cache overflows."""

PARAMETERS = {
    "full": FULL,
    "far_bits": list(FAR_BITS),
    "far_sums": [list(bits) for bits in FAR_SUMS],
    "strides": list(STRIDES),
    "of_stride": list(OF_STRIDE),
    "of_carveout": [[kib, list(lines)] for kib, lines in OF_CARVEOUT.items()],
}


def cases() -> list[list[int]]:
    """Give [shared KiB, lines from one to the next, lines, number of the line far away or 0]."""
    far = [1 << bit for bit in FAR_BITS] + [sum(1 << bit for bit in bits) for bits in FAR_SUMS]
    return [
        *([kib, 1, lines, 0] for kib, of_carveout in OF_CARVEOUT.items() for lines in of_carveout),
        *([0, stride, lines, 0] for stride in STRIDES for lines in OF_STRIDE),
        *([0, 1, FULL, line] for line in far),
    ]


def of(memory: Memory, shared_kib: int, stride: int, lines: int, far: int) -> list:
    """Give a case, and [number, misses] of every line that missed, of `kernels.memory.chases.COUNTED` visits."""
    late = memory.misses(stride * LINE, lines, far, shared_kib)
    return [shared_kib, stride, lines, far, [[line, count] for line, count in late.items() if count]]


def counted(samples: Sequence[Sequence]) -> list[list[int]]:
    """Give for each case how many lines missed each time, and how many at times."""
    from hopperlab.kernels.memory.chases import COUNTED

    found = []
    for *case, late in samples:
        always = sum(count == COUNTED for _, count in late)
        found.append([*case, always, len(late) - always])
    return found
