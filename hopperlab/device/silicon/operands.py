"""How each kind of argument and result looks to numba, to LLVM and to PTX.

Every kind answers four questions: which numba type it has, which LLVM type its register has, how an
argument gets into a register, and how a register becomes a result.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba.cuda import types
from numba.cuda.core.errors import TypingError

from hopperlab.device.vocabulary.kinds import GlobalArray, Kind, Same, Scalar, SharedArray
from hopperlab.device.vocabulary.word import Word, check_known_value

I32, I64 = ir.IntType(32), ir.IntType(64)

# numba's scalar: LLVM type of its register, letter of the inline-assembly constraint
REGISTERS = {
    "boolean": (I32, "r"),
    "uint16": (ir.IntType(16), "h"),
    "int16": (ir.IntType(16), "h"),
    "uint32": (I32, "r"),
    "int32": (I32, "r"),
    "uint64": (I64, "l"),
    "int64": (I64, "l"),
    "float16": (ir.IntType(16), "h"),
    "float32": (ir.FloatType(), "f"),
    "float64": (ir.DoubleType(), "d"),
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

TO_SHARED_WINDOW = "{ .reg .u64 shared; cvta.to.shared.u64 shared, $1; cvt.u32.u64 $0, shared; }"


def plain(given: types.Type) -> types.Type:
    """Forget that a type is that of one known value."""
    return types.unliteral(given)


def argument_type(word: Word, name: str, given: types.Type) -> types.Type:
    """Say as which numba type a word takes what it was given.

    Raises
    ------
    TypingError
        If the kind of the argument does not take it.
    ValueError
        If it is known already and out of range.
    """
    kind = word.arguments[name]
    if isinstance(kind, SharedArray | GlobalArray):
        if isinstance(given, types.Array):
            return given
    elif isinstance(kind, Scalar):
        if isinstance(given, types.Literal) and isinstance(given.literal_value, int):
            check_known_value(word, name, given.literal_value)
            return given if kind.constant else getattr(types, kind.type)
        if kind.constant:
            raise TypingError(f"{word.name}: {name} is a part of the instruction: give a constant")
        if _fits(plain(given), kind):
            return getattr(types, kind.type)
    raise TypingError(f"{word.name}: {name} is {given}, but the word takes a {kind}")


def _fits(given: types.Type, kind: Scalar) -> bool:
    wanted = getattr(types, kind.type)
    if isinstance(wanted, types.Integer):
        return isinstance(given, types.Integer | types.Boolean)
    return isinstance(given, types.Number | types.Boolean)


def result_type(word: Word, kind: Kind, arguments: dict[str, types.Type]) -> types.Type:
    """Say which numba type a result has."""
    if isinstance(kind, Same):
        return arguments[kind.argument]
    return getattr(types, kind.type)


def constraint(kind: Kind) -> str:
    """Give the letter for the register that holds a value of this kind."""
    if isinstance(kind, Scalar):
        return REGISTERS[kind.type][1]
    return "r" if isinstance(kind, SharedArray) and not kind.generic else "l"


def register_type(kind: Kind) -> ir.Type:
    """Give the LLVM type of the register that holds a value of this kind."""
    if isinstance(kind, Scalar):
        return REGISTERS[kind.type][0]
    return I32 if constraint(kind) == "r" else I64


def to_register(context: Any, builder: Any, kind: Kind, given: types.Type, value: Any) -> Any:
    """Emit what brings an argument into its register."""
    if isinstance(kind, Scalar):
        if kind.type == "boolean":
            return builder.zext(value, I32)
        return builder.bitcast(value, ir.IntType(16)) if kind.type == "float16" else value
    address = builder.ptrtoint(context.make_array(given)(context, builder, value).data, I64)
    if constraint(kind) == "l":
        return address
    window = ir.InlineAsm(ir.FunctionType(I32, [I64]), TO_SHARED_WINDOW, "=r,l", side_effect=False)
    return builder.call(window, [address])


def from_register(
    context: Any, builder: Any, kind: Kind, returned: types.Type, register: Any, like: Any
) -> Any:
    """Emit what makes a result of the register that the instruction wrote.

    `like` is the argument that a result of kind `Same` resembles: its shape and strides are kept,
    its address is the instruction's.
    """
    if isinstance(kind, Same):
        array = context.make_array(returned)(context, builder, like)
        array.data = builder.inttoptr(register, array.data.type)
        return array._getvalue()
    if kind.type == "boolean":
        return builder.icmp_unsigned("!=", register, ir.Constant(I32, 0))
    if kind.type == "float16":
        return builder.bitcast(register, context.get_value_type(returned))
    return register


def ptx_name(given: types.Type, field: str) -> str:
    """Give what `{argument.field}` stands for; the one field there is, is `type`."""
    if field != "type" or not isinstance(given, types.Array) or str(given.dtype) not in PTX_TYPES:
        raise TypingError(f"an instruction has no form for {field} of {given}")
    return PTX_TYPES[str(given.dtype)]
