"""The words of wgmma that are more than an instruction: fragments made, read, written, added and scaled."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from llvmlite import ir
from numba.cuda import cgutils, types
from numba.cuda.typing import Signature, signature

from hopperlab.device.silicon.intrinsics import check_typed, lowering
from hopperlab.device.silicon.operands import FRAGMENT_TYPES, columns_of
from hopperlab.device.vocabulary import wgmma
from hopperlab.device.vocabulary.word import Word, check_known_value

I16, I32, I64, F32 = ir.IntType(16), ir.IntType(32), ir.IntType(64), ir.FloatType()
REGISTERS = {types.float32: F32, types.uint32: I32}
# The type of an array's elements: that of the registers which hold them.
FRAGMENT_OF = {types.float32: types.float32, types.float16: types.uint32, types.uint16: types.uint32}


def fragment_type(columns: int, register: types.Type) -> types.UniTuple:
    """Give the numba type of a fragment of 64 x `columns` accumulators."""
    return types.UniTuple(register, columns // (2 if register == types.float32 else 4))


@lowering(wgmma.zeros)
def zeros(context: Any, columns: Any, type: Any = None) -> tuple[Signature, Callable]:
    """Type and build `wgmma.zeros`."""
    name = getattr(type, "literal_value", "f32")
    check_typed(
        wgmma.zeros, name in FRAGMENT_TYPES.values(), f"type is {name!r}; allowed are 'f32' and 'f16'"
    )
    register = next(t for t, known in FRAGMENT_TYPES.items() if known == name)
    fragment = fragment_type(_known_columns(wgmma.zeros, columns), register)

    def generate(context: Any, builder: Any, signature: Signature, values: list) -> Any:
        zero = ir.Constant(REGISTERS[register], 0)
        return context.make_tuple(builder, fragment, [zero] * len(fragment))

    return signature(fragment, columns, types.none if type is None else type), generate


@lowering(wgmma.load)
def load(context: Any, array: Any, row: Any, column: Any, columns: Any) -> tuple[Signature, Callable]:
    """Type and build `wgmma.load`."""
    register = FRAGMENT_OF[_matrix(wgmma.load, array)]
    fragment = fragment_type(_known_columns(wgmma.load, columns), register)

    def generate(context: Any, builder: Any, signature: Signature, values: list) -> Any:
        place = Place(context, builder, array, *values[:3])
        loaded = [place.load(builder, element) for element in range(columns_of(fragment) // 2)]
        if register == types.uint32:
            loaded = list(_joined(builder, loaded))
        return context.make_tuple(builder, fragment, loaded)

    return signature(fragment, array, types.int64, types.int64, columns), generate


@lowering(wgmma.store)
def store(context: Any, accumulators: Any, array: Any, row: Any, column: Any) -> tuple[Signature, Callable]:
    """Type and build `wgmma.store`."""
    _check_fragment(wgmma.store, accumulators)
    element = _matrix(wgmma.store, array)
    wanted = FRAGMENT_OF[element]
    check_typed(
        wgmma.store,
        accumulators.dtype == wanted,
        f"array has {element}, but the accumulators are {FRAGMENT_TYPES[accumulators.dtype]}",
    )

    def generate(context: Any, builder: Any, signature: Signature, values: list) -> Any:
        registers = cgutils.unpack_tuple(builder, values[0])
        if wanted == types.uint32:
            registers = list(_halves(builder, registers))
        place = Place(context, builder, array, *values[1:])
        for element, register in enumerate(registers):
            place.store(builder, element, register)
        return context.get_dummy_value()

    return signature(types.void, accumulators, array, types.int64, types.int64), generate


@lowering(wgmma.add)
def add(context: Any, accumulators: Any, more: Any) -> tuple[Signature, Callable]:
    """Type and build `wgmma.add`."""
    _check_fragment(wgmma.add, accumulators)
    check_typed(wgmma.add, accumulators == more, f"more is {more}, but accumulators is {accumulators}")
    form = "f32" if accumulators.dtype == types.float32 else "f16x2"

    def generate(context: Any, builder: Any, signature: Signature, values: list) -> Any:
        both = zip(*(cgutils.unpack_tuple(builder, value) for value in values), strict=True)
        sums = [_rounded(builder, f"add.rn.{form}", x, y) for x, y in both]
        return context.make_tuple(builder, accumulators, sums)

    return signature(accumulators, accumulators, more), generate


@lowering(wgmma.scale)
def scale(context: Any, accumulators: Any, factor: Any) -> tuple[Signature, Callable]:
    """Type and build `wgmma.scale`."""
    _check_fragment(wgmma.scale, accumulators)
    check_typed(wgmma.scale, accumulators.dtype == types.float32, "only accumulators of float32 are scaled")

    def generate(context: Any, builder: Any, signature: Signature, values: list) -> Any:
        registers = cgutils.unpack_tuple(builder, values[0])
        products = [_rounded(builder, "mul.rn.f32", x, values[1]) for x in registers]
        return context.make_tuple(builder, accumulators, products)

    return signature(accumulators, accumulators, types.float32), generate


class Place:
    """Where in a 2-D array this thread's accumulators are; element i of a fragment is its i-th of float32."""

    def __init__(
        self, context: Any, builder: Any, kind: types.Array, array: Any, row: Any, column: Any
    ) -> None:
        self.context, self.kind = context, kind
        self.array = context.make_array(kind)(context, builder, array)
        self.shape = cgutils.unpack_tuple(builder, self.array.shape)
        thread = builder.zext(_thread(builder), I64)
        warp = builder.and_(builder.lshr(thread, I64(5)), I64(3))
        group = builder.and_(builder.lshr(thread, I64(2)), I64(7))
        first = builder.add(row, builder.add(builder.mul(warp, I64(16)), group))
        self.rows = [_line(builder, builder.add(first, I64(8 * i)), self.shape[0]) for i in range(2)]
        self.column = builder.add(column, builder.mul(builder.and_(thread, I64(3)), I64(2)))
        self.columns: dict[int, Line] = {}

    def load(self, builder: Any, element: int) -> Any:
        """Read an element; 0 outside the array."""
        zero = self._register(0)
        inside, pointer = self._at(builder, element)
        before = builder.block
        with builder.if_then(inside):
            value, there = builder.load(pointer), builder.block
        result = builder.phi(zero.type)
        result.add_incoming(zero, before)
        result.add_incoming(value, there)
        return result

    def store(self, builder: Any, element: int, register: Any) -> None:
        """Write an element; nothing outside the array."""
        inside, pointer = self._at(builder, element)
        with builder.if_then(inside):
            builder.store(register, pointer)

    def _at(self, builder: Any, element: int) -> tuple[Any, Any]:
        """Give whether the element is inside the array, and a pointer to it."""
        line = self.rows[element // 2 % 2]
        offset = element // 4 * 8 + element % 2
        if offset not in self.columns:
            self.columns[offset] = _line(builder, builder.add(self.column, I64(offset)), self.shape[1])
        across = self.columns[offset]
        pointer = cgutils.get_item_pointer(
            self.context, builder, self.kind, self.array, [line.index, across.index], wraparound=False
        )
        typed = builder.bitcast(pointer, self._register(0).type.as_pointer())
        return builder.and_(line.inside, across.inside), typed

    def _register(self, value: int) -> ir.Constant:
        return ir.Constant(F32 if self.kind.dtype == types.float32 else I16, value)


class Line(NamedTuple):
    """A row or a column of an array: its index, and whether the array has it."""

    index: Any
    inside: Any


def _line(builder: Any, index: Any, length: Any) -> Line:
    return Line(index, builder.icmp_unsigned("<", index, length))


def _thread(builder: Any) -> Any:
    read = builder.module.declare_intrinsic("llvm.nvvm.read.ptx.sreg.tid.x", (), ir.FunctionType(I32, ()))
    return builder.call(read, ())


def _joined(builder: Any, halves: list) -> Iterator[Any]:
    """Pack float16 two by two, the first in the low half."""
    for low, high in zip(halves[::2], halves[1::2], strict=True):
        yield builder.or_(builder.zext(low, I32), builder.shl(builder.zext(high, I32), I32(16)))


def _halves(builder: Any, registers: list) -> Iterator[Any]:
    """Take float16 apart, the low half first."""
    for register in registers:
        yield builder.trunc(register, I16)
        yield builder.trunc(builder.lshr(register, I32(16)), I16)


def _rounded(builder: Any, instruction: str, x: Any, y: Any) -> Any:
    """Add or multiply with a rounding of its own: never contracted with what comes before or after."""
    letter = "f" if x.type == F32 else "r"
    assembly = ir.InlineAsm(
        ir.FunctionType(x.type, [x.type, y.type]),
        f"{instruction} $0, $1, $2;",
        f"={letter},{letter},{letter}",
        side_effect=False,
    )
    return builder.call(assembly, [x, y])


def _known_columns(word: Word, columns: types.Type) -> int:
    known = isinstance(columns, types.IntegerLiteral)
    check_typed(word, known, f"columns is {columns}; give a constant, known when the kernel is compiled")
    check_known_value(word, "columns", columns.literal_value)
    return columns.literal_value


def _matrix(word: Word, array: types.Type) -> types.Type:
    fits = isinstance(array, types.Array) and array.ndim == 2 and array.dtype in FRAGMENT_OF
    check_typed(
        word, fits, f"array is {array}, but the word takes a 2-D array of float32 or float16, or of uint16"
    )
    return array.dtype


def _check_fragment(word: Word, accumulators: types.Type) -> None:
    fragment = word.arguments["accumulators"]
    check_typed(
        word,
        columns_of(accumulators) is not None,
        f"accumulators is {accumulators}, but the word takes a {fragment}",
    )
