"""A thread that reads a flag in a plain loop: the compiler reads it once, and the loop never ends.

Met as: polling without volatile, atomics or a barrier.
"""

import numpy as np
from numba import cuda

from hopperlab.device import kernel

FINDING = "spin that never yields"


@kernel
def wait_for_flag(flag, target):
    """Let the first block wait for the second."""
    if cuda.blockIdx.x == 0:
        while flag[0] == 0:
            pass
        target[0] = 1
    else:
        flag[0] = 1


def launch(seed: int) -> tuple:
    """Give grid, block, arguments and options."""
    return 2, 1, (np.zeros(1, np.int32), np.zeros(1, np.int32)), {"patience": 1.0}
