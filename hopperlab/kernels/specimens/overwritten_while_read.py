"""A ring without empty barriers: the producer writes a buffer that others still read.

Met as: a write-after-read hazard that a barrier for full buffers alone does not cover (NVIDIA/Fuser #3446).
"""

import numpy as np
from numba import cuda, float32

from hopperlab.device import bulk, fence, kernel, mbarrier

FINDING = "overwrite of a buffer still being read"


@kernel
def ring(source, target):
    """Move six tiles through two buffers; nobody says when one is empty again."""
    tile = cuda.shared.array((2, 32), float32, alignment=128)
    full = mbarrier.shared(2)
    thread = cuda.threadIdx.x
    if thread == 0:
        for stage in range(2):
            mbarrier.init(full[stage], 1)
        fence.mbarrier_init()
    cuda.syncthreads()
    for i in range(6):
        if thread == 0:
            mbarrier.arrive_expect_tx(full[i % 2], 128)
            bulk.load(tile[i % 2], source[32 * i :], 128, full[i % 2])
        mbarrier.wait(full[i % 2], i // 2 % 2)
        target[32 * i + thread] = tile[i % 2, thread]


def launch(seed: int) -> tuple:
    """Give grid, block, arguments and options."""
    source = np.random.default_rng(seed).random(192).astype(np.float32)
    return 1, 32, (source, np.zeros_like(source)), {}
