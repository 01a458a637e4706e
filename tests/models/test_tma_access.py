"""Where a warp finds a tile's elements, and the banks that it meets: known patterns, and the copy as an oracle."""

import numpy as np
import pytest

from hopperlab.models.tma import ACCESSES, Swizzle, bank_conflicts, describe, load, warp_access

SQUARE = np.arange(32 * 32, dtype=np.uint32).reshape(32, 32)


def passes(swizzle, access, index=0, array=SQUARE):
    addresses, width = warp_access(describe(array, array.shape, swizzle=swizzle), access, index)
    return bank_conflicts(addresses, width).passes


@pytest.mark.parametrize("swizzle", [Swizzle.NONE, Swizzle.BYTES_128])
@pytest.mark.parametrize("access", ACCESSES)
@pytest.mark.parametrize("index", [0, 5])
def test_the_addresses_hold_what_the_warp_wants(swizzle, access, index):
    descriptor = describe(SQUARE, SQUARE.shape, swizzle=swizzle)
    tile, _ = load(descriptor, SQUARE, (0, 0))
    addresses, width = warp_access(descriptor, access, index)
    got = np.stack([tile[at : at + width].view(np.uint32) for at in addresses])
    wanted = {
        "a row": SQUARE[index][:, None],
        "a column": SQUARE[:, index][:, None],
        "a column of 16 bytes": SQUARE[:, 4 * index : 4 * index + 4],
    }
    np.testing.assert_array_equal(got, wanted[access])


def test_a_column_of_words_takes_32_passes_and_with_the_widest_swizzle_still_4():
    assert passes(Swizzle.NONE, "a column") == 32
    assert passes(Swizzle.BYTES_128, "a column") == 4


def test_a_column_of_chunks_is_free_of_conflicts_with_the_widest_swizzle():
    assert passes(Swizzle.NONE, "a column of 16 bytes") == 32
    assert (
        passes(Swizzle.BYTES_128, "a column of 16 bytes") == 4
    )  # 8 lanes at a time are all that 128 bytes allow


def test_a_row_is_free_of_conflicts_whatever_the_swizzle():
    assert [passes(mode, "a row") for mode in (Swizzle.NONE, Swizzle.BYTES_128)] == [1, 1]


@pytest.mark.parametrize(("access", "index"), [("a diagonal", 0), ("a row", 32), ("a column", -1)])
def test_what_the_tile_has_not_is_refused(access, index):
    with pytest.raises(ValueError, match=r"access=|index="):
        warp_access(describe(SQUARE, SQUARE.shape), access, index)
