"""All blocks write their sum to one place.

Met as: a shared counter without atomics, shown wrong beside right in numba's own tutorial.
"""

import numpy as np
from numba import cuda

from hopperlab.device import kernel

FINDING = "race in global memory"


@kernel
def count(total):
    """Add one from each block."""
    if cuda.threadIdx.x == 0:
        total[0] += 1


def launch(seed: int) -> tuple:
    """Give grid, block, arguments and options."""
    return 4, 32, (np.zeros(1, np.int32),), {}
