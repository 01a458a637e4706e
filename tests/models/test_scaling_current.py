"""Current and block scaling, and what a scale does to a tensor."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hopperlab.models.fp8 import encode
from hopperlab.models.scaling import (
    FLOAT32_MAX,
    DelayedScaling,
    amax,
    current_scale,
    cut_to_power_of_two,
    quantize,
    quantize_blocks,
    quantize_current,
)

NAN, INF = math.nan, math.inf
FLT_MAX = float(FLOAT32_MAX)
AMAXES = [1, 3, 0.1, 1000, 1e-38, 0, INF, NAN]


def test_current_scales_of_the_table():
    scales = current_scale(AMAXES)
    assert np.array_equal(scales, np.float32([448, 149.33333, 4480, 0.448, FLT_MAX, 1, 1, 1]))
    assert scales.dtype == np.float32
    powers = current_scale(AMAXES, power_of_two=True)
    assert powers.tolist() == [256, 128, 4096, 0.25, 2.0**127, 1, 1, 1]
    assert current_scale(3.0).shape == ()
    assert current_scale(3.0, "e5m2") == np.float32(57344) / np.float32(3)


def test_epsilon_is_the_least_amax():
    assert current_scale([1e-38, 0.0, 2.0], epsilon=0.5).tolist() == [896, 896, 224]
    assert current_scale([NAN, INF], epsilon=0.5).tolist() == [1, 1]


@given(st.floats(2.0**-126, FLT_MAX, width=32))
def test_a_power_of_two_scale_is_the_largest_that_fits(scale):
    power = float(cut_to_power_of_two(scale))
    assert math.frexp(power)[0] == 0.5
    assert power <= scale < 2 * power


@given(st.lists(st.floats(width=32), max_size=20))
def test_amax_is_the_largest_magnitude_that_is_a_number(values):
    numbers = [abs(v) for v in values if not math.isnan(v)]
    assert amax(values) == max([0.0, *numbers])


def test_amax_reads_every_float_dtype():
    assert amax(np.float64([1e300])) == INF
    assert amax(np.float16([[-2.0, 1.0]])) == 2
    assert amax(encode([3.0, -448.0], "e4m3")) == 448


@pytest.mark.parametrize("fmt", ["e4m3", "e5m2"])
@pytest.mark.parametrize("power_of_two", [False, True])
def test_current_scaling_reaches_the_edge_of_the_range_and_not_beyond(fmt, power_of_two):
    largest = {"e4m3": 448, "e5m2": 57344}[fmt]
    rng = np.random.default_rng(0)
    for factor in (1e-20, 1e-3, 1.0, 1e9):
        x = rng.normal(size=500).astype(np.float32) * np.float32(factor)
        quantized = quantize_current(x, fmt, power_of_two=power_of_two)
        reached = np.abs(quantized.codes.astype(np.float32)).max()
        assert largest / 2 < reached <= largest
        assert power_of_two or reached == largest
        bound = 2.0**-4 if fmt == "e4m3" else 2.0**-3
        error = np.abs(quantized.dequantize() - x) / np.abs(x)
        assert error[np.abs(x) > amax(x) / 100].max() <= bound * 1.001


def test_a_power_of_two_scale_adds_no_rounding_of_its_own():
    values = np.float32([1.0, 1.125, -0.875, 0.40625])  # FP8 numbers already
    assert np.array_equal(quantize_current(values, power_of_two=True).dequantize(), values)
    assert not np.array_equal(quantize_current(values).dequantize(), values)


@pytest.mark.parametrize(
    ("values", "codes"),
    [
        ([0.0, -0.0], [0x00, 0x80]),
        ([INF, 1.0], [0x7E, 0x38]),
        ([NAN, 1.0], [0x7F, 0x7E]),
        ([NAN, NAN], [0x7F, 0x7F]),
    ],
)
def test_tensors_of_zeros_infinities_and_nans_are_cast(values, codes):
    assert quantize_current(values).codes.view(np.uint8).tolist() == codes


def test_a_zero_tensor_is_not_divided_by_zero():  # pytorch/ao#4713
    quantized = quantize_current(np.zeros(3))
    assert quantized.scale_inv == 1
    assert quantized.dequantize().tolist() == [0, 0, 0]


def test_the_largest_scale_has_an_inverse():
    quantized = quantize_current([1e-38])
    assert 0 < quantized.scale_inv < np.finfo(np.float32).smallest_normal
    assert math.isfinite(quantized.dequantize()[0])


def test_a_stale_scale_inv_is_off_by_the_change_of_scale():  # TransformerEngine#1047
    rng = np.random.default_rng(1)
    x = rng.normal(size=1000)
    _, state = DelayedScaling(history_length=1).start().quantize(x)
    cached, state = state.update().quantize(x)
    later = state.record(16 * float(amax(x))).update()
    stale = replace(cached, scale_inv=later.scale_inv)

    def error(quantized):
        return np.sqrt(np.mean((quantized.dequantize() - x) ** 2) / np.mean(x**2))

    assert error(cached) < 0.03
    assert error(stale) == pytest.approx(15, rel=0.01)


def test_blocks_have_scales_of_their_own():
    rng = np.random.default_rng(2)
    x = rng.normal(size=(200, 300)) * np.exp2(rng.integers(-20, 20, (1, 300)) // 4 * 4)
    for block in ((1, 128), (128, 128), (200, 300), (1, 1), (7, 5)):
        quantized = quantize_blocks(x, block=block)
        tiles = (-(-200 // block[0]), -(-300 // block[1]))
        assert quantized.scale_inv.shape == tiles
        values = quantized.dequantize()
        for i in range(0, tiles[0], 9):
            for j in range(0, tiles[1], 11):
                part = np.s_[i * block[0] : (i + 1) * block[0], j * block[1] : (j + 1) * block[1]]
                alone = quantize_current(x[part])
                assert alone.scale_inv == quantized.scale_inv[i, j]
                assert np.array_equal(alone.dequantize(), values[part])


def test_a_block_larger_than_the_matrix_is_the_whole_matrix():
    x = np.arange(-6, 6, dtype=np.float32).reshape(3, 4)
    vast = quantize_blocks(x, block=(1 << 20, 1 << 20))
    assert vast.scale_inv.shape == (1, 1)
    assert np.array_equal(vast.dequantize(), quantize_current(x).dequantize())
    assert quantize_blocks(x[:0]).dequantize().shape == (0, 4)


def test_an_outlier_hurts_its_own_block_only():
    rng = np.random.default_rng(3)
    x = rng.normal(size=(4, 512))
    x[0, 5] = 1e7
    whole, blocks = quantize_current(x), quantize_blocks(x, block=(1, 128))
    elsewhere = np.s_[1:]

    def error(quantized):
        return np.sqrt(np.mean((quantized.dequantize() - x)[elsewhere] ** 2))

    assert error(whole) > 0.5
    assert error(blocks) < 0.03


def test_a_range_that_is_not_the_cards_own_is_too_large_a_scale():  # ROCm/TransformerEngine#485
    assert current_scale(1.0, "e4m3") / current_scale(1.0, "e4m3_fnuz") == pytest.approx(448 / 240)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: quantize([1.0], "e4m3", 0.0), ValueError, "must be finite and above zero"),
        (lambda: quantize([1.0], "e4m3", -1.0), ValueError, "must be finite and above zero"),
        (lambda: quantize([1.0], "e4m3", INF), ValueError, "must be finite and above zero"),
        (lambda: quantize([1.0], "e4m3", NAN), ValueError, "must be finite and above zero"),
        (lambda: quantize([1.0], "e4m3", [1.0, 2.0]), ValueError, "see quantize_blocks"),
        (
            lambda: quantize([1.0], "e4m3", 1e-45),
            ValueError,
            r"scale=1.4\d*e-45 must have an inverse in FP32",
        ),
        (
            lambda: quantize([1.0], "e4m3", None),
            TypeError,
            "scale: dtype object must be that of real numbers",
        ),
        (lambda: quantize(["1"], "e4m3", 1.0), TypeError, "x: dtype <U1 must be"),
        (lambda: current_scale(None), TypeError, "amax: dtype object must be"),
        (lambda: current_scale(1.0, epsilon=1e39), ValueError, r"epsilon=1e\+39 must be finite in FP32"),
        (lambda: quantize_blocks(np.ones((4, 4)), block=4), ValueError, "block=4 must be two whole numbers"),
        (lambda: quantize([1.0], "fp8", 1.0), ValueError, "fmt='fp8' must be one of"),
        (lambda: current_scale(-1.0), ValueError, "amax=-1.0 must not be negative"),
        (lambda: current_scale(1.0, epsilon=-1.0), ValueError, "epsilon=-1.0"),
        (lambda: current_scale(1.0, "e4m5"), ValueError, "fmt='e4m5'"),
        (lambda: quantize_blocks(np.ones(4)), ValueError, "must be that of a matrix"),
        (lambda: quantize_blocks(np.ones((4, 4)), block=(0, 4)), ValueError, "block=0 must be in 1 to"),
        (lambda: quantize_blocks(np.ones((4, 4)), block=(4,)), ValueError, "two whole numbers"),
    ],
)
def test_bad_input_is_refused_by_name(call, error, message):
    with pytest.raises(error, match=message):
        call()
