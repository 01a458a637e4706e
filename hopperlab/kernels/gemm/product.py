"""The kernel of the FP8 matrix product: one warp copies, two warpgroups multiply, and a block never stops.

A block is three warpgroups. A thread of the last brings tiles of A and B into a ring of stages; the other two sum up
64 rows each of the block's tile in their registers. Blocks stay on their SM and take one tile after the other. The
producer is stages ahead, in the next tile already when this one ends, and a finished tile leaves the registers in
parts, one during each of the first steps along K of the next: so the tensor cores hardly wait at the seam.
"""

from functools import cache

from numba import cuda, float32, int32, types, uint8, uint32

from hopperlab.device import (
    Kernel,
    cluster,
    fence,
    fragment,
    kernel,
    mbarrier,
    setmaxnreg_dec,
    setmaxnreg_inc,
    tma,
    wgmma,
)
from hopperlab.kernels.gemm.inlining import inlined
from hopperlab.kernels.gemm.leaving import OUTPUTS, leaving
from hopperlab.kernels.gemm.schedule import CONSUMERS, PART, ROWS, STEP, THREADS, WARPGROUP, Schedule

LEAN, RICH = 40, 232
"""Registers a thread, after the producer has given its own away: 128 * 40 + 256 * 232 of the 168 * 384 at launch."""

PRODUCER = CONSUMERS * WARPGROUP
"""The thread that copies."""

ROWS_EACH = ROWS // CONSUMERS
WIDEST_PROMOTED = 128


def signature(output: str) -> tuple:
    """Give the argument types of a product with an output of `OUTPUTS`."""
    scale = types.Array(float32, 1, "C")
    order = types.Array(int32, 2, "C")
    return tma.map_type(2), tma.map_type(2), types.Array(OUTPUTS[output], 2, "C"), scale, scale, order, int32


