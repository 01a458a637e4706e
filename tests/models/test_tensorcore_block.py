"""One step of a tensor core: the hand vectors, what is cut and what is kept, and NaN and infinity."""

import math
from dataclasses import replace
from fractions import Fraction

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hopperlab.models.fp8 import decode, encode
from hopperlab.models.tensorcore import UNITS, explain_block, matmul, unit_named

ENGINES = ("specification", "numba")
WGMMA, HALF = "hopper.wgmma.e4m3", "hopper.wgmma.f16"


def ones(n):
    return [1.0] * n


# Terms a, b and accumulator c; the exact sum; what FP8 wgmma gives; what FP16 wgmma gives. Each difference between
# the last two columns is a property of the FP8 unit that a program can see.
HAND_VECTORS = {
    "32 ones fit below 2^13": (ones(32), ones(32), 2.0**13, 8224, 8224, 8224),
    "32 ones vanish below 2^14": (ones(32), ones(32), 2.0**14, 16416, 16384, 16416),
    "cutting goes toward zero, not down": ([-1.0] * 32, ones(32), 2.0**14, 16352, 16384, 16352),
    "C alone is cut": ([], [], 1 + 2.0**-14, 1 + 2.0**-14, 1, 1 + 2.0**-14),
    "C alone is cut, negative": ([], [], -1 - 2.0**-14, -1 - 2.0**-14, -1, -1 - 2.0**-14),
    "C keeps 13 fraction bits": ([], [], 1 + 2.0**-13, 1 + 2.0**-13, 1 + 2.0**-13, 1 + 2.0**-13),
    "1 is lost between cancelling giants": ([256, -256, 1.0], [256, 256, 1.0], 0.0, 1, 0, 1),
    "so is 7.5": ([256, -256, 7.5], [256, 256, 1.0], 0.0, 7.5, 0, 7.5),
    "8 is not": ([256, -256, 8.0], [256, 256, 1.0], 0.0, 8, 8, 8),
    "giants 20 elements before 1 still take it": (
        [256, -256, *[0.0] * 20, 1.0],
        [256, 256, *[0.0] * 20, 1.0],
        0.0,
        1,
        0,
        1,
    ),
    "giants 32 elements before 1 do not": (
        [256, -256, *[0.0] * 30, 1.0],
        [256, 256, *[0.0] * 30, 1.0],
        0.0,
        1,
        1,
        1,
    ),
    "31 small terms leave no trace": (
        [1.0, *[2.0**-7] * 31],
        [1.0, *[2.0**-7] * 31],
        0.0,
        1 + 31 * 2.0**-14,
        1,
        1 + 31 * 2.0**-14,
    ),
    "2^-5 beside 448 stays": ([448, 2.0**-5], [1.0, 1.0], 0.0, 448.03125, 448.03125, 448.03125),
    "2^-6 beside 448 goes": ([448, 2.0**-6], [1.0, 1.0], 0.0, 448.015625, 448, 448.015625),
    "the largest sum": ([448.0] * 32, [448.0] * 32, 0.0, 6422528, 6422528, 6422528),
    "the smallest product": ([2.0**-9], [2.0**-9], 0.0, 2.0**-18, 2.0**-18, 2.0**-18),
}


def as_matrices(a, b, c, unit):
    """A row, a column and an accumulator in the unit's formats."""
    unit = unit_named(unit)
    row = np.array([a], np.float32).reshape(1, -1).astype(unit.a.dtype)
    column = np.array([b], np.float32).reshape(-1, 1).astype(unit.b.dtype)
    return row, column, np.array([[c]], unit.output.dtype)


def single(a, b, c, unit, engine="specification"):
    return matmul(*as_matrices(a, b, c, unit), unit, engine=engine)[0, 0]


@pytest.mark.parametrize("vector", HAND_VECTORS.values(), ids=HAND_VECTORS)
@pytest.mark.parametrize("engine", ENGINES)
def test_hand_vector(vector, engine):
    a, b, c, exact, fp8_unit, half_unit = vector
    assert sum(Fraction(x) * Fraction(y) for x, y in zip(a, b, strict=True)) + Fraction(c) == Fraction(exact)
    if a:
        assert float(single(a, b, c, WGMMA, engine)) == fp8_unit
        assert float(single(a, b, c, HALF, engine)) == half_unit
    else:  # an instruction whose products are all zero
        assert float(single([0.0], [1.0], c, WGMMA, engine)) == fp8_unit
        assert float(single([0.0], [1.0], c, HALF, engine)) == half_unit


