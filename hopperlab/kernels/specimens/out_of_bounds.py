"""A grid with more threads than the array has elements, and no guard.

Met as: the first bug of every course.
"""

import numpy as np
from numba import cuda

from hopperlab.device import kernel

FINDING = "out of bounds"


@kernel
def double(values):
    """Double every value."""
    values[cuda.grid(1)] *= 2


def launch(seed: int) -> tuple:
    """Give grid, block, arguments and options."""
    return 2, 64, (np.random.default_rng(seed).random(100),), {}
