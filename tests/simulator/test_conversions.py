"""A float made an integer: in the simulator as by the instruction that the compiler takes for it, and as on a card."""

import itertools
import math
import re
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hopperlab.device import kernel, on_silicon
from hopperlab.device.simulator.numbers import CASTS

WHOLE = ("int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64")
LETTERS = {"float16": "f16", "float32": "f32", "float64": "f64"}
EDGES = [sign * value for sign in (-1, 1) for value in (0, 0.5, 1.5, 2.5, math.inf, math.nan)] + [
    sign * (2.0**bits + more)
    for sign, bits, more in itertools.product((-1, 1), (7, 8, 15, 16), (-1, 0, 0.5, 3))
]
FAR = [
    s * x for s in (-1, 1) for n in (31, 32, 63, 64) for x in (2.0**n, np.nextafter(np.float32(2.0**n), 0))
]


def edges(name):
    """Floats around the ends of every integer, as this type has them: float16 has the last as infinities."""
    with np.errstate(over="ignore"):
        return np.array(EDGES if name == "float16" else EDGES + FAR, name)


@kernel
def convert(values, a, b, c, d, e, f, g, h):
    for i in range(values.size):
        a[i] = values[i]
        b[i] = values[i]
        c[i] = values[i]
        d[i] = values[i]
        e[i] = values[i]
        f[i] = values[i]
        g[i] = values[i]
        h[i] = values[i]


def instruction(name, whole):
    """The conversion to an integer, which `test_the_compiler_takes_these_conversions` holds against PTX."""
    bits = int(whole.strip("uint"))
    if name == "float16":
        return f"cvt.rni.{whole[0].replace('i', 's')}{bits}.f16"
    return f"cvt.rzi.{whole[0].replace('i', 's')}{max(bits, 16)}.{LETTERS[name]}"


def by_ptx(told, value):
    """What PTX says that an instruction makes of a value."""
    rounding, signed, bits, source = re.fullmatch(r"cvt\.(rzi|rni)\.([us])(\d+)\.(f\d+)", told).groups()
    bits = int(bits)
    low, high = (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) if signed == "s" else (0, 2**bits - 1)
    if math.isnan(value):
        return 2 ** (bits - 1) if source == "f64" or bits == 64 else 0
    if math.isinf(value):
        return high if value > 0 else low
    exact = Fraction(value)
    return min(max(round(exact) if rounding == "rni" else math.trunc(exact), low), high)


def bits_of(whole, number):
    """The number's low bits, which is what a register or an array of that type keeps."""
    return number & (1 << int(whole.strip("uint"))) - 1


@pytest.mark.parametrize("name", LETTERS)
def test_the_compiler_takes_these_conversions(name):
    signature = f"void({', '.join(f'{one}[::1]' for one in (name, *WHOLE))})"
    found = set(re.findall(rf"cvt\.r\wi\.[us]\d+\.{LETTERS[name]}", convert.ptx(signature)))
    assert found == {instruction(name, whole) for whole in WHOLE}


@pytest.mark.parametrize("whole", WHOLE)
@pytest.mark.parametrize("name", LETTERS)
def test_a_cast_is_what_ptx_says_of_its_instruction(name, whole):
    @given(st.floats(width=int(name.removeprefix("float"))) | st.sampled_from(edges(name).tolist()))
    def holds(value):
        value = float(np.dtype(name).type(value))
        made = CASTS[whole](CASTS[name](value))
        assert bits_of(whole, int(made)) == bits_of(whole, by_ptx(instruction(name, whole), value))

    holds()


def launched(name, launch):
    values = edges(name)
    arrays = [np.zeros(values.size, whole) for whole in WHOLE]
    return launch(values, *arrays)


@pytest.mark.parametrize("name", LETTERS)
def test_a_store_into_an_array_of_integers_converts_alike(name):
    run = launched(name, lambda *arrays: convert.simulate(1, 1, arrays))
    for whole, parameter in zip(WHOLE, "abcdefgh", strict=True):
        wanted = [bits_of(whole, by_ptx(instruction(name, whole), float(value))) for value in edges(name)]
        assert [bits_of(whole, int(one)) for one in run[parameter]] == wanted, whole


@pytest.mark.gpu
@pytest.mark.parametrize("name", LETTERS)
def test_a_card_converts_alike(name):
    from numba import cuda

    def on_card(*arrays):
        with on_silicon():
            there = [cuda.to_device(array) for array in arrays]
            convert[1, 1](*there)
        return [array.copy_to_host() for array in there[1:]]

    run = launched(name, lambda *arrays: convert.simulate(1, 1, arrays))
    for parameter, array in zip("abcdefgh", launched(name, on_card), strict=True):
        assert run[parameter].tobytes() == array.tobytes(), array.dtype
