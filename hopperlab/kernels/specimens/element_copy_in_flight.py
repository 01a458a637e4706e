"""An A100 copy whose group is committed and not waited for.

Met as: cp.async pipelines with one wait_group too few.
"""

import numpy as np
from numba import cuda, float32

from hopperlab.device import cp_async, kernel

FINDING = "read of data in flight"


@kernel
def load_tile(source, target):
    """Copy, commit, and read at once."""
    tile = cuda.shared.array(64, float32, alignment=16)
    thread = cuda.threadIdx.x
    cp_async.copy(tile, thread, source, thread, 4)
    cp_async.commit_group()
    cuda.syncthreads()
    target[thread] = tile[63 - thread]


def launch(seed: int) -> tuple:
    """Give grid, block, arguments and options."""
    source = np.random.default_rng(seed).random(64).astype(np.float32)
    return 1, 64, (source, np.zeros_like(source)), {}
