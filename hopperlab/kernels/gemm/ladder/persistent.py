"""Rung 8: a block keeps its rows of A and takes tile after tile, so that copies go on while sums are written."""

from functools import cache

from numba import cuda, int32, uint8, uint32

from hopperlab.device import (
    Kernel,
    cluster,
    fence,
    kernel,
    mbarrier,
    setmaxnreg_dec,
    setmaxnreg_inc,
    tma,
    wgmma,
)
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
def persistent(columns: int = 256, stages: int = 4, fmt: str = "bf16", blocks: int = 2) -> Kernel:
    """Give the kernel for tiles of 128 rows and so many columns, in clusters of `blocks`; with 1, without multicast.

    The grid has a block for each tile along M, and along N as many as then run at once; each walks through D in
    strides of the grid. The ring goes on from one tile to the next: `step` counts the stages filled so far.
    """
    nbytes, part = stage_bytes(columns), columns // blocks
    everyone, scope = (1 << blocks) - 1, "cluster" if blocks > 1 else "cta"

    @kernel(signature=SIGNATURE, launch_bounds=(THREADS, 1))
    def persistent(a_map, b_map, d, row_bytes):
        ring = cuda.shared.array(0, uint8, alignment=1024)
        full = mbarrier.shared(stages)
        empty = mbarrier.shared(stages)
        thread, rank = cuda.threadIdx.x, cluster.block_rank()
        first_row = cuda.blockIdx.x * TILE_ROWS
        column, stride = cuda.blockIdx.y * columns, cuda.gridDim.y * columns
        if thread == 0:
            for stage in range(stages):
                mbarrier.init(full[stage], 1)
                mbarrier.init(empty[stage], blocks * CONSUMERS)
            fence.mbarrier_init()
        cluster.sync()

        step = 0
        if thread >= PRODUCER:
            setmaxnreg_dec(LEAN)
            if thread == PRODUCER:
                while column < d.shape[1]:
                    k = int32(0)  # 32 bits, and no range: this thread has 40 registers
                    while k < row_bytes:
                        stage, lap = step % stages, step // stages
                        at = stage * nbytes
                        b_part = ring[at + A_BYTES + rank * part * STEP :]
                        mbarrier.wait(empty[stage], (lap + 1) % 2, scope=scope)
                        mbarrier.arrive_expect_tx(full[stage], nbytes)
                        tma.load(ring[at:], a_map, (k, first_row), full[stage])
                        tma.load_multicast(b_part, b_map, (k, column + rank * part), full[stage], everyone)
                        step += 1
                        k = int32(k + STEP)
                    column += stride
        else:
            setmaxnreg_inc(RICH)
            mine, speaker = thread // WARPGROUP * ROWS, thread % WARPGROUP
            while column < d.shape[1]:
                sums = wgmma.zeros(columns, "f32")
                for _ in range(0, row_bytes, STEP):
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
                    if speaker < blocks and step > 0:  # a thread tells one block each
                        read = cluster.map_shared_rank(empty, uint32(speaker))
                        mbarrier.arrive_relaxed(read[(step - 1) % stages])
                    step += 1
                sums = wgmma.wait_group(sums, 0)
                wgmma.store(sums, d, first_row + mine, column)
                column += stride
        cluster.sync()

    return persistent
