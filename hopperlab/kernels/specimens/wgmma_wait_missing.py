"""Accumulators that are stored while the tensor core may still change them.

Met as: a wait that was lost when a loop was pipelined: wgmma.mma_async comes back at once.
"""

import numpy as np
from numba import cuda, types

from hopperlab.device import fence, kernel, wgmma

FINDING = "accumulators read before wgmma.wait_group"


@kernel
def multiply(d):
    """Multiply two tiles of ones and store the sum without waiting."""
    a = cuda.shared.array((64, 64), types.float16, alignment=1024)
    thread = cuda.threadIdx.x
    for column in range(32):
        a[thread % 64, thread // 64 * 32 + column] = 1
    fence.proxy_async_shared()
    cuda.syncthreads()
    tile = wgmma.zeros(64)
    wgmma.fence()
    tile = wgmma.mma_async(tile, wgmma.descriptor(a), wgmma.descriptor(a), "f16", "f16")
    wgmma.commit_group()
    wgmma.store(tile, d, 0, 0)


def launch(seed: int) -> tuple:
    """Give grid, block, arguments and options."""
    return 1, 128, (np.zeros((64, 64), np.float32),), {}
