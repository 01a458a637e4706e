"""A barrier initialized anew for each tile although it is in use.

Met as: init in a loop, where the next phase would have begun by itself.
"""

import numpy as np
from numba import cuda, float32

from hopperlab.device import bulk, fence, kernel, mbarrier

FINDING = "reuse of a live barrier"


@kernel
def load_tiles(source, target):
    """Load two tiles, with a fresh start in between."""
    tile = cuda.shared.array(32, float32, alignment=16)
    full = mbarrier.shared()
    thread = cuda.threadIdx.x
    for i in range(2):
        if thread == 0:
            mbarrier.init(full, 1)
            fence.mbarrier_init()
            mbarrier.arrive_expect_tx(full, 128)
            bulk.load(tile, source[32 * i :], 128, full)
        cuda.syncthreads()
        mbarrier.wait(full, 0)
        target[32 * i + thread] = tile[thread]
        cuda.syncthreads()


def launch(seed: int) -> tuple:
    """Give grid, block, arguments and options."""
    source = np.random.default_rng(seed).random(64).astype(np.float32)
    return 1, 32, (source, np.zeros_like(source)), {}
