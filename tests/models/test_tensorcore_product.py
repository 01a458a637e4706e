"""Whole products: what fast accumulation costs, promotion, and Hopper's two ways to multiply FP8."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hopperlab.models.fp8 import FORMATS, decode, encode
from hopperlab.models.tensorcore import UNITS, matmul, unit_named

E4M3, E5M2 = "hopper.wgmma.e4m3", "hopper.wgmma.e5m2"


def test_a_sum_of_ones_stalls_at_16384():
    for k in (16_384, 20_000, 65_536):
        ones = encode(np.ones((1, k)), "e4m3")
        assert matmul(ones, ones.T)[0, 0] == 16_384
        assert matmul(ones, ones.T, promote_every=128)[0, 0] == k
        assert matmul(ones.astype(np.float16), ones.T.astype(np.float16), unit="hopper.wgmma.f16")[0, 0] == k
    for k in (1, 31, 33, 16_000):
        ones = encode(np.ones((1, k)), "e4m3")
        assert matmul(ones, ones.T)[0, 0] == k


def gemm_errors(draw, k, promote_every=None):
    """Relative error of 64 x 64 outputs under current scaling, against the exact product of the FP8 values."""
    rng = np.random.default_rng(5)
    codes = []
    for shape in ((64, k), (k, 64)):
        x = draw(rng, shape)
        codes.append(encode(x * (448 / np.abs(x).max()), "e4m3"))
    exact = decode(codes[0], "e4m3").astype(np.float64) @ decode(codes[1], "e4m3").astype(np.float64)
    error = matmul(*codes, promote_every=promote_every) - exact
    return np.sqrt(np.mean(error**2) / np.mean(exact**2)), error.mean() / np.sqrt(np.mean(exact**2))


def uniform(rng, shape):
    return rng.random(shape)


def normal(rng, shape):
    return rng.normal(size=shape)


@pytest.mark.parametrize(("k", "bias"), [(1024, -0.015), (4096, -0.075), (16_384, -0.25)])
def test_fast_accumulation_of_uniform_numbers_is_biased(k, bias):
    rms, mean = gemm_errors(uniform, k)
    assert mean == pytest.approx(bias, rel=0.06)
    assert rms == pytest.approx(-bias, rel=0.06)
    promoted, promoted_bias = gemm_errors(uniform, k, promote_every=128)
    assert promoted == pytest.approx(5.5e-4, rel=0.2)
    assert abs(promoted_bias) < 7e-4


def test_fast_accumulation_of_normal_numbers_is_not():
    rms, mean = gemm_errors(normal, 4096)
    assert rms == pytest.approx(1.3e-3, rel=0.2)
    assert abs(mean) < 3e-4
    assert gemm_errors(normal, 4096, promote_every=128)[0] == pytest.approx(1.3e-4, rel=0.2)


def test_on_numbers_of_one_sign_promotion_never_hurts():
    rng = np.random.default_rng(6)
    for k in (128, 500, 2048):
        a, b = encode(rng.random((8, k)) * 448, "e4m3"), encode(rng.random((k, 8)) * 448, "e4m3")
        exact = decode(a, "e4m3").astype(np.float64) @ decode(b, "e4m3")
        errors = [np.abs(matmul(a, b, promote_every=p) - exact) for p in (None, 512, 128)]
        assert np.all(errors[0] >= errors[1])
        assert errors[0].mean() >= errors[1].mean() >= errors[2].mean()


def random_codes(rng, shape, fmt):
    """Finite codes of every kind."""
    f = FORMATS[fmt]
    magnitude = rng.integers(0, f.largest_code + 1, shape, dtype=np.uint8)
    return magnitude | (rng.integers(0, 2, shape, dtype=np.uint8) << 7)


@given(seed=st.integers(0, 2**32), unit=st.sampled_from([E4M3, E5M2, "hopper.wgmma.e4m3.e5m2"]))
@settings(max_examples=12, deadline=None)
def test_invariants(seed, unit):
    rng, fmt = np.random.default_rng(seed), UNITS[unit]
    k = 96
    a, b = random_codes(rng, (3, k), fmt.a.name), random_codes(rng, (k, 4), fmt.b.name)
    c = (rng.normal(size=(3, 4)) * 2.0 ** rng.integers(-20, 20)).astype(np.float32)
    result = matmul(a, b, c, unit)

    inside_blocks = np.concatenate([rng.permutation(32) + 32 * block for block in range(3)])
    assert np.array_equal(matmul(a[:, inside_blocks], b[inside_blocks], c, unit), result)
    assert np.array_equal(matmul(a ^ 0x80, b, -c, unit), -result)
    assert np.array_equal(matmul(a, b ^ 0x80, -c, unit), -result)
    padded = np.zeros((3, 40), np.uint8), np.zeros((40, 4), np.uint8)
    assert np.array_equal(matmul(np.hstack([a, padded[0]]), np.vstack([b, padded[1]]), c, unit), result)
    swapped = unit if fmt.a.name == fmt.b.name else "hopper.wgmma.e5m2.e4m3"
    assert np.array_equal(matmul(b.T, a.T, c.T, swapped), result.T)
    first = matmul(a[:, :64], b[:64], c, unit)
    assert np.array_equal(matmul(a[:, 64:], b[64:], first, unit), result)


def test_order_across_blocks_matters():
    rng = np.random.default_rng(7)
    a, b = random_codes(rng, (20, 96), "e4m3"), random_codes(rng, (96, 20), "e4m3")
    order = np.roll(np.arange(96), 32)
    assert np.any(matmul(a, b) != matmul(a[:, order], b[order]))


def test_promotion_adds_partial_sums_on_ordinary_lanes():
    rng = np.random.default_rng(8)
    a, b = random_codes(rng, (5, 300), "e4m3"), random_codes(rng, (300, 6), "e4m3")
    c = rng.normal(size=(5, 6)).astype(np.float32)
    total = c
    for start in range(0, 300, 128):
        total = total + matmul(a[:, start : start + 128], b[start : start + 128])
    assert np.array_equal(matmul(a, b, c, promote_every=128), total)


def test_promotion_keeps_nan_and_infinity():
    big = np.full((1, 512), 57344.0)
    for values, expected in (
        (big * 0 + np.inf, np.inf),
        (np.where(np.arange(512) == 300, np.nan, big), np.nan),
    ):
        codes = encode(values, "e5m2", saturate=False)
        result = matmul(codes, encode(np.ones((512, 1)), "e5m2"), unit=E5M2, promote_every=128)
        assert np.array_equal(result[0], [expected], equal_nan=True)
        assert not np.isnan(expected) or result.view(np.uint32)[0, 0] == 0x7FFFFFFF
    both = encode(np.where(np.arange(512) < 256, np.inf, -np.inf)[None], "e5m2", saturate=False)
    result = matmul(both, encode(np.ones((512, 1)), "e5m2"), unit=E5M2, promote_every=128)
    assert result.view(np.uint32)[0, 0] == 0x7FFFFFFF


def half_instructions(a, b):
    """Operands of Hopper's mma.sync for FP8, one instruction: what goes to its first and second FP16 instruction."""
    k = np.arange(a.shape[1])
    for members in (k % 4 < 2, k % 4 >= 2):
        yield decode(a[:, members], "e4m3").astype(np.float16), decode(b[members], "e4m3").astype(np.float16)


