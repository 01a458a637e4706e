"""A consumer that gives its stage back as soon as it has started the product: the next copy lands under it.

Met as: an arrival on the empty barrier that moved above the wait when a pipeline was written out. wgmma.mma_async
reads shared memory for as long as it is at work.
"""

import numpy as np
from numba import cuda, types

from hopperlab.device import bulk, fence, kernel, mbarrier, wgmma

FINDING = "source reused before its copy was waited for"


@kernel
def multiply(tiles, d):
    """Multiply one tile after the other by itself, through a ring of two stages."""
    ring = cuda.shared.array((2, 64, 64), types.float16, alignment=1024)
    full = mbarrier.shared(2)
    empty = mbarrier.shared(2)
    thread = cuda.threadIdx.x
    if thread == 0:
        for stage in range(2):
            mbarrier.init(full[stage], 1)
            mbarrier.init(empty[stage], 128)
        fence.mbarrier_init()
    cuda.syncthreads()
    if thread == 128:
        for step in range(tiles.shape[0]):
            stage, lap = step % 2, step // 2
            mbarrier.wait(empty[stage], (lap + 1) % 2)
            mbarrier.arrive_expect_tx(full[stage], 8192)
            bulk.load(ring[stage], tiles[step], 8192, full[stage])
    elif thread < 128:
        sums = wgmma.zeros(64)
        for step in range(tiles.shape[0]):
            stage, lap = step % 2, step // 2
            mbarrier.wait(full[stage], lap % 2)
            tile = wgmma.descriptor(ring[stage])
            wgmma.fence()
            sums = wgmma.mma_async(sums, tile, tile, "f16", "f16")
            wgmma.commit_group()
            mbarrier.arrive(empty[stage])
            sums = wgmma.wait_group(sums)
        wgmma.store(sums, d, 0, 0)


def launch(seed: int) -> tuple:
    """Give grid, block, arguments and options."""
    return 1, 160, (np.ones((4, 64, 64), np.float16), np.zeros((64, 64), np.float32)), {}
