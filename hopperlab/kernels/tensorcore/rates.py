"""Products in a row, timed by the SM's clock: how long a wgmma takes, alone and in company."""

from functools import cache

from numba import cuda, int32, types, uint8, uint64

from hopperlab.device import Kernel, clock64, fence, kernel, wgmma

ROWS, STEP = 64, 128
GROUPS = 64


@cache
def timed_products(
    fmt: str, columns: int, accumulators: str = "f32", together: int = 1, pending: int = 0
) -> Kernel:
    """Give the kernel that starts GROUPS groups of `together` products, 64 x `columns` x 32 bytes each.

    After each group it waits until at most `pending` are still at work: 0 and one product show the latency, 1
    and many products the rate. It takes (d, clocks): D of shape (64 * blocks, columns), and uint64 (blocks, 2).
    A and B are zeros, so that D is as well. A block is one warpgroup.
    """
    element = types.float32 if accumulators == "f32" else types.float16

    @kernel(signature=(types.Array(element, 2, "C"), types.Array(uint64, 2, "C")))
    def multiply(d, clocks):
        a = cuda.shared.array((ROWS, STEP), uint8, alignment=1024)
        b = cuda.shared.array((columns, STEP), uint8, alignment=1024)
        for row in range(ROWS):
            a[row, cuda.threadIdx.x] = 0
        for row in range(columns):
            b[row, cuda.threadIdx.x] = 0
        fence.proxy_async_shared()
        cuda.syncthreads()

        tile = wgmma.zeros(columns, accumulators)
        a_step, b_step = wgmma.descriptor(a), wgmma.descriptor(b)
        start = clock64()
        left = int32(GROUPS)
        while left > 0:
            left = int32(left - 1)
            wgmma.fence()
            for _ in range(together):
                tile = wgmma.mma_async(tile, a_step, b_step, fmt, fmt)
            wgmma.commit_group()
            tile = wgmma.wait_group(tile, pending)
        tile = wgmma.wait_group(tile, 0)
        end = clock64()
        if cuda.threadIdx.x == 0:
            clocks[cuda.blockIdx.x, 0], clocks[cuda.blockIdx.x, 1] = start, end
        wgmma.store(tile, d, cuda.blockIdx.x * ROWS, 0)

    return multiply
