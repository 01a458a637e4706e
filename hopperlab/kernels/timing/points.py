"""Small programs whose time is known on a card: none of them sets a cost of the simulator."""

from functools import cache

from numba import cuda, float32, int32, uint32

from hopperlab.device import Kernel, bulk, clock, cluster, dsmem, fence, kernel, mbarrier, tma

CELLS = 128
"""Threads of a block in `halo`."""

MOST_EDGE = 512
"""Words of an edge in `halo`, at most."""

BOTH_EDGES = 2 * MOST_EDGE

REDUCED = 256
"""Elements and threads of `reduction`."""

WARP = 32
MOST_STAGES = 6
"""Stages of `pipeline`, at most."""

TILE_ROWS, TILE_COLUMNS = 16, 64
TILE_BYTES = 4 * TILE_ROWS * TILE_COLUMNS
"""Of a tile of `pipeline`."""

WORK = 48
"""Multiply-adds that follow each other, for each tile of `pipeline`."""


@kernel(signature="void(uint32, uint32[::1], uint32[::1])")
def ping_pong(rounds, cycles, received):
    """Send a word to and fro between the first and the last block of a cluster by st.async; the others wait.

    Parameters
    ----------
    rounds
        How often it goes there and back.
    cycles
        For each block, the clock cycles of all rounds.
    received
        For each block, the sum of the words that came.
    """
    inbox = cuda.shared.array(2, uint32)
    full = mbarrier.shared()
    rank = cluster.block_rank()
    last = cluster.num_blocks() - uint32(1)
    if cuda.threadIdx.x == 0:
        mbarrier.init(full, 1)
        fence.mbarrier_init()
    cluster.sync()
    if cuda.threadIdx.x == 0 and (rank == 0 or rank == last):
        there = cluster.map_shared_rank(inbox, last - rank)
        their_full = cluster.map_shared_rank(full, last - rank)
        total = uint32(0)
        start = clock()
        for i in range(rounds):
            mbarrier.arrive_expect_tx(full, 4)
            if rank == 0:
                dsmem.st_async(there, i % 2, uint32(i), their_full)
            mbarrier.wait(full, i % 2, scope="cluster")
            total += inbox[i % 2]
            if rank == last:
                dsmem.st_async(there, i % 2, uint32(i), their_full)
        cycles[rank] = clock() - start
        received[rank] = total
    cluster.sync()


