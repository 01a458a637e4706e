"""What the driver already answered about blocks, when it was asked about clusters."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hopperlab.chip import chip
from hopperlab.models.clusters.resources import blocks_per_sm

if TYPE_CHECKING:
    from hopperlab.ledger import Recording


def answered(recording: Recording) -> tuple[int, int]:
    """Give the kernels in a recording of `cluster_occupancy`, and how many of them the calculator counts otherwise.

    Kernels that differ in registers, threads or shared memory are counted once each.
    """
    registers = recording.samples["registers"]
    asked = {
        (registers[kernel], threads, shared_bytes, blocks)
        for kernel, _, _, _, threads, shared_bytes, _, blocks, _ in recording.samples["rows"]
    }
    hopper = chip("H100 SXM5")
    wrong = sum(
        blocks_per_sm(hopper, threads, regs, shared) != blocks for regs, threads, shared, blocks in asked
    )
    return len(asked), wrong
