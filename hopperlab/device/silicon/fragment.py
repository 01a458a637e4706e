"""The words about fragments on silicon: registers chosen, scaled, packed, exchanged and written."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba.cuda import cgutils, types
from numba.cuda.typing import Signature
from numba.cuda.typing import signature as signature_of

from hopperlab.device.silicon.intrinsics import check_typed, lowering
from hopperlab.device.silicon.operands import columns_of
from hopperlab.device.vocabulary import fragment
from hopperlab.device.vocabulary.word import Word, check_known_value

I32, I64, F32 = ir.IntType(32), ir.IntType(64), ir.FloatType()


@lowering(fragment.part)
def part(context: Any, accumulators: Any, first: Any, columns: Any) -> tuple[Signature, Callable]:
    """Type and build `fragment.part`."""
    whole = _columns(fragment.part, "accumulators", accumulators)
    begin, count = (_known(fragment.part, n, v) for n, v in (("first", first), ("columns", columns)))
    check_typed(
        fragment.part,
        begin + count <= whole,
        f"columns {begin} to {begin + count} of a fragment with {whole}",
    )
    each = len(accumulators) * 8 // whole  # registers of eight columns
    start, stop = begin // 8 * each, (begin + count) // 8 * each
    given = types.UniTuple(accumulators.dtype, stop - start)

    def generate(context: Any, builder: Any, signature: Signature, values: list) -> Any:
        registers = cgutils.unpack_tuple(builder, values[0])
        return context.make_tuple(builder, given, registers[start:stop])

    return signature_of(given, accumulators, first, columns), generate


@lowering(fragment.scale_rows)
def scale_rows(context: Any, accumulators: Any, factors: Any, row: Any) -> tuple[Signature, Callable]:
    """Type and build `fragment.scale_rows`."""
    _check_scalable(fragment.scale_rows, accumulators, factors)

    def generate(context: Any, builder: Any, signature: Signature, values: list) -> Any:
        rows = Factors(context, builder, factors, values[1])
        thread = _thread(builder)
        inside = builder.add(_bits(builder, thread, 5, 2, 16), _bits(builder, thread, 2, 3, 1))
        first = builder.add(values[2], builder.zext(inside, I64))
        both = [rows.at(builder, builder.add(first, I64(8 * half))) for half in range(2)]
        registers = cgutils.unpack_tuple(builder, values[0])
        scaled = [_product(builder, x, both[i // 2 % 2]) for i, x in enumerate(registers)]
        return context.make_tuple(builder, accumulators, scaled)

    return signature_of(accumulators, accumulators, factors, types.int64), generate


@lowering(fragment.scale_columns)
def scale_columns(context: Any, accumulators: Any, factors: Any, column: Any) -> tuple[Signature, Callable]:
    """Type and build `fragment.scale_columns`."""
    whole = _check_scalable(fragment.scale_columns, accumulators, factors)

    def generate(context: Any, builder: Any, signature: Signature, values: list) -> Any:
        columns = Factors(context, builder, factors, values[1])
        inside = builder.zext(_bits(builder, _thread(builder), 0, 2, 2), I64)
        first = builder.add(values[2], inside)
        offsets = [offset for block in range(0, whole, 8) for offset in (block, block + 1)]
        registers = cgutils.unpack_tuple(builder, values[0])
        scaled = list(registers)
        for number, offset in enumerate(offsets):
            factor = columns.at(builder, builder.add(first, I64(offset)))
            for i in (number // 2 * 4 + number % 2, number // 2 * 4 + number % 2 + 2):
                scaled[i] = _product(builder, registers[i], factor)
        return context.make_tuple(builder, accumulators, scaled)

    return signature_of(accumulators, accumulators, factors, types.int64), generate


class Factors:
    """A 1-D array of float32 that gives 0 outside."""

    def __init__(self, context: Any, builder: Any, kind: types.Array, array: Any) -> None:
        self.context, self.kind = context, kind
        self.array = context.make_array(kind)(context, builder, array)
        (self.length,) = cgutils.unpack_tuple(builder, self.array.shape)

    def at(self, builder: Any, index: Any) -> Any:
        """Read a factor."""
        pointer = cgutils.get_item_pointer(
            self.context, builder, self.kind, self.array, [index], wraparound=False
        )
        inside = builder.zext(builder.icmp_unsigned("<", index, self.length), I32)
        return builder.call(self.read, [inside, builder.ptrtoint(pointer, I64)])

    # With side effects, so that loads stay where their factors are needed: all at once would want too many registers.
    read = ir.InlineAsm(
        ir.FunctionType(F32, [I32, I64]),
        "{ .reg .pred inside; setp.ne.b32 inside, $1, 0; mov.b32 $0, 0; @inside ld.global.f32 $0, [$2]; }",
        "=f,r,l",
        side_effect=True,
    )


@lowering(fragment.pack)
def pack(context: Any, accumulators: Any, format: Any) -> tuple[Signature, Callable]:
    """Type and build `fragment.pack`."""
    _columns(fragment.pack, "accumulators", accumulators)
    name = getattr(format, "literal_value", None)
    check_typed(fragment.pack, name in ("bf16", "f16"), f"format is {name!r}; allowed are 'bf16' and 'f16'")
    check_typed(fragment.pack, accumulators.dtype == types.float32, "only accumulators of float32 are packed")
    packed = types.UniTuple(types.uint32, len(accumulators) // 2)

    def generate(context: Any, builder: Any, signature: Signature, values: list) -> Any:
        convert = ir.InlineAsm(
            ir.FunctionType(I32, [F32, F32]), f"cvt.rn.{name}x2.f32 $0, $2, $1;", "=r,f,f", side_effect=False
        )
        registers = cgutils.unpack_tuple(builder, values[0])
        pairs = zip(registers[::2], registers[1::2], strict=True)
        return context.make_tuple(builder, packed, [builder.call(convert, pair) for pair in pairs])

    return signature_of(packed, accumulators, format), generate


@lowering(fragment.store)
def store(context: Any, packed: Any, array: Any, row: Any, column: Any) -> tuple[Signature, Callable]:
    """Type and build `fragment.store`."""
    whole = _columns(fragment.store, "packed", packed)
    fits = packed.dtype == types.uint32 and whole % 32 == 0
    check_typed(fragment.store, fits, f"packed is {packed}, but the word takes packed columns by 32")
    fits = isinstance(array, types.Array) and array.ndim == 2 and array.dtype in (types.uint16, types.float16)
    check_typed(
        fragment.store, fits, f"array is {array}, but the word takes a 2-D array of uint16 or float16"
    )

    def generate(context: Any, builder: Any, signature: Signature, values: list) -> Any:
        target = context.make_array(array)(context, builder, values[1])
        height, width = cgutils.unpack_tuple(builder, target.shape)
        thread = _thread(builder)
        inside = builder.add(_bits(builder, thread, 5, 2, 16), _bits(builder, thread, 2, 3, 1))
        first = builder.add(values[2], builder.zext(inside, I64))
        left = builder.add(values[3], builder.zext(_bits(builder, thread, 0, 2, 8), I64))
        registers = cgutils.unpack_tuple(builder, values[0])
        for half in range(2):
            line = builder.add(first, I64(8 * half))
            pointer = cgutils.get_item_pointer(
                context, builder, array, target, [line, left], wraparound=False
            )
            address = builder.ptrtoint(pointer, I64)
            has_line = builder.icmp_unsigned("<", line, height)
            for block in range(whole // 32):
                words = _exchanged(builder, thread, registers[8 * block + half : 8 * block + 8 : 2])
                has_column = builder.icmp_unsigned("<", builder.add(left, I64(32 * block)), width)
                there = builder.zext(builder.and_(has_line, has_column), I32)
                _store_four(builder, there, builder.add(address, I64(64 * block)), words)
        return context.get_dummy_value()

    return signature_of(types.void, packed, array, types.int64, types.int64), generate


def _exchanged(builder: Any, thread: Any, words: list) -> list:
    """Transpose the 4 x 4 words of four neighboring lanes: lane t gets the t-th word of each."""
    words = list(words)
    for bit in (1, 2):
        odd = builder.icmp_unsigned("!=", builder.and_(thread, I32(bit)), I32(0))
        for low in (i for i in range(4) if not i & bit):
            high = low | bit
            given = _from_lane(builder, builder.select(odd, words[low], words[high]), bit)
            words[low] = builder.select(odd, given, words[low])
            words[high] = builder.select(odd, words[high], given)
    return words


def _from_lane(builder: Any, word: Any, distance: int) -> Any:
    exchange = ir.InlineAsm(
        ir.FunctionType(I32, [I32]),
        f"shfl.sync.bfly.b32 $0, $1, {distance}, 31, 0xffffffff;",
        "=r,r",
        side_effect=True,
    )
    return builder.call(exchange, [word], attrs=("convergent",))


def _store_four(builder: Any, there: Any, address: Any, words: list) -> None:
    """Write 16 bytes if they are inside the array."""
    write = ir.InlineAsm(
        ir.FunctionType(ir.VoidType(), [I32, I64, *[I32] * 4]),
        "{ .reg .pred there; setp.ne.b32 there, $0, 0; @there st.global.v4.b32 [$1], {$2, $3, $4, $5}; }",
        "r,l,r,r,r,r,~{memory}",
        side_effect=True,
    )
    builder.call(write, [there, address, *words])


def _thread(builder: Any) -> Any:
    read = builder.module.declare_intrinsic("llvm.nvvm.read.ptx.sreg.tid.x", (), ir.FunctionType(I32, ()))
    return builder.call(read, ())


def _bits(builder: Any, value: Any, first: int, count: int, times: int) -> Any:
    """Give `count` bits of a value from the bit `first` on, times a number."""
    bits = builder.and_(builder.lshr(value, I32(first)), I32(2**count - 1))
    return builder.mul(bits, I32(times))


def _product(builder: Any, x: Any, factor: Any) -> Any:
    """Multiply with a rounding of its own."""
    multiply = ir.InlineAsm(
        ir.FunctionType(F32, [F32, F32]), "mul.rn.f32 $0, $1, $2;", "=f,f,f", side_effect=True
    )
    return builder.call(multiply, [x, factor])


def _columns(word: Word, name: str, given: types.Type) -> int:
    whole = columns_of(given)
    check_typed(word, whole is not None, f"{name} is {given}, but the word takes a {word.arguments[name]}")
    return whole


def _known(word: Word, name: str, given: types.Type) -> int:
    known = isinstance(given, types.IntegerLiteral)
    check_typed(word, known, f"{name} is {given}; give a constant, known when the kernel is compiled")
    check_known_value(word, name, given.literal_value)
    return given.literal_value


def _check_scalable(word: Word, accumulators: types.Type, factors: types.Type) -> int:
    whole = _columns(word, "accumulators", accumulators)
    check_typed(word, accumulators.dtype == types.float32, "only accumulators of float32 are scaled")
    fits = isinstance(factors, types.Array) and factors.ndim == 1 and factors.dtype == types.float32
    check_typed(word, fits, f"factors is {factors}, but the word takes a 1-D array of float32")
    return whole
