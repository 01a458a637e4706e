"""A cluster on a chip that has no place for one.

Met as: cuOccupancyMaxActiveClusters that says 0; here on the A100, where clusters do not exist.
"""

import numpy as np
from numba import cuda

from hopperlab.device import cluster, kernel

FINDING = "cluster that cannot be placed"


@kernel
def meet(target):
    """Meet in the cluster."""
    cluster.sync()
    if cuda.threadIdx.x == 0:
        target[cuda.blockIdx.x] = 1


def launch(seed: int) -> tuple:
    """Give grid, block, arguments and options."""
    return 2, 32, (np.zeros(2, np.int32),), {"cluster": 2, "chip": "A100 SXM4 80GB"}
