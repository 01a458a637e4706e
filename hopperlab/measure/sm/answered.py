"""What the driver answered about blocks of kernels, and by which sizes of an SM the calculator gives the same."""

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from hopperlab.chip import Chip, chip
from hopperlab.ledger import Recording
from hopperlab.models.clusters.resources import blocks_per_sm

HOPPER = chip("H100 SXM5")
POWERS_OF_TWO = tuple(1 << bits for bits in range(17))


class Answer(NamedTuple):
    """Blocks of one kernel on an SM, as the driver said; registers are of a thread."""

    registers: int
    threads: int
    shared_bytes: int
    blocks: int


def answers(recording: Recording) -> Iterator[Answer]:
    """Every answer of a recording of `sm_occupancy`, or of `cluster_occupancy`, which asked about clusters as well."""
    registers, columns = recording.samples["registers"], recording.parameters["columns"]
    kernel, *places = map(columns.index, ("kernel", "threads", "shared_bytes", "blocks_per_sm"))
    for row in recording.samples["rows"]:
        yield Answer(registers[row[kernel]], *(row[place] for place in places))


def answered_otherwise(recording: Recording, **sizes: int) -> int:
    """How often the driver counted other blocks than the calculator, in a recording as `answers` takes it.

    `sizes` are constants of the chip's sheet that are to be other than they are, by the names of their fields.
    """
    sheet = replace(HOPPER, **sizes)
    return sum(_calculated(sheet, one) != one.blocks for one in answers(recording))


def possible_units(recording: Recording, constant: str) -> tuple[int, ...]:
    """The powers of two that a unit can be, if the calculator is to count as the driver did every time.

    `constant` is a field of the chip's sheet: "register_allocation_unit" or "shared_allocation_unit".
    """
    asked = set(answers(recording))
    sheets = {unit: replace(HOPPER, **{constant: unit}) for unit in POWERS_OF_TWO}
    return tuple(
        unit for unit, sheet in sheets.items() if all(_calculated(sheet, one) == one.blocks for one in asked)
    )


def _calculated(sheet: Chip, asked: Answer) -> int:
    return blocks_per_sm(sheet, asked.threads, asked.registers, asked.shared_bytes)
