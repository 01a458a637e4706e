"""wgmma and mma in the simulator: the bits of the model, through tiles, swizzles, fragments and warps."""

import ml_dtypes
import numpy as np
import pytest

from hopperlab.device import tma
from hopperlab.kernels.tensorcore.warp import warp_product
from hopperlab.kernels.tensorcore.warpgroup import tile_product
from hopperlab.models.tensorcore import matmul

DTYPES = {
    "e4m3": ml_dtypes.float8_e4m3fn,
    "e5m2": ml_dtypes.float8_e5m2,
    "f16": np.float16,
    "bf16": ml_dtypes.bfloat16,
}


def operands(seed, formats, rows, columns, nbytes):
    random = np.random.default_rng(seed)
    shapes = (rows, columns)
    return [
        random.normal(0, 1, (count, nbytes // np.dtype(DTYPES[f]).itemsize)).astype(DTYPES[f])
        for f, count in zip(formats, shapes, strict=True)
    ]


@pytest.mark.parametrize("formats", [("e4m3", "e4m3"), ("e4m3", "e5m2"), ("bf16", "bf16")])
def test_a_warpgroups_product_has_the_bits_of_the_model(formats):
    a, b = operands(0, formats, 64, 64, 256)
    c = np.random.default_rng(1).normal(0, 1, (64, 64)).astype(np.float32)
    maps = [tma.tensor_map(x.view(np.uint8), (64, 128), swizzle=128) for x in (a, b)]
    run = tile_product(*formats).simulate(1, 128, (*maps, c, np.zeros_like(c), 256), seed=1, trace=False)
    name = formats[0] if formats[0] == formats[1] else ".".join(formats)
    assert run.findings == (), str(run)
    assert np.array_equal(run["d"], matmul(a, b.T, c, f"hopper.wgmma.{name}"))


@pytest.mark.parametrize("formats", [("f16", "f16"), ("e4m3", "e4m3")])
def test_a_warps_product_has_the_bits_of_the_model(formats):
    a, b = operands(2, formats, 16, 8, 128)
    c = np.random.default_rng(3).normal(0, 1, (16, 8)).astype(np.float32)
    arguments = (a.view(np.uint32), b.view(np.uint32), c, np.zeros_like(c))
    run = warp_product(*formats).simulate(1, 32, arguments)
    assert run.findings == (), str(run)
    assert np.array_equal(run["d"], matmul(a, b.T, c, f"hopper.mma.{formats[0]}"))


def test_a_warps_product_in_float16_has_the_bits_of_the_model():
    a, b = operands(4, ("f16", "f16"), 16, 8, 64)
    c = np.random.default_rng(5).normal(0, 1, (16, 8)).astype(np.float16)
    words = [x.view(np.uint32) for x in (a, b, c)]
    run = warp_product("f16", "f16", "f16").simulate(1, 32, (*words, np.zeros_like(words[2])))
    assert run.findings == (), str(run)
    assert np.array_equal(run["d"].view(np.float16), matmul(a, b.T, c, "hopper.mma.f16.acc_f16"))
