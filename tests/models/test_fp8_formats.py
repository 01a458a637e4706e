"""The four formats: their limits, all 256 codes of each, and what is refused."""

import math
import subprocess
import sys
from fractions import Fraction

import ml_dtypes
import numpy as np
import pytest

from hopperlab.models.fp8 import FORMATS, decode, encode, explain, format_named, unpack

NAMES = tuple(FORMATS)
CODES = np.arange(256, dtype=np.uint8)


def same_codes(left, right, fmt):
    """Codes equal, any NaN being as good as another."""
    left, right = np.asarray(left).view(np.uint8), np.asarray(right).view(np.uint8)
    both_nan = np.isnan(decode(left, fmt)) & np.isnan(decode(right, fmt))
    return bool(np.all(both_nan | (left == right)))


@pytest.mark.parametrize(
    ("fmt", "largest", "normal", "subnormal"),
    [
        ("e4m3", 448.0, 2.0**-6, 2.0**-9),
        ("e5m2", 57344.0, 2.0**-14, 2.0**-16),
        ("e4m3_ieee", 240.0, 2.0**-6, 2.0**-9),
        ("e4m3_fnuz", 240.0, 2.0**-7, 2.0**-10),
    ],
)
def test_limits_are_those_of_the_standard_and_of_ml_dtypes(fmt, largest, normal, subnormal):
    f, info = format_named(fmt), ml_dtypes.finfo(format_named(fmt).dtype)
    assert (f.largest, f.smallest_normal, f.smallest_subnormal) == (largest, normal, subnormal)
    assert (f.largest, f.smallest_normal) == (float(info.max), float(info.smallest_normal))
    assert f.smallest_subnormal == float(info.smallest_subnormal)
    assert 1 + f.exponent_bits + f.mantissa_bits == 8


def test_codes_of_the_limits():
    assert [f"{FORMATS[n].largest_code:02X}" for n in NAMES] == ["7E", "7B", "77", "7F"]
    assert decode(0x7E, "e4m3") == 448
    assert decode(0x7B, "e5m2") == 57344
    assert (FORMATS["e4m3"].maximum_exponent, FORMATS["e5m2"].maximum_exponent) == (8, 15)


@pytest.mark.parametrize("fmt", NAMES)
def test_every_code_decodes_as_ml_dtypes_has_it(fmt):
    ours, theirs = decode(CODES, fmt), CODES.view(FORMATS[fmt].dtype).astype(np.float32)
    assert np.array_equal(np.isnan(ours), np.isnan(theirs))
    number = ~np.isnan(ours)
    assert np.array_equal(ours[number].view(np.uint32), theirs[number].view(np.uint32))  # the sign of 0 too


@pytest.mark.parametrize("fmt", NAMES)
@pytest.mark.parametrize("source", [np.float32, np.float64, ml_dtypes.bfloat16, np.float16])
def test_every_code_survives_the_way_out_and_back(fmt, source):
    values = decode(CODES, fmt).astype(source)
    assert np.array_equal(values.astype(np.float32), decode(CODES, fmt), equal_nan=True)
    for engine in ("numpy", "numba"):
        assert same_codes(encode(values, fmt, saturate=False, engine=engine), CODES, fmt)


@pytest.mark.parametrize(
    ("fmt", "nans", "infinities"),
    [
        ("e4m3", [0x7F, 0xFF], []),
        ("e5m2", [0x7D, 0x7E, 0x7F, 0xFD, 0xFE, 0xFF], [0x7C, 0xFC]),
        ("e4m3_ieee", [*range(0x79, 0x80), *range(0xF9, 0x100)], [0x78, 0xF8]),
        ("e4m3_fnuz", [0x80], []),
    ],
)
def test_which_codes_are_no_numbers(fmt, nans, infinities):
    values = decode(CODES, fmt)
    assert np.flatnonzero(np.isnan(values)).tolist() == nans
    assert np.flatnonzero(np.isinf(values)).tolist() == infinities


