"""What the driver already answered about blocks, when it was asked about clusters."""

from collections.abc import Iterator
from typing import NamedTuple

from hopperlab.chip import chip
from hopperlab.ledger import Recording
from hopperlab.models.clusters.resources import blocks_per_sm


class Answer(NamedTuple):
    """Blocks of one kernel on an SM, as the driver said; registers are of a thread."""

    registers: int
    threads: int
    shared_bytes: int
    blocks: int


def answers(recording: Recording) -> Iterator[Answer]:
    """Every answer of a recording of `cluster_occupancy`."""
    registers = recording.samples["registers"]
    for kernel, _, _, _, threads, shared_bytes, _, blocks, _ in recording.samples["rows"]:
        yield Answer(registers[kernel], threads, shared_bytes, blocks)


def answered(recording: Recording) -> tuple[int, int]:
    """Give the kernels in a recording of `cluster_occupancy`, and how many of them the calculator counts otherwise.

    Kernels that differ in registers, threads or shared memory are counted once each.
    """
    asked, hopper = set(answers(recording)), chip("H100 SXM5")
    wrong = sum(
        blocks_per_sm(hopper, one.threads, one.registers, one.shared_bytes) != one.blocks for one in asked
    )
    return len(asked), wrong
