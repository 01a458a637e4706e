"""The twins of numba.cuda.libdevice: cast as the library casts, and rounded as the name says."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numba import cuda
from numba.cuda import libdevice

from hopperlab.device import kernel
from hopperlab.device.simulator import twins
from hopperlab.device.simulator.numbers import Float32, Int32
from hopperlab.device.simulator.twins.libdevice import MODES, without_twin

FLOATS = st.floats(width=32, allow_nan=False, allow_infinity=False)
DOUBLES = st.floats(allow_nan=False, allow_infinity=False)


def call(name, *arguments):
    return twins.find(getattr(libdevice, name)).act(None, *arguments)


@given(st.integers(-(2**31), 2**31 - 1))
def test_bits_are_kept_whatever_they_mean(bits):
    value = call("int_as_float", bits)
    assert value.__class__ is Float32
    if value == value:
        assert call("float_as_int", value) == bits
    assert call("hiloint2double", bits, 7).__class__ is float
    assert call("double2loint", call("hiloint2double", 3, bits)) == bits


def exact(operation, x, y):
    x, y = Fraction(x), Fraction(y)
    return {"add": x + y, "sub": x - y, "mul": x * y}[operation]


SUMS = [
    (f"{letter}{operation}", kind)
    for letter, kind in (("f", np.float32), ("d", np.float64))
    for operation in ("add", "mul")
]


@pytest.mark.parametrize(("function", "kind"), [*SUMS, ("fsub", np.float32)])
@given(x=FLOATS, y=FLOATS)
def test_directed_rounding_encloses_the_exact_result(function, kind, x, y):
    wanted = exact(function[1:], x, y)
    nearest, towards, down, up = (kind(call(f"{function}_{mode}", x, y)) for mode in MODES)
    if math.isfinite(up) and math.isfinite(down):
        assert Fraction(float(down)) <= wanted <= Fraction(float(up))
        assert up == down or up == np.nextafter(down, kind(math.inf))
        assert nearest in (down, up)
        assert towards == (down if wanted > 0 else up)


@given(FLOATS.filter(lambda x: x >= 0))
def test_directed_roots_enclose_the_root(x):
    down, up = (Fraction(float(call(f"fsqrt_{mode}", x))) for mode in ("rd", "ru"))
    assert down**2 <= Fraction(x) <= up**2


@given(DOUBLES.filter(lambda x: abs(x) < 1e38))
def test_a_double_is_narrowed_as_the_mode_says(x):
    nearest, towards, down, up = (call(f"double2float_{mode}", x) for mode in MODES)
    assert down <= x <= up
    assert nearest == np.float32(x)
    assert abs(towards) <= abs(x)


@pytest.mark.parametrize(
    ("name", "given", "wanted"),
    [
        ("float2int_rn", (2.5,), 2),
        ("float2int_ru", (2.1,), 3),
        ("float2int_rd", (-2.1,), -3),
        ("float2int_rz", (-2.9,), -2),
        ("float2int_rz", (math.nan,), 0),
        ("float2int_rz", (3e9,), 2**31 - 1),
        ("float2uint_rz", (-1.0,), 0),
        ("float2uint_rz", (3e9,), 3_000_000_000 - 2**32),  # numba gives int32 back
        ("uint2float_rn", (-1,), 2.0**32),
        ("int2float_rd", (2**24 + 1,), 2.0**24),
        ("int2float_ru", (2**24 + 1,), 2.0**24 + 2),
        ("mulhi", (2**31 - 1, 2), 0),
        ("mulhi", (-1, 1), -1),
        ("umulhi", (-1, 2), 1),
        ("mul24", (0x800001, 2), -16777214),
        ("byte_perm", (0x33221100, 0x77665544, 0x0527), 0x00552277),
        ("brev", (1,), -(2**31)),
        ("clz", (1,), 31),
        ("clzll", (1,), 63),
        ("ffs", (8,), 4),
        ("popc", (-1,), 32),
        ("umax", (-1, 3), -1),
        ("usad", (-1, 0, 0), -1),
        ("uhadd", (-1, -1), -1),
        ("saturatef", (1.5,), 1.0),
        ("fminf", (math.nan, 2.0), 2.0),
        ("round", (2.5,), 3.0),
        ("rint", (2.5,), 2.0),
        ("remainder", (5.0, 3.0), -1.0),
        ("remquo", (5.0, 3.0), (-1.0, 2)),
        ("frexp", (6.0,), (0.75, 3)),
        ("modf", (2.5,), (0.5, 2.0)),
        ("ilogb", (10.0,), 3),
        ("sinpi", (1.0,), 0.0),
        ("cospi", (0.5,), 0.0),
        ("rsqrt", (4.0,), 0.5),
        ("signbitf", (-0.0,), 1),
        ("isnanf", (math.nan,), 1),
        ("fdiv_rz", (1.0, 0.0), math.inf),
        ("fdividef", (1.0, 4.0), 0.25),
    ],
)
def test_a_function_gives_what_cuda_gives(name, given, wanted):
    name = "fast_fdividef" if name == "fdividef" else name
    assert call(name, *given) == wanted


def test_results_have_the_librarys_types():
    assert call("sinf", 1.0).__class__ is Float32
    assert call("sin", Float32(1.0)).__class__ is float
    assert call("clz", 5).__class__ is Int32
    assert call("sincosf", 1.0)[1] == np.float32(math.cos(1.0))


def test_what_has_no_twin_is_known():
    named = ("erfcinv", "erfcx", "erfinv", "j0", "j1", "jn", "normcdfinv", "y0", "y1", "yn")
    assert without_twin() == {name + tail for name in named for tail in ("", "f")}


def test_a_kernel_says_them():
    @kernel
    def bits(x, out):
        i = cuda.grid(1)
        out[i] = libdevice.float_as_int(x[i])

    x = np.array([1.5, -0.0, 3e-42], np.float32)
    assert bits.simulate(1, 3, (x, np.zeros(3, np.int32)))["out"].tolist() == x.view(np.int32).tolist()
