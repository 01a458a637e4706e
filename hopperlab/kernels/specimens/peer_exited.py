"""A block that reads its neighbor's shared memory after that block has ended.

Met as: an early return in one block of a cluster (rchardx/hopper-gemm #3).
"""

import numpy as np
from numba import cuda, float32

from hopperlab.device import cluster, kernel

FINDING = "remote access after the peer exited"


@kernel
def read_neighbor(target, flag):
    """Read the other block's value, long after it has gone."""
    value = cuda.shared.array(1, float32)
    value[0] = cuda.blockIdx.x
    cluster.sync()
    there = cluster.map_shared_rank(value, cluster.block_rank() ^ 1)
    if cluster.block_rank() == 0:
        while cuda.ldcv(flag, 0) == 0:
            pass
        for _ in range(20):
            cuda.nanosleep(1000)
        target[0] = there[0]
    else:
        cuda.stwt(flag, 0, 1)


def launch(seed: int) -> tuple:
    """Give grid, block, arguments and options."""
    return 2, 1, (np.zeros(1, np.float32), np.zeros(1, np.int32)), {"cluster": 2}
