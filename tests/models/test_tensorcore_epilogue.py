"""After the product: scales, bias, activation and the second rounding."""

import ml_dtypes
import numpy as np
import pytest

from hopperlab.models.fp8 import encode
from hopperlab.models.tensorcore import epilogue

ACCUMULATOR = np.array([[1.0, -2.0, 3.0], [0.5, 0.0, -8.0]], np.float32)


def test_scales_are_multiplied_first_and_the_product_is_rounded():
    scale_a, scale_b = np.float32(1 / 3), np.float32(1 / 7)
    y = epilogue(ACCUMULATOR, scale_a, scale_b, output="f32").output
    assert y.tobytes() == (ACCUMULATOR * (scale_a * scale_b) + np.float32(0)).tobytes()
    assert np.any(y != ACCUMULATOR * scale_a * scale_b)


def test_rows_and_columns_have_their_own_scales():
    rows, columns = np.array([2.0, 1 / 3], np.float32), np.array([1.0, 0.1, 4.0], np.float32)
    expected = ACCUMULATOR * columns * rows[:, None]
    for a, b in ((rows, columns), (rows[:, None], columns[None])):
        assert np.array_equal(epilogue(ACCUMULATOR, a, b, output="f32").output, expected)
    assert np.array_equal(epilogue(ACCUMULATOR, rows, output="f32").output, ACCUMULATOR * rows[:, None])


def test_bf16_is_rounded_twice():
    # 1 + 2^-8 is a tie of BF16; the product lies above it, but FP32 rounds it onto the tie.
    accumulator = np.array([[1 + 2.0**-8 + 2.0**-23]], np.float32)
    scale = np.float32(1 - 2.0**-24)
    exact = float(accumulator[0, 0]) * float(scale)
    assert exact > 1 + 2.0**-8
    assert epilogue(accumulator, scale, output="f32").output == np.float32(1 + 2.0**-8)
    assert float(epilogue(accumulator, scale).output[0, 0]) == 1.0


def test_zero_is_plus_zero_and_underflow_keeps_its_sign():
    y = epilogue(np.array([[-0.0, -1e-38]], np.float32), 1e-38, output="f32").output
    assert y.view(np.uint32).tolist() == [[0, 0x80000000]]


@pytest.mark.parametrize(
    ("output", "dtype", "nan"),
    [
        ("f32", np.float32, 0x7FFFFFFF),
        ("bf16", ml_dtypes.bfloat16, 0x7FFF),
        ("f16", np.float16, 0x7FFF),
        ("e4m3", ml_dtypes.float8_e4m3fn, 0x7F),
        ("e5m2", ml_dtypes.float8_e5m2, 0x7F),
    ],
)
def test_outputs(output, dtype, nan):
    accumulator = np.array([[1.0, 1e6, np.inf, -np.inf, -np.nan]], np.float32)
    result = epilogue(accumulator, output=output).output
    assert result.dtype == dtype
    word = f"u{np.dtype(dtype).itemsize}"
    assert result.view(word)[0, 4] == nan
    largest = {"e4m3": 448, "e5m2": 57344}.get(output, np.inf)
    assert result[0, :4].astype(np.float64).tolist() == [
        1,
        {"f32": 1e6, "bf16": 999424, "f16": np.inf}.get(output, largest),
        largest,
        -largest,
    ]


def test_bias_comes_before_the_activation_and_amax_after_it():
    bias = np.array([1.0, 1.0, -10.0], ml_dtypes.bfloat16)
    done = epilogue(ACCUMULATOR, bias=bias, activation="relu", output="f32")
    assert done.output.tolist() == [[2.0, 0.0, 0.0], [1.5, 1.0, 0.0]]
    assert done.amax == 2.0


def test_amax_is_taken_before_the_output_is_scaled_and_leaves_nan_aside():
    accumulator = np.array([[3.0, np.nan, -7.0]], np.float32)
    done = epilogue(accumulator, output="e4m3", scale_output=64.0)
    assert done.amax == 7.0
    assert done.amax.dtype == np.float32
    assert done.output.tobytes() == encode(accumulator * np.float32(64), "e4m3").tobytes()
    assert epilogue(np.zeros((0, 3), np.float32)).amax == 0


def test_gelu_is_the_form_with_tanh():
    x = np.linspace(-4, 4, 9, dtype=np.float32)[None]
    expected = 0.5 * x * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x.astype(np.float64) ** 3)))
    assert np.allclose(epilogue(x, activation="gelu", output="f32").output, expected, atol=1e-6)


def test_an_fp16_accumulator_is_finished_in_fp32():
    done = epilogue(np.array([[60000.0]], np.float16), 4.0, output="f32")
    assert done.output == 240000


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: epilogue(ACCUMULATOR, 0.0), ValueError, "scale_a=0.0 must be finite and above zero"),
        (lambda: epilogue(ACCUMULATOR, np.inf), ValueError, "scale_a=inf must be finite"),
        (lambda: epilogue(ACCUMULATOR, 1e300), ValueError, r"scale_a=1e\+300 must be finite"),
        (lambda: epilogue(ACCUMULATOR, scale_b=np.nan), ValueError, "scale_b=nan must be finite"),
        (
            lambda: epilogue(ACCUMULATOR, scale_b=-1.0),
            ValueError,
            "scale_b=-1.0 must be finite and above zero",
        ),
        (
            lambda: epilogue(ACCUMULATOR, np.ones(3)),
            ValueError,
            r"scale_a: shape \(3,\) must be \(\) or \(2,\) or \(2, 1\)",
        ),
        (lambda: epilogue(ACCUMULATOR, scale_b=np.ones((3, 1))), ValueError, "scale_b: shape"),
        (
            lambda: epilogue(ACCUMULATOR, output="e4m3", scale_output=0.0),
            ValueError,
            "scale_output=0.0 must be finite",
        ),
        (lambda: epilogue(ACCUMULATOR, "2"), TypeError, "scale_a='2' must be a number"),
        (lambda: epilogue(ACCUMULATOR, None), TypeError, "scale_a=None must be a number"),
        (
            lambda: epilogue(ACCUMULATOR, output="e4m3", scale_output=np.ones(3)),
            ValueError,
            r"scale_output: shape \(3,\) must be \(\)$",
        ),
        (lambda: epilogue(ACCUMULATOR, scale_output=2.0), ValueError, "scale_output=2.0 must be None"),
        (lambda: epilogue(ACCUMULATOR, bias=np.ones(2)), ValueError, r"bias: shape \(2,\) must be \(3,\)"),
        (lambda: epilogue(ACCUMULATOR, activation="swish"), ValueError, "activation='swish' must be one of"),
        (lambda: epilogue(ACCUMULATOR, output="int8"), ValueError, "output='int8' must be one of"),
        (lambda: epilogue(ACCUMULATOR.astype(np.float64)), TypeError, "accumulator: dtype float64"),
        (lambda: epilogue(ACCUMULATOR[0]), ValueError, r"accumulator: shape \(3,\) must be \(M, N\)"),
    ],
)
def test_bad_input_is_refused_by_name(call, error, message):
    with pytest.raises(error, match=message):
        call()
