"""More bytes announced on one barrier than it can count.

Met as: one barrier for a whole matrix; its tx-count ends at 2**20 - 1 bytes.
"""

import numpy as np
from numba import cuda

from hopperlab.device import fence, kernel, mbarrier

FINDING = "tx-count overflow"


@kernel
def expect(target):
    """Announce nine times 128 KiB in one phase."""
    full = mbarrier.shared()
    if cuda.threadIdx.x == 0:
        mbarrier.init(full, 1)
        fence.mbarrier_init()
        for _ in range(9):
            mbarrier.expect_tx(full, 131072)
        target[0] = 1


def launch(seed: int) -> tuple:
    """Give grid, block, arguments and options."""
    return 1, 32, (np.zeros(1, np.int32),), {}
