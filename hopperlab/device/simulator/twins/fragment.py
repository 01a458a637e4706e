"""Twins of the words about fragments: accumulators chosen, scaled, packed, and written."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np

from hopperlab.device.simulator.arguments import Misuse
from hopperlab.device.simulator.twins import twin
from hopperlab.device.simulator.twins.tensorcore import Fragment, mine, store_elements
from hopperlab.device.vocabulary import fragment

_PACKED = {"bf16": ml_dtypes.bfloat16, "f16": np.float16}


@twin(fragment.part)
def part(world: Any, accumulators: Fragment, first: int, columns: int) -> Fragment:
    """Choose columns: a thread has two elements of each of its two rows in every eight."""
    return Fragment(world, accumulators.ready()[int(first) // 2 : (int(first) + int(columns)) // 2])


@twin(fragment.scale_rows)
def scale_rows(world: Any, accumulators: Fragment, factors: Any, row: int) -> Fragment:
    """Multiply rows."""
    return _scaled(world, accumulators, factors, int(row), axis=0)


@twin(fragment.scale_columns)
def scale_columns(world: Any, accumulators: Fragment, factors: Any, column: int) -> Fragment:
    """Multiply columns."""
    return _scaled(world, accumulators, factors, int(column), axis=1)


def _scaled(world: Any, accumulators: Fragment, factors: Any, first: int, axis: int) -> Fragment:
    values = accumulators.ready()
    places = (mine(world, 2 * values.size)[axis] + first).tolist()
    each = [factors[place] if place < factors.shape[0] else 0.0 for place in places]
    with np.errstate(all="ignore"):
        return Fragment(world, values * np.array(each, np.float32))


@twin(fragment.pack)
def pack(world: Any, accumulators: Fragment, format: str) -> Fragment:
    """Convert to 16 bits; every NaN becomes the one that the instruction gives."""
    values = accumulators.ready()
    with np.errstate(all="ignore"):
        packed = values.astype(_PACKED[format])
    packed.view(np.uint16)[np.isnan(values)] = 0x7FFF
    return Fragment(world, packed)


@twin(fragment.store)
def store(world: Any, packed: Fragment, array: Any, row: int, column: int) -> None:
    """Write this thread's elements; which lane of four writes which is not modelled."""
    if array.shape[1] % 8 or int(column) % 8 or array.address % 16:
        raise Misuse(
            f"fragment.store: the array has rows of {array.shape[1]} elements and starts at byte {array.address}, "
            f"column is {int(column)}; rows and column must be multiples of 8, the start of 16",
            "misaligned or oversized copy",
        )
    store_elements(packed.ready().view(array.values.dtype), world, array, int(row), int(column))
