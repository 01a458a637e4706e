"""What a word may take and give: numbers, arrays, compile-time constants."""

from __future__ import annotations

from dataclasses import dataclass, replace

SCALAR_TYPES = (
    "boolean",
    "uint16",
    "int16",
    "uint32",
    "int32",
    "uint64",
    "int64",
    "float16",
    "float32",
    "float64",
)


@dataclass(frozen=True)
class Scalar:
    """A number that a word takes or gives in a register.

    Attributes
    ----------
    type
        One of `SCALAR_TYPES`, in numba's names.
    unit
        What one of it is ("block", "byte", "clock cycle"); "1" for a plain count or index.
    low, high
        The allowed range, both ends included; None where the type is the only limit.
    multiple
        The value is a multiple of this.
    constant
        The instruction holds the value itself, so it is known when the kernel is compiled.
    """

    type: str
    unit: str = "1"
    low: int | None = None
    high: int | None = None
    multiple: int = 1
    constant: bool = False

    def __post_init__(self) -> None:
        """Refuse a type that is no scalar."""
        if self.type not in SCALAR_TYPES:
            raise ValueError(f"type is {self.type!r}; a scalar is one of {', '.join(SCALAR_TYPES)}")

    def __str__(self) -> str:
        """Name the kind, as errors and the reference do."""
        return self.type if self.unit == "1" else f"{self.type} [{self.unit}]"

    @property
    def allowed(self) -> str:
        """The allowed values, in words."""
        span = f"from {self.low} to {self.high}" if self.high is not None else f"any {self.type}"
        return span if self.multiple == 1 else f"{span} in steps of {self.multiple}"

    def admits(self, value: int) -> bool:
        """Whether a value known in advance is in the range."""
        above = self.low is None or value >= self.low
        below = self.high is None or value <= self.high
        return above and below and value % self.multiple == 0

    def known(self) -> Scalar:
        """The same scalar, as a constant of the instruction."""
        return replace(self, constant=True)


@dataclass(frozen=True)
class SharedArray:
    """An array in shared memory, of this block or of another block of the cluster.

    The instruction gets its address: the 32-bit address in the shared window, or the 64-bit
    generic address where `generic` says so.
    """

    generic: bool = False

    def __str__(self) -> str:
        """Name the kind, as errors and the reference do."""
        return "shared array"


@dataclass(frozen=True)
class GlobalArray:
    """An array in global memory; the instruction gets its 64-bit address."""

    def __str__(self) -> str:
        """Name the kind, as errors and the reference do."""
        return "global array"


@dataclass(frozen=True)
class Same:
    """A result of the same kind as one of the arguments: another view of that array, say."""

    argument: str

    def __str__(self) -> str:
        """Name the kind, as errors and the reference do."""
        return f"like {self.argument}"


Kind = Scalar | SharedArray | GlobalArray | Same

BlockRank = Scalar("uint32", unit="block of the cluster", low=0, high=15)
BlockCount = Scalar("uint32", unit="block", low=1, high=16)
ClusterIndex = Scalar("uint32", unit="cluster")
Bytes = Scalar("uint32", unit="byte")
Cycles32 = Scalar("uint32", unit="clock cycle")
Cycles64 = Scalar("uint64", unit="clock cycle")
Nanoseconds32 = Scalar("uint32", unit="nanosecond")
Nanoseconds64 = Scalar("uint64", unit="nanosecond")
