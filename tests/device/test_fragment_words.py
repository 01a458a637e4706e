"""The words about fragments: the same numbers on paper, in the simulator and on a card, and what they refuse."""

import ml_dtypes
import numpy as np
import pytest
from numba import cuda, uint8
from numba.core.errors import TypingError

from hopperlab.device import fence, fragment, kernel, on_silicon, wgmma
from hopperlab.device.simulator.launching import SimulationError

COLUMNS = 64
PACKED = {"bf16": ml_dtypes.bfloat16, "f16": np.float16}


def leaving(format):
    @kernel(
        signature="void(float32[:, ::1], float32[::1], float32[::1], uint16[:, ::1], uint16[:, ::1], int64, int64)"
    )
    def leave(c, by_row, by_column, d, by_element, row, column):
        sums = wgmma.load(c, row, column, COLUMNS)
        sums = fragment.scale_rows(fragment.scale_columns(sums, by_column, column), by_row, row)
        packed = fragment.pack(sums, format)
        fragment.store(fragment.part(packed, 0, 32), d, row, column)
        fragment.store(fragment.part(packed, 32, 32), d, row, column + 32)
        wgmma.store(packed, by_element, row, column)

    return leave


def left(format, shape, corner, launch):
    random = np.random.default_rng(3)
    c = random.normal(0, 1e4, shape).astype(np.float32)
    c[corner] = np.nan
    by_row, by_column = (random.uniform(0.1, 10, n).astype(np.float32) for n in shape)
    d, by_element = np.full(shape, 7, np.uint16), np.full(shape, 7, np.uint16)
    launch(leaving(format), (c, by_row, by_column, d, by_element, *corner))
    expected = np.full(shape, 7, np.uint16)
    with np.errstate(over="ignore"):
        part = (c * by_column * by_row[:, None])[corner[0] :, corner[1] :].astype(PACKED[format])
    part = part[:64, :COLUMNS]
    bits = np.where(np.isnan(part), 0x7FFF, part.view(np.uint16))
    expected[corner[0] : corner[0] + 64, corner[1] : corner[1] + COLUMNS] = bits
    return d, by_element, expected


CASES = [((64, 64), (0, 0)), ((70, 104), (8, 16)), ((9, 24), (0, 8)), ((200, 200), (65, 72))]


@pytest.mark.parametrize("format", PACKED)
@pytest.mark.parametrize(("shape", "corner"), CASES)
def test_a_fragment_leaves_scaled_and_packed_in_the_simulator(format, shape, corner):
    d, by_element, expected = left(format, shape, corner, lambda k, arguments: k[1, 128](*arguments))
    assert np.array_equal(d, expected)
    assert np.array_equal(by_element, expected)


@pytest.mark.gpu
@pytest.mark.parametrize("format", PACKED)
@pytest.mark.parametrize(("shape", "corner"), CASES)
def test_a_fragment_leaves_scaled_and_packed_on_the_card(format, shape, corner):
    with on_silicon():
        d, by_element, expected = left(format, shape, corner, lambda k, arguments: k[1, 128](*arguments))
    assert np.array_equal(d, expected)
    assert np.array_equal(by_element, expected)


@kernel(signature="void(uint16[:, ::1])")
def store_zeros(d):
    fragment.store(fragment.pack(wgmma.zeros(32), "bf16"), d, 0, 0)


@pytest.mark.parametrize("width", [4, 12, 33])
def test_rows_that_do_not_start_on_16_bytes_are_refused(width):
    with pytest.raises(SimulationError, match=f"rows of {width} elements"):
        store_zeros[1, 128](np.zeros((64, width), np.uint16))


def test_sixteen_bytes_a_thread_leave_at_once():
    code = store_zeros.sass()
    assert code.count("STG.E.128") == 2  # for the thread's two rows
    assert store_zeros.resources().stack_bytes == 0


def wrong(body):
    return kernel(body, signature="void(float32[:, ::1], uint16[:, ::1], float32[::1])")


def part_outside(c, d, factors):
    fragment.store(fragment.part(fragment.pack(wgmma.load(c, 0, 0, 64), "bf16"), 32, 64), d, 0, 0)


def unpacked(c, d, factors):
    fragment.store(wgmma.load(c, 0, 0, 32), d, 0, 0)


def too_narrow(c, d, factors):
    fragment.store(fragment.pack(wgmma.load(c, 0, 0, 16), "bf16"), d, 0, 0)


def packed_twice(c, d, factors):
    fragment.store(fragment.pack(fragment.pack(wgmma.load(c, 0, 0, 64), "bf16"), "bf16"), d, 0, 0)


def to_float32(c, d, factors):
    fragment.store(fragment.pack(wgmma.load(c, 0, 0, 32), "bf16"), c, 0, 0)


def another_format(c, d, factors):
    fragment.store(fragment.pack(wgmma.load(c, 0, 0, 32), "e4m3"), d, 0, 0)


def factors_of_two_axes(c, d, factors):
    wgmma.store(fragment.scale_rows(wgmma.load(c, 0, 0, 32), c, 0), c, 0, 0)


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (part_outside, "columns 32 to 96 of a fragment with 64"),
        (unpacked, "packed columns by 32"),
        (too_narrow, "packed columns by 32"),
        (packed_twice, "only accumulators of float32 are packed"),
        (to_float32, "2-D array of uint16 or float16"),
        (another_format, "allowed are 'bf16' and 'f16'"),
        (factors_of_two_axes, "1-D array of float32"),
    ],
)
def test_what_a_word_does_not_take_is_refused_before_the_launch(body, message):
    with pytest.raises(TypingError, match=message):
        wrong(body).ptx()


def test_a_product_starts_anew_on_fresh_accumulators():
    @kernel(signature="void(float32[:, ::1])")
    def again(d):
        tile = cuda.shared.array((64, 128), uint8, alignment=1024)
        for i in range(64):
            tile[i, cuda.threadIdx.x] = 0x38  # 1 in E4M3
        fence.proxy_async_shared()
        cuda.syncthreads()
        sums = wgmma.zeros(8)
        a = wgmma.descriptor(tile)
        for k in range(3):
            wgmma.fence()
            sums = wgmma.mma_async(sums, a, a, "e4m3", "e4m3", k != 1)
            wgmma.commit_group()
            sums = wgmma.wait_group(sums)
        wgmma.store(sums, d, 0, 0)

    out = again.simulate(1, 128, (np.zeros((64, 8), np.float32),))["d"]
    assert (out == 64).all()  # the second starts from zero, the third adds
