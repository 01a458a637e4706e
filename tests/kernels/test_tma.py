"""The kernels about the tensor memory accelerator: engines move the data, and it arrives whole."""

import numpy as np
import pytest

from hopperlab.device import on_silicon, tma
from hopperlab.kernels import tma as kernels
from tests.kernels.machine_code import assert_has, assert_lacks, code_without_spill

THREADS_TOUCH_DATA = ("LDG", "STG", "LDS", "STS", r"LD\.E", r"ST\.E")
RANKS = range(1, 6)


def test_a_tile_goes_in_and_out_without_a_thread_touching_it():
    code = code_without_spill(kernels.copy_tiles)
    assert_has(code, r"UTMALDG\.2D", r"UTMASTG\.2D", "UTMACMDFLUSH", r"SYNCS\.PHASECHK")
    assert_lacks(code, *THREADS_TOUCH_DATA)


@pytest.mark.parametrize("rank", RANKS)
def test_a_box_of_any_rank_is_one_instruction_each_way(rank):
    code = code_without_spill(kernels.copy_box, kernels.box_signature(rank))
    assert code.count(f"UTMALDG.{rank}D") == 1
    assert code.count(f"UTMASTG.{rank}D") == 1
    assert_lacks(code, *THREADS_TOUCH_DATA)


@pytest.mark.parametrize("rank", RANKS)
def test_a_box_that_lands_is_asked_for_once_and_read_by_all(rank):
    code = code_without_spill(kernels.land_box, kernels.landing_signature(rank))
    assert code.count(f"UTMALDG.{rank}D") == 1
    assert_has(code, "LDS", "STG", r"SYNCS\.PHASECHK")
    assert_lacks(code, "LDG", r"LD\.E")


def test_a_tile_is_broadcast_by_one_load():
    code = code_without_spill(kernels.broadcast_tile)
    assert code.count("UTMALDG.2D.MULTICAST") == 1
    assert_has(code, "LDS", "STG")
    assert_lacks(code, "LDG", r"LD\.E")


def test_tiles_are_added_without_being_loaded():
    code = code_without_spill(kernels.add_tiles)
    assert_has(code, r"UTMAREDG\.2D\.ADD", r"FENCE\.VIEW\.ASYNC")
    assert_lacks(code, "LDG", "ATOM", r"RED\.", "UTMALDG")
    assert code.index("FENCE.VIEW.ASYNC") < code.index("BAR.SYNC") < code.index("UTMAREDG")


def test_memory_streams_through_shared_memory_by_the_engine():
    code = code_without_spill(kernels.stream_copy(2048, 8))
    assert_has(code, r"UBLKCP\.S\.G", r"UBLKCP\.G\.S", "UTMACMDFLUSH")
    assert_lacks(code, *THREADS_TOUCH_DATA)
    assert kernels.stream_copy(2048, 8) is kernels.stream_copy(2048, 8)


def test_an_observed_load_and_written_boxes_use_the_engine():
    assert_has(code_without_spill(kernels.observe_load), r"UTMALDG\.2D")
    assert_has(code_without_spill(kernels.write_box("store")), r"UTMASTG\.2D")
    for name in ("add", "min", "max", "inc", "dec", "and", "or", "xor"):
        assert_has(code_without_spill(kernels.write_box(name)), rf"UTMAREDG\.2D\.{name.upper()}")


@pytest.fixture
def on_the_card():
    with on_silicon():
        yield


def a_random_array(shape, seed=0):
    return np.random.default_rng(seed).random(shape, dtype=np.float32)


