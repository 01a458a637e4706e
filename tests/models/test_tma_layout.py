"""Swizzle, banks and instruction counts: exhaustive where the pattern repeats, by loops elsewhere."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hopperlab.models.tma import (
    CopyCost,
    Swizzle,
    bank_conflicts,
    check_bulk_copy,
    cp_async_instructions,
    swizzle_offset,
    swizzle_period,
    tensor_copy_instructions,
    unswizzle_offset,
)

SWIZZLED = [Swizzle.BYTES_32, Swizzle.BYTES_64, Swizzle.BYTES_128]


@pytest.mark.parametrize("mode", Swizzle)
def test_a_swizzle_is_a_bijection_of_its_period_and_undoes_itself(mode):
    offsets = np.arange(4 * swizzle_period(Swizzle.BYTES_128))
    moved = swizzle_offset(offsets, mode)
    assert sorted(moved) == list(offsets)
    np.testing.assert_array_equal(unswizzle_offset(moved, mode), offsets)
    np.testing.assert_array_equal(swizzle_offset(moved, mode), offsets)
    period = swizzle_period(mode)
    np.testing.assert_array_equal(
        swizzle_offset(offsets + period, mode), swizzle_offset(offsets, mode) + period
    )


@pytest.mark.parametrize("mode", SWIZZLED)
def test_a_swizzle_moves_whole_chunks_within_their_span(mode):
    offsets = np.arange(2048)
    moved = swizzle_offset(offsets, mode)
    np.testing.assert_array_equal(moved // mode.span, offsets // mode.span)
    np.testing.assert_array_equal(moved % 16, offsets % 16)


def test_the_periods_are_those_of_the_guide():
    assert [swizzle_period(mode) for mode in SWIZZLED] == [256, 512, 1024]
    for mode in SWIZZLED:  # and no shorter one will do
        offsets = np.arange(0, 1024, 16)
        half = swizzle_period(mode) // 2
        assert (swizzle_offset(offsets + half, mode) != swizzle_offset(offsets, mode) + half).any()


def test_the_128_byte_pattern_is_the_square_that_everybody_draws():
    rows = np.arange(0, 1024, 16).reshape(8, 8)
    assert (swizzle_offset(rows, Swizzle.BYTES_128) % 128 // 16).tolist() == [
        [0, 1, 2, 3, 4, 5, 6, 7],
        [1, 0, 3, 2, 5, 4, 7, 6],
        [2, 3, 0, 1, 6, 7, 4, 5],
        [3, 2, 1, 0, 7, 6, 5, 4],
        [4, 5, 6, 7, 0, 1, 2, 3],
        [5, 4, 7, 6, 1, 0, 3, 2],
        [6, 7, 4, 5, 2, 3, 0, 1],
        [7, 6, 5, 4, 3, 2, 1, 0],
    ]


@given(st.integers(0, 2**18), st.sampled_from(SWIZZLED))
def test_one_offset_agrees_with_an_array_of_it(offset, mode):
    assert swizzle_offset(offset, mode) == swizzle_offset(np.array([offset]), mode)[0]


def passes_by_loop(addresses, width):
    """The oracle: lane by lane, which words each bank must give."""
    lanes = min(32, 128 // width)
    total, worst = 0, 1
    for first in range(0, len(addresses), lanes):
        wanted = [set() for _ in range(32)]
        for address in addresses[first : first + lanes]:
            for byte in range(address, address + width):
                wanted[byte // 4 % 32].add(byte // 4)
        most = max(1, *(len(words) for words in wanted))
        total, worst = total + most, max(worst, most)
    return total, worst


@given(
    st.sampled_from([1, 2, 4, 8, 16]).flatmap(
        lambda width: st.tuples(
            st.just(width), st.lists(st.integers(0, 255).map(lambda k: k * width), min_size=1, max_size=32)
        )
    )
)
def test_bank_conflicts_agree_with_a_loop(case):
    width, addresses = case
    found = bank_conflicts(addresses, width)
    assert (found.passes, found.degree) == passes_by_loop(addresses, width)
    assert found.least == -(-len(addresses) // min(32, 128 // width))


def column(width, swizzle):
    """One column of a tile of 32 rows of 128 bytes, a row a lane."""
    return swizzle_offset(np.arange(32) * 128, swizzle)


def test_a_four_byte_column_keeps_four_way_conflicts_under_the_widest_swizzle():
    degrees = {mode: bank_conflicts(column(4, mode)).degree for mode in Swizzle}
    assert degrees == {Swizzle.NONE: 32, Swizzle.BYTES_32: 16, Swizzle.BYTES_64: 8, Swizzle.BYTES_128: 4}


def test_a_sixteen_byte_column_is_free_of_conflicts_under_the_widest_swizzle():
    plain = bank_conflicts(column(16, Swizzle.NONE), 16)
    swizzled = bank_conflicts(column(16, Swizzle.BYTES_128), 16)
    assert (plain.degree, plain.passes, plain.least) == (8, 32, 4)
    assert (swizzled.degree, swizzled.passes, swizzled.least) == (1, 4, 4)


def test_a_row_and_a_broadcast_take_one_pass():
    assert bank_conflicts(np.arange(32) * 4).passes == 1
    assert bank_conflicts([64] * 32).passes == 1
    assert bank_conflicts(np.arange(32), 1).passes == 1
    assert bank_conflicts(np.arange(32) * 8).passes == 2
    assert bank_conflicts(np.arange(32) * 8, 8).passes == 2


@pytest.mark.parametrize(
    ("addresses", "width", "named"),
    [
        ([0], 3, "width=3"),
        ([2], 4, "hold 2"),
        ([-4], 4, "hold -4"),
        ([0] * 33, 4, "shape"),
        ([], 4, "shape"),
    ],
)
def test_an_access_that_no_warp_can_make_is_refused(addresses, width, named):
    with pytest.raises(ValueError, match=named):
        bank_conflicts(addresses, width)


def cp_async_by_loop(nbytes, threads, width):
    """The oracle: hand the copies out one by one, and count the warps that issue in each round."""
    left, rounds, warps = nbytes // width, 0, 0
    while left:
        busy = min(threads, left)
        warps += len({lane // 32 for lane in range(busy)})
        rounds, left = rounds + 1, left - busy
    return CopyCost(min(threads, nbytes // width), rounds, nbytes // width, warps)


@given(st.integers(1, 3000), st.integers(1, 1024), st.sampled_from([4, 8, 16]))
def test_cp_async_is_counted_as_handed_out(copies, threads, width):
    assert cp_async_instructions(copies * width, threads, width) == cp_async_by_loop(
        copies * width, threads, width
    )


def test_a_tile_of_sixteen_kib_the_old_way_and_the_new():
    old = cp_async_instructions(16 * 1024, 128)
    assert (old.rounds, old.thread_instructions, old.warp_instructions) == (8, 1024, 32)
    assert tensor_copy_instructions((64, 128)) == CopyCost(1, 1, 1, 1)
    assert tensor_copy_instructions((300, 600)).thread_instructions == 6
    assert tensor_copy_instructions((128, 128), (64, 128)).thread_instructions == 2


@pytest.mark.parametrize(
    "call",
    [
        lambda: cp_async_instructions(64, 32, 2),
        lambda: cp_async_instructions(24, 32, 16),
        lambda: cp_async_instructions(0, 32),
        lambda: cp_async_instructions(64, 0),
        lambda: tensor_copy_instructions((64,), (300,)),
        lambda: tensor_copy_instructions((64, 64), (64,)),
        lambda: tensor_copy_instructions((), ()),
        lambda: check_bulk_copy(20, 0, 0),
        lambda: check_bulk_copy(16, 8, 0),
        lambda: check_bulk_copy(16, 0, 4),
        lambda: check_bulk_copy(0, 0, 0),
    ],
)
def test_a_copy_that_the_hardware_has_not_is_refused(call):
    with pytest.raises(ValueError, match="="):
        call()


def test_a_bulk_copy_of_whole_chunks_passes():
    check_bulk_copy(48, 16, 4096)
