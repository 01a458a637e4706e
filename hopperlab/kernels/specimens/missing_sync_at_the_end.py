"""A block that may end while its neighbor still reads its shared memory: most runs are lucky.

Met as: DSMEM examples without their last cluster.sync.
"""

import numpy as np
from numba import cuda, float32

from hopperlab.device import cluster, kernel

FINDING = "missing cluster sync at the end"


@kernel
def read_neighbor(target):
    """Let block 0 read block 1's value; block 1 happens to be busy for long enough."""
    value = cuda.shared.array(1, float32)
    if cuda.threadIdx.x == 0:
        value[0] = cuda.blockIdx.x
    cluster.sync()
    if cluster.block_rank() == 0:
        if cuda.threadIdx.x == 0:
            target[0] = cluster.map_shared_rank(value, 1)[0]
    else:
        cuda.nanosleep(1000)


def launch(seed: int) -> tuple:
    """Give grid, block, arguments and options."""
    return 2, 32, (np.zeros(1, np.float32),), {"cluster": 2}
