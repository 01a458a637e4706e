"""A producer that asks for whole laps of the ring where the tiles fill only a part of the last one.

Met as: a loop over laps around a loop over stages, with a depth that is no multiple of both. The consumers give a
stage back when they begin the next tile, so the last one is never given back, and the producer waits for it.
"""

import numpy as np
from numba import cuda, float32

from hopperlab.device import bulk, fence, kernel, mbarrier

FINDING = "wrong arrival count"


@kernel
def ring(source, target, tiles):
    """Move tiles through two buffers; a buffer is given back one tile late."""
    tile = cuda.shared.array((2, 32), float32, alignment=128)
    full = mbarrier.shared(2)
    empty = mbarrier.shared(2)
    thread = cuda.threadIdx.x
    if thread == 0:
        for stage in range(2):
            mbarrier.init(full[stage], 1)
            mbarrier.init(empty[stage], 32)
        fence.mbarrier_init()
    cuda.syncthreads()
    if thread == 32:
        for lap in range(tiles // 2 + 1):
            for stage in range(2):
                mbarrier.wait(empty[stage], 1 - lap % 2)
                mbarrier.arrive_expect_tx(full[stage], 128)
                bulk.load(tile[stage], source[32 * (2 * lap + stage) :], 128, full[stage])
    elif thread < 32:
        for i in range(tiles):
            mbarrier.wait(full[i % 2], i // 2 % 2)
            target[32 * i + thread] = tile[i % 2, thread]
            if i > 0:
                mbarrier.arrive(empty[(i - 1) % 2])


def launch(seed: int) -> tuple:
    """Give grid, block, arguments and options."""
    source = np.random.default_rng(seed).random(192).astype(np.float32)
    return 1, 64, (source, np.zeros_like(source), np.int32(4)), {}
