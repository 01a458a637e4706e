"""The words of the tensor cores: what instruction they become, and what they refuse before it is assembled."""

import re

import pytest
from numba import cuda, uint8
from numba.core.errors import TypingError

from hopperlab.device import kernel, mma, wgmma
from hopperlab.device.vocabulary.kinds import OPERAND_K, OperandFormat

MATRIX = "void(float32[:, ::1])"


def product_kernel(columns, type, a_format, b_format, element="float32"):
    @kernel(signature=f"void({element}[:, ::1])")
    def product(d):
        a = cuda.shared.array((64, 128), uint8, alignment=1024)
        tile = wgmma.zeros(columns, type)
        wgmma.fence()
        tile = wgmma.mma_async(tile, wgmma.descriptor(a), wgmma.descriptor(a), a_format, b_format)
        wgmma.commit_group()
        tile = wgmma.wait_group(tile, 0)
        wgmma.store(tile, d, 0, 0)

    return product


@pytest.mark.parametrize(
    ("columns", "a_format", "b_format", "instruction"),
    [
        (8, "e4m3", "e5m2", "m64n8k32.f32.e4m3.e5m2"),
        (256, "e5m2", "e5m2", "m64n256k32.f32.e5m2.e5m2"),
        (24, "bf16", "bf16", "m64n24k16.f32.bf16.bf16"),
        (64, "tf32", "tf32", "m64n64k8.f32.tf32.tf32"),
    ],
)
def test_a_product_takes_its_shape_from_the_fragment_and_the_formats(
    columns, a_format, b_format, instruction
):
    ptx = product_kernel(columns, "f32", a_format, b_format).ptx()
    call = re.search(r"wgmma\.mma_async\.sync\.aligned\.(\S+)\s+\{(.*?)\}(.*?);", ptx, re.S)
    assert call[1] == instruction
    assert len(call[2].split(",")) == columns // 2
    wide = OPERAND_K[a_format] == 16
    assert call[3].strip().endswith("accumulate, 1, 1, 0, 0" if wide else "accumulate, 1, 1")


def test_accumulators_of_float16_come_two_a_register():
    ptx = product_kernel(64, "f16", "e4m3", "e4m3", "float16").ptx()
    call = re.search(r"wgmma\.mma_async\.sync\.aligned\.(\S+)\s+\{(.*?)\}", ptx, re.S)
    assert call[1] == "m64n64k32.f16.e4m3.e4m3"
    assert len(call[2].split(",")) == 16


@pytest.mark.parametrize(
    ("type", "a_format", "b_format", "message"),
    [
        (
            "f32",
            "e4m3",
            "f16",
            "b_format is 'f16', but the other operand is 'e4m3': only the FP8 formats mix",
        ),
        ("f32", "tf32", "bf16", "b_format is 'bf16'"),
        (
            "f16",
            "bf16",
            "bf16",
            "a_format is 'bf16', but only 'f16' and the FP8 formats are summed up in float16",
        ),
        ("f32", "int8", "int8", "a_format is .*but the word takes one of 'e4m3'"),
    ],
)
def test_formats_that_do_not_go_together_are_refused(type, a_format, b_format, message):
    element = "float32" if type == "f32" else "float16"
    with pytest.raises(TypingError, match=message):
        product_kernel(64, type, a_format, b_format, element).ptx()


@pytest.mark.parametrize("columns", [4, 12, 264, 0])
def test_columns_that_no_tile_has_are_refused(columns):
    @kernel(signature=MATRIX)
    def wrong(d):
        wgmma.store(wgmma.zeros(columns), d, 0, 0)

    with pytest.raises(ValueError, match=rf"wgmma.zeros: columns is {columns}; .*8 to 256 in steps of 8"):
        wrong.ptx()


def test_a_fragment_is_stored_only_to_an_array_of_its_type():
    with pytest.raises(TypingError, match="array has float32, but the accumulators are f16"):
        product_kernel(64, "f16", "f16", "f16").ptx()

    @kernel(signature="void(float64[:, ::1])")
    def doubles(d):
        wgmma.store(wgmma.zeros(64), d, 0, 0)

    with pytest.raises(TypingError, match="2-D array of float32 or float16"):
        doubles.ptx()


def test_what_is_no_fragment_is_refused():
    @kernel(signature=MATRIX)
    def pair(d):
        wgmma.wait_group((d[0, 0], d[0, 1]))

    with pytest.raises(TypingError, match=r"accumulators is .*fragment of accumulators of up to 256 columns"):
        pair.ptx()


def test_sums_and_products_on_the_lanes_round_by_themselves():
    @kernel(signature="void(float32[:, ::1], float32)")
    def promote(d, factor):
        total = wgmma.load(d, 0, 0, 8)
        wgmma.store(wgmma.add(wgmma.scale(total, factor), total), d, 0, 0)

    sass = promote.sass()
    assert len(re.findall(r"\bFMUL\b", sass)) == len(re.findall(r"\bFADD\b", sass)) == 4
    assert "FFMA" not in sass


def test_the_places_of_registers_are_computed_without_memory():
    @kernel(signature="void(uint32[:, ::1])")
    def places(out):
        for register in range(4):
            out[2 * register, cuda.threadIdx.x] = wgmma.row(register)
            out[2 * register + 1, cuda.threadIdx.x] = wgmma.column(register)

    assert places.ptx().count("bfe.u32") >= 3
    assert places.resources().stack_bytes == 0


def test_a_descriptor_of_another_swizzle_is_refused():
    @kernel(signature="void(uint64[::1])")
    def odd(out):
        tile = cuda.shared.array((8, 128), uint8, alignment=1024)
        out[0] = wgmma.descriptor(tile, 48)

    with pytest.raises(ValueError, match=r"swizzle is 48; .*32 to 128 in steps of 32"):
        odd.ptx()


@pytest.mark.parametrize(("fmt", "k"), OPERAND_K.items())
def test_a_warp_multiplies_every_format(fmt, k):
    @kernel(signature="void(float32[::1], uint32[::1])")
    def product(d, a):
        tile = (d[0], d[1], d[2], d[3])
        tile = mma.sync(tile, (a[0], a[1], a[2], a[3]), (a[4], a[5]), fmt, fmt)
        d[0], d[1], d[2], d[3] = tile[0], tile[1], tile[2], tile[3]

    assert f"mma.sync.aligned.m16n8k{k}.row.col.f32.{fmt}.{fmt}.f32" in product.ptx()


def test_a_warp_takes_no_larger_fragment():
    @kernel(signature="void(uint32[::1])")
    def product(a):
        mma.sync(wgmma.zeros(16), (a[0], a[1], a[2], a[3]), (a[4], a[5]), "f16", "f16")

    with pytest.raises(TypingError, match="up to 8 columns"):
        product.ptx()


def test_every_format_goes_with_itself():
    rule = OperandFormat(other="a_format")
    assert all(rule.conflict(name, halves=False, other=name) is None for name in OPERAND_K)
    assert rule.conflict("e5m2", halves=True, other="e4m3") is None