@pytest.mark.parametrize("fmt", NAMES)
def test_a_code_taken_apart_gives_its_value_again(fmt):
    for code, value in enumerate(decode(CODES, fmt)):
        number = unpack(code, fmt)
        assert number.bits.replace(" ", "") == f"{code:08b}"
        assert np.array_equal(np.float32(number.value), value, equal_nan=True)
        if number.kind in ("zero", "subnormal", "normal"):
            exact = (-1) ** number.sign * number.significand * Fraction(2) ** number.exponent
            assert exact == Fraction(float(value))
            assert math.copysign(1, number.value) == math.copysign(1, value)
            assert (number.kind == "normal") == (abs(value) >= FORMATS[fmt].smallest_normal)
        assert f"0x{code:02X}" in str(number)


def test_shape_dtype_and_layout_are_kept():
    x = np.arange(24, dtype=np.float32).reshape(2, 3, 4)
    for array in (x, x.T, x[:, ::2], np.float32(3), x[:0]):
        codes = encode(array, "e4m3")
        assert codes.dtype == ml_dtypes.float8_e4m3fn
        assert codes.shape == np.shape(array)
        values = decode(codes, "e4m3")
        assert values.dtype == np.float32
        assert np.array_equal(values, codes.astype(np.float32))
    assert encode([1, -2], "e5m2").dtype == ml_dtypes.float8_e5m2
    assert encode(x.T, "e4m3", engine="numba").tolist() == encode(x.T, "e4m3", engine="numpy").tolist()


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: encode(1.0, "e3m4"), ValueError, r"fmt='e3m4' must be one of 'e4m3', 'e5m2'"),
        (lambda: encode(1.0, np.float32), ValueError, "fmt="),
        (lambda: decode(CODES, "fp8"), ValueError, "fmt='fp8'"),
        (lambda: encode(1.0, "e4m3", rounding="up"), ValueError, "rounding='up' must be one of"),
        (lambda: encode(1.0, "e4m3", engine="gpu"), ValueError, "engine='gpu'"),
        (lambda: encode(1.0, "e4m3", threads=0), ValueError, "threads=0 must be in 1 to"),
        (lambda: encode(1.0, "e4m3", rounding="stochastic"), ValueError, "rng=None must be"),
        (lambda: encode(1.0, "e4m3", rng=np.random.default_rng()), ValueError, "rng="),
        (lambda: encode(1.0, "e4m3", rounding="toward_zero", engine="numba"), ValueError, "rounding="),
        (lambda: encode(CODES, "e4m3"), TypeError, "dtype uint8 must be float16"),
        (lambda: encode(np.array([1j]), "e4m3"), TypeError, "dtype complex128"),
        (lambda: encode(np.array([True]), "e4m3"), TypeError, "dtype bool"),
        (lambda: encode(["1"], "e4m3"), TypeError, "dtype"),
        (lambda: encode(1.0, "e4m3", saturate="no"), TypeError, "saturate='no' must be True or False"),
        (lambda: explain(1.0, "e4m3", saturate=None), TypeError, "saturate=None must be True or False"),
        (lambda: explain(np.ones(1), "e4m3"), TypeError, r"x=array\(\[1\.\]\) must be a number"),
        (lambda: decode(np.arange(3), "e4m3"), TypeError, "dtype int64 must be uint8"),
        (lambda: decode([256], "e4m3"), ValueError, "must be in 0 to 255"),
        (lambda: decode([-1], "e4m3"), ValueError, "must be in 0 to 255"),
        (
            lambda: decode(encode(1.0, "e5m2"), "e4m3"),
            TypeError,
            "float8_e5m2 must be uint8 or float8_e4m3fn",
        ),
        (lambda: unpack(256, "e4m3"), ValueError, "code=256 must be in 0 to 255"),
        (lambda: explain("1", "e4m3"), TypeError, "x='1' must be a number"),
        (lambda: explain(10**400, "e4m3"), ValueError, "within float64's range"),
    ],
)
def test_bad_input_is_refused_by_name(call, error, message):
    with pytest.raises(error, match=message):
        call()


def test_importing_the_casts_does_not_load_numba():
    script = (
        "import sys, hopperlab.models.fp8 as f; f.encode([1.0], 'e4m3'); sys.exit('numba' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 0
