"""A barrier that an engine counts on, initialized without the fence that shows it to engines.

Met as: examples copied from cuda::barrier, whose constructor does not fence for the async proxy.
"""

import numpy as np
from numba import cuda, float32

from hopperlab.device import bulk, kernel, mbarrier

FINDING = "barrier init without a fence"


@kernel
def load_tile(source, target):
    """Initialize, and do not fence."""
    tile = cuda.shared.array(64, float32, alignment=16)
    full = mbarrier.shared()
    thread = cuda.threadIdx.x
    if thread == 0:
        mbarrier.init(full, 1)
    cuda.syncthreads()
    if thread == 0:
        mbarrier.arrive_expect_tx(full, 256)
        bulk.load(tile, source, 256, full)
    mbarrier.wait(full, 0)
    target[thread] = tile[thread]


def launch(seed: int) -> tuple:
    """Give grid, block, arguments and options."""
    source = np.random.default_rng(seed).random(64).astype(np.float32)
    return 1, 64, (source, np.zeros_like(source)), {}