@pytest.mark.parametrize(
    ("accumulate", "half"), [("", "hopper.mma.f16"), (".acc_f16", "hopper.mma.f16.acc_f16")]
)
def test_mma_sync_for_fp8_is_two_fp16_instructions_and_a_late_c(accumulate, half):
    rng, dtype = np.random.default_rng(9), UNITS[half].output.dtype
    a = encode(rng.normal(size=(16, 96)) * 4, "e4m3")
    b = encode(rng.normal(size=(96, 8)) * 4, "e4m3")
    c = rng.normal(size=(16, 8)).astype(dtype)
    total = c
    for start in range(0, 96, 32):
        partial = None
        for first, second in half_instructions(a[:, start : start + 32], b[start : start + 32]):
            partial = matmul(first, second, partial, half)
        total = total + partial
    assert np.array_equal(matmul(a, b, c, f"hopper.mma.e4m3{accumulate}"), total)


def test_mma_sync_hides_what_the_fp8_unit_loses():
    a = encode(np.array([[256.0, -256.0, 1.0]]), "e4m3")
    b = encode(np.array([[256.0], [256.0], [1.0]]), "e4m3")
    assert matmul(a, b)[0, 0] == 0
    assert matmul(a, b, unit="hopper.mma.e4m3")[0, 0] == 1
    ones = encode(np.ones((1, 65_536)), "e4m3")
    assert matmul(ones, ones.T, unit="hopper.mma.e4m3")[0, 0] == 65_536


