"""The hierarchy counts as CUDA does, and refuses what CUDA refuses."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hopperlab.chip import chip
from hopperlab.models.clusters import Hierarchy, flatten, unflatten

DIM = st.integers(1, 5)
DIMS = st.tuples(DIM, DIM, DIM)

quick = settings(max_examples=50, deadline=None)


@st.composite
def launches(draw):
    cluster = draw(st.tuples(st.integers(1, 4), st.integers(1, 2), st.integers(1, 2)))
    times = draw(st.tuples(st.integers(1, 3), st.integers(1, 3), st.integers(1, 3)))
    grid = tuple(c * t for c, t in zip(cluster, times, strict=True))
    return Hierarchy(grid, draw(DIMS), cluster, non_portable=True)


@quick
@given(DIMS)
def test_flattening_is_numpys_column_major_order(dims):
    for index in product(*map(range, dims)):
        rank = flatten(index, dims)
        assert rank == np.ravel_multi_index(index, dims, order="F")
        assert unflatten(rank, dims) == index


@quick
@given(launches())
def test_cluster_and_rank_name_every_block_once(launch):
    blocks = list(product(*map(range, launch.grid)))
    names = [(launch.cluster_id(block), launch.rank_in_cluster(block)) for block in blocks]
    assert len(set(names)) == launch.blocks == launch.clusters * launch.blocks_per_cluster
    for block, (cluster, rank) in zip(blocks, names, strict=True):
        assert launch.block_of(cluster, rank) == block
        assert launch.block_index(launch.block_rank(block)) == block


@quick
@given(launches())
def test_blocks_of_a_cluster_are_neighbors(launch):
    for cluster in range(launch.clusters):
        members = [launch.block_of(cluster, rank) for rank in range(launch.blocks_per_cluster)]
        spans = [max(axis) - min(axis) + 1 for axis in zip(*members, strict=True)]
        assert tuple(spans) == launch.cluster


@quick
@given(launches())
def test_every_thread_of_the_grid_has_its_own_index(launch):
    threads = list(product(*map(range, launch.block)))
    assert sorted(launch.thread_rank(thread) for thread in threads) == list(range(launch.threads_per_block))
    assert all(launch.thread_index(launch.thread_rank(thread)) == thread for thread in threads)
    first = {launch.global_index(launch.block_index(0), thread) for thread in threads}
    last = {launch.global_index(launch.block_index(launch.blocks - 1), thread) for thread in threads}
    assert len(first | last) == launch.threads_per_block * (2 if launch.blocks > 1 else 1)


def test_the_names_of_ptx_hold_for_a_worked_example():
    """A 2 x 2 cluster of an 8 x 4 grid: block (5, 2) is the lower left but one of the third cluster in x."""
    launch = Hierarchy((8, 4), 32, (2, 2))
    block = (5, 2, 0)
    assert launch.cluster_index(block) == (2, 1, 0)
    assert launch.index_in_cluster(block) == (1, 0, 0)
    assert launch.rank_in_cluster(block) == 1
    assert launch.cluster_id(block) == 2 + 4 * 1
    assert launch.block_rank(block) == 5 + 8 * 2


def test_missing_dimensions_are_one():
    assert Hierarchy(4, 128).grid == (4, 1, 1)
    assert Hierarchy((4, 2), np.int32(128), 2).cluster == (2, 1, 1)


@pytest.mark.parametrize(
    ("arguments", "argument", "value", "allowed"),
    [
        ({"grid": 0}, "grid.x", "0", "1 to 2147483647"),
        ({"grid": 2**31}, "grid.x", "2147483648", "1 to 2147483647"),
        ({"grid": (1, 65536)}, "grid.y", "65536", "1 to 65535"),
        ({"grid": (1, 1, 65536)}, "grid.z", "65536", "1 to 65535"),
        ({"grid": (1, 1, 1, 1)}, "grid", "(1, 1, 1, 1)", "1 to 3"),
        ({"grid": ()}, "grid", "()", "1 to 3"),
        ({"block": 1025}, "block.x", "1025", "1 to 1024"),
        ({"block": (1, 1025)}, "block.y", "1025", "1 to 1024"),
        ({"block": (1, 1, 65)}, "block.z", "65", "1 to 64"),
        ({"block": (33, 32)}, "block", "1056", "1 to 1024"),
        ({"block": -1}, "block.x", "-1", "1 to 1024"),
        ({"cluster": 0}, "cluster.x", "0", "1 to"),
        ({"grid": 34, "cluster": 17, "non_portable": True}, "cluster", "17", "1 to 16"),
        ({"grid": 18, "cluster": (3, 1, 6), "non_portable": True}, "cluster", "18", "1 to 16"),
        ({"grid": 32, "cluster": 16}, "cluster", "16", "non_portable=True"),
        ({"grid": 18, "cluster": 9}, "cluster", "9", "1 to 8"),
        ({"grid": 10, "cluster": 4}, "grid.x", "10", "multiple of cluster.x=4: 8 and 12"),
        ({"grid": (4, 3), "cluster": (2, 2)}, "grid.y", "3", "multiple of cluster.y=2: 2 and 4"),
        ({"grid": 8, "cluster": 2, "chip": chip("A100 SXM4 80GB")}, "cluster", "2", "1 to 1"),
    ],
)
def test_what_cuda_refuses_is_refused_by_name_value_and_range(arguments, argument, value, allowed):
    with pytest.raises(ValueError, match=r".") as refusal:
        Hierarchy(**({"grid": 8, "block": 32} | arguments))
    message = str(refusal.value)
    assert message.startswith(f"{argument}=")
    assert value in message
    assert allowed in message


@pytest.mark.parametrize("wrong", [2.0, "2", True, None])
def test_a_dimension_that_is_no_whole_number_is_a_type_error(wrong):
    with pytest.raises(TypeError, match=r"grid\.x"):
        Hierarchy(wrong, 32)


@pytest.mark.parametrize("index", [(8, 0, 0), (-1, 0, 0), (0, 0), 3])
def test_an_index_outside_the_grid_is_refused(index):
    with pytest.raises(ValueError, match="block_index"):
        Hierarchy(8, 32).block_rank(index)


def test_sizes_need_not_be_powers_of_two():
    for size in range(1, 17):
        launch = Hierarchy(size * 3, 32, size, non_portable=True)
        assert (launch.clusters, launch.blocks_per_cluster) == (3, size)