@cache
def product(
    formats: tuple[str, str],
    schedule: Schedule,
    output: str = "bf16",
    promoted: bool = False,
    scales: str = "tensor",
) -> Kernel:
    """Give the kernel D = A B^T, scaled, for one pair of formats and one schedule.

    It takes maps of A (M, K) and B (N, K) as bytes, in boxes of (`ROWS` / cluster, `STEP`) and (columns, `STEP`) with
    a swizzle of 128; D, an array (M, N) of `OUTPUTS[output]`; two arrays of scales; `Schedule.order(M, N)`; and the
    steps along K. The grid has a multiple of the cluster's blocks, no more than the card holds at once.

    Parameters
    ----------
    formats
        Of A and B: "e4m3" or "e5m2".
    output
        One of `OUTPUTS`.
    promoted
        Add sums of 128 products up on the ordinary lanes, rounded to FP32; otherwise they stay in the tensor core.
        A thread then holds two fragments, so that a tile has at most 128 columns.
    scales
        "tensor": one each, by whose product all is multiplied; "rows": one for each row of A and of B.

    Raises
    ------
    ValueError
        If promoted sums are to have wider tiles.
    """
    if promoted and schedule.columns > WIDEST_PROMOTED:
        raise ValueError(
            f"columns is {schedule.columns}; promoted sums have tiles of at most {WIDEST_PROMOTED} columns"
        )
    columns, stages, blocks = schedule.columns, schedule.stages, schedule.cluster
    share = ROWS // blocks  # rows of A that a block of a cluster loads, for all
    everyone = (1 << blocks) - 1
    scope = "cluster" if blocks > 1 else "cta"  # whose copies and arrivals a wait is to see
    a_bytes, stage_bytes, stage_steps = ROWS * STEP, schedule.stage_bytes, schedule.stage_bytes // 32
    parts = columns // PART
    late = schedule.overlapped and output == "bf16" and not promoted
    a_format, b_format = formats
    scaled, store_part, store_tile = leaving(columns, output, scales)

    @inlined
    def following(stage, parity):
        if stage == stages - 1:
            return uint32(0), parity ^ uint32(1)
        return uint32(stage + 1), parity

    @inlined
    def before(stage):
        return uint32(stages - 1) if stage == 0 else uint32(stage - 1)

    @inlined
    def start(sums, a, b, stage, fresh):
        """Start the four products of a stage: added to the sums, or, if they are fresh, in their place."""
        a_stage = wgmma.advance(a, stage * uint32(stage_steps))
        b_stage = wgmma.advance(b, stage * uint32(stage_steps))
        wgmma.fence()
        for k in range(STEP // 32):
            a_step, b_step = wgmma.advance(a_stage, k), wgmma.advance(b_stage, k)
            sums = wgmma.mma_async(sums, a_step, b_step, a_format, b_format, k > 0 or not fresh)
        wgmma.commit_group()
        return sums

    @kernel(signature=signature(output), launch_bounds=(THREADS, 1))
    def multiply(a_map, b_map, d, scale_a, scale_b, order, steps):
        memory = cuda.shared.array(0, uint8, alignment=1024)
        full = mbarrier.shared(stages)
        empty = mbarrier.shared(stages)
        thread = uint32(cuda.threadIdx.x)
        warpgroup = int32(thread // uint32(WARPGROUP))
        rank, tiles = int32(cluster.block_rank()), int32(order.shape[0])
        first, clusters = int32(cuda.blockIdx.x // blocks), int32(cuda.gridDim.x // blocks)
        # Read before the blocks meet: the first copy is not to wait for it.
        row, column = order[first, 0], int32(order[first, 1] + rank * columns)
        if thread == PRODUCER:
            tma.prefetch_map(a_map)
            tma.prefetch_map(b_map)
        if thread == 0:
            for stage in range(stages):
                mbarrier.init(full[stage], 1)
                mbarrier.init(empty[stage], CONSUMERS * blocks)
            fence.mbarrier_init()
        if blocks > 1:
            cluster.sync()
        else:
            cuda.syncthreads()

        tile = first
        if warpgroup == CONSUMERS:
            setmaxnreg_dec(LEAN)
            if thread == PRODUCER:
                row, length = int32(row + rank * share), int32(steps * STEP)
                stage, parity = uint32(0), uint32(1)  # on the first lap all stages are empty
                while tile < tiles:
                    k = int32(0)
                    while k < length:
                        mbarrier.wait(empty[stage], parity, scope)
                        mbarrier.arrive_expect_tx(full[stage], stage_bytes)
                        at = uint32(stage * uint32(stage_bytes))
                        tma.load(memory[at + uint32(a_bytes) :], b_map, (k, column), full[stage])
                        a_tile = memory[at + uint32(rank) * uint32(share * STEP) :]
                        if blocks > 1:
                            tma.load_multicast(a_tile, a_map, (k, row), full[stage], everyone)
                        else:
                            tma.load(a_tile, a_map, (k, row), full[stage])
                        k = int32(k + STEP)
                        stage, parity = following(stage, parity)
                    tile = int32(tile + clusters)
                    if tile < tiles:
                        row = int32(order[tile, 0] + rank * share)
                        column = int32(order[tile, 1] + rank * columns)
        else:
            setmaxnreg_inc(RICH)
            within = int32(thread % uint32(WARPGROUP))
            # A stage is free when both warpgroups of every block have read it: a thread each tells a block.
            told = cluster.map_shared_rank(empty, min(within, blocks - 1))
            a = wgmma.descriptor(memory[warpgroup * ROWS_EACH * STEP :])
            b = wgmma.descriptor(memory[a_bytes:])
            stage, parity = uint32(0), uint32(0)
            sums = some = wgmma.zeros(columns)
            packed = fragment.pack(sums, "bf16")
            factor = scale_a[0] * scale_b[0]
            while tile < tiles:
                step = int32(0)
                while step < steps:
                    mbarrier.wait(full[stage], parity, scope)
                    if promoted:
                        some = start(some, a, b, stage, True)
                    else:
                        sums = start(sums, a, b, stage, step == 0)
                    if late and step < parts and tile > first:
                        store_part(step, packed, d, row, column)
                    if promoted:
                        some = wgmma.wait_group(some, 0)
                        sums = some if step == 0 else wgmma.add(sums, some)
                        if within < blocks:
                            mbarrier.arrive_relaxed(told[stage])
                    else:
                        sums = wgmma.wait_group(sums, 1)
                        if step > 0 and within < blocks:
                            mbarrier.arrive_relaxed(told[before(stage)])
                    stage, parity = following(stage, parity)
                    step = int32(step + 1)
                if not promoted:
                    sums = wgmma.wait_group(sums, 0)
                    if within < blocks:
                        mbarrier.arrive_relaxed(told[before(stage)])
                row = int32(order[tile, 0] + warpgroup * ROWS_EACH)
                column = int32(order[tile, 1] + rank * columns)
                tile = int32(tile + clusters)
                sums = scaled(sums, scale_a, scale_b, factor, row, column)
                packed = fragment.pack(sums, "bf16")
                if not late:
                    store_tile(sums, packed, d, row, column)
            if late:
                store_tile(sums, packed, d, row, column)
        if blocks > 1:
            cluster.sync()

    return multiply
