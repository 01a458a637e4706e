"""A copy that is asked for, announced, and never waited for.

Met as: a wait that was lost when code was moved; the kernel works on warm caches.
"""

import numpy as np
from numba import cuda, float32

from hopperlab.device import bulk, fence, kernel, mbarrier

FINDING = "wait skipped"


@kernel
def load_tile(source, target):
    """Read without waiting."""
    tile = cuda.shared.array(64, float32, alignment=16)
    full = mbarrier.shared()
    thread = cuda.threadIdx.x
    if thread == 0:
        mbarrier.init(full, 1)
        fence.mbarrier_init()
        mbarrier.arrive_expect_tx(full, 256)
        bulk.load(tile, source, 256, full)
    cuda.syncthreads()
    target[thread] = tile[thread]


def launch(seed: int) -> tuple:
    """Give grid, block, arguments and options."""
    source = np.random.default_rng(seed).random(64).astype(np.float32)
    return 1, 64, (source, np.zeros_like(source)), {}
