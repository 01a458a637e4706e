"""A barrier that threads use without waiting for the one that initializes it.

Met as: the syncthreads after mbarrier.init, taken for superfluous.
"""

import numpy as np
from numba import cuda, float32

from hopperlab.device import kernel, mbarrier

FINDING = "barrier used before its init is visible"


@kernel
def publish(target):
    """Arrive on a barrier that need not be there."""
    ready = mbarrier.shared()
    value = cuda.shared.array(64, float32)
    thread = cuda.threadIdx.x
    if thread == 0:
        mbarrier.init(ready, 64)
    value[thread] = thread
    mbarrier.arrive(ready)
    mbarrier.wait(ready, 0)
    target[thread] = value[63 - thread]


def launch(seed: int) -> tuple:
    """Give grid, block, arguments and options."""
    return 1, 64, (np.zeros(64, np.float32),), {}
