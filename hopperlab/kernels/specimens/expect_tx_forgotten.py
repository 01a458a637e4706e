"""An arrival that announces no bytes: the phase completes before they come.

Met as: mbarrier.arrive where arrive_expect_tx was meant.
"""

import numpy as np
from numba import cuda, float32

from hopperlab.device import bulk, fence, kernel, mbarrier

FINDING = "expect_tx forgotten"


@kernel
def load_tile(source, target):
    """Load a tile, arrive, and tell the barrier nothing of the bytes."""
    tile = cuda.shared.array(64, float32, alignment=16)
    full = mbarrier.shared()
    thread = cuda.threadIdx.x
    if thread == 0:
        mbarrier.init(full, 1)
        fence.mbarrier_init()
        mbarrier.arrive(full)
        bulk.load(tile, source, 256, full)
    cuda.syncthreads()
    mbarrier.wait(full, 0)
    target[thread] = tile[thread]


def launch(seed: int) -> tuple:
    """Give grid, block, arguments and options."""
    source = np.random.default_rng(seed).random(64).astype(np.float32)
    return 1, 64, (source, np.zeros_like(source)), {}
