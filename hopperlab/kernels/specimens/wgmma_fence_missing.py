"""Accumulators that are zeroed and used by a product with no wgmma fence in between.

Met as: a first product that adds to what the registers held before; it depends on what the compiler makes of it.
"""

import numpy as np
from numba import cuda, types

from hopperlab.device import fence, kernel, wgmma

FINDING = "missing wgmma fence"


@kernel
def multiply(d):
    """Multiply two tiles of ones into fresh accumulators, without a fence."""
    a = cuda.shared.array((64, 64), types.float16, alignment=1024)
    thread = cuda.threadIdx.x
    for column in range(32):
        a[thread % 64, thread // 64 * 32 + column] = 1
    fence.proxy_async_shared()
    cuda.syncthreads()
    tile = wgmma.zeros(64)
    tile = wgmma.mma_async(tile, wgmma.descriptor(a), wgmma.descriptor(a), "f16", "f16")
    wgmma.commit_group()
    tile = wgmma.wait_group(tile)
    wgmma.store(tile, d, 0, 0)


def launch(seed: int) -> tuple:
    """Give grid, block, arguments and options."""
    return 1, 128, (np.zeros((64, 64), np.float32),), {}
