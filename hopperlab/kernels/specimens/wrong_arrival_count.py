"""A barrier that counts a whole warp, where one lane arrives: the phase never completes.

Met as: why the arrival count is 1 while 32 lanes reach the line (deepseek-ai/DeepEP #293).
"""

import numpy as np
from numba import cuda, float32

from hopperlab.device import bulk, fence, kernel, mbarrier

FINDING = "wrong arrival count"


@kernel
def load_tile(source, target):
    """Load a tile; the barrier expects 32 arrivals, and one comes."""
    tile = cuda.shared.array(32, float32, alignment=16)
    full = mbarrier.shared()
    lane = cuda.threadIdx.x
    if lane == 0:
        mbarrier.init(full, 32)
        fence.mbarrier_init()
    cuda.syncthreads()
    if lane == 0:
        mbarrier.arrive_expect_tx(full, 128)
        bulk.load(tile, source, 128, full)
    mbarrier.wait(full, 0)
    target[lane] = tile[lane]


def launch(seed: int) -> tuple:
    """Give grid, block, arguments and options."""
    source = np.random.default_rng(seed).random(32).astype(np.float32)
    return 1, 32, (source, np.zeros_like(source)), {}
