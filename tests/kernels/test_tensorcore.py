"""The tensor-core kernels' machine code: the FP8 tensor core for a warpgroup, FP16 in disguise for a warp."""

import re
from collections import Counter

import numpy as np
import pytest

from hopperlab.device import kernel, on_silicon, wgmma
from hopperlab.kernels.tensorcore.rates import timed_products
from hopperlab.kernels.tensorcore.warp import warp_product
from hopperlab.kernels.tensorcore.warpgroup import tile_product
from hopperlab.measure.tensorcore.card import ON_THE_CARD, multiply
from hopperlab.measure.tensorcore.differential import sample
from hopperlab.measure.tensorcore.inputs import DISTRIBUTIONS
from hopperlab.models.tensorcore import UNITS


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


@pytest.mark.parametrize(
    ("arguments", "instruction"),
    [
        (("e4m3", 256, "f32", 4, 1), "QGMMA.64x256x32.F32.E4M3.E4M3"),
        (("f16", 64, "f32", 4, 1), "HGMMA.64x64x16.F32"),
        (("f16", 256, "f16", 4, 1), "HGMMA.64x256x16.F16"),
    ],
    ids=str,
)
def test_timed_products_follow_each_other_without_a_wait_between(arguments, instruction):
    kernel = timed_products(*arguments)
    found = instructions(kernel)
    groups = found[instruction] // 4
    assert found["WARPGROUP.ARRIVE"] == groups
    assert found["WARPGROUP.DEPBAR.LE"] == groups + 1
    assert not [n for n in found if "GMMA" in n and n != instruction]
    assert kernel.resources().stack_bytes == 0


@kernel(signature="void(float32[:, ::1], float32[:, ::1], float32[:, ::1], float32)")
def through_a_fragment(c, by_place, d, factor):
    tile = wgmma.load(c, 0, 0, 16)
    by_place[wgmma.row(0), wgmma.column(0)] = tile[0]
    by_place[wgmma.row(1), wgmma.column(1)] = tile[1]
    by_place[wgmma.row(2), wgmma.column(2)] = tile[2]
    by_place[wgmma.row(3), wgmma.column(3)] = tile[3]
    by_place[wgmma.row(4), wgmma.column(4)] = tile[4]
    by_place[wgmma.row(5), wgmma.column(5)] = tile[5]
    by_place[wgmma.row(6), wgmma.column(6)] = tile[6]
    by_place[wgmma.row(7), wgmma.column(7)] = tile[7]
    wgmma.store(wgmma.add(wgmma.scale(tile, factor), tile), d, 0, 0)


@pytest.mark.gpu
@pytest.mark.parametrize("shape", [(64, 16), (50, 13), (1, 1)])
def test_a_fragment_is_loaded_placed_and_stored_within_the_array(shape):
    c = np.random.default_rng(1).random(shape, np.float32)
    by_place, d = np.zeros((64, 16), np.float32), np.full(shape, -1, np.float32)
    with on_silicon():
        through_a_fragment[1, 128](c, by_place, d, np.float32(0.3))
    whole = np.zeros((64, 16), np.float32)
    whole[: shape[0], : shape[1]] = c
    assert np.array_equal(by_place, whole)
    assert np.array_equal(d, c * np.float32(0.3) + c)


@pytest.mark.gpu
@pytest.mark.parametrize("unit", ON_THE_CARD)
def test_a_product_of_small_whole_numbers_is_exact_in_every_unit(unit):
    known, random = UNITS[unit], np.random.default_rng(2)
    a, b = (random.integers(-2, 3, (n, 96)).astype(np.float32) for n in (70, 40))
    c = random.integers(-50, 50, (70, 40)).astype(known.output.dtype)
    with on_silicon():
        d = multiply(a.astype(known.a.dtype), b.astype(known.b.dtype), c, known)
    assert d.dtype == known.output.dtype
    assert np.array_equal(d, a @ b.T + c)


@pytest.mark.gpu
@pytest.mark.parametrize("distribution", DISTRIBUTIONS)
def test_the_fp8_tensor_core_gives_the_models_bits(distribution):
    with on_silicon():
        found = sample("hopper.wgmma.e4m3", distribution, 64, 64, 512)
    assert (found["outputs"], found["wrong"]) == (4096, 0), found["mismatches"]
