"""A tile written anew while the engine may still read it for the store before.

Met as: epilogues that commit their stores and do not wait_group_read before the next tile.
"""

import numpy as np
from numba import cuda, float32

from hopperlab.device import bulk, fence, kernel

FINDING = "source reused before its copy was waited for"


@kernel
def store_tiles(target):
    """Store four tiles from one buffer without waiting in between."""
    tile = cuda.shared.array(64, float32, alignment=16)
    thread = cuda.threadIdx.x
    for i in range(4):
        tile[thread] = i
        fence.proxy_async_shared()
        cuda.syncthreads()
        if thread == 0:
            bulk.store(target[64 * i :], tile, 256)
            bulk.commit_group()
        cuda.syncthreads()
    if thread == 0:
        bulk.wait_group(0)


def launch(seed: int) -> tuple:
    """Give grid, block, arguments and options."""
    return 1, 64, (np.zeros(256, np.float32),), {}
