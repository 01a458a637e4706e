"""One thread waits for the copy and the others read: they have learned nothing of it.

Met as: waiting in the elected thread only, without a barrier of the block after it.
"""

import numpy as np
from numba import cuda, float32

from hopperlab.device import bulk, fence, kernel, mbarrier

FINDING = "read of data in flight"


@kernel
def load_tile(source, target):
    """Let one thread wait for what all read."""
    tile = cuda.shared.array(64, float32, alignment=16)
    full = mbarrier.shared()
    thread = cuda.threadIdx.x
    if thread == 0:
        mbarrier.init(full, 1)
        fence.mbarrier_init()
        mbarrier.arrive_expect_tx(full, 256)
        bulk.load(tile, source, 256, full)
    cuda.syncthreads()
    if thread == 0:
        mbarrier.wait(full, 0)
    target[thread] = tile[thread]


def launch(seed: int) -> tuple:
    """Give grid, block, arguments and options."""
    source = np.random.default_rng(seed).random(64).astype(np.float32)
    return 1, 64, (source, np.zeros_like(source)), {}
