"""Twins of the words that load from another block's shared memory; copies.py has those that write there."""

from __future__ import annotations

from typing import Any

from hopperlab.device.simulator.arguments import Misuse
from hopperlab.device.simulator.twins import twin
from hopperlab.device.vocabulary import dsmem


@twin(dsmem.load_v4)
def load_v4(world: Any, array: Any, index: Any) -> tuple:
    """Load four elements that follow each other."""
    *outer, last = index if isinstance(index, tuple) else (index,)
    if last % 4:
        raise Misuse(
            f"dsmem.load_v4: index is {index}; a multiple of 4 is needed", "misaligned or oversized copy"
        )
    return tuple(array[(*outer, last + i)] if outer else array[last + i] for i in range(4))
