"""The FP8 kernels' machine code: one conversion for two values, nothing spilled, and three kernels in one."""

import re
from collections import Counter

import numpy as np
import pytest

from hopperlab.device import on_silicon
from hopperlab.kernels import fp8
from hopperlab.models.fp8 import decode, encode


def instructions(kernel):
    """Count the instructions by name, with their modifiers."""
    return Counter(re.findall(r"\*/\s+(?:@!?U?P\d+ )?([A-Z0-9_.]+)", kernel.sass()))


FORMATS = pytest.mark.parametrize("fmt", ["e4m3", "e5m2"])


@FORMATS
def test_two_values_are_cast_by_one_instruction(fmt):
    form = fmt.upper()
    assert instructions(fp8.encode_array(fmt))[f"F2FP.SATFINITE.{form}.F32.PACK_AB_MERGE_C"] == 1
    assert instructions(fp8.encode_half_array(fmt))[f"F2FP.SATFINITE.{form}.F16.UNPACK_B_MERGE_C"] == 1
    assert instructions(fp8.decode_array(fmt))[f"F2FP.F16.{form}.UNPACK_B"] == 1


@FORMATS
@pytest.mark.parametrize("relu", [False, True])
def test_the_exhaustive_kernels_cast_with_and_without_relu(fmt, relu):
    for kernel in (fp8.find_changes(fmt, relu), fp8.check_half_pairs(fmt, relu)):
        casts = [n for n in instructions(kernel) if n.startswith("F2FP.SATFINITE")]
        assert casts
        assert all((".RELU." in n) == relu and fmt.upper() in n for n in casts)


def test_the_fused_cast_reads_once_converts_and_keeps_amax():
    found = instructions(fp8.scale_and_encode("e4m3"))
    casts = found["F2FP.SATFINITE.E4M3.F32.PACK_AB_MERGE_C"]
    assert found["LDG.E"] == 2 * casts
    assert found["STG.E.U16"] == casts
    assert any("MAX.S32" in n and n.startswith("RED") for n in found)
    assert not any(n.startswith("F2FP") for n in instructions(fp8.find_amax) + instructions(fp8.multiply))


@pytest.mark.parametrize(
    "kernel",
    [fp8.find_amax, fp8.multiply, fp8.scale_and_encode("e5m2"), fp8.find_changes("e4m3", False)],
    ids=lambda k: k.name,
)
def test_nothing_spills(kernel):
    resources = kernel.resources()
    assert (resources.spill_store_bytes, resources.stack_bytes) == (0, 0)


@pytest.mark.gpu
@FORMATS
def test_arrays_are_cast_as_the_model_casts_on_a_card(fmt):
    random = np.random.default_rng(4)
    values = (random.standard_normal(4096) * 2.0 ** random.integers(-12, 18, 4096)).astype(np.float32)
    values[:8] = [0, -0.0, np.inf, -np.inf, np.nan, 464, 465, 61440]
    pairs, halves = np.zeros(2048, np.uint16), values.astype(np.float16)
    with on_silicon():
        fp8.encode_array(fmt)[8, 256](values, pairs)
        from_float32 = pairs.view(np.uint8).copy()
        fp8.encode_half_array(fmt)[8, 256](halves, pairs)
        back = np.zeros(4096, np.float16)
        fp8.decode_array(fmt)[8, 256](pairs, back)
    assert np.array_equal(from_float32, encode(values, fmt).view(np.uint8))
    assert np.array_equal(pairs.view(np.uint8), encode(halves, fmt).view(np.uint8))
    assert np.array_equal(back, decode(pairs.view(np.uint8), fmt).astype(np.float16), equal_nan=True)


@pytest.mark.gpu
@FORMATS
def test_one_pass_gives_the_codes_and_the_amax_of_three_on_a_card(fmt):
    values = np.random.default_rng(5).standard_normal(100_000).astype(np.float32)
    values[777], values[778] = -37.5, np.nan  # a NaN is no amax
    scale = np.float32(11.25)
    pairs, amax = np.zeros(50_000, np.uint16), np.zeros(2, np.int32)
    with on_silicon():
        fp8.scale_and_encode(fmt)[64, 256](values, scale, pairs, amax[:1])
        fp8.find_amax[64, 256](values, amax[1:])
    assert np.array_equal(pairs.view(np.uint8), encode(values * scale, fmt).view(np.uint8))
    assert amax.view(np.float32).tolist() == [37.5, 37.5]
