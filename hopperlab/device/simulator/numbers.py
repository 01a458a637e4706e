"""What a register holds: numbers typed and rounded as numba.cuda types and rounds them.

A plain Python int is an int64 and a plain float a float64. The other types of numba are subclasses of these,
one a type. numba's rules, read off its typing of every pair of types:

- Integers of any width meet as 64 bits; the result is unsigned only if both are (of a shift: if the left is).
- float32 with float32, with a boolean, with int8, uint8 or int16 stays float32; with every other integer, and
  with float64, it becomes float64.
- Division by zero gives an infinity or a NaN, of integers 0: nothing raises on the card.

Not modelled: int64 that leaves 64 bits is wrapped when it is stored or cast, and at once only where it comes of a
number of 2**32 or more that was a constant or loaded, as in hashes and generators of random numbers; division of a
plain int or float by zero, which ends the run; whole powers of float64, which numba multiplies out and Python
computes at once; a variable that is float32 on one path and float64 on another (numba makes it float64 on both); the
contraction of a*b + c to one rounding, which numba-cuda does by itself: say `cuda.fma`.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any

import numpy as np

_CELL = memoryview(np.zeros(1, np.float32))  # a float written here comes back rounded to float32
_PLAIN = np.zeros(1, np.float32)
_MASK = 2**64 - 1
_TOP = 2**63
_make = float.__new__
MULTIPLIED = 0x10000  # up to this exponent numba unrolls a power into products


class Float32(float):
    """A float32 register; its value is always a float32."""

    __slots__ = ()

    def __abs__(self) -> Float32:
        """Magnitude."""
        return _make(Float32, float.__abs__(self))

    def __neg__(self) -> Float32:
        """Negation."""
        return _make(Float32, float.__neg__(self))

    def __pos__(self) -> Float32:
        """Itself."""
        return self

    def __pow__(self, other: Any, modulo: None = None) -> Any:
        """Power: float32 for a float32 or a whole exponent, by which numba multiplies again and again."""
        if isinstance(other, int) and abs(other) <= MULTIPLIED:
            result, factor, left = _make(Float32, 1.0), self, abs(other)
            while left:
                result = result * factor if left & 1 else result
                factor, left = factor * factor, left >> 1
            return result if other >= 0 else _make(Float32, 1.0) / result
        with np.errstate(all="ignore"):
            result = float(np.float64(self) ** np.float64(other))
        return rounded(result) if isinstance(other, Float32 | int) else result


class UInt64(int):
    """A uint64 register; narrower unsigned integers become it in arithmetic, which wraps at 64 bits."""

    __slots__ = ()

    def __neg__(self) -> UInt64:
        """Negation, modulo 2**64."""
        return UInt64(-int(self) & _MASK)

    def __invert__(self) -> UInt64:
        """Complement of 64 bits."""
        return UInt64(~int(self) & _MASK)

    def __pos__(self) -> UInt64:
        """Itself."""
        return self

    def __lshift__(self, other: int) -> UInt64:
        """Shift left; bits beyond 64 are lost."""
        return UInt64(int(self) << (other & 63) & _MASK)

    def __rshift__(self, other: int) -> UInt64:
        """Shift right, zeros coming in."""
        return UInt64(int(self) >> (other & 63))


class UInt8(UInt64):
    """A uint8 register."""

    __slots__ = ()


class UInt16(UInt64):
    """A uint16 register."""

    __slots__ = ()


class UInt32(UInt64):
    """A uint32 register."""

    __slots__ = ()


class Int8(int):
    """An int8 register."""

    __slots__ = ()


class Int16(int):
    """An int16 register."""

    __slots__ = ()


class Int32(int):
    """An int32 register; in arithmetic it becomes an int64, a plain int."""

    __slots__ = ()


def _narrow(register: type, bits: int) -> None:
    """Let a register narrower than 64 bits be negated and complemented in its own width, as numba does."""
    mask, half = (1 << bits) - 1, 1 << bits - 1
    if issubclass(register, UInt64):
        register.__neg__ = lambda self: int.__new__(UInt64, -int(self) & mask)
        register.__invert__ = lambda self: int.__new__(UInt64, ~int(self) & mask)
    else:
        register.__neg__ = lambda self: (-int(self) + half & mask) - half
        register.__abs__ = lambda self: int.__new__(register, (abs(int(self)) + half & mask) - half)


for _register, _bits in ((UInt8, 8), (UInt16, 16), (UInt32, 32), (Int8, 8), (Int16, 16), (Int32, 32)):
    _narrow(_register, _bits)


class Int64(int):
    """An int64 register that wraps at 64 bits at once: what large constants are, and what is computed with them."""

    __slots__ = ()


def _wrapping(name: str) -> Callable:
    exact = getattr(int, name)

    def method(self: Int64, other: Any) -> Any:
        if not isinstance(other, int):
            return NotImplemented
        try:
            result = exact(self, other & 63 if name == "__lshift__" else other)
        except ZeroDivisionError:
            return 0
        return int.__new__(Int64, (result + 2**63 & _MASK) - 2**63)

    method.__name__ = name
    return method


for _name in ("add", "sub", "mul", "floordiv", "mod", "and", "or", "xor"):
    setattr(Int64, f"__{_name}__", _wrapping(f"__{_name}__"))
    setattr(Int64, f"__r{_name}__", _wrapping(f"__r{_name}__"))
for _name in ("lshift", "rshift"):
    setattr(Int64, f"__{_name}__", _wrapping(f"__{_name}__"))

LARGE = 2**32
"""From this magnitude on an int64 is an `Int64`, if it is a constant or was loaded: products may leave 64 bits."""


class LoadedInt64(int):
    """What makes a register of an int64 that was loaded: a plain int, or an `Int64` where it is large."""

    __slots__ = ()

    def __new__(cls, value: int) -> int:
        """Give the register."""
        return value if -LARGE < value < LARGE else int.__new__(Int64, value)


_NARROW = frozenset({Float32, UInt8, Int8, Int16, bool})
SINGLES = frozenset({Float32, np.float32})  # numpy's where `mixing` has shown that it computes the same
_UNSIGNED = frozenset({UInt8, UInt16, UInt32, UInt64})


def rounded(value: float) -> Float32:
    """Give a float rounded to the nearest float32, ties to even."""
    _CELL[0] = value
    return _make(Float32, _CELL[0])


def like(register: Any, value: float) -> Any:
    """Give a float rounded to float32, in the class of another float32 register."""
    return rounded(value) if register.__class__ is Float32 else plain_float32(value)


def plain_float32(value: Any) -> np.float32:
    """Cast to numpy's float32: what float32(x) does in a kernel that keeps float32 apart (see `mixing`)."""
    _PLAIN[0] = value
    return _PLAIN[0]