@pytest.mark.gpu
@pytest.mark.parametrize("shape", [(16, 32), (64, 128), (100, 84), (1, 4), (17, 300)])
def test_an_image_is_copied_up_to_its_edge_and_no_further(on_the_card, shape):
    from numba import cuda

    box = (kernels.HEIGHT, kernels.WIDTH)
    image = a_random_array(shape)
    frame = cuda.to_device(np.full((shape[0] + 16, shape[1]), -1, np.float32))
    source, target = tma.tensor_map(cuda.to_device(image), box), tma.tensor_map(frame[: shape[0]], box)
    grid = (-(-shape[1] // kernels.WIDTH), -(-shape[0] // kernels.HEIGHT))
    kernels.copy_tiles[grid, 32](source, target)
    found = frame.copy_to_host()
    assert np.array_equal(found[: shape[0]], image)
    assert (found[shape[0] :] == -1).all()


@pytest.mark.gpu
@pytest.mark.parametrize("rank", RANKS)
def test_a_box_of_any_rank_is_copied(on_the_card, rank):
    from numba import cuda

    shape, box = (3, 4, 5, 6, 16)[-rank:], (2, 2, 2, 2, 8)[-rank:]
    corner = (4, 1, 2, 3, 1)[:rank]  # innermost first
    source, target = a_random_array(shape), cuda.to_device(np.zeros(shape, np.float32))
    from_, to = (tma.tensor_map(a, box) for a in (cuda.to_device(source), target))
    nbytes = from_.box_bytes
    kernels.copy_box[1, 32, 0, nbytes](from_, to, tuple(map(np.int32, corner)), np.uint32(nbytes))
    inside = tuple(slice(at, at + size) for at, size in zip(corner[::-1], box, strict=True))
    expected = np.zeros_like(source)
    expected[inside] = source[inside]
    assert np.array_equal(target.copy_to_host(), expected)


def hanging_box(rank):
    """A tensor, a box of it, where the box begins, half of it outside in each dimension, and what it holds."""
    shape, box = (3, 4, 5, 6, 16)[-rank:], (2, 2, 2, 2, 8)[-rank:]
    corner = (12, 5, 4, 3, -1)[:rank]  # innermost first
    tensor = a_random_array(shape)
    inside = tuple(slice(8 + at, 8 + at + size) for at, size in zip(corner[::-1], box, strict=True))
    return tensor, box, tuple(map(np.int32, corner)), np.pad(tensor, 8)[inside].ravel()


@pytest.mark.parametrize("rank", RANKS)
def test_a_box_that_hangs_over_an_edge_lands_as_numpy_pads(rank):
    tensor, box, corner, expected = hanging_box(rank)
    source = tma.tensor_map(tensor, box)
    arguments = (source, corner, np.uint32(source.box_bytes), np.zeros_like(expected))
    run = kernels.land_box.simulate(1, 32, arguments, shared_bytes=source.box_bytes)
    assert not run.findings
    assert np.array_equal(run["landed"], expected)


@pytest.mark.gpu
@pytest.mark.parametrize("rank", RANKS)
def test_a_box_that_hangs_over_an_edge_lands_so_on_the_card(on_the_card, rank):
    from numba import cuda

    tensor, box, corner, expected = hanging_box(rank)
    source = tma.tensor_map(cuda.to_device(tensor), box)
    landed = cuda.to_device(np.full_like(expected, -1))
    kernels.land_box[1, 32, 0, source.box_bytes](source, corner, np.uint32(source.box_bytes), landed)
    assert np.array_equal(landed.copy_to_host(), expected)


@pytest.mark.gpu
@pytest.mark.parametrize("blocks", [1, 2, 7, 8, 16])
def test_every_block_of_the_cluster_gets_the_tile(on_the_card, blocks):
    from numba import cuda

    tiles = 3
    image = a_random_array((kernels.HEIGHT, tiles * kernels.WIDTH))
    source = tma.tensor_map(cuda.to_device(image), (kernels.HEIGHT, kernels.WIDTH))
    copies = cuda.to_device(np.zeros((tiles * blocks, kernels.HEIGHT, kernels.WIDTH), np.float32))
    kernels.broadcast_tile[tiles * blocks, kernels.WIDTH, 0, 0, blocks](source, copies)
    each = image.reshape(kernels.HEIGHT, tiles, kernels.WIDTH).transpose(1, 0, 2)
    assert np.array_equal(copies.copy_to_host(), np.repeat(each, blocks, axis=0))


@pytest.mark.gpu
def test_a_value_is_added_to_the_whole_image(on_the_card):
    from numba import cuda

    image = np.arange(100 * 84, dtype=np.float32).reshape(100, 84)
    device = cuda.to_device(image)
    kernels.add_tiles[(3, 7), kernels.WIDTH](
        tma.tensor_map(device, (kernels.HEIGHT, kernels.WIDTH)), np.float32(0.5)
    )
    assert np.array_equal(device.copy_to_host(), image + np.float32(0.5))


@pytest.mark.gpu
@pytest.mark.parametrize("nbytes", [16, 4096, 100 * 4096, 123_456])
def test_any_number_of_bytes_streams_through(on_the_card, nbytes):
    from numba import cuda

    source = np.random.default_rng(nbytes).integers(0, 256, nbytes).astype(np.uint8)
    target = cuda.to_device(np.zeros(nbytes + 64, np.uint8))
    kernels.stream_copy(4096, 4)[-(-nbytes // 16384), 32, 0, 4 * 4096](cuda.to_device(source), target)
    found = target.copy_to_host()
    assert np.array_equal(found[:nbytes], source)
    assert not found[nbytes:].any()


@pytest.mark.gpu
def test_a_map_of_a_numpy_array_does_not_reach_the_card(on_the_card):
    host = tma.tensor_map(np.zeros((16, 32), np.float32), (16, 32))
    with pytest.raises(TypeError, match="of a numpy array, in host memory"):
        kernels.copy_tiles[1, 32](host, host)
