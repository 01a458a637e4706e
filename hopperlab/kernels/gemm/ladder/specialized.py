"""Rung 6: a warpgroup of its own asks for the tiles, and hands its registers to the two that multiply."""

from functools import cache

from numba import cuda, uint8

from hopperlab.device import Kernel, fence, kernel, mbarrier, setmaxnreg_dec, setmaxnreg_inc, tma, wgmma
from hopperlab.kernels.gemm.ladder.warpgroups import (
    A_BYTES,
    CONSUMERS,
    INSTRUCTIONS,
    LEAN,
    PRODUCER,
    RICH,
    ROWS,
    SIGNATURE,
    STEP,
    THREADS,
    TILE_ROWS,
    WARPGROUP,
    stage_bytes,
)


@cache
def specialized(columns: int = 256, stages: int = 4, fmt: str = "bf16") -> Kernel:
    """Give the kernel for tiles of 128 rows and so many columns; blocks are three warpgroups.

    The dynamic shared memory holds `stages` times `stage_bytes(columns)`. A consumer gives a stage back one step
    late: until then the products that read it may be at work.
    """
    nbytes = stage_bytes(columns)

    @kernel(signature=SIGNATURE, launch_bounds=(THREADS, 1))
    def specialized(a_map, b_map, d, row_bytes):
        ring = cuda.shared.array(0, uint8, alignment=1024)
        full = mbarrier.shared(stages)
        empty = mbarrier.shared(stages)
        thread = cuda.threadIdx.x
        first_row, first_column = cuda.blockIdx.x * TILE_ROWS, cuda.blockIdx.y * columns
        steps = row_bytes // STEP
        if thread == 0:
            for stage in range(stages):
                mbarrier.init(full[stage], 1)
                mbarrier.init(empty[stage], CONSUMERS)
            fence.mbarrier_init()
        cuda.syncthreads()

        if thread >= PRODUCER:
            setmaxnreg_dec(LEAN)
            if thread == PRODUCER:
                for step in range(steps):
                    stage, lap = step % stages, step // stages
                    at = stage * nbytes
                    mbarrier.wait(empty[stage], (lap + 1) % 2)  # on the first lap all stages are empty
                    mbarrier.arrive_expect_tx(full[stage], nbytes)
                    tma.load(ring[at:], a_map, (step * STEP, first_row), full[stage])
                    tma.load(ring[at + A_BYTES :], b_map, (step * STEP, first_column), full[stage])
        else:
            setmaxnreg_inc(RICH)
            mine = thread // WARPGROUP * ROWS
            speaker = thread % WARPGROUP == 0
            sums = wgmma.zeros(columns, "f32")
            for step in range(steps):
                stage, lap = step % stages, step // stages
                at = stage * nbytes
                mbarrier.wait(full[stage], lap % 2)
                a_tile = wgmma.descriptor(ring[at + mine * STEP :])
                b_tile = wgmma.descriptor(ring[at + A_BYTES :])
                wgmma.fence()
                for i in range(INSTRUCTIONS):
                    a_step, b_step = wgmma.advance(a_tile, i), wgmma.advance(b_tile, i)
                    sums = wgmma.mma_async(sums, a_step, b_step, fmt, fmt)
                wgmma.commit_group()
                sums = wgmma.wait_group(sums, 1)
                if speaker and step > 0:
                    mbarrier.arrive(empty[(step - 1) % stages])
            sums = wgmma.wait_group(sums, 0)
            wgmma.store(sums, d, first_row + mine, first_column)

    return specialized