@pytest.mark.parametrize(
    "wrong",
    [
        {"block": 16},
        {"block": 64, "instruction_k": 64},
        {"fraction_bits": 14},
        {"fraction_bits": 12},
        {"output_fraction_bits": 12},
        {"fraction_bits": 25, "output_fraction_bits": 23},
    ],
    ids=str,
)
def test_the_hand_vectors_have_teeth(wrong):
    unit = replace(UNITS[WGMMA], **wrong)
    results = [float(single(a, b, c, unit)) for a, b, c, *_ in HAND_VECTORS.values() if a]
    assert results != [fp8_unit for a, _, _, _, fp8_unit, _ in HAND_VECTORS.values() if a]


def random_values(rng, shape, unit_format):
    """Values over some octaves, in a unit's input format."""
    values = rng.normal(size=shape) * np.exp2(rng.integers(-5, 6, shape))
    return values.astype(np.float32).astype(unit_format.dtype)


@pytest.mark.parametrize(
    ("wrong", "least"),
    [
        ({"block": 16}, 0.1),
        ({"fraction_bits": 14}, 0.1),
        ({"output_fraction_bits": 14}, 0.1),
        ({"output_fraction_bits": 12}, 0.3),
        ({"fraction_bits": 13, "output_fraction_bits": 23}, 0.2),
        ({"fraction_bits": 25, "output_fraction_bits": 23}, 0.5),
    ],
    ids=str,
)
def test_one_wrong_integer_shows_in_random_products(wrong, least):
    rng, unit = np.random.default_rng(0), UNITS[WGMMA]
    a, b = random_values(rng, (40, 32), unit.a), random_values(rng, (32, 40), unit.b)
    c = rng.normal(size=(40, 40)).astype(np.float32)
    right, other = matmul(a, b, c, unit), matmul(a, b, c, replace(unit, **wrong))
    assert np.mean(right != other) > least


@given(seed=st.integers(0, 2**32), unit=st.sampled_from(sorted(UNITS)), width=st.integers(1, 64))
@settings(max_examples=60, deadline=None)
def test_an_explained_block_adds_up(seed, unit, width):
    rng, unit = np.random.default_rng(seed), UNITS[unit]
    a, b = (random_values(rng, min(width, unit.block), f) for f in (unit.a, unit.b))
    c = unit.output.dtype.type(rng.normal() * 2.0 ** rng.integers(-8, 8))
    block = explain_block(a, b, float(c), unit)
    assert block.exact == sum(term.value for term in block.terms)
    assert block.total == sum(term.aligned for term in block.terms)
    assert Fraction(float(block.result)) == block.exact - block.lost_in_alignment - block.lost_in_output
    for term in block.terms:
        cut = block.cut(term)
        assert abs(cut) < block.grid or cut == 0
        assert cut * term.value >= 0  # toward zero, each term by itself
        if term.significand:
            assert term.exponent <= block.exponent
    row, column, accumulator = np.array([a]), np.array([b]).T, np.array([[c]])
    if not unit.late_accumulator:
        assert matmul(row, column, accumulator, unit)[0, 0] == block.result


def test_an_explained_block_says_what_was_cut():
    a, b, *_ = as_matrices([448, 2.0**-6], [1.0, 1.0], 0.0, WGMMA)
    block = explain_block(a[0], b[:, 0])
    assert (block.exponent, block.grid, block.total) == (8, Fraction(1, 32), 448 * 32)
    assert [block.cut(term) for term in block.products] == [0, Fraction(1, 64)]
    assert block.products[1].factors == (2.0**-6, 1.0)
    text = str(block)
    assert "steps of 2^-5" in text
    assert "cut 0.015625" in text
    assert "written 448 (exact 448.015625)" in text.replace("    ", "")


