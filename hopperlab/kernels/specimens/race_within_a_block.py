"""A reduction that lost one of its barriers.

Met as: puzzles whose wrong answers pass, with or without the barrier (srush/GPU-Puzzles #14).
"""

import numpy as np
from numba import cuda, float32

from hopperlab.device import kernel

FINDING = "race in shared memory within a block"


@kernel
def reduce(values, total):
    """Add up a block's values without waiting between the steps."""
    partial = cuda.shared.array(64, float32)
    thread = cuda.threadIdx.x
    partial[thread] = values[thread]
    cuda.syncthreads()
    half = 32
    while half > 0:
        if thread < half:
            partial[thread] += partial[thread + half]
        half //= 2
    if thread == 0:
        total[0] = partial[0]


def launch(seed: int) -> tuple:
    """Give grid, block, arguments and options."""
    values = np.random.default_rng(seed).random(64).astype(np.float32)
    return 1, 64, (values, np.zeros(1, np.float32)), {}
