"""What a wgmma must be fed from shared memory, and how long that takes beside the arithmetic."""

from dataclasses import dataclass

from hopperlab.chip import chip
from hopperlab.models.arguments import whole_number

HOPPER = chip("H100 SXM5")
ROWS = 64
"""Rows of D that a wgmma has."""

DEPTH_BYTES = 32
"""Bytes of a row of A that one wgmma takes: 16 elements of BF16, 32 of FP8."""

SHARED_BYTES_PER_CLOCK = 128
"""Bytes that an SM's shared memory gives in a clock: 32 banks of 4 bytes (chip-051.a, chip-051.b)."""

DATA_TYPES = {"bf16": 2, "fp16": 2, "fp8": 1, "tf32": 4}
"""Bytes of an operand's element."""


@dataclass(frozen=True)
class Operands:
    """The operands of one wgmma m64nNkK with K of 32 bytes: all four sub-partitions take part.

    B is always read from shared memory, once for all; A may lie in registers (article-046).

    Attributes
    ----------
    columns
        N: 8 to 256, a multiple of 8.
    a_in_registers
        Whether A lies in registers.
    data_type
        One of ``DATA_TYPES``.

    Raises
    ------
    ValueError
        For another width or data type.
    """

    columns: int
    a_in_registers: bool = False
    data_type: str = "bf16"

    def __post_init__(self) -> None:
        """Refuse what the instruction does not have."""
        if whole_number("columns", self.columns, 8, 256) % 8:
            raise ValueError(f"columns={self.columns} must be a multiple of 8, in 8 to 256")
        if self.data_type not in DATA_TYPES:
            raise ValueError(f"data_type={self.data_type!r} must be one of {', '.join(DATA_TYPES)}")

    @property
    def depth(self) -> int:
        """K, in elements."""
        return DEPTH_BYTES // DATA_TYPES[self.data_type]

    @property
    def name(self) -> str:
        """The shape as PTX writes it."""
        return f"m{ROWS}n{self.columns}k{self.depth}"

    @property
    def flop(self) -> int:
        """FLOP of the instruction."""
        return 2 * ROWS * self.columns * self.depth

    @property
    def shared_bytes(self) -> int:
        """Bytes that it reads from shared memory."""
        rows = self.columns + (0 if self.a_in_registers else ROWS)
        return rows * DEPTH_BYTES

    @property
    def math_cycles(self) -> float:
        """Cycles of the arithmetic, by the chip's sheet."""
        return self.flop / HOPPER.tensor_flop_per_clock_per_sm(self.data_type)

    @property
    def shared_cycles(self) -> float:
        """Cycles that shared memory takes to give its bytes."""
        return self.shared_bytes / SHARED_BYTES_PER_CLOCK

    @property
    def cycles(self) -> float:
        """Cycles from one to the next of many in a row: the slower of the two decides."""
        return max(self.math_cycles, self.shared_cycles)

    @property
    def bytes_per_clock(self) -> float:
        """Bytes a clock that shared memory must give for the tensor cores to be busy in every clock."""
        return self.shared_bytes / self.math_cycles

    @property
    def flop_per_clock(self) -> float:
        """FLOP of an SM in a clock."""
        return self.flop / self.cycles
