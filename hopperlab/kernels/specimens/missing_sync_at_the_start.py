"""A block that writes into its neighbor's shared memory without knowing that it has started.

Met as: DSMEM examples without their first cluster.sync; most runs are lucky.
"""

import numpy as np
from numba import cuda, float32

from hopperlab.device import cluster, kernel

FINDING = "missing cluster sync at the start"


@kernel
def write_neighbor(target):
    """Write to the other block at once."""
    inbox = cuda.shared.array(1, float32)
    if cuda.threadIdx.x == 0:
        cluster.map_shared_rank(inbox, cluster.block_rank() ^ 1)[0] = cuda.blockIdx.x
    cluster.sync()
    if cuda.threadIdx.x == 0:
        target[cuda.blockIdx.x] = inbox[0]
    cluster.sync()


def launch(seed: int) -> tuple:
    """Give grid, block, arguments and options."""
    return 2, 32, (np.zeros(2, np.float32),), {"cluster": 2}
