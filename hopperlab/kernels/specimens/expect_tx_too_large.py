"""A barrier that expects more bytes than the copy brings: the last ones never come.

Met as: counting the box's padding, or elements as if they were wider than they are.
"""

import numpy as np
from numba import cuda, float32

from hopperlab.device import bulk, fence, kernel, mbarrier

FINDING = "expect_tx too large"


@kernel
def load_tile(source, target):
    """Load 1,008 bytes and expect 1,024."""
    tile = cuda.shared.array(256, float32, alignment=16)
    full = mbarrier.shared()
    thread = cuda.threadIdx.x
    if thread == 0:
        mbarrier.init(full, 1)
        fence.mbarrier_init()
        mbarrier.arrive_expect_tx(full, 1024)
        bulk.load(tile, source, 1008, full)
    cuda.syncthreads()
    mbarrier.wait(full, 0)
    target[thread] = tile[thread]


def launch(seed: int) -> tuple:
    """Give grid, block, arguments and options."""
    source = np.random.default_rng(seed).random(256).astype(np.float32)
    return 1, 64, (source, np.zeros(64, np.float32)), {}
