"""A tensor map whose box is larger than the shared array that it is loaded into.

Met as: a tile made smaller in the kernel and not in the tensor map.
"""

import numpy as np
from numba import cuda, float32

from hopperlab.device import fence, kernel, mbarrier, tma

FINDING = "out of bounds"


@kernel
def load_tile(source, target):
    """Load a box of 16 by 16 into an array of 8 by 16."""
    tile = cuda.shared.array((8, 16), float32, alignment=128)
    full = mbarrier.shared()
    thread = cuda.threadIdx.x
    if thread == 0:
        mbarrier.init(full, 1)
        fence.mbarrier_init()
        mbarrier.arrive_expect_tx(full, 1024)
        tma.load(tile, source, (0, 0), full)
    cuda.syncthreads()
    mbarrier.wait(full, 0)
    target[thread] = tile[0, thread]


def launch(seed: int) -> tuple:
    """Give grid, block, arguments and options."""
    image = np.random.default_rng(seed).random((16, 16)).astype(np.float32)
    return 1, 16, (tma.tensor_map(image, (16, 16)), np.zeros(16, np.float32)), {}
