"""Twins of numba.cuda.libdevice: CUDA's functions by the names of its library, arguments and results cast as it casts.

What computes by IEEE 754 or on integers has the card's bits. Transcendental functions are those of `mathematics`:
computed in float64 and rounded once, where the card may differ by a few units in the last place. The functions of
Bessel, the inverses of the error function and of the normal distribution have no twin.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
from numba.cuda import libdevice
from numba.cuda.libdevicefuncs import functions

from hopperlab.device.simulator import mathematics, numbers
from hopperlab.device.simulator.numbers import CASTS
from hopperlab.device.simulator.twins import twin

MODES = ("rn", "rz", "rd", "ru")  # to nearest even, towards zero, down, up
_WHOLE = {"int": "int32", "uint": "uint32", "ll": "int64", "ull": "uint64"}
_REAL = {"float": np.float32, "double": np.float64}


def _enter(name: str, compute: Callable) -> None:
    """Make a function the twin of one of the library, if the library has it."""
    known = functions.get(f"__nv_{name}")
    if known is None:
        return
    result, arguments = known
    takes = [CASTS[str(argument.ty)] for argument in arguments if not argument.is_ptr]
    gives = [
        CASTS[str(kind)] for kind in (result, *(a.ty for a in arguments if a.is_ptr)) if str(kind) in CASTS
    ]

    def act(world: Any, *given: Any) -> Any:
        found = compute(*(take(x) for take, x in zip(takes, given, strict=True)))
        if len(gives) == 1:
            return gives[0](found)
        return tuple(give(x) for give, x in zip(gives, found, strict=True))

    act.__name__ = name
    twin(getattr(libdevice, name))(act)


def _reinterpreted(taken: str, given: str) -> Callable:
    return lambda x: struct.unpack(given, struct.pack(taken, x))[0]


def _halves(x: float) -> tuple[int, int]:
    return struct.unpack("<ii", struct.pack("<d", x))


for _name, _compute in {
    "float_as_int": _reinterpreted("<f", "<i"),
    "int_as_float": _reinterpreted("<i", "<f"),
    "double_as_longlong": _reinterpreted("<d", "<q"),
    "longlong_as_double": _reinterpreted("<q", "<d"),
    "double2loint": lambda x: _halves(x)[0],
    "double2hiint": lambda x: _halves(x)[1],
    "hiloint2double": lambda high, low: struct.unpack("<d", struct.pack("<ii", low, high))[0],
    "float2half_rn": lambda x: int(numbers.float16(x).view(np.int16)),
    "half2float": lambda x: float(np.int16(x).view(np.float16)),
}.items():
    _enter(_name, _compute)


# Whole numbers: signed names take them as they are, unsigned ones modulo 2**32 or 2**64.


def _low(bits: int) -> Callable[[int], int]:
    return lambda x: int(x) & (1 << bits) - 1


def _reversed(bits: int) -> Callable[[int], int]:
    return lambda x: int(f"{int(x) & (1 << bits) - 1:0{bits}b}"[::-1], 2)


def _permuted(low: int, high: int, selector: int) -> int:
    octets = struct.pack("<ii", low, high)
    chosen = [octets[selector >> 4 * n & 7] for n in range(4)]
    return int.from_bytes(bytes(chosen), "little")


def _signed_24(x: int) -> int:
    return ((x & 0xFFFFFF) ^ 0x800000) - 0x800000


for _bits, _tail in ((32, ""), (64, "ll")):
    _u = _low(_bits)
    _enter(f"brev{_tail}", _reversed(_bits))
    _enter(f"popc{_tail}", lambda x, u=_u: u(x).bit_count())
    _enter(f"clz{_tail}", lambda x, u=_u, bits=_bits: bits - u(x).bit_length())
    _enter(f"ffs{_tail}", lambda x, u=_u: (u(x) & -u(x)).bit_length())
    _enter("abs" if _bits == 32 else "llabs", lambda x: abs(int(x)))
    for _name, _choose in (("min", min), ("max", max)):
        _enter(f"{_tail}{_name}", _choose)
        _enter(f"u{_tail}{_name}", lambda x, y, u=_u, choose=_choose: choose(u(x), u(y)))
    _high = "mulhi" if _bits == 32 else "mul64hi"
    _enter(_high, lambda x, y, bits=_bits: int(x) * int(y) >> bits)
    _enter(f"u{_high}", lambda x, y, u=_u, bits=_bits: u(x) * u(y) >> bits)

_u32 = _low(32)
for _name, _compute in {
    "byte_perm": _permuted,
    "hadd": lambda x, y: int(x) + int(y) >> 1,
    "rhadd": lambda x, y: int(x) + int(y) + 1 >> 1,
    "uhadd": lambda x, y: _u32(x) + _u32(y) >> 1,
    "urhadd": lambda x, y: _u32(x) + _u32(y) + 1 >> 1,
    "mul24": lambda x, y: _signed_24(x) * _signed_24(y),
    "umul24": lambda x, y: (x & 0xFFFFFF) * (y & 0xFFFFFF),
    "sad": lambda x, y, z: abs(int(x) - int(y)) + z,
    "usad": lambda x, y, z: abs(_u32(x) - _u32(y)) + z,
}.items():
    _enter(_name, _compute)


# Arithmetic and conversions with a rounding of their own


def _towards(nearest: Any, error: Any, mode: str) -> Any:
    """Give what a result rounds to, from the nearest number and the exact result's distance from it."""
    kind = nearest.dtype.type
    down = mode == "rd" or (mode == "rz" and nearest > 0)
    up = mode == "ru" or (mode == "rz" and nearest < 0)
    with np.errstate(over="ignore"):
        if down and error < 0:
            return np.nextafter(nearest, kind(-math.inf))
        if up and error > 0:
            return np.nextafter(nearest, kind(math.inf))
    return nearest


