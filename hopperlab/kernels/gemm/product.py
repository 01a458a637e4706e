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
    griddepcontrol,
    kernel,
    mbarrier,
    setmaxnreg_dec,
    setmaxnreg_inc,
    tma,
    wgmma,
)
from hopperlab.kernels.gemm.inlining import inlined
from hopperlab.kernels.gemm.leaving import OUTPUTS, leaving
from hopperlab.kernels.gemm.schedule import CONSUMERS, ROWS, STEP, THREADS, WARPGROUP, Schedule

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

    It takes maps of A (M, K) and B (N, K) as bytes, in `Schedule.boxes` with a swizzle of 128; D, an array (M, N) of
    `OUTPUTS[output]`; two arrays of scales; `Schedule.order(M, N)`; and the steps along K. The grid has whole clusters,
    no more than there are tiles, and no more than the card holds at once. An early one reads the order while the grid
    before still runs, which must not be what writes it.

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
    columns, stages, blocks = schedule.columns, schedule.stages, schedule.blocks
    down, across = schedule.cluster
    (a_share, _), (b_share, _) = schedule.boxes  # rows that a block loads
    beside = (1 << across) - 1  # ranks in the cluster's first row of blocks, and in its first column
    below = sum(1 << i * across for i in range(down))
    peers = down + across - 1  # blocks that load something for a block; it tells them when a stage is free
    a_bytes, stage_bytes, stage_steps = ROWS * STEP, schedule.stage_bytes, schedule.stage_bytes // 32
    # Whose arrivals the producer is to see. A wait in the cluster's scope throws the L1 away; consumers need none,
    # for what an engine brings is seen in any scope.
    scope = "cluster" if blocks > 1 else "cta"
    early, parts = schedule.early, schedule.parts
    overlapped = schedule.overlapped and output == "bf16" and not promoted
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
    def place():
        """Give where in its cluster the block is: blocks above it, and blocks left of it."""
        rank = uint32(cluster.block_rank()) if blocks > 1 else uint32(0)
        return uint32(rank // uint32(across)), uint32(rank % uint32(across))

    @inlined
    def corner(order, tile, under, right):
        """Give the first row and column of a block's part of a cluster's tile."""
        return int32(order[tile, 0] + int32(under * uint32(ROWS))), int32(
            order[tile, 1] + int32(right * uint32(columns))
        )

    @inlined
    def peer_of(number, under, right):
        """Give the rank of a block beside, itself included, then of one above or below; beyond these, of the last."""
        other = max(number - across, 0)
        rank = under * across + number if number < across else (other + (other >= under)) * across + right
        return int32(min(rank, blocks - 1))

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
        tiles = int32(order.shape[0])
        under, right = place()
        first, clusters = int32(cuda.blockIdx.x // blocks), int32(cuda.gridDim.x // blocks)
        # Read before the blocks meet: the first copy is not to wait for it.
        row, column = corner(order, first, under, right)
        if thread == PRODUCER:
            tma.prefetch_map(a_map)
            tma.prefetch_map(b_map)
        if thread == 0:
            for stage in range(stages):
                mbarrier.init(full[stage], 1)
                mbarrier.init(empty[stage], CONSUMERS * peers)
            fence.mbarrier_init()
        if blocks > 1:
            cluster.sync()
        else:
            cuda.syncthreads()
        if early:
            # All before this may run while the grid before still stores; and so may the next grid's.
            griddepcontrol.wait()
            griddepcontrol.launch_dependents()

        tile = first
        if warpgroup == CONSUMERS:
            setmaxnreg_dec(LEAN)
            if thread == PRODUCER:
                a_first, b_first = uint32(right * uint32(a_share)), uint32(under * uint32(b_share))
                a_ranks, b_ranks = uint32(beside << (under * uint32(across))), uint32(below << right)
                length = int32(steps * STEP)
                stage, parity = uint32(0), uint32(1)  # on the first lap all stages are empty
                while tile < tiles:
                    k = int32(0)
                    while k < length:
                        mbarrier.wait(empty[stage], parity, scope)
                        mbarrier.arrive_expect_tx(full[stage], stage_bytes)
                        at = uint32(stage * uint32(stage_bytes))
                        a_tile = memory[at + a_first * uint32(STEP) :]
                        b_tile = memory[at + uint32(a_bytes) + b_first * uint32(STEP) :]
                        a_corner, b_corner = (k, int32(row + a_first)), (k, int32(column + b_first))
                        if down > 1:
                            tma.load_multicast(b_tile, b_map, b_corner, full[stage], b_ranks)
                        else:
                            tma.load(b_tile, b_map, b_corner, full[stage])
                        if across > 1:
                            tma.load_multicast(a_tile, a_map, a_corner, full[stage], a_ranks)
                        else:
                            tma.load(a_tile, a_map, a_corner, full[stage])
                        k = int32(k + STEP)
                        stage, parity = following(stage, parity)
                    tile = int32(tile + clusters)
                    if tile < tiles:
                        row, column = corner(order, tile, under, right)
                # The block stays until all that others tell it has come.
                for _ in range(stages if blocks > 1 else 0):
                    mbarrier.wait(empty[stage], parity, scope)
                    stage, parity = following(stage, parity)
        else:
            setmaxnreg_inc(RICH)
            within = int32(thread % uint32(WARPGROUP))
            # A stage is free when both warpgroups of all blocks that it was loaded for have read it: a thread each
            # tells one of those that loaded a part.
            told = cluster.map_shared_rank(empty, peer_of(within, under, right))
            a = wgmma.descriptor(memory[warpgroup * ROWS_EACH * STEP :])
            b = wgmma.descriptor(memory[a_bytes:])
            stage, parity = uint32(0), uint32(0)
            sums = partial = wgmma.zeros(columns)
            packed = fragment.pack(sums, "bf16")
            factor = scale_a[0] * scale_b[0]
            while tile < tiles:
                step = int32(0)
                while step < steps:
                    mbarrier.wait(full[stage], parity)
                    if promoted:
                        partial = start(partial, a, b, stage, True)
                    else:
                        sums = start(sums, a, b, stage, step == 0)
                    if overlapped and step < parts and tile > first:
                        store_part(step, packed, d, row, column)
                    if promoted:
                        partial = wgmma.wait_group(partial, 0)
                        sums = partial if step == 0 else wgmma.add(sums, partial)
                        if within < peers:
                            mbarrier.arrive_relaxed(told[stage])
                    else:
                        sums = wgmma.wait_group(sums, 1)
                        if step > 0 and within < peers:
                            mbarrier.arrive_relaxed(told[before(stage)])
                    stage, parity = following(stage, parity)
                    step = int32(step + 1)
                if not promoted:
                    sums = wgmma.wait_group(sums, 0)
                    if within < peers:
                        mbarrier.arrive_relaxed(told[before(stage)])
                under, right = place()
                row, column = corner(order, tile, under, right)
                row = int32(row + warpgroup * ROWS_EACH)
                tile = int32(tile + clusters)
                sums = scaled(sums, scale_a, scale_b, factor, row, column)
                packed = fragment.pack(sums, "bf16")
                if not overlapped:
                    store_tile(sums, packed, d, row, column)
            if overlapped:
                store_tile(sums, packed, d, row, column)

    return multiply
