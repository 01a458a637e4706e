"""Kernels about transaction barriers: edges of unequal size sent one-sided, and a ring of buffers."""

from numba import cuda, float32, int32

from hopperlab.device import bulk, cluster, dsmem, fence, kernel, mbarrier

MOST_WORDS = 64
"""Words that block 0 of `gather_edges` has room for."""

MOST_STAGES = 4
"""Buffers that `ring` has room for."""

TILE = 32
"""Elements of a tile of `ring`: one for each thread that reads."""


@kernel(signature="void(float32[::1], int32[::1], int32, float32[::1])")
def gather_edges(edges, starts, expected, total):
    """Let blocks of a cluster send edges of unequal size to block 0, which adds up what came.

    Block 0 says once how many bytes it expects. It asks nobody, polls nothing, and does not know who sends.

    Parameters
    ----------
    edges
        The words of all edges, one block's after another's.
    starts
        Where each block's edge starts, by rank, and where the last one ends; block 0 has none.
    expected
        How many bytes block 0 expects: right are 4 a word.
    total
        Gets the sum of all words.
    """
    inbox = cuda.shared.array(MOST_WORDS, float32)
    full = mbarrier.shared()
    thread, rank = cuda.threadIdx.x, cluster.block_rank()
    if thread == 0:
        mbarrier.init(full, 1)
        fence.mbarrier_init()
    cluster.sync()
    if rank == 0:
        if thread == 0:
            mbarrier.arrive_expect_tx(full, expected)
            mbarrier.wait(full, 0, scope="cluster")
            added = float32(0)
            for word in range(edges.size):
                added += inbox[word]
            total[0] = added
    else:
        there, barrier = cluster.map_shared_rank(inbox, 0), cluster.map_shared_rank(full, 0)
        word = starts[rank] + int32(thread)
        if word < starts[rank + 1]:
            dsmem.st_async(there, word, edges[word], barrier)
    cluster.sync()


@kernel(signature="void(float32[::1], float32[::1], int32)")
def ring(source, target, stages):
    """Move tiles through a ring of buffers: thread 32 asks for them, threads 0 to 31 read them.

    Each buffer has two barriers. *full* counts one arrival and a tile's bytes, *empty* the 32 readers.

    Parameters
    ----------
    source, target
        A multiple of `TILE` elements; target gets them doubled. One block of 64 threads.
    stages
        Buffers of the ring, 1 to `MOST_STAGES`.
    """
    tile = cuda.shared.array((MOST_STAGES, TILE), float32, alignment=128)
    full = mbarrier.shared(MOST_STAGES)
    empty = mbarrier.shared(MOST_STAGES)
    thread = cuda.threadIdx.x
    if thread == 0:
        for stage in range(stages):
            mbarrier.init(full[stage], 1)
            mbarrier.init(empty[stage], TILE)
        fence.mbarrier_init()
    cuda.syncthreads()
    if thread == TILE:
        for i in range(source.size // TILE):
            stage, lap = i % stages, i // stages
            mbarrier.wait(empty[stage], 1 - lap % 2)  # on the first lap nobody has to empty it
            mbarrier.arrive_expect_tx(full[stage], 4 * TILE)
            bulk.load(tile[stage], source[TILE * i :], 4 * TILE, full[stage])
    elif thread < TILE:
        for i in range(source.size // TILE):
            stage, lap = i % stages, i // stages
            mbarrier.wait(full[stage], lap % 2)
            target[TILE * i + thread] = float32(2) * tile[stage, thread]
            mbarrier.arrive(empty[stage])
