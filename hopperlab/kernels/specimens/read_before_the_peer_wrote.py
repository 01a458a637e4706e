"""Two blocks that write their own value and read the other's at once: both run, and neither has waited.

Met as: DSMEM examples with one cluster.sync at the start, taken for enough.
"""

import numpy as np
from numba import cuda, float32

from hopperlab.device import cluster, kernel

FINDING = "race in shared memory across blocks"


@kernel
def swap(target):
    """Give each block the other's value; that the other runs does not mean that it has written."""
    value = cuda.shared.array(1, float32)
    if cuda.threadIdx.x == 0:
        value[0] = 0
    cluster.sync()
    if cuda.threadIdx.x == 0:
        value[0] = cuda.blockIdx.x + 1
        target[cuda.blockIdx.x] = cluster.map_shared_rank(value, cluster.block_rank() ^ 1)[0]
    cluster.sync()


def launch(seed: int) -> tuple:
    """Give grid, block, arguments and options."""
    return 2, 32, (np.zeros(2, np.float32),), {"cluster": 2}
