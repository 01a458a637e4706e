"""Registers: typed and rounded as numba types and rounds them, with numba's own typing and numpy as oracles."""

import itertools
import math
import operator
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hopperlab.device.simulator import numbers
from hopperlab.device.simulator.numbers import CASTS, Float32, UInt64

NAMES = [
    "bool",
    "int8",
    "uint8",
    "int16",
    "uint16",
    "int32",
    "uint32",
    "int64",
    "uint64",
    "float32",
    "float64",
]
OPERATORS = [operator.add, operator.sub, operator.mul, operator.truediv, operator.floordiv, operator.mod]
WHOLE = [operator.and_, operator.or_, operator.xor, operator.lshift, operator.rshift]


def numba_result(op, *names):
    """The type that numba.cuda gives, by its name; None where it has none."""
    from numba.cuda import types
    from numba.cuda.core.errors import NumbaError
    from numba.cuda.descriptor import cuda_target

    context = cuda_target.typing_context
    context.refresh()
    arguments = tuple(types.boolean if name == "bool" else getattr(types, name) for name in names)
    try:
        return str(context.resolve_function_type(op, arguments, {}).return_type)
    except NumbaError:
        return None


def kind(register):
    """The type of a register, as far as later arithmetic can tell."""
    if isinstance(register, bool):
        return "bool"
    if isinstance(register, Float32):
        return "float32"
    if isinstance(register, float):
        return "float64"
    return "uint64" if isinstance(register, UInt64) else "int64"


@pytest.mark.parametrize("op", OPERATORS, ids=lambda op: op.__name__)
def test_arithmetic_has_the_type_that_numba_gives_it(op):
    compared = 0
    for one, other in itertools.product(NAMES, repeat=2):
        expected = numba_result(op, one, other)
        if expected is not None and "float16" not in expected:
            assert kind(op(CASTS[one](3), CASTS[other](1))) == expected, (one, other)
            compared += 1
    assert compared > 100


@pytest.mark.parametrize("op", WHOLE, ids=lambda op: op.__name__)
def test_bitwise_operations_have_the_type_that_numba_gives_them(op):
    for one, other in itertools.product(NAMES[1:9], repeat=2):
        assert kind(op(CASTS[one](3), CASTS[other](1))) == numba_result(op, one, other), (one, other)


@pytest.mark.parametrize("op", [operator.neg, operator.pos], ids=lambda op: op.__name__)
@pytest.mark.parametrize("name", NAMES[1:])
def test_signs_have_the_type_that_numba_gives_them(op, name):
    assert kind(op(CASTS[name](3))) == numba_result(op, name)


FLOATS = st.floats(width=32)


@given(FLOATS, FLOATS)
def test_float32_arithmetic_rounds_as_numpy_does(x, y):
    a, b = np.float32(x), np.float32(y)
    with np.errstate(all="ignore"):
        for op in (operator.add, operator.sub, operator.mul, operator.truediv):
            expected = op(a, b)
            got = op(numbers.float32(x), numbers.float32(y))
            assert np.float32(got).tobytes() == expected.tobytes() or (math.isnan(got) and np.isnan(expected))


@given(FLOATS, FLOATS, FLOATS)
def test_fma_of_float32_rounds_the_exact_value_once(x, y, z):
    got = numbers.fused_multiply_add(*map(numbers.float32, (x, y, z)))
    if not all(map(math.isfinite, (x, y, z))) or not math.isfinite(got):
        return
    exact = Fraction(x) * Fraction(y) + Fraction(z)
    below, above = np.nextafter(np.float32(got), np.float32([-np.inf, np.inf]))
    near = [abs(Fraction(float(v)) - exact) for v in (below, np.float32(got), above) if np.isfinite(v)]
    assert abs(Fraction(float(got)) - exact) == min(near)


def test_fma_is_not_fooled_by_a_sum_that_lies_halfway_after_the_first_rounding():
    one, tiny = numbers.float32(1.0), numbers.float32(2.0**-60)
    half = numbers.float32(1.0 + 2.0**-23) * numbers.float32(2.0**-24)
    assert numbers.fused_multiply_add(one, numbers.float32(2.0**-24), one) == 1.0
    assert float(half) == 2.0**-24 + 2.0**-47
    above = numbers.fused_multiply_add(numbers.float32(2.0**-24), numbers.float32(1 + 2.0**-23), one)
    assert float(above) == 1.0 + 2.0**-23
    assert float(numbers.fused_multiply_add(tiny, one, numbers.float32(1.0))) == 1.0


@given(st.integers(-(2**70), 2**70), st.sampled_from(NAMES[1:9]))
def test_integer_casts_wrap(value, name):
    wrapped = np.array(value & 2**64 - 1, np.uint64).astype(np.dtype(name))
    assert CASTS[name](value) == int(wrapped)


@given(st.integers(0, 2**64 - 1), st.integers(0, 2**64 - 1))
def test_uint64_wraps_as_numpy_does(x, y):
    with np.errstate(over="ignore"):
        for op in (operator.add, operator.sub, operator.mul):
            assert op(numbers.uint64(x), numbers.uint64(y)) == int(op(np.uint64(x), np.uint64(y)))


def test_nothing_raises_on_division_by_zero():
    assert numbers.float32(1) / numbers.float32(0) == math.inf
    assert numbers.float32(-1) / numbers.float32(0) == -math.inf
    assert math.isnan(numbers.float32(0) / numbers.float32(0))
    assert numbers.uint32(1) // numbers.uint32(0) == 0


def test_minimum_and_maximum_prefer_a_number_to_nan():
    nan, one = numbers.float32(math.nan), numbers.float32(1)
    assert numbers.smaller(nan, one) == numbers.smaller(one, nan) == numbers.larger(nan, one) == 1.0
    assert kind(numbers.smaller(numbers.int32(1), numbers.float32(2))) == "float64"


def test_a_fused_multiply_add_beyond_the_last_float64_is_an_infinity_of_its_sign():
    assert numbers.fused_multiply_add(1e300, 1e300, 1.0) == np.inf
    assert numbers.fused_multiply_add(-1e300, 1e300, 1.0) == -np.inf
