"""Bytes announced after the phase's last arrival: they count in the next phase, and this one lets readers in.

Met as: arrive, then expect_tx, where arrive_expect_tx does both at once and in the right order.
"""

import numpy as np
from numba import cuda, float32

from hopperlab.device import bulk, fence, kernel, mbarrier

FINDING = "expect_tx late"


@kernel
def load_tile(source, target):
    """Arrive first, and expect the bytes only then."""
    tile = cuda.shared.array(64, float32, alignment=16)
    full = mbarrier.shared()
    thread = cuda.threadIdx.x
    if thread == 0:
        mbarrier.init(full, 1)
        fence.mbarrier_init()
        mbarrier.arrive(full)
        mbarrier.expect_tx(full, 256)
        bulk.load(tile, source, 256, full)
    cuda.syncthreads()
    mbarrier.wait(full, 0)
    target[thread] = tile[thread]


def launch(seed: int) -> tuple:
    """Give grid, block, arguments and options."""
    source = np.random.default_rng(seed).random(64).astype(np.float32)
    return 1, 64, (source, np.zeros_like(source)), {}
