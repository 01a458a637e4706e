"""An instruction for whole warps, after code in which the warp has parted: half of it is elsewhere.

Met as: barrier.cluster.arrive.aligned, setmaxnreg or elect.sync behind an elected thread's loop, without a syncwarp.
"""

import numpy as np
from numba import cuda

from hopperlab.device import elect, kernel

FINDING = "aligned instruction after divergent code"


@kernel
def choose(target):
    """Elect a thread in two branches of one warp."""
    thread = cuda.threadIdx.x
    if thread < 16:
        target[thread] = elect()
    else:
        target[thread] = elect()


def launch(seed: int) -> tuple:
    """Give grid, block, arguments and options."""
    return 1, 32, (np.zeros(32, np.int32),), {}