def test_products_are_not_normalized_before_they_are_aligned():
    # 1.875 * 1.875 = 3.52 counts as exponent 0: a normalized product would align everything one bit higher.
    a, b, *_ = as_matrices([1.875, 2.0**-7], [1.875, 2.0**-6], 0.0, WGMMA)
    block = explain_block(a[0], b[:, 0])
    assert block.exponent == 0
    assert block.products[1].aligned == 1
    assert float(block.result) == 1.875**2 + 2.0**-13 - (
        2.0**-13
    )  # the output's own exponent is 1: 2^-13 goes


def test_a_subnormal_counts_with_the_exponent_of_the_smallest_normal():
    smallest = np.array([0x01], np.uint8)  # 2^-9, held as 2^-3 * 2^-6
    block = explain_block(smallest, smallest)
    assert (block.exponent, block.products[0].significand) == (-12, 1)
    half = explain_block(
        decode(smallest, "e4m3").astype(np.float16), decode(smallest, "e4m3").astype(np.float16), 0, HALF
    )
    assert half.exponent == -18


NAN, INF = math.nan, math.inf


@pytest.mark.parametrize(
    ("a", "b", "c", "result"),
    [
        ([NAN, 1], [0, 1], 0, NAN),
        ([1, 1], [1, 1], NAN, NAN),
        ([INF, 1], [1, 1], 5, INF),
        ([INF, 1], [-1, 1], 5, -INF),
        ([INF, 1], [0, 1], 5, NAN),
        ([INF, INF], [1, -1], 5, NAN),
        ([INF, INF], [1, 1], 5, INF),
        ([INF, INF], [INF, -1], 5, NAN),
        ([INF], [1], -INF, NAN),
        ([INF], [1], INF, INF),
        ([1], [1], -INF, -INF),
        ([0], [0], INF, INF),
    ],
)
@pytest.mark.parametrize("unit", ["hopper.wgmma.e5m2", HALF, "hopper.wgmma.f16.acc_f16", "hopper.wgmma.bf16"])
def test_nan_and_infinity_are_ieee_and_stay(a, b, c, result, unit):
    word = unit_named(unit).output.word
    for tail in (0, 40, 80):  # finite blocks that follow change nothing
        row, column, accumulator = as_matrices([*a, *ones(tail)], [*b, *ones(tail)], c, unit)
        for engine in ENGINES:
            out = matmul(row, column, accumulator, unit, engine=engine)[0, 0]
            if math.isnan(result):
                assert out.view(word) == unit_named(unit).output.nan
            else:
                assert float(out) == result


