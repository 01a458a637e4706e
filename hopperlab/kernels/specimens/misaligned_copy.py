"""A bulk copy that begins at a byte which is no multiple of 16.

Met as: tiles of odd widths, where ordinary loads were fine.
"""

import numpy as np
from numba import cuda, float32

from hopperlab.device import bulk, fence, kernel, mbarrier

FINDING = "misaligned or oversized copy"


@kernel
def load_tile(source, target):
    """Load from the second element on."""
    tile = cuda.shared.array(64, float32, alignment=16)
    full = mbarrier.shared()
    thread = cuda.threadIdx.x
    if thread == 0:
        mbarrier.init(full, 1)
        fence.mbarrier_init()
        mbarrier.arrive_expect_tx(full, 240)
        bulk.load(tile, source[1:], 240, full)
    cuda.syncthreads()
    mbarrier.wait(full, 0)
    target[thread] = tile[thread]


def launch(seed: int) -> tuple:
    """Give grid, block, arguments and options."""
    source = np.random.default_rng(seed).random(64).astype(np.float32)
    return 1, 32, (source, np.zeros(32, np.float32)), {}
