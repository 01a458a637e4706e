"""A block that counts bytes on a neighbor's barrier which need not be initialized yet.

Met as: cluster launches that work until a block starts late.
"""

import numpy as np
from numba import cuda, float32

from hopperlab.device import cluster, dsmem, fence, kernel, mbarrier

FINDING = "barrier init not visible to the cluster"


@kernel
def send(target):
    """Send a word to the neighbor; nobody waits for the barriers to be there."""
    inbox = cuda.shared.array(1, float32)
    full = mbarrier.shared()
    if cuda.threadIdx.x == 0:
        mbarrier.init(full, 1)
        fence.mbarrier_init()
        mbarrier.arrive_expect_tx(full, 4)
        other = cluster.block_rank() ^ 1
        dsmem.st_async(
            cluster.map_shared_rank(inbox, other), 0, float32(1), cluster.map_shared_rank(full, other)
        )
        mbarrier.wait(full, 0, scope="cluster")
        target[cuda.blockIdx.x] = inbox[0]
    cluster.sync()


def launch(seed: int) -> tuple:
    """Give grid, block, arguments and options."""
    return 2, 32, (np.zeros(2, np.float32),), {"cluster": 2}