def _real(name: str) -> Callable:
    exact, cell, narrow = getattr(float, name), _CELL, _NARROW

    def method(self: Float32, other: Any) -> Any:
        try:
            result = exact(self, other)
        except ZeroDivisionError:
            result = _by_zero(name, self, other)
        if other.__class__ in narrow:
            cell[0] = result
            return _make(Float32, cell[0])
        return result

    method.__name__ = name
    return method


def _by_zero(name: str, one: float, other: float) -> float:
    """What division by zero gives on the card: an infinity of the right sign, or NaN."""
    numerator, denominator = (other, one) if name.startswith("__r") else (one, other)
    if "mod" in name or numerator == 0 or numerator != numerator:
        return math.nan
    return math.copysign(math.inf, numerator) * math.copysign(1.0, denominator)


for _name in ("add", "sub", "mul", "truediv", "floordiv", "mod"):
    setattr(Float32, f"__{_name}__", _real(f"__{_name}__"))
    setattr(Float32, f"__r{_name}__", _real(f"__r{_name}__"))


def _whole(name: str) -> Callable:
    exact, unsigned, signed = getattr(int, name), _UNSIGNED, getattr(Int64, name)

    def method(self: UInt64, other: Any) -> Any:
        if other.__class__ not in unsigned:
            if self >= LARGE and isinstance(other, int):
                # They meet as int64, whose sign this one's highest bit is.
                return signed(Int64((int(self) ^ _TOP) - _TOP), other)
            return exact(self, other)
        try:
            return int.__new__(UInt64, exact(self, other) & _MASK)
        except ZeroDivisionError:
            return int.__new__(UInt64, 0)

    method.__name__ = name
    return method


for _name in ("add", "sub", "mul", "floordiv", "mod", "and", "or", "xor"):
    setattr(UInt64, f"__{_name}__", _whole(f"__{_name}__"))
    setattr(UInt64, f"__r{_name}__", _whole(f"__r{_name}__"))


# Casts: what float32(x), uint8(x) and the like do in a kernel


def float32(value: Any) -> Float32:
    """Cast to float32, rounding once."""
    if value.__class__ is Float32:
        return value
    if isinstance(value, int) and not -(2**53) < value < 2**53:
        kind = np.int64 if value < 2**63 else np.uint64
        return _make(Float32, float(kind(value).astype(np.float32)))
    _CELL[0] = value
    return _make(Float32, _CELL[0])


def float64(value: Any) -> float:
    """Cast to float64."""
    return float(value)


def float16(value: Any) -> np.float16:
    """Cast to float16; its arithmetic is numpy's."""
    with np.errstate(over="ignore"):
        return np.float16(value)


def boolean(value: Any) -> bool:
    """Cast to a boolean: whether it is not zero."""
    return bool(value)


def _integer_cast(name: str, bits: int, register: type) -> Callable[[Any], int]:
    modulus, half = 1 << bits, 1 << bits - 1
    signed = not issubclass(register, UInt64)

    def cast(value: Any) -> int:
        if value.__class__ is register:
            return value
        whole = int(value) if isinstance(value, (int, np.integer)) else _converted(value, bits, signed)
        whole &= modulus - 1
        if signed:
            whole = (whole ^ half) - half
        return whole if register is int else int.__new__(register, whole)

    cast.__name__ = name
    cast.__doc__ = f"Cast to {name}: of a whole number modulo 2**{bits}, of a float as cvt has it."
    return cast


