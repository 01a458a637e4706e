"""Rung 7: two blocks of a cluster need the same tile of B; each fetches half of it, for both."""

from functools import cache

from numba import cuda, uint8, uint32

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

PAIR = 2
"""Blocks of a cluster: neighbors along M."""

BOTH = 0b11


@cache
def multicast(columns: int = 256, stages: int = 4, fmt: str = "bf16") -> Kernel:
    """Give the kernel for tiles of 128 rows and so many columns; blocks are three warpgroups, in clusters of two.

    The map of B has boxes of half as many rows. A stage is empty when the consumers of *both* blocks have read
    it, for each half of B is written in both. Only who waits for that asks with the scope of the cluster: such a
    wait throws what the L1 holds away, while what an engine brings is seen in any scope.
    """
    nbytes, half = stage_bytes(columns), columns // PAIR

    @kernel(signature=SIGNATURE, launch_bounds=(THREADS, 1))
    def multicast(a_map, b_map, d, row_bytes):
        ring = cuda.shared.array(0, uint8, alignment=1024)
        full = mbarrier.shared(stages)
        empty = mbarrier.shared(stages)
        thread, rank = cuda.threadIdx.x, cluster.block_rank()
        first_row, first_column = cuda.blockIdx.x * TILE_ROWS, cuda.blockIdx.y * columns
        steps = row_bytes // STEP
        if thread == 0:
            for stage in range(stages):
                mbarrier.init(full[stage], 1)
                mbarrier.init(empty[stage], PAIR * CONSUMERS)
            fence.mbarrier_init()
        cluster.sync()  # both blocks' barriers are there before anything counts on them

        if thread >= PRODUCER:
            setmaxnreg_dec(LEAN)
            if thread == PRODUCER:
                for step in range(steps):
                    stage, lap = step % stages, step // stages
                    at = stage * nbytes
                    b_half = ring[at + A_BYTES + rank * half * STEP :]
                    mbarrier.wait(empty[stage], (lap + 1) % 2, scope="cluster")
                    mbarrier.arrive_expect_tx(full[stage], nbytes)
                    tma.load(ring[at:], a_map, (step * STEP, first_row), full[stage])
                    corner = (step * STEP, first_column + rank * half)
                    tma.load_multicast(b_half, b_map, corner, full[stage], BOTH)
        else:
            setmaxnreg_inc(RICH)
            mine, speaker = thread // WARPGROUP * ROWS, thread % WARPGROUP
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
                if speaker < PAIR and step > 0:  # threads 0 and 1 tell one block each
                    read = cluster.map_shared_rank(empty, uint32(speaker))
                    mbarrier.arrive_relaxed(read[(step - 1) % stages])
            sums = wgmma.wait_group(sums, 0)
            wgmma.store(sums, d, first_row + mine, first_column)
        cluster.sync()  # no block ends while the other may arrive on its barriers

    return multicast