def test_e4m3_in_mma_sync_has_the_exponents_of_fp16():
    unit = UNITS["hopper.mma.e4m3"]
    assert (unit.a.minimum_exponent, unit.a.fraction_bits, unit.a.dtype) == (-14, 10, FORMATS["e4m3"].dtype)
    # 2^-9 * 2^-9 counts as exponent -18, not -12: with F = 25 nothing of a smaller neighbor is cut.
    smaller = replace(unit, a=UNITS[E4M3].a, b=UNITS[E4M3].b, fraction_bits=6)
    a, b = np.array([[0x01, 0x01]], np.uint8), np.array([[0x01], [0x01]], np.uint8)
    assert matmul(a, b, unit=replace(unit, fraction_bits=6)) == matmul(a, b, unit=smaller) == 2.0**-17
    c = np.array([[2.0**-12]], np.float32)
    assert matmul(a, b, c, "hopper.mma.e4m3") == 2.0**-12 + 2.0**-17


def test_each_unit_says_what_it_is():
    assert all(unit.settled for name, unit in UNITS.items() if name.startswith("hopper."))
    assert UNITS["a100.mma.f16"].settled
    assert not UNITS["ada.mma.e4m3.e5m2"].settled
    assert not UNITS["a100.mma.tf32"].settled
    for name, unit in UNITS.items():
        assert unit_named(name) is unit
        assert unit_named(unit) is unit
        assert unit.name == name
        assert unit.evidence
        assert unit.instruction_k % unit.block == 0
        assert (unit.output.dtype == np.float16) == name.endswith("acc_f16")
    integers = {n: (u.block, u.fraction_bits, u.output_fraction_bits) for n, u in UNITS.items()}
    assert integers[E4M3] == integers[E5M2] == integers["hopper.wgmma.e4m3.e5m2"] == (32, 13, 13)
    assert integers["hopper.wgmma.f16"] == integers["hopper.wgmma.bf16"] == (16, 25, 23)
    assert integers["ada.mma.e4m3"] == (16, 13, 13)
    assert integers["a100.mma.bf16"] == (8, 24, 23)
    assert integers["v100.mma.f16"] == (4, 23, 23)


@pytest.mark.parametrize(("k", "c"), [(0, None), (0, 2.5), (1, None), (33, 2.5), (96, 2.5)])
def test_any_k_will_do(k, c):
    a, b = encode(np.ones((2, k)), "e4m3"), encode(np.ones((k, 3)), "e4m3")
    accumulator = None if c is None else np.full((2, 3), c, np.float32)
    assert np.array_equal(matmul(a, b, accumulator), np.full((2, 3), k + (c or 0), np.float32))
    assert matmul(a[:0], b).shape == (0, 3)
    assert matmul(a, b[:, :0]).shape == (2, 0)


def test_c_is_left_as_it_was():
    c = np.full((1, 1), 2.0, np.float32)
    ones = encode(np.ones((1, 32)), "e4m3")
    for engine in ("numba", "specification"):
        for promote_every in (None, 32):
            assert matmul(ones, ones.T, c, E4M3, promote_every, engine=engine)[0, 0] == 34
            assert c[0, 0] == 2


