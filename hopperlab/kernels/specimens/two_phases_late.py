"""A thread that asks for phase 0 when two phases are over: the same parity, and another phase.

Met as: a wait moved behind the loop that it belonged to; the parity bit tells the current phase from the last, no more.
"""

import numpy as np
from numba import cuda, float32

from hopperlab.device import kernel, mbarrier

FINDING = "wait two phases late"


@kernel
def publish(target):
    """Publish two numbers, a phase each; thread 0 waits for the first when both are out."""
    published = cuda.shared.array(2, float32)
    ready = mbarrier.shared()
    thread = cuda.threadIdx.x
    if thread == 0:
        mbarrier.init(ready, 1)
    cuda.syncthreads()
    if thread == 1:
        published[0] = 1
        mbarrier.arrive(ready)
        published[1] = 2
        mbarrier.arrive(ready)
    cuda.syncthreads()
    if thread == 0:
        mbarrier.wait(ready, 0)
        target[0] = published[0] + published[1]


def launch(seed: int) -> tuple:
    """Give grid, block, arguments and options."""
    return 1, 2, (np.zeros(1, np.float32),), {}
