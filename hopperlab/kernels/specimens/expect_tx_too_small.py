"""A barrier that expects half of the bytes that come: its count goes below zero, and the phase hangs.

Met as: expect_tx of 1,024 bytes where 2,048 are delivered, and 128 workers that wait for ever
(mirage-project/mirage #705).
"""

import numpy as np
from numba import cuda, float32

from hopperlab.device import bulk, fence, kernel, mbarrier

FINDING = "expect_tx too small"


@kernel
def load_tile(source, target):
    """Load 512 floats; expect as many bytes as if they were halves."""
    tile = cuda.shared.array(512, float32, alignment=16)
    full = mbarrier.shared()
    thread = cuda.threadIdx.x
    if thread == 0:
        mbarrier.init(full, 1)
        fence.mbarrier_init()
        mbarrier.arrive_expect_tx(full, 1024)
        bulk.load(tile, source, 2048, full)
    cuda.syncthreads()
    mbarrier.wait(full, 0)
    target[thread] = tile[thread]


def launch(seed: int) -> tuple:
    """Give grid, block, arguments and options."""
    source = np.random.default_rng(seed).random(512).astype(np.float32)
    return 1, 64, (source, np.zeros(64, np.float32)), {}
