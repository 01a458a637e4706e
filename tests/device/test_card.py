"""Words and launches on a card: values, not instructions."""

import numpy as np
import pytest
from numba import cuda, float32, int32, uint8

from hopperlab.device import LaunchError, cluster, kernel, on_silicon, smid
from hopperlab.models.clusters import Hierarchy

pytestmark = pytest.mark.gpu

SHAPES = [(1, 1, 1), (2, 1, 1), (3, 1, 1), (2, 2, 1), (1, 2, 3), (8, 1, 1), (2, 2, 2), (4, 4, 1), (16, 1, 1)]


@pytest.fixture(autouse=True)
def on_the_card():
    with on_silicon():
        yield


@kernel
def who(out):
    block = cuda.blockIdx.x + cuda.gridDim.x * (cuda.blockIdx.y + cuda.gridDim.y * cuda.blockIdx.z)
    x, y, z = cluster.block_index()
    cx, cy, cz = cluster.cluster_index()
    dx, dy, dz = cluster.dim_blocks()
    gx, gy, gz = cluster.dim_clusters()
    row = out[block]
    row[0], row[1], row[2] = cluster.block_rank(), cluster.num_blocks(), smid()
    row[3], row[4], row[5] = x, y, z
    row[6], row[7], row[8] = cx, cy, cz
    row[9], row[10], row[11] = dx, dy, dz
    row[12], row[13], row[14] = gx, gy, gz


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_a_block_knows_its_place_in_the_hierarchy(shape):
    grid = tuple(2 * n for n in shape)
    expected = Hierarchy(grid, 1, shape, non_portable=True)
    out = cuda.to_device(np.zeros((expected.blocks, 15), dtype=np.int32))
    who[grid, 1, 0, 0, shape](out)
    for block, row in enumerate(out.copy_to_host().tolist()):
        index = expected.block_index(block)
        assert row[0] == expected.rank_in_cluster(index)
        assert row[1] == expected.blocks_per_cluster
        assert 0 <= row[2] < 132 + 12
        assert tuple(row[3:6]) == expected.index_in_cluster(index)
        assert tuple(row[6:9]) == expected.cluster_index(index)
        assert tuple(row[9:12]) == shape
        assert tuple(row[12:15]) == expected.cluster_grid


@kernel
def read_the_next(values, owners):
    mine = cuda.shared.array(32, float32)
    thread = cuda.threadIdx.x
    place = cuda.blockIdx.x * 32 + thread
    mine[thread] = values[place]
    cluster.sync()
    following = cluster.map_shared_rank(mine, (cluster.block_rank() + 1) % cluster.num_blocks())
    values[place] = following[thread]
    owners[place] = cluster.query_shared_rank(following)
    cluster.sync()


@pytest.mark.parametrize("size", range(1, 17))
def test_a_block_reads_the_shared_memory_of_the_next(size):
    given = np.arange(2 * size * 32, dtype=np.float32)
    values, owners = cuda.to_device(given), cuda.to_device(np.zeros(given.size, dtype=np.uint32))
    read_the_next[2 * size, 32, 0, 0, size](values, owners)
    by_block = given.reshape(2, size, 32)
    assert np.array_equal(values.copy_to_host(), np.roll(by_block, -1, axis=1).ravel())
    ranks = np.repeat(np.roll(np.arange(size), -1), 32)
    assert np.array_equal(owners.copy_to_host(), np.tile(ranks, 2))


@kernel
def count_together(total):
    counter = cuda.shared.array(1, int32)
    if cuda.threadIdx.x == 0:
        counter[0] = 0
    cluster.sync()
    cuda.atomic.add(cluster.map_shared_rank(counter, 0), 0, 1)
    cluster.sync()
    if cluster.block_rank() == 0 and cuda.threadIdx.x == 0:
        total[0] = counter[0]


def test_atomics_across_the_cluster_lose_nothing():
    total = cuda.to_device(np.zeros(1, dtype=np.int32))
    count_together[16, 256, 0, 0, 16](total)
    assert total.copy_to_host()[0] == 16 * 256


@kernel
def last_byte(out):
    dynamic = cuda.shared.array(0, uint8)
    dynamic[227 * 1024 - 1] = uint8(7)
    out[0] = dynamic[227 * 1024 - 1]


@kernel
def own_and_dynamic(out):
    own = cuda.shared.array(1024, int32)
    own[cuda.threadIdx.x] = cuda.threadIdx.x
    out[0] = own[0]


def test_all_227_kib_of_shared_memory_can_be_had_and_no_more():
    out = cuda.to_device(np.zeros(1, dtype=np.int32))
    last_byte[1, 1, 0, 227 * 1024](out)
    assert out.copy_to_host()[0] == 7
    with pytest.raises(ValueError, match="the kernel declares 4096 bytes itself"):
        own_and_dynamic[1, 1, 0, 227 * 1024](out)


@kernel
def double(values):
    i = cuda.grid(1)
    if i < values.size:
        values[i] *= 2


class Foreign:
    """A device array of another library: all that is known of it is its interface."""

    def __init__(self, array):
        self.__cuda_array_interface__ = array.__cuda_array_interface__


@pytest.mark.parametrize("dtype", [np.int32, np.float32, np.float64, np.uint16])
def test_several_types_device_host_and_foreign_arrays_and_streams(dtype):
    given = np.arange(100, dtype=dtype)
    device, stream = cuda.to_device(given), cuda.stream()
    double[4, 32, stream](device)
    double[4, 32, stream](Foreign(device))
    stream.synchronize()
    assert np.array_equal(device.copy_to_host(), 4 * given)
    host = given.copy()
    double[4, 32](host)
    assert np.array_equal(host, 2 * given)


def test_a_refused_launch_names_kernel_shape_and_what_to_look_at():
    @kernel(launch_bounds=64)
    def small(values):
        values[0] = 1

    with pytest.raises(LaunchError, match=r"small on .*Look at"):
        small[1, 128](cuda.to_device(np.zeros(1, dtype=np.int32)))


def test_the_card_tells_the_limits_of_its_data_sheet():
    from hopperlab.chip import chip
    from hopperlab.device.silicon.card import limits

    sheet, told = chip("H100 SXM5"), limits()
    assert told.max_shared_bytes_per_block == sheet.max_shared_bytes_per_block
    assert told.max_threads_per_block == sheet.max_threads_per_block
    assert told.shared_bytes_per_sm == sheet.shared_bytes_per_sm
    assert told.reserved_shared_bytes_per_block == sheet.reserved_shared_bytes_per_block
