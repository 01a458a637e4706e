"""A tile that is larger than a block's shared memory.

Met as: one stage too many.
"""

import numpy as np
from numba import cuda, float32

from hopperlab.device import kernel

FINDING = "too much shared memory"


@kernel
def keep(target):
    """Ask for 240 KiB."""
    tile = cuda.shared.array((60, 1024), float32)
    tile[0, 0] = 1
    target[0] = tile[0, 0]


def launch(seed: int) -> tuple:
    """Give grid, block, arguments and options."""
    return 1, 1, (np.zeros(1, np.float32),), {}