@kernel(signature="void(uint32, uint32, uint32[::1])")
def halo(rounds, edge, cycles):
    """Let each block of a cluster send its two edges to its neighbors, step by step, 16 bytes a thread.

    Parameters
    ----------
    rounds
        Steps.
    edge
        Words of an edge, a multiple of 4 up to `MOST_EDGE`.
    cycles
        For each block, the clock cycles of all steps.
    """
    inbox = cuda.shared.array((2, BOTH_EDGES), float32, alignment=16)
    full = mbarrier.shared(2)
    thread, rank = uint32(cuda.threadIdx.x), cluster.block_rank()
    blocks = cluster.num_blocks()
    if thread == 0:
        mbarrier.init(full[0], 1)
        mbarrier.init(full[1], 1)
        fence.mbarrier_init()
    cluster.sync()
    left, right = (rank + blocks - uint32(1)) % blocks, (rank + uint32(1)) % blocks
    to_left, to_right = cluster.map_shared_rank(inbox, left), cluster.map_shared_rank(inbox, right)
    first = uint32(4) * thread
    value = float32(thread)
    start = clock()
    for i in range(rounds):
        now = i % 2
        if thread == 0:
            mbarrier.arrive_expect_tx(full[now], uint32(8) * edge)
        if first < edge:
            values = (value, value, value, value)
            left_full = cluster.map_shared_rank(full[now], left)
            right_full = cluster.map_shared_rank(full[now], right)
            dsmem.st_async_v4(to_left, (now, first), values, left_full)
            dsmem.st_async_v4(to_right, (now, uint32(MOST_EDGE) + first), values, right_full)
        mbarrier.wait(full[now], i // 2 % 2, scope="cluster")
        if first < edge:
            value = cuda.fma(float32(0.5), inbox[now, first], inbox[now, uint32(MOST_EDGE) + first])
        cuda.syncthreads()
    taken = clock() - start
    if thread == 0:
        cycles[rank] = taken
    inbox[0, thread] = value
    cluster.sync()


@kernel(signature="void(uint32, uint32, uint32[::1])")
def ring_all_reduce(rounds, words, cycles):
    """Add up a vector of each block of a cluster, around a ring: chunk by chunk, first sums, then results.

    Parameters
    ----------
    rounds
        How often; blocks start together each time, and that is not counted.
    words
        Elements of the vector, which dynamic shared memory has.
    cycles
        For each block, the clock cycles of all rounds.
    """
    vector = cuda.shared.array(0, int32, alignment=128)
    arrived = mbarrier.shared(30)  # one a step, at most
    for i in range(cuda.threadIdx.x, words, cuda.blockDim.x):
        vector[i] = 1
    fence.proxy_async_shared()
    if cuda.threadIdx.x == 0:
        for step in range(30):
            mbarrier.init(arrived[step], 1)
        fence.mbarrier_init()
    blocks, rank = int32(cluster.num_blocks()), int32(cluster.block_rank())
    chunk = int32(words) // blocks
    right = (rank + int32(1)) % blocks
    taken = uint32(0)
    for i in range(rounds):
        cluster.sync()
        if cuda.threadIdx.x == 0:
            there = cluster.map_shared_rank(vector, right)
            sent = rank
            start = clock()
            for step in range(2 * (blocks - 1)):
                mbarrier.arrive_expect_tx(arrived[step], 4 * chunk)
                first = sent * chunk
                full = cluster.map_shared_rank(arrived[step], right)
                if step < blocks - 1:
                    bulk.send_reduce(there[first:], vector[first:], 4 * chunk, full)
                else:
                    bulk.send(there[first:], vector[first:], 4 * chunk, full)
                sent = sent - int32(1) if sent > 0 else blocks - int32(1)
                mbarrier.wait(arrived[step], i % 2, scope="cluster")
            taken += clock() - start
    if cuda.threadIdx.x == 0:
        cycles[rank] = taken
    cluster.sync()


@cache
def pipeline(stages: int) -> Kernel:
    """Give a kernel in which a warp works on tiles that a thread of another warp loads, `stages` ahead."""

    @kernel(signature=(uint32, tma.map_type(2), float32[::1], uint32[::1]))
    def work(tiles, source, results, cycles):
        """Work on `tiles` tiles: blocks of 64 threads, of which the first 32 work."""
        ring = cuda.shared.array((stages, TILE_ROWS, TILE_COLUMNS), float32, alignment=128)
        full = mbarrier.shared(stages)
        empty = mbarrier.shared(stages)
        thread = cuda.threadIdx.x
        if thread == 0:
            for stage in range(stages):
                mbarrier.init(full[stage], 1)
                mbarrier.init(empty[stage], 1)
            fence.mbarrier_init()
        cuda.syncthreads()
        if thread == WARP:
            stage, parity = 0, 1  # before the first lap all stages count as empty
            for k in range(tiles):
                mbarrier.wait(empty[stage], parity)
                mbarrier.arrive_expect_tx(full[stage], TILE_BYTES)
                tma.load(ring[stage], source, (0, k * TILE_ROWS), full[stage])
                stage += 1
                if stage == stages:
                    stage, parity = 0, 1 - parity
        elif thread < WARP:
            value = float32(0)
            stage, parity = 0, 0
            start = clock()
            for _ in range(tiles):
                mbarrier.wait(full[stage], parity)
                element = ring[stage, 0, thread]
                for _ in range(WORK):
                    value = cuda.fma(value, float32(0.5), element)
                cuda.syncwarp()
                if thread == 0:
                    mbarrier.arrive(empty[stage])
                stage += 1
                if stage == stages:
                    stage, parity = 0, 1 - parity
            results[thread] = value
            if thread == 0:
                cycles[0] = clock() - start

    return work


@kernel(signature="void(uint32, float32[::1], float32[::1], uint32[::1])")
def reduction(rounds, values, sums, cycles):
    """Add up a block's values in shared memory, in halves, `rounds` times over."""
    partial = cuda.shared.array(REDUCED, float32)
    thread = cuda.threadIdx.x
    taken = uint32(0)
    for _ in range(rounds):
        partial[thread] = values[thread]
        cuda.syncthreads()
        start = clock()
        half = REDUCED // 2
        while half > 0:
            if thread < half:
                partial[thread] += partial[thread + half]
            cuda.syncthreads()
            half //= 2
        taken += clock() - start
    if thread == 0:
        sums[0] = partial[0]
        cycles[0] = taken