@pytest.mark.parametrize("engine", ["numba", "specification"])
@pytest.mark.parametrize(("unit", "promote_every"), [(E4M3, None), (E4M3, 128), ("hopper.mma.e4m3", None)])
def test_without_any_k_the_result_is_c_and_a_matrix_of_its_own(engine, unit, promote_every):
    a, b, c = encode(np.ones((2, 0)), "e4m3"), encode(np.ones((0, 3)), "e4m3"), np.full((2, 3), 7, np.float32)
    result = matmul(a, b, c, unit, promote_every, engine=engine)
    assert result.tolist() == c.tolist()
    assert not np.shares_memory(result, c)
    assert matmul(a, b, None, unit, promote_every, engine=engine).tolist() == [[0] * 3] * 2


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("engine", ["numba", "specification"])
def test_a_signaling_nan_is_a_nan_without_a_warning(engine):
    signaling = np.array([[0x7F812345]], np.uint32).view(np.float32)
    one = encode([[1.0]], "e4m3")
    for result in (
        matmul(one, one, signaling, engine=engine),
        matmul(signaling, np.ones((1, 1), np.float32), unit="hopper.wgmma.tf32", engine=engine),
    ):
        assert result.view(np.uint32) == 0x7FFFFFFF


def test_byte_order_changes_nothing():
    a, b, c = np.ones((1, 4), ">f2"), np.ones((4, 1), "f2"), np.full((1, 1), 0.5, ">f4")
    assert matmul(a, b, c, "hopper.wgmma.f16") == 4.5


ROW, COLUMN = encode(np.ones((1, 64)), "e4m3"), encode(np.ones((64, 1)), "e4m3")


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: matmul(ROW, COLUMN, unit="hopper.wgmma"), ValueError, "unit='hopper.wgmma' must be one of"),
        (
            lambda: matmul(ROW, COLUMN, unit=E5M2),
            TypeError,
            "a: dtype float8_e4m3fn must be float8_e5m2 or uint8",
        ),
        (lambda: matmul(ROW, decode(COLUMN, "e4m3")), TypeError, "b: dtype float32"),
        (
            lambda: matmul(ROW.astype(np.float32), COLUMN, unit="hopper.wgmma.f16"),
            TypeError,
            "must be float16 for FP16",
        ),
        (lambda: matmul(ROW, ROW), ValueError, r"a \(1, 64\) and b \(1, 64\) must be"),
        (lambda: matmul(ROW[0], COLUMN), ValueError, r"shapes \(M, K\) and \(K, N\)"),
        (lambda: matmul(ROW, COLUMN, np.zeros((1, 1))), TypeError, "c: dtype float64 must be float32"),
        (
            lambda: matmul(ROW, COLUMN, np.zeros((1, 2), np.float32)),
            ValueError,
            r"c: shape \(1, 2\) must be \(1, 1\)",
        ),
        (
            lambda: matmul(ROW, COLUMN, np.zeros((1, 1), np.float32), "hopper.wgmma.e4m3.acc_f16"),
            TypeError,
            "c: dtype float32 must be float16",
        ),
        (
            lambda: matmul(ROW, COLUMN, promote_every=48),
            ValueError,
            "promote_every=48 must be a multiple of 32",
        ),
        (lambda: matmul(ROW, COLUMN, promote_every=0), ValueError, "promote_every=0 must be in 1 to"),
        (
            lambda: matmul(ROW, COLUMN, promote_every=1.5),
            TypeError,
            "promote_every=1.5 must be a whole number",
        ),
        (
            lambda: matmul(ROW, COLUMN, unit="hopper.wgmma.e4m3.acc_f16", promote_every=128),
            ValueError,
            "promote_every=128 must be None",
        ),
        (lambda: matmul(ROW, COLUMN, engine="cuda"), ValueError, "engine='cuda' must be one of"),
        (lambda: matmul(ROW, COLUMN, threads=-1), ValueError, "threads=-1 must be in"),
    ],
)
def test_bad_input_is_refused_by_name(call, error, message):
    with pytest.raises(error, match=message):
        call()


def test_mathematics_still_holds_where_nothing_is_cut():
    rng = np.random.default_rng(10)
    a, b = rng.integers(-3, 4, (9, 70)), rng.integers(-3, 4, (70, 11))
    c = rng.integers(-99, 100, (9, 11))
    for name, unit in UNITS.items():
        operands = a.astype(np.float32).astype(unit.a.dtype), b.astype(np.float32).astype(unit.b.dtype)
        result = matmul(*operands, c.astype(unit.output.dtype), name)
        assert np.array_equal(result, a @ b + c), name
        assert not math.isnan(result[0, 0])
