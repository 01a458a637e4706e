"""A producer that waits for parity 0 of an empty barrier on the first lap: it waits for readers of nothing.

Met as: the question why the producer's phase begins with 1 and the consumer's with 0 (NVIDIA/tilus #124, #132).
"""

import numpy as np
from numba import cuda, float32

from hopperlab.device import bulk, fence, kernel, mbarrier

FINDING = "producer starts on the wrong phase"


@kernel
def ring(source, target):
    """Move six tiles through two buffers; the producer's first parity is wrong."""
    tile = cuda.shared.array((2, 32), float32, alignment=128)
    full = mbarrier.shared(2)
    empty = mbarrier.shared(2)
    thread = cuda.threadIdx.x
    if thread == 0:
        for stage in range(2):
            mbarrier.init(full[stage], 1)
            mbarrier.init(empty[stage], 32)
        fence.mbarrier_init()
    cuda.syncthreads()
    if thread == 32:
        for i in range(6):
            mbarrier.wait(empty[i % 2], i // 2 % 2)
            mbarrier.arrive_expect_tx(full[i % 2], 128)
            bulk.load(tile[i % 2], source[32 * i :], 128, full[i % 2])
    elif thread < 32:
        for i in range(6):
            mbarrier.wait(full[i % 2], i // 2 % 2)
            target[32 * i + thread] = tile[i % 2, thread]
            mbarrier.arrive(empty[i % 2])


def launch(seed: int) -> tuple:
    """Give grid, block, arguments and options."""
    source = np.random.default_rng(seed).random(192).astype(np.float32)
    return 1, 64, (source, np.zeros_like(source)), {}
