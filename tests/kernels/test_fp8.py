"""The FP8 kernels' machine code: one conversion for two values, nothing spilled, and three kernels in one."""

import re
from collections import Counter

import pytest

from hopperlab.kernels import fp8


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
