"""Tiles that start where no copy engine takes them are refused before a launch, as far as that can be told."""

import pytest
from numba import cuda, float32, int32, types

from hopperlab.device import bulk, kernel, mbarrier, tma
from hopperlab.device.silicon.tiles import check_tiles, starts
from hopperlab.kernels import cp_async, exchange, pipelines, tiles
from hopperlab.kernels import tma as copies


def tensor_copy(row, column):
    """A kernel that loads a box to a place in its tile that is known when it is compiled."""

    @kernel(signature=(tma.map_type(2),))
    def load_one(source):
        tile = cuda.shared.array((8, 32), float32, alignment=128)
        full = mbarrier.shared()
        mbarrier.init(full, 1)
        tma.load(tile[row, column:], source, (0, 0), full)

    return load_one


@kernel(signature=(tma.map_type(2), int32))
def load_row(source, row):
    """Load a box to a row that is known when the kernel runs."""
    tile = cuda.shared.array((8, 32), float32, alignment=128)
    full = mbarrier.shared()
    mbarrier.init(full, 1)
    tma.load(tile[row], source, (0, 0), full)


def bulk_copy(offset):
    """A kernel that stores from an array of floats, from the element `offset` on."""

    @kernel(signature=types.void(float32[::1]))
    def store_one(target):
        tile = cuda.shared.array(64, float32, alignment=128)
        tile[cuda.threadIdx.x] = 1
        bulk.store(target, tile[offset:], 16)

    return store_one


@pytest.mark.parametrize(("row", "column", "offset"), [(0, 0, 0), (1, 0, 128), (0, 4, 16), (3, 31, 508)])
def test_a_constant_slice_is_followed_back_to_its_array(row, column, offset):
    (start,) = starts(tensor_copy(row, column).ptx())
    assert (start.offset, start.alignment, start.wanted) == (offset, 128, 128)


def test_a_slice_that_is_computed_at_run_time_is_not_known():
    assert list(starts(load_row.ptx())) == []
    check_tiles("load_row", load_row.ptx())


def test_a_tile_of_a_tensor_copy_that_begins_at_16_bytes_is_refused():
    check_tiles("load_one", tensor_copy(1, 0).ptx())
    with pytest.raises(
        ValueError, match=r"load_one: a tile begins 16 bytes after .* a multiple of 128 bytes"
    ):
        check_tiles("load_one", tensor_copy(0, 4).ptx())


def test_a_bulk_copy_takes_a_tile_on_every_16_bytes_and_on_no_other():
    check_tiles("store_one", bulk_copy(4).ptx())
    with pytest.raises(
        ValueError, match=r"store_one: a tile begins 20 bytes after .* a multiple of 16 bytes"
    ):
        check_tiles("store_one", bulk_copy(5).ptx())


@pytest.mark.parametrize(
    "named",
    [
        copies.copy_tiles,
        copies.copy_box,
        copies.add_tiles,
        copies.stream_copy(2048, 8),
        tiles.read_shared_boxes,
        pipelines.scale_with_warpgroups,
        exchange.halo,
        cp_async.scale_as_on_the_a100,
    ],
    ids=lambda named: named.name,
)
def test_the_kernels_of_lessons_have_tiles_that_engines_take(named):
    check_tiles(named.name, named.ptx())
