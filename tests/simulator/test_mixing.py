"""Where numpy's float32 may stand for the card's: only in kernels that never mix it with another type."""

import math

import numpy as np
import pytest
from numba import cuda, float32, float64

from hopperlab.device.simulator import run as runs
from hopperlab.device.simulator.mixing import keeps_float32_apart, kind_of
from hopperlab.models.clusters import Hierarchy

X = np.random.default_rng(0).normal(0, 1, 64).astype(np.float32)


def apart_product(x, out):
    kept = cuda.shared.array(64, float32)
    i = cuda.threadIdx.x
    kept[i] = x[i] * x[63 - i]
    cuda.syncthreads()
    total = float32(0)
    for k in range(8):
        total += kept[(i + k) % 64] * x[k]
    out[i] = total / x[i]


def apart_choice(x, out):
    i = cuda.grid(1)
    value = x[i] if i > 3 else float32(0.1)
    if value > x[0]:
        value = math.sqrt(cuda.fma(value, value, x[1] * x[1]))
    out[i] = max(value, x[2]) - x[3]


def mixed_literal(x, out):
    out[cuda.grid(1)] = x[cuda.grid(1)] * 0.1 + x[0]


def mixed_integer(x, out):
    i = cuda.grid(1)
    out[i] = x[i] * i + x[0]


def mixed_comparison(x, out):
    i = cuda.grid(1)
    if x[i] < 0.1:
        out[i] = x[i]


def mixed_variable(x, out):
    total = 0
    for k in range(4):
        total += x[k]
    out[cuda.grid(1)] = total


def mixed_double(x, out):
    out[cuda.grid(1)] = float64(x[cuda.grid(1)]) * x[0]


@pytest.mark.parametrize("kernel", [apart_product, apart_choice])
def test_a_kernel_that_keeps_float32_apart_has_the_same_bits_either_way(kernel, monkeypatch):
    arguments = (X, np.zeros_like(X))
    assert keeps_float32_apart(kernel, tuple(map(kind_of, arguments)))
    fast = runs.simulate(kernel, Hierarchy(1, 64), arguments)["out"]
    monkeypatch.setattr(runs, "keeps_float32_apart", lambda *_: False)
    exact = runs.simulate(kernel, Hierarchy(1, 64), arguments)["out"]
    assert np.array_equal(fast, exact)


@pytest.mark.parametrize(
    "kernel", [mixed_literal, mixed_integer, mixed_comparison, mixed_variable, mixed_double]
)
def test_a_kernel_that_mixes_is_told(kernel):
    assert not keeps_float32_apart(kernel, tuple(map(kind_of, (X, X))))


def test_a_function_without_source_is_not_trusted():
    assert not keeps_float32_apart(len, ("array of float32",))
