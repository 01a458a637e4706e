"""Words said again and again: barriers, fences, an arithmetic one."""

from numba import cuda, float32, uint32

from hopperlab.device import clock, cluster, fence, kernel, mbarrier

LOOKS = ("arrive", "arrive_expect_tx", "arrive, then wait", "wait for what has passed", "test_wait in vain")
"""What the parts of `barrier_words` repeat."""

FOLLOWING = 32
"""Multiply-adds of a round of `fma_chain`."""

STEPS = 8
"""Steps of a round of `count_along`, of two operations each."""

FENCES = (
    "threadfence_block",
    "threadfence",
    "threadfence_system",
    "fence.acq_rel_cluster",
    "fence.proxy_async_shared",
    "fence.mbarrier_init",
)
"""What the parts of `fences` repeat, each after a store to global memory."""


@kernel(signature="void(uint32, float32[::1], uint32[::1])")
def fma_chain(rounds, values, cycles):
    """Multiply and add, each time with the last result: `FOLLOWING` times a round, which the compiler unrolls."""
    value = values[cuda.threadIdx.x]
    start = clock()
    for _ in range(rounds):
        for _ in range(FOLLOWING):
            value = cuda.fma(value, float32(0.5), float32(1))
    values[cuda.threadIdx.x] = value
    if cuda.threadIdx.x == 0:
        cycles[0] = clock() - start


@kernel(signature="void(uint32, int64, uint32[::1], int64[::1])")
def count_along(rounds, length, cycles, ends):
    """Count and begin anew at `length`: an addition and a comparison a step, each with what was chosen last.

    Parameters
    ----------
    rounds
        Each of `STEPS` steps, which the compiler unrolls.
    length
        Where to begin anew.
    cycles
        Clock cycles of all rounds.
    ends
        For each thread, where its counting begins and ends.
    """
    place = ends[cuda.threadIdx.x]
    start = clock()
    for _ in range(rounds):
        for _ in range(STEPS):
            place += 1
            if place == length:
                place = 0
    ends[cuda.threadIdx.x] = place
    if cuda.threadIdx.x == 0:
        cycles[0] = clock() - start


@kernel(signature="void(uint32, int32[::1], uint32[::1])")
def shuffle_chain(rounds, values, cycles):
    """Exchange with the neighboring lane, each time what came last."""
    value = values[cuda.threadIdx.x]
    start = clock()
    for _ in range(rounds):
        value = cuda.shfl_xor_sync(-1, value, 1)
    values[cuda.threadIdx.x] = value
    if cuda.threadIdx.x == 0:
        cycles[0] = clock() - start


@kernel(signature="void(uint32, uint32[::1])")
def sync_warp(rounds, cycles):
    """Bring a warp together: what is left is what a turn of a loop takes."""
    start = clock()
    for _ in range(rounds):
        cuda.syncwarp()
    taken = clock() - start
    if cuda.threadIdx.x == 0:
        cycles[0] = taken


@kernel(signature="void(uint32, uint32[::1])")
def sync_block(rounds, cycles):
    """Bring a block together."""
    cuda.syncthreads()
    start = clock()
    for _ in range(rounds):
        cuda.syncthreads()
    taken = clock() - start
    if cuda.threadIdx.x == 0:
        cycles[0] = taken


@kernel(signature="void(uint32, uint32[::1])")
def sync_cluster(rounds, cycles):
    """Bring a cluster together."""
    cluster.sync()
    start = clock()
    for _ in range(rounds):
        cluster.sync()
    taken = clock() - start
    if cuda.threadIdx.x == 0:
        cycles[cluster.block_rank()] = taken


@kernel(signature="void(uint32, uint32[::1], uint32[::1])")
def fences(rounds, cells, cycles):
    """Store to global memory and fence: a part for each of `FENCES`."""
    start = clock()
    for i in range(rounds):
        cells[0] = i
        cuda.threadfence_block()
    cycles[0] = clock() - start
    start = clock()
    for i in range(rounds):
        cells[32] = i
        cuda.threadfence()
    cycles[1] = clock() - start
    start = clock()
    for i in range(rounds):
        cells[64] = i
        cuda.threadfence_system()
    cycles[2] = clock() - start
    start = clock()
    for i in range(rounds):
        cells[96] = i
        fence.acq_rel_cluster()
    cycles[3] = clock() - start
    start = clock()
    for i in range(rounds):
        cells[128] = i
        fence.proxy_async_shared()
    cycles[4] = clock() - start
    start = clock()
    for i in range(rounds):
        cells[160] = i
        fence.mbarrier_init()
    cycles[5] = clock() - start


@kernel(signature="void(uint32, uint32[::1])")
def barrier_words(rounds, cycles):
    """Say the words of barriers, by one thread: a part for each of `LOOKS`."""
    barriers = mbarrier.shared(5)
    for i in range(5):
        mbarrier.init(barriers[i], 1)
    fence.mbarrier_init()
    start = clock()
    for _ in range(rounds):
        mbarrier.arrive(barriers[0])
    cycles[0] = clock() - start
    start = clock()
    for _ in range(rounds):
        mbarrier.arrive_expect_tx(barriers[1], 0)
    cycles[1] = clock() - start
    start = clock()
    for i in range(rounds):
        mbarrier.arrive(barriers[2])
        mbarrier.wait(barriers[2], i % 2)
    cycles[2] = clock() - start
    start = clock()
    for _ in range(rounds):
        mbarrier.wait(barriers[3], 1)  # of a fresh barrier, the phase before the first counts as over
    cycles[3] = clock() - start
    answers = uint32(0)
    start = clock()
    for _ in range(rounds):
        answers += uint32(mbarrier.test_wait(barriers[4], 0))
    cycles[4] = clock() - start + answers


@kernel(signature="void(uint32, uint32[::1])")
def ring_words(rounds, cycles):
    """Wait for what has passed, at one barrier of a ring after the other."""
    ring = mbarrier.shared(8)
    for i in range(8):
        mbarrier.init(ring[i], 1)
    fence.mbarrier_init()
    stage = uint32(0)
    start = clock()
    for _ in range(rounds):
        mbarrier.wait(ring[stage], 1)
        stage = (stage + uint32(1)) & uint32(7)
    cycles[0] = clock() - start


@kernel(signature="void(uint32, uint32[::1])")
def hand_over(rounds, cycles):
    """Let two warps of a block wait for each other in turn, a barrier each."""
    turn = mbarrier.shared(2)
    warp, lane = cuda.threadIdx.x // 32, cuda.threadIdx.x % 32
    if cuda.threadIdx.x == 0:
        mbarrier.init(turn[0], 1)
        mbarrier.init(turn[1], 1)
    cuda.syncthreads()
    if lane == 0:
        start = clock()
        for i in range(rounds):
            if warp == 0:
                mbarrier.arrive(turn[1])
            mbarrier.wait(turn[warp], i % 2)
            if warp == 1:
                mbarrier.arrive(turn[0])
        taken = clock() - start
        if warp == 0:
            cycles[0] = taken
