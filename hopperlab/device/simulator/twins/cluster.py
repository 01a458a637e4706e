"""Twins of the words of cluster."""

from __future__ import annotations

from typing import Any

from hopperlab.device.simulator.arguments import Misuse
from hopperlab.device.simulator.twins import twin
from hopperlab.device.vocabulary import cluster


@twin(cluster.block_rank)
def block_rank(world: Any) -> int:
    """Give the block's rank."""
    return world.thread.block.rank


@twin(cluster.num_blocks)
def num_blocks(world: Any) -> int:
    """Give the cluster's size."""
    return world.shape.blocks_per_cluster


@twin(cluster.block_index)
def block_index(world: Any) -> tuple[int, int, int]:
    """Give the block's position in the cluster."""
    return world.shape.index_in_cluster(world.thread.block.index)


@twin(cluster.dim_blocks)
def dim_blocks(world: Any) -> tuple[int, int, int]:
    """Give the cluster's shape."""
    return world.shape.cluster


@twin(cluster.cluster_index)
def cluster_index(world: Any) -> tuple[int, int, int]:
    """Give the cluster's position in the grid."""
    return world.shape.cluster_index(world.thread.block.index)


@twin(cluster.dim_clusters)
def dim_clusters(world: Any) -> tuple[int, int, int]:
    """Give the grid's shape in clusters."""
    return world.shape.cluster_grid


@twin(cluster.arrive)
def arrive(world: Any) -> None:
    """Arrive, releasing what this thread wrote."""
    world.thread.block.cluster.gate(world).arrive(world.thread, relaxed=False)


@twin(cluster.arrive_relaxed)
def arrive_relaxed(world: Any) -> None:
    """Arrive, promising nothing."""
    world.thread.block.cluster.gate(world).arrive(world.thread, relaxed=True)


@twin(cluster.wait, waits=True)
def wait(world: Any) -> None:
    """Wait for all that have to arrive."""
    world.thread.block.cluster.gate(world).wait(world.thread)


@twin(cluster.sync, waits=True)
def sync(world: Any) -> None:
    """Arrive and wait."""
    gate = world.thread.block.cluster.gate(world)
    gate.arrive(world.thread, relaxed=False)
    gate.wait(world.thread)


@twin(cluster.map_shared_rank)
def map_shared_rank(world: Any, array: Any, rank: int) -> Any:
    """Give the same object in another block of the cluster."""
    blocks = world.thread.block.cluster.blocks
    if rank >= len(blocks):
        raise Misuse(
            f"cluster.map_shared_rank: rank is {int(rank)}; the cluster has the ranks 0 to {len(blocks) - 1}"
        )
    return world.in_block(array, blocks[rank])


@twin(cluster.query_shared_rank)
def query_shared_rank(world: Any, array: Any) -> int:
    """Give the rank of the block that owns an object."""
    return world.owner_of(array).rank
