"""A reader that waits for parity 1 first: a fresh barrier says yes at once, and the data is not there.

Met as: "arrive latency" of a published benchmark, which measures a wait that never waited; and rings that work
for two laps.
"""

import numpy as np
from numba import cuda, float32

from hopperlab.device import bulk, fence, kernel, mbarrier

FINDING = "parity off by one"


@kernel
def load_tile(source, target):
    """Wait for the wrong parity."""
    tile = cuda.shared.array(64, float32, alignment=16)
    full = mbarrier.shared()
    thread = cuda.threadIdx.x
    if thread == 0:
        mbarrier.init(full, 1)
        fence.mbarrier_init()
        mbarrier.arrive_expect_tx(full, 256)
        bulk.load(tile, source, 256, full)
    cuda.syncthreads()
    mbarrier.wait(full, 1)
    target[thread] = tile[thread]


def launch(seed: int) -> tuple:
    """Give grid, block, arguments and options."""
    source = np.random.default_rng(seed).random(64).astype(np.float32)
    return 1, 64, (source, np.zeros_like(source)), {}
