"""Rung 4: one thread asks the copy engine for whole tiles, and a barrier counts their bytes."""

from functools import cache

from numba import cuda, float32, types

from hopperlab.device import Kernel, fence, kernel, mbarrier, tma
from hopperlab.kernels.gemm.ladder.lanes import CHUNK, SIDE, STEP, THREADS, add_products, place

SIGNATURE = (tma.map_type(2), tma.map_type(2), types.Array(types.float32, 2, "C"), types.int32)


@cache
def tensor_copies(each: int = 8, stages: int = 3) -> Kernel:
    """Give the kernel for tiles of 16 * `each` rows and columns, with `stages` buffers for each operand.

    It takes maps of A and B, with boxes of (16 * `each`, STEP) and a swizzle of 32 bytes, D, and K.
    """
    size, ahead = SIDE * each, stages - 1
    nbytes = 2 * size * STEP * 4

    @kernel(signature=SIGNATURE, launch_bounds=THREADS)
    def tensor_copies(a_map, b_map, d, length):
        a_ring = cuda.shared.array((stages, size, STEP), float32, alignment=256)
        b_ring = cuda.shared.array((stages, size, STEP), float32, alignment=256)
        full = mbarrier.shared(stages)
        sums = cuda.local.array((each, each), float32)
        leader = cuda.threadIdx.x == 0
        first_row, first_column = cuda.blockIdx.y * size, cuda.blockIdx.x * size
        row, column = place(cuda.threadIdx.x)
        steps = length // STEP
        if leader:
            for stage in range(stages):
                mbarrier.init(full[stage], 1)
            fence.mbarrier_init()
        cuda.syncthreads()
        for i in range(each):
            for j in range(each):
                sums[i, j] = float32(0)

        for step in range(steps + ahead):
            if step < steps and leader:
                stage = step % stages
                mbarrier.arrive_expect_tx(full[stage], nbytes)
                tma.load(a_ring[stage], a_map, (step * STEP, first_row), full[stage])
                tma.load(b_ring[stage], b_map, (step * STEP, first_column), full[stage])
            done = step - ahead
            if done >= 0:
                mbarrier.wait(full[done % stages], done // stages % 2)
                a_tile, b_tile = a_ring[done % stages], b_ring[done % stages]
                for chunk in range(0, STEP, CHUNK):
                    # The swizzle has the two chunks of a row change places in every other four rows.
                    a_chunk, b_chunk = chunk ^ (row & CHUNK), chunk ^ (column & CHUNK)
                    add_products(sums, a_tile, b_tile, row, column, a_chunk, b_chunk)
                cuda.syncthreads()  # the tiles are read before they are copied over

        mine = d[first_row + row :, first_column + column :]
        for i in range(each):
            for j in range(each):
                mine[SIDE * i, SIDE * j] = sums[i, j]

    return tensor_copies
