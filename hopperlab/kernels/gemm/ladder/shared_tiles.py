"""Rung 2: a block fetches tiles of A and B into shared memory once, and each thread uses what it reads 8 times."""

from functools import cache

from numba import cuda, float32

from hopperlab.device import Kernel, kernel
from hopperlab.kernels.gemm.ladder.lanes import (
    CHUNK,
    PITCH,
    SIDE,
    SIGNATURE,
    STEP,
    THREADS,
    add_products,
    place,
)


@cache
def shared_tiles(each: int = 8) -> Kernel:
    """Give the kernel for tiles of 16 * `each` rows and columns: a thread has `each` x `each` elements of D."""
    size = SIDE * each

    @kernel(signature=SIGNATURE, launch_bounds=THREADS)
    def shared_tiles(a, b, d):
        a_tile = cuda.shared.array((size, PITCH), float32, alignment=128)
        b_tile = cuda.shared.array((size, PITCH), float32, alignment=128)
        sums = cuda.local.array((each, each), float32)
        first_row, first_column = cuda.blockIdx.y * size, cuda.blockIdx.x * size
        row, column = place(cuda.threadIdx.x)
        line, c = cuda.threadIdx.x // STEP, cuda.threadIdx.x % STEP
        a_rows, b_rows = a[first_row:], b[first_column:]
        for i in range(each):
            for j in range(each):
                sums[i, j] = float32(0)

        for k in range(0, a.shape[1], STEP):
            for r in range(0, size, THREADS // STEP):
                a_tile[r + line, c] = a_rows[r + line, k + c]
                b_tile[r + line, c] = b_rows[r + line, k + c]
            cuda.syncthreads()  # the tiles are there
            for chunk in range(0, STEP, CHUNK):
                add_products(sums, a_tile, b_tile, row, column, chunk, chunk)
            cuda.syncthreads()  # the tiles are read before they are written over

        mine = d[first_row + row :, first_column + column :]
        for i in range(each):
            for j in range(each):
                mine[SIDE * i, SIDE * j] = sums[i, j]

    return shared_tiles
