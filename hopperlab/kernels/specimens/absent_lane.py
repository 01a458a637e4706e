"""A shuffle from a lane that does not take part.

Met as: a mask that was right before the branch.
"""

import numpy as np
from numba import cuda

from hopperlab.device import kernel

FINDING = "shuffle from an absent lane"


@kernel
def shift(values, target):
    """Take the value of the lane above, in the lower half of the warp."""
    lane = cuda.threadIdx.x
    if lane < 16:
        target[lane] = cuda.shfl_down_sync(0xFFFF, values[lane], 1)


def launch(seed: int) -> tuple:
    """Give grid, block, arguments and options."""
    return 1, 32, (np.arange(32, dtype=np.int32), np.zeros(32, np.int32)), {}
