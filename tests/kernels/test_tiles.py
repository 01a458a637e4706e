"""The kernels that read tiles to be measured: their ways into shared memory, and that every tile comes."""

import numpy as np
import pytest

from hopperlab.device import on_silicon, tma
from hopperlab.kernels import cp_async, tiles
from hopperlab.kernels.tma import copy_tiles
from hopperlab.measure.tma.reading import Source, by_engine, by_multicast, by_threads, expected_sums
from tests.kernels.machine_code import assert_has, assert_lacks, code_without_spill


def test_boxes_are_read_by_the_engine_alone():
    code = code_without_spill(tiles.read_boxes)
    assert_has(code, r"UTMALDG\.2D", r"SYNCS\.PHASECHK")
    assert_lacks(code, "LDG", "LDGSTS")


def test_a_cluster_shares_by_multicast():
    code = code_without_spill(tiles.read_shared_boxes)
    assert_has(code, r"UTMALDG\.2D\.MULTICAST", "UCGABAR")
    assert_lacks(code, "LDG", "LDGSTS")


@pytest.mark.parametrize("stages", [1, 4])
def test_the_a100s_way_passes_by_the_registers(stages):
    code = code_without_spill(tiles.read_by_cp_async(stages))
    assert_has(code, r"LDGSTS\.E\.BYPASS\.128", "LDGDEPBAR", "DEPBAR")
    assert_lacks(code, "UTMALDG", r"LDG\.E")
    assert tiles.read_by_cp_async(stages) is tiles.read_by_cp_async(stages)


def test_plain_loads_go_through_registers():
    code = code_without_spill(tiles.read_by_loads)
    assert_has(code, r"LDG\.E", "STS")
    assert_lacks(code, "UTMALDG", "LDGSTS")


def test_links_are_followed_by_the_engine_or_by_loads():
    assert_has(code_without_spill(tiles.chase_by_engine), r"UBLKCP\.S\.G")
    code = code_without_spill(tiles.chase_by_loads)
    assert_has(code, r"LDG\.E")
    assert_lacks(code, "UBLKCP")


def test_tiles_copied_by_threads_touch_every_element():
    code = code_without_spill(cp_async.copy_tiles_by_threads)
    assert_has(code, "LDGSTS", "LDS", "STG")
    assert_lacks(code, "UTMALDG")


IMAGE = np.arange(256 * 128, dtype=np.uint32).view(np.float32).reshape(256, 128)


def report(blocks):
    return np.zeros(blocks, np.uint32), np.zeros(blocks, np.uint32)


def numbers(*values):
    return tuple(np.int32(value) for value in values)


@pytest.mark.parametrize(("stages", "share"), [(1, 1), (3, 1), (2, 2)])
def test_every_box_is_read_in_the_simulator(stages, share):
    arguments = (tma.tensor_map(IMAGE, (64, 64)), *numbers(64, 64, 3, stages, share, 256), *report(4))
    run = tiles.read_boxes.simulate((2, 2), 64, arguments, shared_bytes=stages * 16384)
    assert not run.findings
    np.testing.assert_array_equal(run["sums"], expected_sums((2, 2), 64, 64, 3, 256, 128, share))


@pytest.mark.parametrize(("requesters", "rows"), [(1, 64), (2, 32)])
def test_every_block_of_a_cluster_gets_every_tile_in_the_simulator(requesters, rows):
    arguments = (tma.tensor_map(IMAGE, (rows, 64)), *numbers(3, 2, requesters, 256), *report(8))
    run = tiles.read_shared_boxes.simulate((4, 2), 64, arguments, shared_bytes=2 * 16384, cluster=2)
    assert not run.findings
    np.testing.assert_array_equal(run["sums"], expected_sums((4, 2), 64, 64, 3, 256, 128, 2))


@pytest.mark.parametrize(
    "kernel", [tiles.read_by_cp_async(2), tiles.read_by_loads], ids=["cp.async", "loads"]
)
def test_threads_read_the_same_tiles_in_the_simulator(kernel):
    run = kernel.simulate((2, 1), 256, (IMAGE[:100], np.int32(2), *report(2)), shared_bytes=2 * 16384)
    assert not run.findings
    np.testing.assert_array_equal(run["sums"], expected_sums((2, 1), 64, 64, 2, 256, 128, 1))


@pytest.mark.parametrize("kernel", [tiles.chase_by_engine, tiles.chase_by_loads], ids=lambda k: k.name)
def test_a_chain_is_followed_to_its_end(kernel):
    links = np.zeros(128, np.uint32)
    links[[0, 32, 64]] = 32, 64, 96
    run = kernel.simulate(1, 32, (links, np.int32(3), *report(1)))
    assert not run.findings
    assert run["sums"][0] == 96


@pytest.mark.parametrize("shape", [(16, 32), (17, 44), (3, 4)])
def test_both_ways_copy_the_same_image_up_to_its_edge(shape):
    image = np.random.default_rng(0).random(shape, dtype=np.float32)
    grid = (-(-shape[1] // 32), -(-shape[0] // 16))
    target = np.zeros_like(image)
    maps = (tma.tensor_map(image, (16, 32)), tma.tensor_map(target, (16, 32)))
    engine = copy_tiles.simulate(grid, 32, maps)
    threads = cp_async.copy_tiles_by_threads.simulate(grid, cp_async.COPIERS, (image, np.zeros_like(image)))
    assert not engine.findings
    assert not threads.findings
    np.testing.assert_array_equal(threads["target"], image)
    np.testing.assert_array_equal(engine["target"], image)


@pytest.fixture
def on_the_card():
    with on_silicon():
        yield


@pytest.mark.gpu
def test_all_ways_read_the_same_words_on_the_card(on_the_card):
    source = Source(2**26)
    readings = [
        by_engine(source, (4, 3), (64, 64), 8, stages=3),
        by_engine(source, (4, 3), (256, 4), 8, stages=2),
        by_engine(source, (4, 4), (64, 64), 8, stages=2, share=2, rows=512),
        by_threads(source, "cp.async", (4, 3), 8, stages=2),
        by_threads(source, "loads", (4, 3), 8, stages=1),
        *(by_multicast(source, (8, 2), size, 8, 2, ask, 512) for size in (2, 4, 8) for ask in (1, size)),
    ]
    for reading in readings:
        reading.launch()
        assert min(reading.cycles_per_box()) > 0


@pytest.mark.gpu
@pytest.mark.parametrize("shape", [(16, 32), (100, 84), (17, 300)])
def test_threads_copy_an_image_up_to_its_edge_on_the_card(on_the_card, shape):
    from numba import cuda

    image = np.random.default_rng(0).random(shape, dtype=np.float32)
    target = cuda.to_device(np.zeros_like(image))
    grid = (-(-shape[1] // 32), -(-shape[0] // 16))
    cp_async.copy_tiles_by_threads[grid, cp_async.COPIERS](cuda.to_device(image), target)
    np.testing.assert_array_equal(target.copy_to_host(), image)
