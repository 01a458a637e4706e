"""The twins: one for every word, with the word's own checks."""

import numpy as np
import pytest
from numba import cuda

from hopperlab.device import cluster, dpx, fp8, kernel, mbarrier, smid
from hopperlab.device.simulator import twins
from hopperlab.device.vocabulary import words
from hopperlab.models import dpx as dpx_model

# A family that the simulator lacks, and why.
NOT_YET: dict[str, str] = {}


def test_every_word_has_a_twin_or_a_reason():
    missing = {word.family for word in words() if twins.find(word) is None}
    assert missing == set(NOT_YET)
    assert all(NOT_YET.values())


@kernel
def places(out):
    i = cuda.blockIdx.x
    if cuda.threadIdx.x == 0:
        out[0, i] = cluster.block_rank()
        out[1, i] = cluster.num_blocks()
        x, y, z = cluster.block_index()
        out[2, i] = x + 10 * y + 100 * z
        x, y, z = cluster.cluster_index()
        out[3, i] = x
        out[4, i] = smid()
        out[5, i] = cluster.query_shared_rank(cuda.shared.array(1, out.dtype))


def test_a_block_knows_its_place_in_the_cluster():
    out = places.simulate(8, 32, (np.zeros((6, 8), np.int64),), cluster=4)["out"]
    assert out[0].tolist() == [0, 1, 2, 3] * 2
    assert (out[1] == 4).all()
    assert out[2].tolist() == [0, 1, 2, 3] * 2
    assert out[3].tolist() == [0] * 4 + [1] * 4
    assert len(set(out[4])) == 8
    assert out[5].tolist() == [0, 1, 2, 3] * 2


@pytest.mark.parametrize(
    ("count", "message"),
    [
        (0, "mbarrier.init: count is 0; allowed is from 1 to 1048575"),
        (2**20, "count is 1048576"),
        (1.5, "count is 1.5"),
    ],
)
def test_a_value_that_a_word_does_not_take_is_a_finding(count, message):
    @kernel
    def begin(n):
        mbarrier.init(mbarrier.shared(), n)

    run = begin.simulate(1, 1, (count,))
    assert run.findings[0].name == "misuse of a word"
    assert message in run.findings[0].seen
    assert run.findings[0].line == 3


@kernel
def fused(a, b, c, out):
    i = cuda.grid(1)
    out[0, i] = dpx.viaddmax_s32(a[i], b[i], c[i])
    out[1, i] = dpx.vimax3_s16x2_relu(a[i], b[i], c[i])
    taken, first = dpx.vibmin_s32(a[i], b[i])
    out[2, i] = taken * 2 + first


def test_dpx_words_compute_what_the_model_computes():
    random = np.random.default_rng(0)
    a, b, c = (random.integers(-(2**31), 2**31, 64).astype(np.int32) for _ in range(3))
    out = fused.simulate(2, 32, (a, b, c, np.zeros((3, 64), np.int64)))["out"]
    assert np.array_equal(out[0], dpx_model.function_named("viaddmax_s32")(a, b, c))
    pairs = dpx_model.function_named("vimax3_s16x2_relu")(*(x.view(np.uint32) for x in (a, b, c)))
    assert np.array_equal(out[1].astype(np.uint32), pairs)
    assert np.array_equal(out[2], np.minimum(a, b).astype(np.int64) * 2 + (a <= b))


@kernel
def converted(x, codes, back):
    i = cuda.grid(1)
    codes[i] = fp8.encode(x[i], x[i] * x[i], "e4m3")
    low, _ = fp8.decode(codes[i], "e4m3")
    back[i] = low


def test_fp8_words_convert_as_the_model_does():
    import ml_dtypes

    x = np.random.default_rng(0).normal(0, 10, 32).astype(np.float32)
    run = converted.simulate(1, 32, (x, np.zeros(32, np.uint16), np.zeros(32, np.float16)))
    expected = np.clip(x, -448, 448).astype(ml_dtypes.float8_e4m3fn)
    assert np.array_equal(run["codes"].astype(np.uint8), expected.view(np.uint8))
    assert np.array_equal(run["back"], expected.astype(np.float16))
