"""A barrier that only half of the block reaches.

Met as: syncthreads inside a branch, or after an early return.
"""

import numpy as np
from numba import cuda, float32

from hopperlab.device import kernel

FINDING = "divergent barrier"


@kernel
def reverse(values):
    """Turn a block's values around; half of its threads skip the barrier."""
    kept = cuda.shared.array(64, float32)
    thread = cuda.threadIdx.x
    kept[thread] = values[thread]
    if thread >= 32:
        return
    cuda.syncthreads()
    values[thread] = kept[63 - thread]


def launch(seed: int) -> tuple:
    """Give grid, block, arguments and options."""
    return 1, 64, (np.random.default_rng(seed).random(64).astype(np.float32),), {}
