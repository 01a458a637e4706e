"""cluster: who and where a block is in its thread block cluster, its barrier, its shared memory.

Names follow cooperative_groups::cluster_group of CUDA C++.
"""

from hopperlab.device.vocabulary.kinds import BlockCount, BlockRank, ClusterIndex, Same, SharedObject
from hopperlab.device.vocabulary.word import word


@word(
    ptx="mov.u32 {result}, %cluster_ctarank;",
    effect="none",
    source="PTX ISA, Special Registers: %cluster_ctarank",
)
def block_rank() -> BlockRank:
    """Give the rank of this block in its cluster, from 0; x runs fastest, then y, then z."""


@word(
    ptx="mov.u32 {result}, %cluster_nctarank;",
    effect="none",
    source="PTX ISA, Special Registers: %cluster_nctarank",
)
def num_blocks() -> BlockCount:
    """Give the number of blocks in the cluster. Without clusters every block is a cluster of one."""


@word(
    ptx="""
    mov.u32 {result.0}, %cluster_ctaid.x;
    mov.u32 {result.1}, %cluster_ctaid.y;
    mov.u32 {result.2}, %cluster_ctaid.z;
    """,
    effect="none",
    source="PTX ISA, Special Registers: %cluster_ctaid",
)
def block_index() -> (BlockRank, BlockRank, BlockRank):
    """Give the position (x, y, z) of this block in its cluster."""


@word(
    ptx="""
    mov.u32 {result.0}, %cluster_nctaid.x;
    mov.u32 {result.1}, %cluster_nctaid.y;
    mov.u32 {result.2}, %cluster_nctaid.z;
    """,
    effect="none",
    source="PTX ISA, Special Registers: %cluster_nctaid",
)
def dim_blocks() -> (BlockCount, BlockCount, BlockCount):
    """Give the shape (x, y, z) of the cluster, in blocks."""


@word(
    ptx="""
    mov.u32 {result.0}, %clusterid.x;
    mov.u32 {result.1}, %clusterid.y;
    mov.u32 {result.2}, %clusterid.z;
    """,
    effect="none",
    source="PTX ISA, Special Registers: %clusterid",
)
def cluster_index() -> (ClusterIndex, ClusterIndex, ClusterIndex):
    """Give the position (x, y, z) of this cluster in the grid of clusters."""


@word(
    ptx="""
    mov.u32 {result.0}, %nclusterid.x;
    mov.u32 {result.1}, %nclusterid.y;
    mov.u32 {result.2}, %nclusterid.z;
    """,
    effect="none",
    source="PTX ISA, Special Registers: %nclusterid",
)
def dim_clusters() -> (ClusterIndex, ClusterIndex, ClusterIndex):
    """Give the shape (x, y, z) of the grid, in clusters."""


@word(
    ptx="barrier.cluster.arrive;",
    source="PTX ISA, Parallel Synchronization: barrier.cluster",
)
def arrive() -> None:
    """Say that this thread has reached the cluster's barrier, and go on.

    What the thread wrote before is visible, after their `wait`, to all threads of the cluster.
    Every thread of every block arrives once before any of them arrives again.
    """


@word(
    ptx="barrier.cluster.arrive.relaxed;",
    source="PTX ISA, Parallel Synchronization: barrier.cluster",
)
def arrive_relaxed() -> None:
    """Say that this thread has reached the cluster's barrier, promising nothing about what it wrote."""


@word(
    ptx="barrier.cluster.wait;",
    source="PTX ISA, Parallel Synchronization: barrier.cluster",
)
def wait() -> None:
    """Wait until every thread of the cluster has arrived; then see what they wrote before arriving."""


@word(
    ptx="""
    barrier.cluster.arrive;
    barrier.cluster.wait;
    """,
    source="PTX ISA, Parallel Synchronization: barrier.cluster",
)
def sync() -> None:
    """Wait for every thread of every block of the cluster: `arrive` and `wait` in one."""


@word(
    ptx="mapa.u64 {result}, {array}, {rank};",
    effect="none",
    source="PTX ISA, Data Movement and Conversion Instructions: mapa",
)
def map_shared_rank(array: SharedObject(), rank: BlockRank) -> Same("array"):
    """Give the same shared array, or barrier, in the block of that rank, to be read, written and added to.

    The other block must have started (`sync` first) and must not have ended (`sync` last).
    """


@word(
    ptx="getctarank.u64 {result}, {array};",
    effect="none",
    source="PTX ISA, Data Movement and Conversion Instructions: getctarank",
)
def query_shared_rank(array: SharedObject()) -> BlockRank:
    """Give the rank of the block in whose shared memory the array, or barrier, is."""
