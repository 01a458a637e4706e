"""Rung 3: the A100's asynchronous copies fill further buffers while the threads work on one."""

from functools import cache

from numba import cuda, float32

from hopperlab.device import Kernel, cp_async, kernel
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
def copies_ahead(each: int = 8, stages: int = 3) -> Kernel:
    """Give the kernel for tiles of 16 * `each` rows and columns, with `stages` buffers for each operand."""
    size, ahead = SIDE * each, stages - 1

    @kernel(signature=SIGNATURE, launch_bounds=THREADS)
    def copies_ahead(a, b, d):
        a_ring = cuda.shared.array((stages, size, PITCH), float32, alignment=128)
        b_ring = cuda.shared.array((stages, size, PITCH), float32, alignment=128)
        sums = cuda.local.array((each, each), float32)
        first_row, first_column = cuda.blockIdx.y * size, cuda.blockIdx.x * size
        row, column = place(cuda.threadIdx.x)
        steps = a.shape[1] // STEP
        for i in range(each):
            for j in range(each):
                sums[i, j] = float32(0)

        for step in range(steps + ahead):
            if step < steps:
                stage = step % stages
                for chunk in range(cuda.threadIdx.x, size * STEP // CHUNK, THREADS):
                    r, c = chunk * CHUNK // STEP, chunk * CHUNK % STEP
                    k = step * STEP + c
                    cp_async.copy(a_ring, (stage, r, c), a, (first_row + r, k), cache="cg")
                    cp_async.copy(b_ring, (stage, r, c), b, (first_column + r, k), cache="cg")
            cp_async.commit_group()  # an empty group keeps the count
            done = step - ahead
            if done >= 0:
                cp_async.wait_group(ahead)
                cuda.syncthreads()  # each thread has waited for its own copies: now all are there
                a_tile, b_tile = a_ring[done % stages], b_ring[done % stages]
                for chunk in range(0, STEP, CHUNK):
                    add_products(sums, a_tile, b_tile, row, column, chunk, chunk)
                cuda.syncthreads()  # the tiles are read before they are copied over

        mine = d[first_row + row :, first_column + column :]
        for i in range(each):
            for j in range(each):
                mine[SIDE * i, SIDE * j] = sums[i, j]

    return copies_ahead