def test_infinities_of_opposite_sign_in_different_blocks_are_nan():
    a = np.array([[INF, *ones(40), INF]], np.float32).astype(ml_dtypes.float8_e5m2)
    b = np.array([[1.0, *ones(40), -1.0]], np.float32).T.astype(ml_dtypes.float8_e5m2)
    for engine in ENGINES:
        assert np.isnan(matmul(a, b, unit="hopper.wgmma.e5m2", engine=engine)[0, 0])


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(
    ("unit", "a", "b", "c", "result"),
    [
        ("hopper.wgmma.bf16", [2.0**100], [2.0**100], 0.0, INF),
        ("hopper.wgmma.bf16", [-(2.0**100)], [2.0**100], 0.0, -INF),
        ("hopper.wgmma.bf16", [2.0**100, 2.0**100], [2.0**100, -(2.0**100)], 3.0, 0.0),
        ("hopper.wgmma.bf16", [2.0**64, 2.0**63], [2.0**63, 2.0**63], 0.0, 1.5 * 2.0**127),
        ("hopper.wgmma.bf16", [2.0**64] * 2, [2.0**63] * 2, 0.0, INF),
        ("hopper.wgmma.bf16", [2.0**-70], [2.0**-79], 0.0, 2.0**-149),
        ("hopper.wgmma.bf16", [1.5 * 2.0**-70], [2.0**-79], 0.0, 2.0**-149),
        ("hopper.wgmma.bf16", [-(2.0**-75)], [2.0**-75], 0.0, 0.0),
        # 65520 is a tie, and the even neighbor is too large.
        ("hopper.wgmma.f16.acc_f16", [256.0] * 8, [32.0] * 8, -16.0, INF),
        ("hopper.wgmma.f16.acc_f16", [256.0] * 8, [32.0] * 8, -32.0, 65504.0),
        ("hopper.wgmma.f16.acc_f16", [256.0] * 8, [32.0] * 8, 0.0, INF),
        ("hopper.wgmma.f16.acc_f16", [1.0, 2.0**-11], [1.0, 1.0], 0.0, 1.0),
        ("hopper.wgmma.f16.acc_f16", [1.0, 3 * 2.0**-11], [1.0, 1.0], 0.0, 1 + 2.0**-9),
        ("hopper.wgmma.f16.acc_f16", [2.0**-12], [2.0**-13], 0.0, 0.0),
        ("hopper.wgmma.f16.acc_f16", [2.0**-12, 2.0**-14], [2.0**-13, 2.0**-14], 0.0, 2.0**-24),
        ("hopper.wgmma.e4m3.acc_f16", [448.0], [448.0], 0.0, INF),
        ("hopper.wgmma.e4m3.acc_f16", [-448.0], [448.0], 0.0, -INF),
    ],
)
def test_range_and_rounding_of_the_output(engine, unit, a, b, c, result):
    assert float(single(a, b, c, unit, engine)) == result


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("unit", [WGMMA, "hopper.wgmma.bf16", "hopper.wgmma.f16.acc_f16"])
def test_a_zero_result_is_plus_zero(engine, unit):
    word = unit_named(unit).output.word
    for a, b, c in (
        ([0.0], [1.0], -0.0),
        ([1.0, -1.0], [1.0, 1.0], 0.0),
        ([-1.0], [1.0], 1.0),
        ([-0.0], [1.0], -0.0),
    ):
        assert single(a, b, c, unit, engine).view(word) == 0


def test_tf32_does_not_see_the_low_bits_of_float32():
    a = np.array([[1 + 2.0**-10 + 2.0**-11, -1 - 2.0**-23, NAN]], np.float32)
    for engine in ENGINES:
        values = [
            matmul(a[:, [i]], np.ones((1, 1), np.float32), unit="hopper.wgmma.tf32", engine=engine)
            for i in range(3)
        ]
        assert [float(v[0, 0]) for v in values[:2]] == [1 + 2.0**-10, -1.0]
        assert np.isnan(values[2][0, 0])


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: explain_block(encode(ones(33), "e4m3"), encode(ones(33), "e4m3")), ValueError, "at most 32"),
        (
            lambda: explain_block(encode(ones(3), "e4m3"), encode(ones(4), "e4m3")),
            ValueError,
            "vectors of one length",
        ),
        (
            lambda: explain_block(np.ones(3), encode(ones(3), "e4m3")),
            TypeError,
            "a: dtype float64 must be float8_e4m3fn",
        ),
        (lambda: explain_block(encode(1.0, "e4m3"), encode(1.0, "e4m3")), ValueError, "two vectors"),
        (
            lambda: explain_block(encode(ones(1), "e4m3"), encode(ones(1), "e4m3"), 1 + 2.0**-30),
            ValueError,
            "value of FP32",
        ),
        (
            lambda: explain_block(
                np.ones(1, np.float16), np.ones(1, np.float16), 1e6, "hopper.wgmma.f16.acc_f16"
            ),
            ValueError,
            "c=1000000.0 must be a value of FP16",
        ),
        (
            lambda: explain_block(encode(ones(1), "e4m3"), encode(ones(1), "e4m3"), unit="h100"),
            ValueError,
            "unit='h100' must be",
        ),
        (
            lambda: explain_block(encode(ones(1), "e4m3"), encode(ones(1), "e4m3"), None),
            TypeError,
            "c=None must be a number",
        ),
        (lambda: replace(UNITS[WGMMA], fraction_bits=60), ValueError, "fraction_bits=60 must be in 1 to 40"),
        (lambda: replace(UNITS[WGMMA], block=0), ValueError, "block=0 must be in 1 to 64"),
        (lambda: replace(UNITS[WGMMA], minimum_exponent=-1000), ValueError, "minimum_exponent=-1000"),
    ],
)
def test_bad_input_is_refused_by_name(call, error, message):
    with pytest.raises(error, match=message):
        call()
