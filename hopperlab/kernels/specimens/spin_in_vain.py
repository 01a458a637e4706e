"""A thread that asks for a flag that nobody raises.

Met as: a grid-wide barrier whose count is one too high.
"""

import numpy as np
from numba import cuda

from hopperlab.device import kernel

FINDING = "spin that never ends"


@kernel
def wait_for_all(count):
    """Let all blocks come, and one more than there are."""
    cuda.atomic.add(count, 0, 1)
    while cuda.atomic.add(count, 0, 0) < cuda.gridDim.x + 1:
        pass


def launch(seed: int) -> tuple:
    """Give grid, block, arguments and options."""
    return 4, 1, (np.zeros(1, np.int32),), {}
