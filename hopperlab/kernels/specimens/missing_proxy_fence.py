"""A tile written by threads and stored by the engine, which need not see what they wrote.

Met as: TMA stores that write old tiles now and then; the fence goes before the barrier, in every writing thread.
"""

import numpy as np
from numba import cuda, float32

from hopperlab.device import bulk, kernel

FINDING = "missing proxy fence"


@kernel
def store_tile(target):
    """Write a tile and hand it to the engine without a fence."""
    tile = cuda.shared.array(64, float32, alignment=16)
    thread = cuda.threadIdx.x
    tile[thread] = thread
    cuda.syncthreads()
    if thread == 0:
        bulk.store(target, tile, 256)
        bulk.commit_group()
        bulk.wait_group(0)


def launch(seed: int) -> tuple:
    """Give grid, block, arguments and options."""
    return 1, 64, (np.zeros(64, np.float32),), {}
