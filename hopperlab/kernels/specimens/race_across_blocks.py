"""Two blocks of a cluster add to one word of shared memory without atomics.

Met as: histograms in distributed shared memory that lose counts.
"""

import numpy as np
from numba import cuda, int32

from hopperlab.device import cluster, kernel

FINDING = "race in shared memory across blocks"


@kernel
def count(total):
    """Add one from each block to a counter in block 0."""
    counter = cuda.shared.array(1, int32)
    if cuda.threadIdx.x == 0:
        counter[0] = 0
    cluster.sync()
    if cuda.threadIdx.x == 0:
        cluster.map_shared_rank(counter, 0)[0] += 1
    cluster.sync()
    if cuda.grid(1) == 0:
        total[0] = counter[0]


def launch(seed: int) -> tuple:
    """Give grid, block, arguments and options."""
    return 2, 32, (np.zeros(1, np.int32),), {"cluster": 2}