def _arithmetic(kind: type, nearest_of: Callable, exact: Callable, mode: str) -> Callable:
    def compute(*given: Any) -> Any:
        operands = [kind(x) for x in given]
        with np.errstate(all="ignore"):
            nearest = kind(nearest_of(*operands))
        finite = all(math.isfinite(x) for x in operands) and not np.isnan(nearest)
        if mode == "rn" or not finite:
            return nearest
        if not math.isfinite(nearest):
            largest = math.copysign(math.inf, nearest)
            return nearest if _divides_by_zero(exact, operands) else _towards(nearest, -largest, mode)
        return _towards(nearest, exact(nearest, *map(Fraction, map(float, operands))), mode)

    return compute


def _divides_by_zero(exact: Callable, operands: list) -> bool:
    return exact in (_quotient, _inverse) and operands[-1] == 0


def _quotient(found: Any, x: Fraction, y: Fraction) -> Fraction:
    return x / y - Fraction(float(found))


def _inverse(found: Any, x: Fraction) -> Fraction:
    return 1 / x - Fraction(float(found))


_OPERATIONS: dict[str, tuple[Callable, Callable]] = {
    "add": (lambda x, y: x + y, lambda found, x, y: x + y - Fraction(float(found))),
    "sub": (lambda x, y: x - y, lambda found, x, y: x - y - Fraction(float(found))),
    "mul": (lambda x, y: x * y, lambda found, x, y: x * y - Fraction(float(found))),
    "div": (lambda x, y: x / y, _quotient),
    "rcp": (lambda x: x.dtype.type(1) / x, _inverse),
    "sqrt": (np.sqrt, lambda found, x: x - Fraction(float(found)) ** 2),
}


def _fused(x: Any, y: Any, z: Any) -> Any:
    return numbers.fused_multiply_add(*(numbers.register_of(v) for v in (x, y, z)))


def _fused_error(found: Any, x: Fraction, y: Fraction, z: Fraction) -> Fraction:
    return x * y + z - Fraction(float(found))


for _mode in MODES:
    for _letter, _kind in (("f", np.float32), ("d", np.float64)):
        for _name, (_nearest, _exact) in _OPERATIONS.items():
            _enter(f"{_letter}{_name}_{_mode}", _arithmetic(_kind, _nearest, _exact, _mode))
    _enter(f"fmaf_{_mode}", _arithmetic(np.float32, _fused, _fused_error, _mode))
    _enter(f"fma_{_mode}", _arithmetic(np.float64, _fused, _fused_error, _mode))
_enter("fma", _fused)
_enter("fmaf", _fused)


def _narrowed(mode: str, x: float) -> Any:
    with np.errstate(all="ignore"):
        nearest = np.float32(x)
    return _towards(nearest, x - float(nearest), mode) if math.isfinite(x) else nearest


_TO_WHOLE: dict[str, Callable[[float], int]] = {
    "rn": round,
    "rz": math.trunc,
    "rd": math.floor,
    "ru": math.ceil,
}


def _to_whole(kind: str, mode: str) -> Callable[[float], int]:
    """Give the conversion to an integer type: what is too large becomes its largest, NaN becomes 0."""
    limits = np.iinfo(kind)

    def compute(x: float) -> int:
        if not math.isfinite(x):
            return 0 if x != x else int(limits.max if x > 0 else limits.min)
        return min(max(_TO_WHOLE[mode](float(x)), int(limits.min)), int(limits.max))

    return compute


def _from_whole(bits: int, kind: type, mode: str) -> Callable[[int], Any]:
    """Give the conversion of an integer; `bits` of an unsigned one, else 0."""

    def compute(x: int) -> Any:
        whole = int(x) & (1 << bits) - 1 if bits else int(x)
        nearest = kind(np.uint64(whole) if whole > 0 else np.int64(whole))
        return _towards(nearest, Fraction(whole) - Fraction(float(nearest)), mode)

    return compute


