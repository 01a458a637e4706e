"""fragment: what a warpgroup does with its accumulators on their way out of the registers.

A fragment is this thread's part of 64 x N accumulators, as `wgmma` has them.
"""

from hopperlab.device.vocabulary.kinds import Array, Choice, Fragment, Same, Scalar
from hopperlab.device.vocabulary.word import word

Accumulators = Fragment(columns=256)
First = Scalar("uint32", unit="column", low=0, high=248, multiple=8, constant=True)
Columns = Scalar("uint32", unit="column", low=8, high=256, multiple=8, constant=True)
Position = Scalar("int64", unit="element")

REGISTERS = "PTX ISA, Asynchronous Warpgroup Level Matrix Instructions: register fragments"


@word(ptx=None, target="sm_90a", effect="none", source=REGISTERS)
def part(accumulators: Accumulators, first: First, columns: Columns) -> Accumulators:
    """Give the accumulators of `columns` columns from the column `first` on: some of the registers, as they are."""


@word(ptx=None, target="sm_90a", effect="reads", source="PTX ISA, Floating Point Instructions: mul")
def scale_rows(accumulators: Accumulators, factors: Array(element_bytes=(4,)), row: Position) -> Same(
    "accumulators"
):
    """Multiply each row by its own float32: the tile's first row by `factors[row]`; rows without one become 0."""


@word(ptx=None, target="sm_90a", effect="reads", source="PTX ISA, Floating Point Instructions: mul")
def scale_columns(accumulators: Accumulators, factors: Array(element_bytes=(4,)), column: Position) -> Same(
    "accumulators"
):
    """Multiply each column by its own float32: the tile's first by `factors[column]`; columns without one become 0."""


@word(
    ptx=None,
    target="sm_90a",
    effect="none",
    source="PTX ISA, Data Movement and Conversion Instructions: cvt",
)
def pack(accumulators: Accumulators, format: Choice(("bf16", "f16"))) -> Accumulators:
    """Convert float32 to numbers of 16 bits, two a register, rounding to nearest even: half as many registers."""


@word(
    ptx=None,
    target="sm_90a",
    source="PTX ISA, Data Movement and Conversion Instructions: shfl.sync, st",
)
def store(packed: Accumulators, array: Array(element_bytes=(2,)), row: Position, column: Position) -> None:
    """Write packed numbers to a 2-D array, 16 bytes a thread, from `row` and `column` on; outside it, nothing.

    The four lanes that hold a row's columns exchange them first, so that each has eight in a row. Columns come by
    32, the array starts on 16 bytes, and its rows and `column` are multiples of 8: `wgmma.store` takes any.
    """
