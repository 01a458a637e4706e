"""A thread that clears a tile after the copy into it was asked for.

Met as: zero-filling a buffer beside an asynchronous load.
"""

import numpy as np
from numba import cuda, float32

from hopperlab.device import bulk, fence, kernel, mbarrier

FINDING = "write under a copy in flight"


@kernel
def load_tile(source, target):
    """Ask for a tile, then clear it."""
    tile = cuda.shared.array(64, float32, alignment=16)
    full = mbarrier.shared()
    thread = cuda.threadIdx.x
    if thread == 0:
        mbarrier.init(full, 1)
        fence.mbarrier_init()
        mbarrier.arrive_expect_tx(full, 256)
        bulk.load(tile, source, 256, full)
    cuda.syncthreads()
    tile[thread] = 0
    mbarrier.wait(full, 0)
    target[thread] = tile[thread]


def launch(seed: int) -> tuple:
    """Give grid, block, arguments and options."""
    source = np.random.default_rng(seed).random(64).astype(np.float32)
    return 1, 64, (source, np.zeros_like(source)), {}
