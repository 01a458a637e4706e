"""The instructions whose rates are measured: one PTX instruction each, so that no compiler may choose another.

They are no words of the vocabulary: a lesson has `a + b`. Each is given with the machine instruction that it
becomes, and with what it computes, in numpy.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numba import cuda

from hopperlab.device.vocabulary.kinds import Scalar
from hopperlab.device.vocabulary.word import Word, word
from hopperlab.kernels.throughput.simulated import with_twin

PTX_SOURCE = "PTX ISA, Instruction Set"
QUARTER, QUARTER_64, QUARTER_16 = "0f3E800000", "0d3FD0000000000000", 0x34003400


@dataclass(frozen=True)
class Operation:
    """Something that a thread does to numbers, and whose rate is asked for.

    Attributes
    ----------
    name
        What it is called: "fp32 fma".
    kind
        The group that it belongs to: "fp32", "fp64", "fp16x2", "int32", "special", "conversion", "warp".
    dtype
        The type of its numbers; of packed ones, uint32.
    operands
        1 or 2: a = op(a), or a = op(a, b).
    apply
        The function that a kernel calls.
    machine
        A regular expression of the machine instruction that does it.
    compute
        The same in numpy, for a check of the work; None where the results are not to be foretold.
    results
        Results of one application in one thread: 2 for packed pairs.
    instructions
        Machine instructions of one application.
    """

    name: str
    kind: str
    dtype: str
    operands: int
    apply: Any
    machine: str
    compute: Callable | None = None
    results: int = 1
    instructions: int = 1

    def __str__(self) -> str:
        """Give the name."""
        return self.name


def _unary(name: str, ptx: str, given: str, result: str) -> Word:
    def instruction(a: Scalar(given)) -> Scalar(result):
        """One instruction."""

    instruction.__name__ = name
    made = word(family="", ptx=ptx, target="sm_90", effect="none", source=PTX_SOURCE)(instruction)
    return with_twin(made)


def _binary(name: str, ptx: str, dtype: str) -> Word:
    def instruction(a: Scalar(dtype), b: Scalar(dtype)) -> Scalar(dtype):
        """One instruction."""

    instruction.__name__ = name
    made = word(family="", ptx=ptx, target="sm_90", effect="none", source=PTX_SOURCE)(instruction)
    return with_twin(made)


def _arithmetic(name: str, kind: str, dtype: str, ptx: str, machine: str, compute: Callable, **more: Any):
    apply = _binary(name.replace(" ", "_"), ptx, dtype)
    return Operation(name, kind, dtype, 2, apply, machine, compute, **more)


def _special(name: str, ptx: str, machine: str, compute: Callable | None) -> Operation:
    apply = _unary(name.replace(" ", "_"), f"{ptx} {{result}}, {{a}};", "float32", "float32")
    return Operation(name, "special", "float32", 1, apply, machine, compute)


def _to_and_fro(name: str, there: tuple[str, str], back: str, machine: str, compute: Callable) -> Operation:
    """Two conversions, one after the other: from float32 to another type, and back."""
    out = _unary(f"{name}_there".replace(" ", "_"), f"{there[0]} {{result}}, {{a}};", "float32", there[1])
    home = _unary(f"{name}_back".replace(" ", "_"), f"{back} {{result}}, {{a}};", there[1], "float32")

    @cuda.jit(device=True)
    def convert(a):
        return home(out(a))

    return Operation(name, "conversion", "float32", 1, convert, machine, compute, 2, 2)


def _on_halves(compute: Callable) -> Callable:
    """What is done to both halves of a word, each a float16."""

    def apply(a: np.ndarray, b: np.ndarray) -> np.ndarray:
        return compute(a.view(np.float16), b.view(np.float16)).astype(np.float16).view(np.uint32)

    return apply


def _multiply_add(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    # A product of two float32 is exact in float64; its sum with a quarter is rounded twice, which the
    # tolerance of the check covers. For float64 itself the check is looser than the card.
    wide = np.float64
    return (a.astype(wide) * b.astype(wide) + wide(0.25)).astype(a.dtype)


def _leading_one(a: np.ndarray) -> np.ndarray:
    return np.where(a == 0, np.uint32(0xFFFFFFFF), np.floor(np.log2(np.maximum(a, 1).astype(np.float64))))


def _reversed_bits(a: np.ndarray) -> np.ndarray:
    bits = np.unpackbits(a.astype(">u4").view(np.uint8).reshape(-1, 4), axis=1)[:, ::-1]
    return np.packbits(bits, axis=1).view(">u4").reshape(a.shape)


_OF_16 = "{result}, {a}, {b};"
_FP32 = [
    _arithmetic("fp32 add", "fp32", "float32", "add.rn.f32 {result}, {a}, {b};", "FADD", np.add),
    _arithmetic("fp32 multiply", "fp32", "float32", "mul.rn.f32 {result}, {a}, {b};", "FMUL", np.multiply),
    _arithmetic(
        "fp32 fma",
        "fp32",
        "float32",
        f"fma.rn.f32 {{result}}, {{a}}, {{b}}, {QUARTER};",
        "FFMA",
        _multiply_add,
    ),
]
_FP64 = [
    _arithmetic("fp64 add", "fp64", "float64", "add.rn.f64 {result}, {a}, {b};", "DADD", np.add),
    _arithmetic("fp64 multiply", "fp64", "float64", "mul.rn.f64 {result}, {a}, {b};", "DMUL", np.multiply),
    _arithmetic(
        "fp64 fma",
        "fp64",
        "float64",
        f"fma.rn.f64 {{result}}, {{a}}, {{b}}, {QUARTER_64};",
        "DFMA",
        _multiply_add,
    ),
]
_PACKED = [
    _arithmetic(
        "fp16x2 add",
        "fp16x2",
        "uint32",
        f"add.rn.f16x2 {_OF_16}",
        "HADD2|HFMA2",
        _on_halves(np.add),
        results=2,
    ),
    _arithmetic(
        "fp16x2 multiply",
        "fp16x2",
        "uint32",
        f"mul.rn.f16x2 {_OF_16}",
        "HMUL2|HFMA2",
        _on_halves(np.multiply),
        results=2,
    ),
    _arithmetic(
        "fp16x2 fma",
        "fp16x2",
        "uint32",
        f"{{{{ .reg .b32 c; mov.b32 c, {QUARTER_16}; fma.rn.f16x2 {{result}}, {{a}}, {{b}}, c; }}}}",
        "HFMA2",
        _on_halves(_multiply_add),
        results=2,
    ),
]
_INT32 = [
    _arithmetic("int32 add", "int32", "uint32", "add.u32 {result}, {a}, {b};", "IADD3|IMAD.IADD", np.add),
    _arithmetic("int32 multiply", "int32", "uint32", "mul.lo.u32 {result}, {a}, {b};", "IMAD", np.multiply),
    _arithmetic(
        "int32 multiply-add",
        "int32",
        "uint32",
        "mad.lo.u32 {result}, {a}, {b}, 12345;",
        "IMAD",
        lambda a, b: a * b + np.uint32(12345),
    ),
    _arithmetic(
        "int32 multiply high",
        "int32",
        "uint32",
        "mul.hi.u32 {result}, {a}, {b};",
        r"IMAD\.HI",
        lambda a, b: (a.astype(np.uint64) * b >> np.uint64(32)).astype(np.uint32),
    ),
    _arithmetic(
        "int32 and-xor",
        "int32",
        "uint32",
        "lop3.b32 {result}, {a}, {b}, 305419896, 0x6a;",
        "LOP3",
        lambda a, b: (a & b) ^ np.uint32(305419896),
    ),
    _arithmetic(
        "int32 shift",
        "int32",
        "uint32",
        "shf.l.wrap.b32 {result}, {a}, {b}, 7;",
        "SHF",
        lambda a, b: b << np.uint32(7) | a >> np.uint32(25),
    ),
    Operation(
        "int32 count bits",
        "int32",
        "uint32",
        1,
        _unary("count_bits", "popc.b32 {result}, {a};", "uint32", "uint32"),
        "POPC",
        lambda a: np.bitwise_count(a).astype(np.uint32),
    ),
    Operation(
        "int32 leading one",
        "int32",
        "uint32",
        1,
        _unary("leading_one", "bfind.u32 {result}, {a};", "uint32", "uint32"),
        "FLO",
        lambda a: _leading_one(a).astype(np.uint32),
    ),
    Operation(
        "int32 reverse bits",
        "int32",
        "uint32",
        1,
        _unary("reverse_bits", "brev.b32 {result}, {a};", "uint32", "uint32"),
        "BREV",
        lambda a: _reversed_bits(a).astype(np.uint32),
    ),
]
_SPECIAL = [
    _special("exp2", "ex2.approx.ftz.f32", r"MUFU\.EX2", np.exp2),
    _special("log2", "lg2.approx.ftz.f32", r"MUFU\.LG2", None),
    _special("reciprocal root", "rsqrt.approx.ftz.f32", r"MUFU\.RSQ", lambda a: 1 / np.sqrt(a)),
    _special("hyperbolic tangent", "tanh.approx.f32", r"MUFU\.TANH", np.tanh),
]
_CONVERSIONS = [
    _to_and_fro(
        "fp32 to int32 and back",
        ("cvt.rzi.s32.f32", "int32"),
        "cvt.rn.f32.s32",
        "F2I|I2F",
        np.trunc,
    ),
    _to_and_fro(
        "fp32 to fp64 and back", ("cvt.f64.f32", "float64"), "cvt.rn.f32.f64", r"F2F\.F", lambda a: a
    ),
    _to_and_fro(
        "fp32 to fp16 and back",
        ("cvt.rn.f16.f32", "float16"),
        "cvt.f32.f16",
        r"F2F|F2FP|HADD2\.F32",
        lambda a: a.astype(np.float16).astype(np.float32),
    ),
]
_WARP = [
    Operation(
        "shuffle",
        "warp",
        "uint32",
        1,
        _unary("shuffle", "shfl.sync.bfly.b32 {result}, {a}, 1, 0x1f, 0xffffffff;", "uint32", "uint32"),
        r"SHFL\.BFLY",
        lambda a: a.reshape(-1, 2)[:, ::-1].reshape(a.shape),
    ),
    Operation(
        "reduce over a warp",
        "warp",
        "uint32",
        1,
        _unary("reduce", "redux.sync.min.u32 {result}, {a}, 0xffffffff;", "uint32", "uint32"),
        "REDUX",
        lambda a: np.repeat(a.reshape(-1, 32).min(axis=1), 32).reshape(a.shape),
    ),
]

OPERATIONS = {
    operation.name: operation
    for operation in [*_FP32, *_FP64, *_PACKED, *_INT32, *_SPECIAL, *_CONVERSIONS, *_WARP]
}
"""Every operation by its name."""
