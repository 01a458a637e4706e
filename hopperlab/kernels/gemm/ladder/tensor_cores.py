"""Rung 5: the tensor cores multiply, straight from shared memory; the threads only say when."""

from functools import cache

from numba import cuda, uint8

from hopperlab.device import Kernel, fence, kernel, mbarrier, tma, wgmma
from hopperlab.kernels.gemm.ladder.warpgroups import (
    A_BYTES,
    CONSUMERS,
    INSTRUCTIONS,
    ROWS,
    SIGNATURE,
    STEP,
    TILE_ROWS,
    WARPGROUP,
    stage_bytes,
)


@cache
def tensor_cores(columns: int = 256, stages: int = 4, fmt: str = "bf16") -> Kernel:
    """Give the kernel for tiles of 128 rows and so many columns; blocks are two warpgroups.

    The dynamic shared memory holds `stages` times `stage_bytes(columns)`.
    """
    ahead, nbytes = stages - 1, stage_bytes(columns)

    @kernel(signature=SIGNATURE, launch_bounds=(CONSUMERS * WARPGROUP, 1))
    def tensor_cores(a_map, b_map, d, row_bytes):
        ring = cuda.shared.array(0, uint8, alignment=1024)
        full = mbarrier.shared(stages)
        leader = cuda.threadIdx.x == 0
        first_row, first_column = cuda.blockIdx.x * TILE_ROWS, cuda.blockIdx.y * columns
        mine = cuda.threadIdx.x // WARPGROUP * ROWS  # the rows of this warpgroup
        steps = row_bytes // STEP
        if leader:
            for stage in range(stages):
                mbarrier.init(full[stage], 1)
            fence.mbarrier_init()
        cuda.syncthreads()

        sums = wgmma.zeros(columns, "f32")
        for step in range(steps + ahead):
            if step < steps and leader:
                stage = step % stages
                at = stage * nbytes
                mbarrier.arrive_expect_tx(full[stage], nbytes)
                tma.load(ring[at:], a_map, (step * STEP, first_row), full[stage])
                tma.load(ring[at + A_BYTES :], b_map, (step * STEP, first_column), full[stage])
            done = step - ahead
            if done >= 0:
                stage = done % stages
                at = stage * nbytes
                mbarrier.wait(full[stage], done // stages % 2)
                a_tile = wgmma.descriptor(ring[at + mine * STEP :])
                b_tile = wgmma.descriptor(ring[at + A_BYTES :])
                wgmma.fence()
                for i in range(INSTRUCTIONS):
                    a_step, b_step = wgmma.advance(a_tile, i), wgmma.advance(b_tile, i)
                    sums = wgmma.mma_async(sums, a_step, b_step, fmt, fmt)
                wgmma.commit_group()
                sums = wgmma.wait_group(sums)
                cuda.syncthreads()  # both warpgroups have read the tiles before they are copied over
        wgmma.store(sums, d, first_row + mine, first_column)

    return tensor_cores
