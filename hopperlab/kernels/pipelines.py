"""Pipelines: tiles that land while others are worked on, in three steps from one thread to warpgroups."""

from numba import cuda, float32

from hopperlab.device import bulk, elect, fence, kernel, mbarrier, setmaxnreg_dec, setmaxnreg_inc

STAGES = 4
TILE = 1024
"""Elements of a tile."""

TILE_BYTES = 4 * TILE
WARP, WARPGROUP = 32, 128
CONSUMERS = 256
"""Threads that work on a tile."""

WITH_A_PRODUCER_WARP = CONSUMERS + WARP
WITH_A_PRODUCER_WARPGROUP = CONSUMERS + WARPGROUP
LEAN, RICH = 40, 216
"""Registers a thread, after producer and consumers have traded: 128 * 40 + 256 * 216 fit in 65,536."""


@kernel(signature="void(float32, float32[:, ::1], float32[:, ::1])", launch_bounds=CONSUMERS)
def scale_in_stages(factor, source, target):
    """Multiply tiles by a factor, while the copy engine brings the next `STAGES - 1`.

    Thread 0 asks for a tile as soon as all threads are done with the one before in its place.

    Parameters
    ----------
    factor
        What each element is multiplied by.
    source, target
        A row of `TILE` elements a tile; blocks of `CONSUMERS` threads take tiles in turn.
    """
    ring = cuda.shared.array((STAGES, TILE), float32, alignment=128)
    full = mbarrier.shared(STAGES)
    thread = cuda.threadIdx.x
    mine = (source.shape[0] - cuda.blockIdx.x + cuda.gridDim.x - 1) // cuda.gridDim.x
    if thread == 0:
        for stage in range(STAGES):
            mbarrier.init(full[stage], 1)
        fence.mbarrier_init()
    cuda.syncthreads()
    for k in range(mine + STAGES - 1):
        if k < mine and thread == 0:
            stage = k % STAGES
            mbarrier.arrive_expect_tx(full[stage], TILE_BYTES)
            bulk.load(ring[stage], source[cuda.blockIdx.x + k * cuda.gridDim.x], TILE_BYTES, full[stage])
        done = k - (STAGES - 1)
        if done >= 0:
            mbarrier.wait(full[done % STAGES], done // STAGES % 2)
            for i in range(thread, TILE, CONSUMERS):
                target[cuda.blockIdx.x + done * cuda.gridDim.x, i] = ring[done % STAGES, i] * factor
            cuda.syncthreads()  # the tile is read before it is copied over


@kernel(signature="void(float32, float32[:, ::1], float32[:, ::1])", launch_bounds=WITH_A_PRODUCER_WARP)
def scale_with_a_producer(factor, source, target):
    """Do the same with a warp of its own for the copies, so that no consumer ever waits for another.

    Each stage has two barriers: *full* counts the bytes of its tile, *empty* the threads that have read it.

    Parameters
    ----------
    factor, source, target
        As for `scale_in_stages`; blocks of `WITH_A_PRODUCER_WARP` threads.
    """
    ring = cuda.shared.array((STAGES, TILE), float32, alignment=128)
    full = mbarrier.shared(STAGES)
    empty = mbarrier.shared(STAGES)
    thread = cuda.threadIdx.x
    mine = (source.shape[0] - cuda.blockIdx.x + cuda.gridDim.x - 1) // cuda.gridDim.x
    if thread == 0:
        for stage in range(STAGES):
            mbarrier.init(full[stage], 1)
            mbarrier.init(empty[stage], CONSUMERS)
        fence.mbarrier_init()
    cuda.syncthreads()
    if thread >= CONSUMERS:
        if elect():
            for k in range(mine):
                stage, lap = k % STAGES, k // STAGES
                mbarrier.wait(empty[stage], (lap + 1) % 2)  # on the first lap all stages are empty
                mbarrier.arrive_expect_tx(full[stage], TILE_BYTES)
                bulk.load(ring[stage], source[cuda.blockIdx.x + k * cuda.gridDim.x], TILE_BYTES, full[stage])
    else:
        for k in range(mine):
            stage, lap = k % STAGES, k // STAGES
            mbarrier.wait(full[stage], lap % 2)
            for i in range(thread, TILE, CONSUMERS):
                target[cuda.blockIdx.x + k * cuda.gridDim.x, i] = ring[stage, i] * factor
            mbarrier.arrive(empty[stage])


@kernel(
    signature="void(float32, float32[:, ::1], float32[:, ::1])", launch_bounds=(WITH_A_PRODUCER_WARPGROUP, 1)
)
def scale_with_warpgroups(factor, source, target):
    """Do the same with a warpgroup for the copies that gives its registers to the two that work.

    Registers are traded by warpgroups of 128 threads, so the producer is one although one thread would do.

    Parameters
    ----------
    factor, source, target
        As for `scale_in_stages`; blocks of `WITH_A_PRODUCER_WARPGROUP` threads.
    """
    ring = cuda.shared.array((STAGES, TILE), float32, alignment=128)
    full = mbarrier.shared(STAGES)
    empty = mbarrier.shared(STAGES)
    thread = cuda.threadIdx.x
    mine = (source.shape[0] - cuda.blockIdx.x + cuda.gridDim.x - 1) // cuda.gridDim.x
    if thread == 0:
        for stage in range(STAGES):
            mbarrier.init(full[stage], 1)
            mbarrier.init(empty[stage], CONSUMERS // WARP)
        fence.mbarrier_init()
    cuda.syncthreads()
    if thread >= CONSUMERS:
        setmaxnreg_dec(LEAN)
        if thread == CONSUMERS:
            for k in range(mine):
                stage, lap = k % STAGES, k // STAGES
                mbarrier.wait(empty[stage], (lap + 1) % 2)
                mbarrier.arrive_expect_tx(full[stage], TILE_BYTES)
                bulk.load(ring[stage], source[cuda.blockIdx.x + k * cuda.gridDim.x], TILE_BYTES, full[stage])
    else:
        setmaxnreg_inc(RICH)
        for k in range(mine):
            stage, lap = k % STAGES, k // STAGES
            mbarrier.wait(full[stage], lap % 2)
            for i in range(thread, TILE, CONSUMERS):
                target[cuda.blockIdx.x + k * cuda.gridDim.x, i] = ring[stage, i] * factor
            cuda.syncwarp()
            if elect():
                mbarrier.arrive(empty[stage])  # one arrival a warp
