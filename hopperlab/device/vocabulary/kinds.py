"""What a word may take and give: numbers, arrays, barriers, tensor maps, compile-time constants."""

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
class Choice:
    """One of some names, written as a string; it becomes a part of the instruction."""

    names: tuple[str, ...]

    def __str__(self) -> str:
        """Name the kind, as errors and the reference do."""
        return "one of " + ", ".join(map(repr, self.names))


@dataclass(frozen=True)
class Registers:
    """Several numbers of one type, as a tuple: a thread's fragment of a tile, say.

    In the PTX, `{name}` stands for all of its registers, separated by commas.

    Attributes
    ----------
    type
        Of each number, one of `SCALAR_TYPES`.
    count
        How many there are.
    """

    type: str
    count: int

    def __post_init__(self) -> None:
        """Refuse a type that is no scalar."""
        Scalar(self.type)

    def __str__(self) -> str:
        """Name the kind, as errors and the reference do."""
        return f"tuple of {self.count} {self.type}"


@dataclass(frozen=True)
class Fragment:
    """What a thread holds of a tile of accumulators: a tuple of float32, or of uint32 that hold two float16.

    A warpgroup shares a tile of 64 rows, a warp one of 16; the tuple's length tells the columns. In the PTX,
    `{name.columns}` is their number and `{name.type}` the PTX type of the accumulators.

    Attributes
    ----------
    columns
        The most that the tile may have; it has a multiple of 8.
    """

    columns: int

    def __str__(self) -> str:
        """Name the kind, as errors and the reference do."""
        return f"fragment of accumulators of up to {self.columns} columns"


OPERAND_K = {"e4m3": 32, "e5m2": 32, "f16": 16, "bf16": 16, "tf32": 8}
"""Formats of a tensor core's operands: elements along K that one instruction takes, 32 bytes of each."""

_FP8 = ("e4m3", "e5m2")


@dataclass(frozen=True)
class OperandFormat(Choice):
    """The format of a tensor core's operand, which has to go with the accumulators and the other operand.

    In the PTX, `{name.k}` is the elements along K, and `{name.majors}` says that both operands run along K
    where the instruction could have it otherwise.

    Attributes
    ----------
    fragment
        The argument with the accumulators.
    other
        The argument with the format of the other operand, if it comes before this one.
    """

    names: tuple[str, ...] = tuple(OPERAND_K)
    fragment: str = "accumulators"
    other: str | None = None

    def conflict(self, name: str, halves: bool, other: str | None) -> str | None:
        """Say why a format does not go with the rest; None if it does. `halves`: accumulators are float16."""
        if halves and name not in (*_FP8, "f16"):
            return f"{name!r}, but only 'f16' and the FP8 formats are summed up in float16"
        if other is None or name == other or (name in _FP8 and other in _FP8):
            return None
        return f"{name!r}, but the other operand is {other!r}: only the FP8 formats mix"


@dataclass(frozen=True)
class Array:
    """An array; the instruction gets the address of its first element, or of another one.

    Attributes
    ----------
    at
        The argument, of kind `Index`, that tells which element is meant; None means the first.
    element_bytes
        The sizes that an element may have; none given: any.
    """

    at: str | None = None
    element_bytes: tuple[int, ...] = ()


@dataclass(frozen=True)
class SharedArray(Array):
    """An array in shared memory, of this block or of another block of the cluster.

    The instruction gets an address in the shared window, 32 bits.
    """

    def __str__(self) -> str:
        """Name the kind, as errors and the reference do."""
        return "shared array"


@dataclass(frozen=True)
class GlobalArray(Array):
    """An array in global memory; the instruction gets a 64-bit address."""

    def __str__(self) -> str:
        """Name the kind, as errors and the reference do."""
        return "global array"


@dataclass(frozen=True)
class SharedObject:
    """Anything in shared memory: an array, a barrier, a ring of barriers. Its address is generic, 64 bits."""

    def __str__(self) -> str:
        """Name the kind, as errors and the reference do."""
        return "shared array or barrier"


@dataclass(frozen=True)
class Index:
    """Which element of the array argument `of` is meant: a whole number, or a tuple, one for each axis.

    It has no register of its own: the array's address holds it.
    """

    of: str

    def __str__(self) -> str:
        """Name the kind, as errors and the reference do."""
        return f"index into {self.of}"


@dataclass(frozen=True)
class Element:
    """A value of the element type of the array argument `of`; with a `count` above 1, a tuple of them."""

    of: str
    count: int = 1

    def __str__(self) -> str:
        """Name the kind, as errors and the reference do."""
        return f"element of {self.of}" if self.count == 1 else f"tuple of {self.count} elements of {self.of}"


@dataclass(frozen=True)
class Barrier:
    """A barrier in shared memory, made by `mbarrier.shared`; the instruction gets its 32-bit address.

    In the PTX, `{name.space}` and `{name.scope}` say whose it may be: `shared::cta` and `cta` for this
    block's, `shared::cluster` and `cluster` for another's.

    Attributes
    ----------
    remote
        Whether it may be another block's; a block waits on its own barriers only.
    """

    remote: bool = False

    def __str__(self) -> str:
        """Name the kind, as errors and the reference do."""
        return "barrier" if self.remote else "barrier of this block"


@dataclass(frozen=True)
class Token:
    """What arriving on this block's own barrier gives; on another block's, nothing (`_` in the PTX).

    `barrier` names the argument that decides.
    """

    barrier: str

    def __str__(self) -> str:
        """Name the kind, as errors and the reference do."""
        return "token"


@dataclass(frozen=True)
class TensorMap:
    """A tensor map that the kernel was given; the instruction gets its 64-bit address.

    In the PTX, `{name.rank}` is its number of dimensions.
    """

    def __str__(self) -> str:
        """Name the kind, as errors and the reference do."""
        return "tensor map"


@dataclass(frozen=True)
class Coordinates:
    """Where a box begins: a tuple with a number for each dimension of the map `of`, innermost first."""

    of: str

    def __str__(self) -> str:
        """Name the kind, as errors and the reference do."""
        return f"tuple of coordinates, one for each dimension of {self.of}"


@dataclass(frozen=True)
class Same:
    """A result of the same kind as one of the arguments.

    Of a `SharedObject` it is another view: the same array or barrier, at the address that the instruction
    gives. Of `Registers` and of a `Fragment` it is the argument, changed in place: input and output share
    their registers, and the PTX names them `{result}`.
    """

    argument: str

    def __str__(self) -> str:
        """Name the kind, as errors and the reference do."""
        return f"like {self.argument}"


Kind = (
    Scalar
    | Choice
    | Registers
    | Fragment
    | OperandFormat
    | SharedArray
    | GlobalArray
    | SharedObject
    | Index
    | Element
    | Barrier
    | Token
    | TensorMap
    | Coordinates
    | Same
)

BlockRank = Scalar("uint32", unit="block of the cluster", low=0, high=15)
BlockCount = Scalar("uint32", unit="block", low=1, high=16)
ClusterIndex = Scalar("uint32", unit="cluster")
Bytes = Scalar("uint32", unit="byte")
Cycles32 = Scalar("uint32", unit="clock cycle")
Cycles64 = Scalar("uint64", unit="clock cycle")
Nanoseconds32 = Scalar("uint32", unit="nanosecond")
Nanoseconds64 = Scalar("uint64", unit="nanosecond")
