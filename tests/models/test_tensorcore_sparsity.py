"""2:4 sparsity: what is kept, how it is written down, and what is multiplied."""

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from hopperlab.models.fp8 import encode
from hopperlab.models.tensorcore import Compressed, compress, matmul, sparse_matmul

LEGAL_METADATA = {0b0100, 0b1000, 0b1001, 0b1100, 0b1101, 0b1110}


@given(a=arrays.arrays(np.float16, st.tuples(st.integers(1, 4), st.integers(1, 5).map(lambda g: 4 * g))))
@settings(max_examples=60, deadline=None)
def test_pruning_keeps_the_two_largest_of_every_four(a):
    compressed = compress(a, prune=True)
    assert compressed.values.shape == (a.shape[0], a.shape[1] // 2)
    assert set(compressed.metadata.ravel()) <= LEGAL_METADATA
    assert np.array_equal(np.take_along_axis(a, compressed.columns, 1), compressed.values, equal_nan=True)
    magnitude = np.where(np.isnan(a), np.inf, np.abs(a).astype(np.float32)).reshape(len(a), -1, 4)
    kept = compressed.kept.reshape(magnitude.shape)
    assert np.all(kept.sum(axis=2) == 2)
    least_kept = np.where(kept, magnitude, np.inf).min(axis=2)
    most_dropped = np.where(kept, -1, magnitude).max(axis=2)
    assert np.all(least_kept >= most_dropped)


def test_a_matrix_that_is_sparse_already_comes_back_whole():
    a = np.array([[0, 0, 3, 0, 5, 0, 0, -6, 0, 0, 0, 0, 1, 2, 0, 0]], np.float16)
    compressed = compress(a)
    assert compressed.values.tolist() == [[0, 3, 5, -6, 0, 0, 1, 2]]
    assert compressed.metadata.tolist() == [[0b1000, 0b1100, 0b0100, 0b0100]]
    assert compressed.columns.tolist() == [[0, 2, 4, 7, 8, 9, 12, 13]]
    assert np.array_equal(compressed.expand(), a)


def test_of_equal_magnitudes_the_earlier_stay():
    assert compress(np.array([[1, -1, 1, -1]], np.float16), prune=True).metadata.tolist() == [[0b0100]]


@pytest.mark.parametrize("unit", ["hopper.wgmma.e4m3", "hopper.wgmma.e5m2.e4m3", "hopper.wgmma.bf16"])
def test_a_sparse_product_is_the_dense_product_of_what_is_kept(unit):
    rng = np.random.default_rng(0)
    dtypes = {"e4m3": ml_dtypes.float8_e4m3fn, "e5m2": ml_dtypes.float8_e5m2, "bf16": ml_dtypes.bfloat16}
    names = unit.split(".")[2:]
    of_a, of_b = dtypes[names[0]], dtypes[names[-1]]
    a = (rng.normal(size=(5, 256)) * np.exp2(rng.integers(-6, 7, (5, 256)))).astype(np.float32).astype(of_a)
    b = (rng.normal(size=(256, 7)) * np.exp2(rng.integers(-6, 7, (256, 7)))).astype(np.float32).astype(of_b)
    c = rng.normal(size=(5, 7)).astype(np.float32)
    compressed = compress(a, prune=True)
    result = sparse_matmul(compressed, b, c, unit)
    for row in range(5):
        gathered = b[compressed.columns[row]]
        dense = matmul(compressed.values[row : row + 1], gathered, c[row : row + 1], unit)
        assert np.array_equal(result[row : row + 1], dense)
    assert np.any(result != matmul(compressed.expand(), b, c, unit))  # other elements share a block


def test_what_is_left_out_is_not_multiplied():
    a = compress(encode([[1.0, 0.0, 2.0, 0.0] * 20], "e4m3"))
    b = np.ones((80, 1), np.float32)
    b[1::2] = np.nan
    for engine in ("numba", "specification"):
        assert sparse_matmul(a, encode(b, "e4m3"), engine=engine) == 60
        b[0] = np.nan
        assert np.isnan(sparse_matmul(a, encode(b, "e4m3"), engine=engine))
        b[0] = 1


def test_promotion_counts_the_elements_of_the_full_matrix():
    a = compress(encode(np.tile([1.0, 1.0, 0.0, 0.0], (1, 16_384)), "e4m3"))
    ones = encode(np.ones((65_536, 1)), "e4m3")
    assert sparse_matmul(a, ones) == 16_384
    assert sparse_matmul(a, ones, promote_every=128) == 32_768


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (
            lambda: compress(np.ones((1, 4), np.float16)),
            ValueError,
            "row 0 has more than 2 nonzero elements in columns 0 to 3",
        ),
        (lambda: compress(np.ones((1, 6), np.float16)), ValueError, "K a multiple of 4"),
        (lambda: compress(np.ones(4, np.float16)), ValueError, r"must be \(M, K\)"),
        (
            lambda: compress(np.ones((1, 4), np.float32)),
            TypeError,
            "float32 must be one of .*TF32 is sparse 1:2",
        ),
        (lambda: compress(np.ones((1, 4), np.uint8)), TypeError, "uint8"),
        (
            lambda: Compressed(np.ones((1, 2), np.float16), np.array([[0b0101]], np.uint8)),
            ValueError,
            "metadata: 5 must be one of 0b0100, 0b1000, .* as uint8",
        ),
        (
            lambda: Compressed(np.ones((1, 2), np.float16), np.array([[0b0100]])),
            ValueError,
            "metadata: of dtype int64 must be",
        ),
        (
            lambda: Compressed(np.ones((1, 3), np.float16), np.array([[0b0100]], np.uint8)),
            ValueError,
            r"values \(1, 3\) and metadata \(1, 1\) must be",
        ),
        (lambda: sparse_matmul(np.eye(4), np.eye(4)), TypeError, "a: ndarray must be a Compressed"),
        (
            lambda: sparse_matmul(compress(np.eye(4, dtype=np.float16)), np.ones((4, 1), np.float16)),
            TypeError,
            "a.values: dtype float16 must be float8_e4m3fn",
        ),
        (
            lambda: sparse_matmul(
                compress(np.eye(4, dtype=np.float16)), np.ones((2, 1), np.float16), unit="hopper.wgmma.f16"
            ),
            ValueError,
            r"b: shape \(2, 1\) must be \(4, N\)",
        ),
        (
            lambda: sparse_matmul(
                compress(encode(np.eye(4), "e4m3")), encode(np.eye(4), "e4m3"), unit="hopper.mma.e4m3"
            ),
            ValueError,
            "native 2:4 sparsity",
        ),
        (
            lambda: sparse_matmul(
                compress(encode(np.eye(4), "e4m3")), encode(np.eye(4), "e4m3"), promote_every=32
            ),
            ValueError,
            "promote_every=32 must be a multiple of 64",
        ),
    ],
)
def test_bad_input_is_refused_by_name(call, error, message):
    with pytest.raises(error, match=message):
        call()
