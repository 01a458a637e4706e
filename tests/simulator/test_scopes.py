"""What a wait with the block's scope sees of other blocks: what engines brought, not what threads wrote or sent."""

import numpy as np
import pytest
from numba import cuda, float32

from hopperlab.device import bulk, cluster, dsmem, fence, kernel, mbarrier

WORDS = 32
NBYTES = 4 * WORDS
BLOCKS = 2
BOTH = 0b11


def brought(scope):
    """One block loads for both; each copies out what it got."""

    @kernel
    def share(source, target):
        tile = cuda.shared.array(WORDS, float32, alignment=16)
        full = mbarrier.shared(1)
        thread, rank = cuda.threadIdx.x, cluster.block_rank()
        if thread == 0:
            mbarrier.init(full[0], 1)
            fence.mbarrier_init()
        cluster.sync()
        if thread == 0:
            mbarrier.arrive_expect_tx(full[0], NBYTES)
            if rank == 0:
                bulk.load_multicast(tile, source, NBYTES, full[0], BOTH)
        mbarrier.wait(full[0], 0, scope)
        target[rank, thread] = tile[thread]
        cluster.sync()

    return share


def sent(scope):
    """One block's thread stores into the other's shared memory."""

    @kernel
    def send(source, target):
        words = cuda.shared.array(WORDS, float32)
        full = mbarrier.shared(1)
        thread, rank = cuda.threadIdx.x, cluster.block_rank()
        if thread == 0:
            mbarrier.init(full[0], 1)
            fence.mbarrier_init()
        cluster.sync()
        if thread == 0 and rank == 1:
            mbarrier.arrive_expect_tx(full[0], NBYTES)
        if rank == 0:
            there = cluster.map_shared_rank(words, 1)
            dsmem.st_async(there, thread, source[thread], cluster.map_shared_rank(full, 1)[0])
        else:
            mbarrier.wait(full[0], 0, scope)
            target[rank, thread] = words[thread]
        cluster.sync()

    return send


def run(made):
    source = np.arange(WORDS, dtype=np.float32)
    ran = made.simulate(BLOCKS, WORDS, (source, np.zeros((BLOCKS, WORDS), np.float32)), cluster=BLOCKS)
    return ran, source


@pytest.mark.parametrize("scope", ["cta", "cluster"])
def test_what_an_engine_brought_is_seen_in_any_scope(scope):
    ran, source = run(brought(scope))
    assert ran.findings == ()
    assert np.array_equal(ran["target"], [source, source])


def test_what_a_thread_of_another_block_sent_is_seen_in_the_clusters_scope():
    ran, source = run(sent("cluster"))
    assert ran.findings == ()
    assert np.array_equal(ran["target"][1], source)


def test_what_a_thread_of_another_block_sent_is_not_seen_in_the_blocks_scope():
    ran, _ = run(sent("cta"))
    first = ran.findings[0]
    assert first.name == "read of data in flight"
    assert "scope 'cluster'" in first.cure
