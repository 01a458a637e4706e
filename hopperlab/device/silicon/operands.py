"""How each kind of argument and result looks to numba, to LLVM and to PTX.

Every kind answers these questions: which numba type it has, which registers hold it, how an argument gets
into them, how they become a result, and what its fields stand for in the PTX.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from llvmlite import ir
from numba.cuda import cgutils, types
from numba.cuda.core.errors import TypingError

from hopperlab.device.silicon.shared_types import BarrierType, RingType
from hopperlab.device.silicon.tensor_maps import TensorMapType
from hopperlab.device.vocabulary.kinds import (
    OPERAND_K,
    Array,
    Barrier,
    Choice,
    Coordinates,
    Element,
    Fragment,
    Index,
    Kind,
    OperandFormat,
    Registers,
    Same,
    Scalar,
    SharedArray,
    SharedObject,
    TensorMap,
    Token,
)
from hopperlab.device.vocabulary.word import Word, check_known_value

I16, I32, I64 = ir.IntType(16), ir.IntType(32), ir.IntType(64)


class Register(NamedTuple):
    """A register: its LLVM type and the letter of its inline-assembly constraint."""

    type: ir.Type
    letter: str


SHARED_ADDRESS, ADDRESS = Register(I32, "r"), Register(I64, "l")

# numba's scalar: the register that holds it
REGISTERS = {
    "boolean": Register(I32, "r"),
    "uint16": Register(I16, "h"),
    "int16": Register(I16, "h"),
    "uint32": Register(I32, "r"),
    "int32": Register(I32, "r"),
    "uint64": Register(I64, "l"),
    "int64": Register(I64, "l"),
    "float16": Register(I16, "h"),
    "float32": Register(ir.FloatType(), "f"),
    "float64": Register(ir.DoubleType(), "d"),
}

# numba's element type: PTX's name of it in a load, a store or an atomic
PTX_TYPES = {
    "uint8": "u8",
    "int8": "s8",
    "uint16": "u16",
    "int16": "s16",
    "uint32": "u32",
    "int32": "s32",
    "uint64": "u64",
    "int64": "s64",
    "float16": "f16",
    "float32": "f32",
    "float64": "f64",
}

# numba's type of a fragment's registers: PTX's name of the accumulators in them
FRAGMENT_TYPES = {types.float32: "f32", types.uint32: "f16"}

TO_SHARED_WINDOW = "{ .reg .u64 shared; cvta.to.shared.u64 shared, $1; cvt.u32.u64 $0, shared; }"


class Values(NamedTuple):
    """The arguments of one call, by name: their numba types and their LLVM values."""

    types: Mapping[str, types.Type]
    values: Mapping[str, Any]


def plain(given: types.Type) -> types.Type:
    """Forget that a type is that of one known value."""
    return types.unliteral(given)


def argument_type(word: Word, name: str, given: Mapping[str, types.Type]) -> types.Type:
    """Say as which numba type a word takes what it was given; `given` has all of its arguments.

    Raises
    ------
    TypingError
        If the kind of the argument does not take it.
    ValueError
        If it is known already and out of range.
    """
    kind = word.arguments[name]
    taken = _taken(word, name, kind, given)
    if taken is None:
        raise TypingError(f"{word.name}: {name} is {given[name]}, but the word takes {_a(kind)}")
    return taken


def _a(kind: Kind) -> str:
    return str(kind) if isinstance(kind, Choice) else f"a {kind}"


def _taken(word: Word, name: str, kind: Kind, given: Mapping[str, types.Type]) -> types.Type | None:
    """Give the numba type that a kind takes, or None if it does not take what was given."""
    offered = given[name]
    match kind:
        case Scalar():
            return _scalar(word, name, kind, offered)
        case OperandFormat():
            return _operand_format(word, name, kind, given)
        case Choice(names):
            known = isinstance(offered, types.StringLiteral) and offered.literal_value in names
            return offered if known else None
        case Registers(type, count):
            return _numbers(offered, getattr(types, type), count)
        case Fragment(columns):
            held = columns_of(offered)
            return offered if held is not None and 8 <= held <= columns and held % 8 == 0 else None
        case Array():
            return _array(word, name, kind, offered)
        case SharedObject():
            return offered if isinstance(offered, types.Array | BarrierType | RingType) else None
        case Index(of):
            return _index(offered, given[of])
        case Element(of, count):
            wanted = getattr(given[of], "dtype", None)
            if count > 1:
                return _numbers(offered, wanted, count)
            return wanted if isinstance(plain(offered), types.Number | types.Boolean) else None
        case Barrier(remote):
            ours = isinstance(offered, BarrierType) and (remote or not offered.remote)
            return offered if ours else None
        case TensorMap():
            return offered if isinstance(offered, TensorMapType) else None
        case Coordinates(of):
            rank = getattr(given[of], "rank", 0)
            taken = _numbers(offered, types.int32, rank)
            if taken is None or any(isinstance(t, types.Float) for t in offered):
                raise TypingError(
                    f"{word.name}: {name} is {offered}, but {of} has {rank} dimensions: "
                    f"give a tuple of {rank} whole numbers, innermost first"
                )
            return taken
    raise AssertionError(f"{word.name}: no argument is a {kind}")


def _scalar(word: Word, name: str, kind: Scalar, offered: types.Type) -> types.Type | None:
    if isinstance(offered, types.Literal) and isinstance(offered.literal_value, int):
        check_known_value(word, name, offered.literal_value)
        return offered if kind.constant else getattr(types, kind.type)
    if kind.constant:
        raise TypingError(f"{word.name}: {name} is a part of the instruction: give a constant")
    wanted = getattr(types, kind.type)
    allowed = types.Integer if isinstance(wanted, types.Integer) else types.Number
    return wanted if isinstance(plain(offered), allowed | types.Boolean) else None


def _numbers(offered: types.Type, wanted: types.Type, count: int) -> types.Type | None:
    fits = isinstance(offered, types.BaseTuple) and len(offered) == count
    if not fits or not all(isinstance(plain(t), types.Number | types.Boolean) for t in offered):
        return None
    return types.UniTuple(wanted, count)


def columns_of(fragment: types.Type) -> int | None:
    """Give the columns of the tile that a fragment is of; None for what is no fragment.

    Every thread holds two float32 of each four of its rows, in every eight columns: half as many as columns.
    """
    if not isinstance(fragment, types.UniTuple) or fragment.dtype not in (types.float32, types.uint32):
        return None
    return len(fragment) * (2 if fragment.dtype == types.float32 else 4)


def _operand_format(
    word: Word, name: str, kind: OperandFormat, given: Mapping[str, types.Type]
) -> types.Type | None:
    offered = given[name]
    if not isinstance(offered, types.StringLiteral) or offered.literal_value not in kind.names:
        return None
    halves = getattr(given[kind.fragment], "dtype", None) == types.uint32
    other = given[kind.other].literal_value if kind.other else None
    if conflict := kind.conflict(offered.literal_value, halves, other):
        raise TypingError(f"{word.name}: {name} is {conflict}")
    return offered


def _array(word: Word, name: str, kind: Array, offered: types.Type) -> types.Type | None:
    if not isinstance(offered, types.Array):
        return None
    size = offered.dtype.bitwidth // 8 if kind.element_bytes else 0
    if kind.element_bytes and size not in kind.element_bytes:
        allowed = " or ".join(map(str, kind.element_bytes))
        raise TypingError(f"{word.name}: {name} has elements of {size} bytes; the word takes {allowed}")
    return offered


def _index(offered: types.Type, array: types.Type) -> types.Type | None:
    dimensions = getattr(array, "ndim", 0)
    if isinstance(plain(offered), types.Integer) and dimensions == 1:
        return plain(offered)
    if isinstance(offered, types.BaseTuple) and len(offered) == dimensions:
        return offered if all(isinstance(plain(t), types.Integer) for t in offered) else None
    return None


def result_type(word: Word, kind: Kind, taken: Mapping[str, types.Type]) -> types.Type:
    """Say which numba type a result has; void where it is absent."""
    match kind:
        case Same(argument):
            like = taken[argument]
            return like.elsewhere() if isinstance(like, BarrierType | RingType) else like
        case Token(barrier):
            return types.void if taken[barrier].remote else types.uint64
        case Element(of, count):
            return taken[of].dtype if count == 1 else types.UniTuple(taken[of].dtype, count)
        case Registers(type, count):
            return types.UniTuple(getattr(types, type), count)
        case Scalar(type):
            return getattr(types, type)
    raise AssertionError(f"{word.name}: no result is a {kind}")


def registers(kind: Kind, type: types.Type) -> tuple[Register, ...]:
    """Give the registers that hold a value of a kind and a numba type: none, one or several."""
    match kind:
        case Scalar(constant=True) | Choice() | Index():
            return ()
        case Scalar(name):
            return (REGISTERS[name],)
        case SharedArray() | Barrier():
            return (SHARED_ADDRESS,)
    match type:
        case types.NoneType():
            return ()
        case types.UniTuple():
            return (REGISTERS[str(type.dtype)],) * len(type)
        case types.Number() | types.Boolean():
            return (REGISTERS[str(type)],)
    return (ADDRESS,)


def to_registers(context: Any, builder: Any, word: Word, name: str, given: Values) -> list:
    """Emit what brings an argument into its registers."""
    kind, type, value = word.arguments[name], given.types[name], given.values[name]
    if not registers(kind, type):
        return []
    match type:
        case types.Array():
            pointer = _element_pointer(context, builder, kind, type, value, given)
        case types.UniTuple():
            return [_raw(builder, type.dtype, v) for v in cgutils.unpack_tuple(builder, value)]
        case types.Number() | types.Boolean():
            return [_raw(builder, type, value)]
        case _:
            pointer = value
    address = builder.ptrtoint(pointer, I64)
    if registers(kind, type) == (ADDRESS,):
        return [address]
    window = ir.InlineAsm(ir.FunctionType(I32, [I64]), TO_SHARED_WINDOW, "=r,l", side_effect=False)
    return [builder.call(window, [address])]


def _element_pointer(
    context: Any, builder: Any, kind: Kind, type: types.Array, value: Any, given: Values
) -> Any:
    array = context.make_array(type)(context, builder, value)
    at = getattr(kind, "at", None)
    if at is None:
        return array.data
    indices, of_type = given.values[at], given.types[at]
    each = [of_type] if isinstance(of_type, types.Integer) else list(of_type)
    numbers = [indices] if isinstance(of_type, types.Integer) else cgutils.unpack_tuple(builder, indices)
    wide = [context.cast(builder, n, t, types.intp) for n, t in zip(numbers, each, strict=True)]
    from_the_end = any(plain(t).signed for t in each)
    return cgutils.get_item_pointer(context, builder, type, array, wide, wraparound=from_the_end)


def from_registers(
    context: Any, builder: Any, kind: Kind, returned: types.Type, written: list, given: Values
) -> Any:
    """Emit what makes a result of the registers that the instruction wrote."""
    if isinstance(kind, Same) and isinstance(returned, types.Array):
        array = context.make_array(returned)(context, builder, given.values[kind.argument])
        array.data = builder.inttoptr(written[0], array.data.type)
        return array._getvalue()
    if isinstance(returned, types.UniTuple):
        values = [_cooked(context, builder, returned.dtype, register) for register in written]
        return context.make_tuple(builder, returned, values)
    if isinstance(returned, BarrierType | RingType):
        return builder.inttoptr(written[0], context.get_value_type(returned))
    if isinstance(returned, types.NoneType):
        return context.get_dummy_value()
    return _cooked(context, builder, returned, written[0])


def _raw(builder: Any, type: types.Type, value: Any) -> Any:
    """Bring a number to the LLVM type of its register."""
    if type == types.boolean:
        return builder.zext(value, I32)
    return builder.bitcast(value, I16) if type == types.float16 else value


def _cooked(context: Any, builder: Any, type: types.Type, register: Any) -> Any:
    """Make a number of what its register holds."""
    if type == types.boolean:
        return builder.icmp_unsigned("!=", register, ir.Constant(I32, 0))
    return builder.bitcast(register, context.get_value_type(type)) if type == types.float16 else register


def ptx_field(word: Word, name: str, field: str, type: types.Type) -> str:
    """Give what `{name.field}` stands for in the PTX of a word."""
    if isinstance(type, BarrierType) and field in ("space", "scope"):
        whose = "cluster" if type.remote else "cta"
        return f"shared::{whose}" if field == "space" else whose
    if columns_of(type) is not None and field in ("columns", "type"):
        return str(columns_of(type)) if field == "columns" else FRAGMENT_TYPES[type.dtype]
    if isinstance(word.arguments[name], OperandFormat) and field in ("k", "majors"):
        elements = OPERAND_K[type.literal_value]
        return str(elements) if field == "k" else ", 0, 0" if elements == OPERAND_K["f16"] else ""
    if isinstance(type, TensorMapType) and field == "rank":
        return str(type.rank)
    if isinstance(type, types.Array) and field == "type" and str(type.dtype) in PTX_TYPES:
        return PTX_TYPES[str(type.dtype)]
    raise TypingError(f"{word.name}: the instruction has no form for the {field} of {name}, {type}")
