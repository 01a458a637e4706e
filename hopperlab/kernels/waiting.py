"""What waiting costs: warps with unequal work at one barrier, and warps that wait while others compute."""

from numba import cuda, float32, uint32

from hopperlab.device import clock, kernel, mbarrier

LANES = 32
MOST_THREADS = 1024
WORKERS = 16
"""Warps that compute in `work_beside_waiters`: four on each of the SM's four schedulers, which keep it busy."""

SPIN, SLEEP, SLEEP_WITH_A_HINT, LEAVE = range(4)
"""What the other warps of `work_beside_waiters` do."""


@kernel(signature="void(int32[::1], int32[::1], int32[::1], int32, float32[::1], uint32[::1])")
def warps_apart(needed, own, after, rounds, sums, cycles):
    """Let each warp do work that others need, arrive, do work of its own, wait, and do work that needs all.

    Parameters
    ----------
    needed, own, after
        For each warp, the steps of its three parts; a step is one multiply-add that needs the last one's result.
    rounds
        How often; all warps meet after each, so that every round begins for all at once.
    sums
        For each thread, its value in the beginning and its result in the end.
    cycles
        For each warp, the clock cycles that all rounds took.
    """
    published = cuda.shared.array((2, MOST_THREADS), float32)
    ready = mbarrier.shared()
    thread = cuda.threadIdx.x
    warp = thread // LANES
    if thread == 0:
        mbarrier.init(ready, cuda.blockDim.x)
    value, mine = sums[thread], float32(0)
    first, free, rest = needed[warp], own[warp], after[warp]
    cuda.syncthreads()
    start = clock()
    for i in range(rounds):
        for _ in range(first):
            value = cuda.fma(value, float32(0.5), float32(1))
        published[i % 2, thread] = value
        mbarrier.arrive(ready)
        for _ in range(free):
            mine = cuda.fma(mine, float32(0.5), float32(1))
        mbarrier.wait(ready, i % 2)
        value = published[i % 2, (thread + LANES) % cuda.blockDim.x]
        for _ in range(rest):
            value = cuda.fma(value, float32(0.5), float32(1))
        cuda.syncthreads()
    if thread % LANES == 0:
        cycles[warp] = clock() - start
    sums[thread] = value + mine


@kernel(signature="void(int32[::1], int32[::1], int32[::1], int32, float32[::1], uint32[::1])")
def warps_at_once(needed, own, after, rounds, sums, cycles):
    """Do as `warps_apart` does, with `cuda.syncthreads`: the own work can only follow it.

    The arguments are the same, and so is every bit of the result.
    """
    published = cuda.shared.array((2, MOST_THREADS), float32)
    thread = cuda.threadIdx.x
    warp = thread // LANES
    value, mine = sums[thread], float32(0)
    first, free, rest = needed[warp], own[warp], after[warp]
    cuda.syncthreads()
    start = clock()
    for i in range(rounds):
        for _ in range(first):
            value = cuda.fma(value, float32(0.5), float32(1))
        published[i % 2, thread] = value
        cuda.syncthreads()
        for _ in range(free):
            mine = cuda.fma(mine, float32(0.5), float32(1))
        value = published[i % 2, (thread + LANES) % cuda.blockDim.x]
        for _ in range(rest):
            value = cuda.fma(value, float32(0.5), float32(1))
        cuda.syncthreads()
    if thread % LANES == 0:
        cycles[warp] = clock() - start
    sums[thread] = value + mine


@kernel(
    signature="void(int32, uint32, int32, float32[::1], uint32[::1], uint32[::1])", launch_bounds=MOST_THREADS
)
def work_beside_waiters(way, hint, steps, sums, looks, cycles):
    """Let `WORKERS` warps compute and then arrive, while the block's other warps wait for them.

    Parameters
    ----------
    way
        `SPIN`: they ask again and again. `SLEEP`: each question sleeps, as long as the system lets it.
        `SLEEP_WITH_A_HINT`: each is told to sleep for about `hint`. `LEAVE`: they end at once.
    hint
        In nanoseconds.
    steps
        Of a worker: four multiply-adds each, which need nothing of each other.
    sums
        For each thread, a worker's result.
    looks
        For each warp, how often it was told that the phase is not over.
    cycles
        For each warp, the clock cycles until it was done.
    """
    done = mbarrier.shared()
    thread = cuda.threadIdx.x
    if thread == 0:
        mbarrier.init(done, WORKERS * LANES)
    a, b, c, d = float32(thread), float32(thread + 1), float32(thread + 2), float32(thread + 3)
    looked = uint32(0)
    cuda.syncthreads()
    start = clock()
    if thread < WORKERS * LANES:
        for _ in range(steps):
            a = cuda.fma(a, float32(0.5), float32(1))
            b = cuda.fma(b, float32(0.5), float32(1))
            c = cuda.fma(c, float32(0.5), float32(1))
            d = cuda.fma(d, float32(0.5), float32(1))
        mbarrier.arrive(done)
        sums[thread] = a + b + c + d
    elif way == SPIN:
        while not mbarrier.test_wait(done, 0):
            looked += uint32(1)
    elif way == SLEEP:
        while not mbarrier.try_wait(done, 0):
            looked += uint32(1)
    elif way == SLEEP_WITH_A_HINT:
        while not mbarrier.try_wait_for(done, 0, hint):
            looked += uint32(1)
    if thread % LANES == 0:
        looks[thread // LANES] = looked
        cycles[thread // LANES] = clock() - start
