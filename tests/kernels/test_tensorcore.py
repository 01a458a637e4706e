"""The tensor-core kernels' machine code: the FP8 tensor core for a warpgroup, FP16 in disguise for a warp."""

import re
from collections import Counter

import pytest

from hopperlab.kernels.tensorcore.warp import warp_product
from hopperlab.kernels.tensorcore.warpgroup import tile_product


def instructions(kernel):
    """Count the instructions by name, with their modifiers."""
    return Counter(re.findall(r"\*/\s+(?:@!?U?P\d+ )?([A-Z0-9_.x]+)", kernel.sass()))


TILES = {
    ("e4m3", "e4m3"): "QGMMA.64x64x32.F32.E4M3.E4M3",
    ("e4m3", "e5m2"): "QGMMA.64x64x32.F32.E4M3.E5M2",
    ("e4m3", "e4m3", 64, "f16"): "QGMMA.64x64x32.F16.E4M3.E4M3",
    ("f16", "f16"): "HGMMA.64x64x16.F32",
    ("bf16", "bf16", 256): "HGMMA.64x256x16.F32.BF16",
    ("tf32", "tf32"): "HGMMA.64x64x8.F32.TF32",
}


@pytest.mark.parametrize(("arguments", "instruction"), TILES.items(), ids=map(str, TILES))
def test_a_warpgroup_multiplies_what_the_copy_engine_brings(arguments, instruction):
    found = instructions(tile_product(*arguments))
    assert found[instruction] == 4
    assert found["UTMALDG.2D"] == 2
    # One wait for all four products: had the compiler taken them apart, it would wait after each.
    assert found["WARPGROUP.DEPBAR.LE"] == found["WARPGROUP.ARRIVE"] == 1
    assert not any(n.startswith(("HMMA", "LDSM", "F2FP")) for n in found)


@pytest.mark.parametrize("arguments", TILES, ids=str)
def test_the_accumulators_stay_in_registers(arguments):
    resources = tile_product(*arguments).resources()
    assert (resources.spill_store_bytes, resources.stack_bytes) == (0, 0)
    assert resources.registers <= 168


def test_to_a_warp_fp8_is_fp16():
    found = instructions(warp_product("e4m3", "e5m2"))
    products = found["HMMA.16816.F32"]
    assert found["F2FP.F16.E4M3.UNPACK_B"] == 2 * found["F2FP.F16.E5M2.UNPACK_B"] == 4 * products
    assert found["FADD"] == 2 * products  # two products from zero, then an addition for each accumulator
    assert not any("GMMA" in n or n.startswith("QMMA") for n in found)


def test_to_a_warp_fp8_sums_of_float16_are_added_two_at_a_time():
    found = instructions(warp_product("e4m3", "e4m3", "f16"))
    assert found["HADD2"] == found["HMMA.16816.F16"]
    assert found["F2FP.F16.E4M3.UNPACK_B"] == 6 * found["HMMA.16816.F16"]


@pytest.mark.parametrize(
    ("fmt", "accumulators", "instruction"),
    [
        ("f16", "f32", "HMMA.16816.F32"),
        ("f16", "f16", "HMMA.16816.F16"),
        ("bf16", "f32", "HMMA.16816.F32.BF16"),
        ("tf32", "f32", "HMMA.1688.F32.TF32"),
    ],
)
def test_other_formats_are_one_instruction_to_a_warp(fmt, accumulators, instruction):
    found = instructions(warp_product(fmt, fmt, accumulators))
    assert found[instruction]
    assert not any(n.startswith(("F2FP", "FADD", "HADD")) for n in found)
    assert warp_product(fmt, fmt, accumulators).resources().stack_bytes == 0