def _converted(value: Any, bits: int, signed: bool) -> int:
    """What cvt makes of a float: clamped to the integers that there are, as PTX says; the caller wraps it.

    numba converts towards zero, and to 16 bits where 8 are asked for, which are cut off then; of a float16 to the
    nearest, ties to even, and to 8 bits at once. NaN gives 0; the highest bit alone if 64 bits or a float64 are
    involved.
    """
    half = isinstance(value, np.float16)
    bits = bits if half else max(bits, 16)
    if value != value:
        single = half or isinstance(value, (Float32, np.float32))
        return 0 if single and bits < 64 else 1 << bits - 1
    low, high = (-(1 << bits - 1), (1 << bits - 1) - 1) if signed else (0, (1 << bits) - 1)
    if math.isinf(value):
        return high if value > 0 else low
    return min(max(round(float(value)) if half else int(value), low), high)


int8 = _integer_cast("int8", 8, Int8)
int16 = _integer_cast("int16", 16, Int16)
int32 = _integer_cast("int32", 32, Int32)
uint8 = _integer_cast("uint8", 8, UInt8)
uint16 = _integer_cast("uint16", 16, UInt16)
uint32 = _integer_cast("uint32", 32, UInt32)
uint64 = _integer_cast("uint64", 64, UInt64)


def int64(value: Any) -> int:
    """Cast to int64: of a whole number modulo 2**64, of a float as cvt has it."""
    whole = int(value) if isinstance(value, (int, np.integer)) else _converted(value, 64, True)
    return ((whole + 2**63) & _MASK) - 2**63


CASTS: dict[str, Callable[[Any], Any]] = {
    "bool": boolean,
    "boolean": boolean,
    **{cast.__name__: cast for cast in (int8, int16, int32, int64, uint8, uint16, uint32, uint64)},
    **{cast.__name__: cast for cast in (float16, float32, float64)},
}
"""The casts by the name of the type, as numba and numpy call it."""

WIDTHS = {
    UInt8: 8,
    Int8: 8,
    UInt16: 16,
    Int16: 16,
    UInt32: 32,
    Int32: 32,
    UInt64: 64,
    Int64: 64,
    int: 64,
    bool: 1,
}
"""Bits of each integer register."""


def register_of(value: Any) -> Any:
    """Give the register that holds a numpy scalar or a large constant; other values are registers as they are."""
    if value.__class__ is int and not -LARGE < value < LARGE:
        return Int64(value) if -(2**63) <= value < 2**63 else UInt64(value) if 0 < value < 2**64 else value
    if isinstance(value, np.generic) and value.dtype.name in CASTS:
        return CASTS[value.dtype.name](value.item())
    return value


def fused_multiply_add(x: Any, y: Any, z: Any) -> Any:
    """Give x*y + z rounded once: float32 if all three are, else float64."""
    if x.__class__ in SINGLES and y.__class__ in SINGLES and z.__class__ in SINGLES:
        product, addend = float(x) * float(y), float(z)  # the product is exact: 48 bits
        total = product + addend
        nearest = rounded(total)
        if total - nearest == 0.0 or total - total != 0.0:
            return like(x, nearest)
        across = nearest + 2 * (total - float(nearest))
        if rounded(across) != across:
            return like(x, nearest)
        # The sum in float64 lies halfway between two float32: what it lost decides.
        back = total - product
        lost = (product - (total - back)) + (addend - back)
        return like(x, math.nextafter(total, math.copysign(math.inf, lost)) if lost else nearest)
    return _fma64(float(x), float(y), float(z))


def _fma64(x: float, y: float, z: float) -> float:
    from fractions import Fraction

    if not (math.isfinite(x) and math.isfinite(y) and math.isfinite(z)):
        with np.errstate(all="ignore"):
            return float(np.float64(x) * np.float64(y) + np.float64(z))
    exact = Fraction(x) * Fraction(y) + Fraction(z)
    if exact == 0:
        return x * y + z
    try:
        return exact.numerator / exact.denominator
    except OverflowError:
        return math.inf if exact > 0 else -math.inf


def smaller(*values: Any) -> Any:
    """Give the minimum as `min` does in a kernel: of floats, a number wins over NaN."""
    return _extreme(operator.lt, values)


def larger(*values: Any) -> Any:
    """Give the maximum as `max` does in a kernel: of floats, a number wins over NaN."""
    return _extreme(operator.gt, values)


def _extreme(better: Callable, values: tuple) -> Any:
    best, *others = values[0] if len(values) == 1 else values
    for value in others:
        kept = value if better(value, best) or best != best else best
        best = kept if best.__class__ is value.__class__ else _unified(kept, best, value)
    return best


def _unified(kept: Any, one: Any, other: Any) -> Any:
    """Give `kept` in the type in which numba compares `one` and `other`."""
    if isinstance(one, float) or isinstance(other, float):
        narrow = one.__class__ in _NARROW | SINGLES and other.__class__ in _NARROW | SINGLES
        return float32(kept) if narrow else float(kept)
    if one.__class__ in _UNSIGNED and other.__class__ in _UNSIGNED:
        return UInt64(kept)
    return int(kept)
