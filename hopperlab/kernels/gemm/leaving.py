"""How a finished tile leaves: scaled, converted, and stored under the next tile's products or at once."""

from __future__ import annotations

from typing import Any, NamedTuple

from numba import float32, uint16

from hopperlab.device import fragment, wgmma
from hopperlab.kernels.gemm.inlining import inlined
from hopperlab.kernels.gemm.schedule import PART

OUTPUTS = {"bf16": uint16, "bf16 by element": uint16, "f32": float32}
"""Kinds of results and the elements of the array that takes them; by element: its rows need not start on 16 bytes."""

SCALES = ("tensor", "rows")


class Leaving(NamedTuple):
    """What a kernel does with a finished tile.

    Attributes
    ----------
    scaled
        From sums to scaled sums.
    store_part
        Store one part of a tile that waits, packed, in registers.
    store_tile
        Store a tile at once.
    """

    scaled: Any
    store_part: Any
    store_tile: Any


def leaving(columns: int, output: str, scales: str) -> Leaving:
    """Give the functions for tiles of 64 x `columns`, an output of `OUTPUTS` and scales of `SCALES`."""

    @inlined
    def scaled_by_tensor(sums, scale_a, scale_b, factor, row, column):
        return wgmma.scale(sums, factor)

    @inlined
    def scaled_by_rows(sums, scale_a, scale_b, factor, row, column):
        return fragment.scale_rows(fragment.scale_columns(sums, scale_b, column), scale_a, row)

    first, second, third, fourth = (max(min(PART, columns - begin), 0) for begin in range(0, 4 * PART, PART))

    @inlined
    def store_part(part, packed, d, row, column):
        # Which registers a part is must be known when the kernel is compiled: one case for each.
        if part == 0:
            fragment.store(fragment.part(packed, 0, first), d, row, column)
        if second > 0:  # noqa: SIM102 - numba leaves out only what it knows to be false by itself
            if part == 1:
                fragment.store(fragment.part(packed, 64, second), d, row, column + 64)
        if third > 0:  # noqa: SIM102
            if part == 2:
                fragment.store(fragment.part(packed, 128, third), d, row, column + 128)
        if fourth > 0:  # noqa: SIM102
            if part == 3:
                fragment.store(fragment.part(packed, 192, fourth), d, row, column + 192)

    @inlined
    def store_packed(sums, packed, d, row, column):
        fragment.store(packed, d, row, column)

    @inlined
    def store_by_element(sums, packed, d, row, column):
        wgmma.store(packed, d, row, column)

    @inlined
    def store_sums(sums, packed, d, row, column):
        wgmma.store(sums, d, row, column)

    @inlined
    def nothing(part, packed, d, row, column):
        pass

    scaled = scaled_by_tensor if scales == "tensor" else scaled_by_rows
    if output == "bf16":
        return Leaving(scaled, store_part, store_packed)
    return Leaving(scaled, nothing, store_sums if output == "f32" else store_by_element)
