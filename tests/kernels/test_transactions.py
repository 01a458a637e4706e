"""The kernels of transaction barriers: built of the engines' instructions, and right on a card."""

import numpy as np
import pytest

from hopperlab.device import on_silicon
from hopperlab.kernels.transactions import MOST_STAGES, TILE, gather_edges, ring
from tests.kernels.machine_code import assert_has, assert_lacks, code_without_spill


def test_edges_travel_one_sided_and_nobody_polls():
    code = code_without_spill(gather_edges)
    assert_has(code, "STAS", r"SYNCS\.ARRIVE", r"SYNCS\.PHASECHK\.TRANS64\.TRYWAIT")
    assert_lacks(code, "ATOM", "RED", r"LDG\.E\.STRONG")


def test_the_ring_is_filled_by_the_engine():
    code = code_without_spill(ring)
    assert_has(code, r"UBLKCP\.S\.G", r"SYNCS\.PHASECHK\.TRANS64\.TRYWAIT", "LDS")
    assert code.count("BAR.SYNC") == 1


@pytest.mark.gpu
@pytest.mark.parametrize("edges", [(8, 12, 4), (1, 0, 16), (0, 0, 1), (16, 16, 16)])
def test_block_0_adds_up_the_edges_of_all(edges):
    from numba import cuda

    starts = np.cumsum([0, 0, *edges]).astype(np.int32)
    words = np.arange(1, starts[-1] + 1, dtype=np.float32)
    total = cuda.to_device(np.zeros(1, np.float32))
    with on_silicon():
        gather_edges[4, 16, 0, 0, 4](
            cuda.to_device(words), cuda.to_device(starts), np.int32(4 * words.size), total
        )
    assert total.copy_to_host()[0] == words.sum()


@pytest.mark.gpu
@pytest.mark.parametrize("stages", range(1, MOST_STAGES + 1))
@pytest.mark.parametrize("tiles", [1, 4, 100])
def test_every_tile_comes_through_the_ring_once(stages, tiles):
    from numba import cuda

    source = np.arange(tiles * TILE, dtype=np.float32)
    target = cuda.to_device(np.zeros_like(source))
    with on_silicon():
        ring[1, 64](cuda.to_device(source), target, np.int32(stages))
    np.testing.assert_array_equal(target.copy_to_host(), 2 * source)
