"""Grid, cluster, block, thread: who is who, and which launches CUDA refuses.

A grid is a box of clusters, a cluster a box of blocks, a block a box of threads, each in up to three
dimensions. CUDA counts a launch's grid in blocks, and flattens every box with x running fastest.

The names of PTX are given beside those of CUDA C++: ``%ctaid`` is a block's index in its grid,
``%clusterid`` its cluster's, ``%cluster_ctaid`` its own within the cluster, and ``%cluster_ctarank``
that one flattened.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import prod
from typing import SupportsIndex

from hopperlab.chip import Chip, chip
from hopperlab.models.arguments import whole_number

Dim3 = tuple[int, int, int]

MAX_GRID_DIM = (2**31 - 1, 65535, 65535)
"""Blocks of a grid along x, y, z. Source: CUDA C++ Programming Guide, compute capabilities."""

MAX_BLOCK_DIM = (1024, 1024, 64)
"""Threads of a block along x, y, z. Source: CUDA C++ Programming Guide, compute capabilities."""


def flatten(index: Sequence[int], dims: Sequence[int]) -> int:
    """The rank of ``index`` in a box of ``dims``: x runs fastest, then y, then z."""
    (x, y, z), (nx, ny, _) = index, dims
    return x + nx * (y + ny * z)


def unflatten(rank: int, dims: Sequence[int]) -> Dim3:
    """The index that ``flatten`` gives ``rank``."""
    nx, ny, _ = dims
    return rank % nx, rank // nx % ny, rank // (nx * ny)


def dim3(name: str, value: int | Sequence[int], limits: Dim3) -> Dim3:
    """Three dimensions from a number, a pair or a triple; missing ones are 1, as in CUDA."""
    given = tuple(value) if isinstance(value, Sequence) and not isinstance(value, str) else (value,)
    if not 1 <= len(given) <= 3:
        raise ValueError(f"{name}={value!r} has {len(given)} dimensions; CUDA has 1 to 3")
    x, y, z = (*given, 1, 1)[:3]
    return tuple(
        whole_number(f"{name}.{axis}", length, 1, limit)
        for axis, length, limit in zip("xyz", (x, y, z), limits, strict=True)
    )


def check_cluster_size(name: str, size: int, on: Chip, non_portable: bool = True) -> int:
    """``size`` blocks a cluster, if ``on`` can launch them.

    Raises
    ------
    ValueError
        If the size is not in 1 to the chip's largest (16 on Hopper: talk-030), or over the portable
        size (8: lit-012) without the opt-in (lit-013). CUDA answers CUDA_ERROR_INVALID_CLUSTER_SIZE.
    """
    whole = isinstance(size, SupportsIndex)
    if whole and size > on.max_cluster_size:
        raise ValueError(
            f"{name}={size} blocks: the {on.name} runs clusters of 1 to {on.max_cluster_size} "
            "(CUDA_ERROR_INVALID_CLUSTER_SIZE)"
        )
    if whole and size > on.max_portable_cluster_size and not non_portable:
        raise ValueError(
            f"{name}={size} blocks: without non_portable=True the {on.name} runs clusters of 1 to "
            f"{on.max_portable_cluster_size}, with it of up to {on.max_cluster_size}"
        )
    return whole_number(name, size, 1, on.max_cluster_size)


@dataclass(frozen=True)
class Hierarchy:
    """The four levels of one launch (talk-026).

    Parameters
    ----------
    grid
        Blocks along x, y, z: a number, a pair or a triple.
    block
        Threads along x, y, z.
    cluster
        Blocks along x, y, z of one cluster; 1 for a launch without clusters.
    non_portable
        The opt-in that clusters of more than 8 blocks need.
    chip
        Whose limits hold; the H100 SXM5's unless another is named.

    Raises
    ------
    ValueError
        For every launch that CUDA refuses: a dimension out of range, more than 1,024 threads a block, a
        cluster too large, a grid that is no multiple of its cluster in some dimension (lit-015).
    TypeError
        For a dimension that is no whole number.
    """

    grid: Dim3
    block: Dim3
    cluster: Dim3 = (1, 1, 1)
    non_portable: bool = False
    chip: Chip = field(default_factory=lambda: chip("H100 SXM5"), repr=False)

    def __post_init__(self) -> None:
        """Bring the dimensions to three and refuse what CUDA refuses."""
        for name, limits in (("grid", MAX_GRID_DIM), ("block", MAX_BLOCK_DIM), ("cluster", MAX_GRID_DIM)):
            object.__setattr__(self, name, dim3(name, getattr(self, name), limits))
        threads = self.threads_per_block
        if threads > self.chip.max_threads_per_block:
            raise ValueError(
                f"block={self.block} has {threads} threads: the {self.chip.name} takes 1 to "
                f"{self.chip.max_threads_per_block} a block"
            )
        check_cluster_size("cluster", self.blocks_per_cluster, self.chip, self.non_portable)
        for axis, blocks, per_cluster in zip("xyz", self.grid, self.cluster, strict=True):
            if blocks % per_cluster:
                raise ValueError(
                    f"grid.{axis}={blocks} must be a multiple of cluster.{axis}={per_cluster}: "
                    f"{blocks - blocks % per_cluster} and {blocks + per_cluster - blocks % per_cluster} are"
                )

    # How many of each there are

    @property
    def cluster_grid(self) -> Dim3:
        """Clusters of the grid along x, y, z (``%nclusterid``)."""
        return tuple(blocks // size for blocks, size in zip(self.grid, self.cluster, strict=True))

    @property
    def clusters(self) -> int:
        """Clusters of the grid."""
        return prod(self.cluster_grid)

    @property
    def blocks(self) -> int:
        """Blocks of the grid."""
        return prod(self.grid)

    @property
    def blocks_per_cluster(self) -> int:
        """Blocks of one cluster, its size (``%cluster_nctarank``)."""
        return prod(self.cluster)

    @property
    def threads_per_block(self) -> int:
        """Threads of one block."""
        return prod(self.block)

    @property
    def warps_per_block(self) -> int:
        """Warps of one block; the last may be partly empty."""
        return -(-self.threads_per_block // self.chip.threads_per_warp)

    @property
    def threads(self) -> int:
        """Threads of the grid."""
        return self.blocks * self.threads_per_block

    # A block's place

    def block_rank(self, block_index: Sequence[int]) -> int:
        """A block's index in the grid (``%ctaid``), flattened."""
        return flatten(self._inside("block_index", block_index, self.grid), self.grid)

    def block_index(self, block_rank: int) -> Dim3:
        """The block of that rank in the grid."""
        return unflatten(whole_number("block_rank", block_rank, 0, self.blocks - 1), self.grid)

    def cluster_index(self, block_index: Sequence[int]) -> Dim3:
        """The cluster of a block (``%clusterid``)."""
        index = self._inside("block_index", block_index, self.grid)
        return tuple(i // size for i, size in zip(index, self.cluster, strict=True))

    def cluster_id(self, block_index: Sequence[int]) -> int:
        """The cluster of a block, flattened over the grid's clusters."""
        return flatten(self.cluster_index(block_index), self.cluster_grid)

    def index_in_cluster(self, block_index: Sequence[int]) -> Dim3:
        """A block's place within its cluster (``%cluster_ctaid``)."""
        index = self._inside("block_index", block_index, self.grid)
        return tuple(i % size for i, size in zip(index, self.cluster, strict=True))

    def rank_in_cluster(self, block_index: Sequence[int]) -> int:
        """A block's rank within its cluster (``%cluster_ctarank``), 0 to the cluster's size less 1."""
        return flatten(self.index_in_cluster(block_index), self.cluster)

    def block_of(self, cluster_id: int, rank: int) -> Dim3:
        """The block of that rank in that cluster: what ``cluster_id`` and ``rank_in_cluster`` undo."""
        cluster = unflatten(whole_number("cluster_id", cluster_id, 0, self.clusters - 1), self.cluster_grid)
        place = unflatten(whole_number("rank", rank, 0, self.blocks_per_cluster - 1), self.cluster)
        return tuple(c * size + p for c, size, p in zip(cluster, self.cluster, place, strict=True))

    # A thread's place

    def thread_rank(self, thread_index: Sequence[int]) -> int:
        """A thread's index in its block (``%tid``), flattened; rank // 32 is its warp, rank % 32 its lane."""
        return flatten(self._inside("thread_index", thread_index, self.block), self.block)

    def thread_index(self, thread_rank: int) -> Dim3:
        """The thread of that rank in its block."""
        return unflatten(whole_number("thread_rank", thread_rank, 0, self.threads_per_block - 1), self.block)

    def global_index(self, block_index: Sequence[int], thread_index: Sequence[int]) -> Dim3:
        """A thread's index in the grid: block index times block size plus thread index."""
        block = self._inside("block_index", block_index, self.grid)
        thread = self._inside("thread_index", thread_index, self.block)
        return tuple(b * n + t for b, n, t in zip(block, self.block, thread, strict=True))

    @staticmethod
    def _inside(name: str, index: Sequence[int], dims: Dim3) -> Dim3:
        """The index, if it lies in a box of ``dims``."""
        if not isinstance(index, Sequence) or len(index) != 3:
            raise ValueError(f"{name}={index!r} must have three parts: x, y, z")
        return tuple(
            whole_number(f"{name}.{axis}", i, 0, length - 1)
            for axis, i, length in zip("xyz", index, dims, strict=True)
        )