for _mode in MODES:
    for _whole, _type in _WHOLE.items():
        for _real, _kind in _REAL.items():
            _enter(f"{_real}2{_whole}_{_mode}", _to_whole(_type, _mode))
            _unsigned = np.dtype(_type).itemsize * 8 if _type.startswith("u") else 0
            _enter(f"{_whole}2{_real}_{_mode}", _from_whole(_unsigned, _kind, _mode))
    _enter(f"double2float_{_mode}", partial(_narrowed, _mode))


# Functions of real numbers: `name` of float64, `namef` of float32


def _enter_both(name: str, compute: Callable) -> None:
    _enter(name, compute)
    _enter(f"{name}f", compute)
    _enter(f"fast_{name}f", compute)


def _away_from_half(x: float) -> float:
    return math.copysign(math.floor(abs(x) + 0.5), x) if math.isfinite(x) and abs(x) < 2**52 else x


def _to_even(x: float) -> float:
    return math.copysign(round(float(x)), x) if math.isfinite(x) else x


def _with_quotient(x: float, y: float) -> tuple[float, int]:
    if not math.isfinite(x) or y == 0 or y != y:
        return math.nan, 0
    rest = math.remainder(x, y)
    quotient = 0 if math.isinf(y) else int((Fraction(float(x)) - Fraction(rest)) / Fraction(float(y)))
    return rest, int(math.copysign(abs(quotient) & 7, quotient)) if quotient else 0


def _exponent(x: float) -> float:
    if x == 0 or not math.isfinite(x):
        return -math.inf if x == 0 else abs(x)
    return float(math.frexp(x)[1] - 1)


def _of_half_turns(compute: Callable[[float], float]) -> Callable[[float], float]:
    """Give sin(pi x) or cos(pi x), exact at every quarter turn."""

    def of_half_turns(x: float) -> float:
        if not math.isfinite(x):
            return math.nan
        turned = math.fmod(x, 2.0)
        found = compute(math.pi * turned)
        return float(round(found)) if 2 * turned == round(2 * turned) else found

    return of_half_turns


for _function, _compute in mathematics.FUNCTIONS.items():
    if _function.__name__ not in ("isfinite", "isinf", "isnan", "gamma") and hasattr(
        math, _function.__name__
    ):
        _enter_both(_function.__name__, _compute)
for _name, _compute in {
    "cbrt": mathematics.cube_root,
    "tgamma": mathematics.FUNCTIONS[math.gamma],
    "rsqrt": mathematics.of_one(lambda x: 1 / np.sqrt(x)),
    "rcbrt": mathematics.of_one(lambda x: 1 / np.cbrt(x)),
    "exp2": mathematics.of_one(np.exp2),
    "exp10": mathematics.of_one(lambda x: np.power(10.0, x)),
    "sinpi": _of_half_turns(math.sin),
    "cospi": _of_half_turns(math.cos),
    "sincos": lambda x: (mathematics.FUNCTIONS[math.sin](x), mathematics.FUNCTIONS[math.cos](x)),
    "sincospi": lambda x: (_of_half_turns(math.sin)(x), _of_half_turns(math.cos)(x)),
    "normcdf": lambda x: math.erfc(-x / math.sqrt(2)) / 2,
    "fmax": numbers.larger,
    "fmin": numbers.smaller,
    "fdim": lambda x, y: x - y if x > y else math.nan if x != x or y != y else 0.0,
    "remainder": lambda x, y: _with_quotient(x, y)[0],
    "remquo": _with_quotient,
    "rint": _to_even,
    "nearbyint": _to_even,
    "round": _away_from_half,
    "llrint": lambda x: _to_whole("int64", "rn")(x),
    "llround": lambda x: _to_whole("int64", "rz")(_away_from_half(x)),
    "logb": _exponent,
    "ilogb": lambda x: _to_whole("int32", "rz")(_exponent(x)) if x and x == x else -(2**31),
    "scalbn": mathematics.FUNCTIONS[math.ldexp],
    "powi": mathematics.FUNCTIONS[math.pow],
    "fdivide": mathematics.of_two(np.divide),
}.items():
    _enter_both(_name, _compute)
_enter("nextafter", math.nextafter)
_enter("nextafterf", lambda x, y: np.nextafter(np.float32(x), np.float32(y)))
_enter("frsqrt_rn", mathematics.of_one(lambda x: 1 / np.sqrt(x)))
_enter("saturatef", lambda x: 0.0 if x != x else min(max(x, 0.0), 1.0))
for _name, _compute in {"isfinite": math.isfinite, "isinf": math.isinf, "isnan": math.isnan}.items():
    _enter(f"{_name}d", lambda x, ask=_compute: int(ask(x)))
    _enter(f"{_name}f", lambda x, ask=_compute: int(ask(x)))
_enter("finitef", lambda x: int(math.isfinite(x)))
for _letter in "df":
    _enter(f"signbit{_letter}", lambda x: int(math.copysign(1.0, x) < 0))


def without_twin() -> set[str]:
    """Give the names of the library's functions that have no twin."""
    from hopperlab.device.simulator.twins import find

    names = (name.removeprefix("__nv_") for name in functions)
    return {name for name in names if find(getattr(libdevice, name)) is None}
