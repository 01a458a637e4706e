"""Messages between blocks: passed around a ring, exchanged by pairs, and by flags in global memory."""

from functools import cache

from numba import cuda, int32, uint32

from hopperlab.device import Kernel, atomic_ref, bulk, clock, cluster, dsmem, fence, kernel, mbarrier

MOST_SENDERS = 512
"""Threads of a block in `exchange_words`, at most."""

ROW = 4 * MOST_SENDERS

FLAGS = ("store, then store_release", "load_acquire", "load_acquire, then load")
"""What the parts of `flag_words` repeat."""


@kernel(signature="void(uint32, uint32[::1], uint32[::1])")
def relay(rounds, cycles, received):
    """Pass a word around the blocks of a cluster by st.async.

    Parameters
    ----------
    rounds
        How often it goes around.
    cycles
        For each block, the clock cycles of all rounds.
    received
        For each block, the sum of the words that came.
    """
    inbox = cuda.shared.array(2, uint32)
    full = mbarrier.shared()
    rank = cluster.block_rank()
    if cuda.threadIdx.x == 0:
        mbarrier.init(full, 1)
        fence.mbarrier_init()
    cluster.sync()
    if cuda.threadIdx.x == 0:
        following = (rank + uint32(1)) % cluster.num_blocks()
        there, their_full = (
            cluster.map_shared_rank(inbox, following),
            cluster.map_shared_rank(full, following),
        )
        total = uint32(0)
        start = clock()
        for i in range(rounds):
            mbarrier.arrive_expect_tx(full, 4)
            if rank == 0:
                dsmem.st_async(there, i % 2, uint32(i), their_full)
            mbarrier.wait(full, i % 2, scope="cluster")
            total += inbox[i % 2]
            if rank != 0:
                dsmem.st_async(there, i % 2, uint32(i), their_full)
        cycles[rank] = clock() - start
        received[rank] = total
    cluster.sync()


@kernel(signature="void(uint32, uint32, uint32[::1])")
def exchange_words(rounds, ways, cycles):
    """Let the blocks of a cluster exchange 16 bytes a thread by pairs, by st.async.

    Parameters
    ----------
    rounds
        How often.
    ways
        With how many others each block does, 1 or 2.
    cycles
        For each block, the clock cycles of all rounds. At most `MOST_SENDERS` threads a block.
    """
    inbox = cuda.shared.array((4, ROW), uint32, alignment=16)
    full = mbarrier.shared(2)
    thread, rank = uint32(cuda.threadIdx.x), cluster.block_rank()
    if thread == 0:
        mbarrier.init(full[0], 1)
        mbarrier.init(full[1], 1)
        fence.mbarrier_init()
    cluster.sync()
    one, other = rank ^ uint32(1), rank ^ uint32(2)
    to_one = cluster.map_shared_rank(inbox, one)
    to_other = cluster.map_shared_rank(inbox, other if ways == 2 else one)
    start = clock()
    for i in range(rounds):
        now = i % 2
        if thread == 0:
            mbarrier.arrive_expect_tx(full[now], uint32(16) * ways * cuda.blockDim.x)
        words = (thread, rank, thread, rank)
        dsmem.st_async_v4(to_one, (now, uint32(4) * thread), words, cluster.map_shared_rank(full[now], one))
        if ways == 2:
            their_full = cluster.map_shared_rank(full[now], other)
            dsmem.st_async_v4(to_other, (uint32(2) + now, uint32(4) * thread), words, their_full)
        mbarrier.wait(full[now], i // 2 % 2, scope="cluster")
    taken = clock() - start
    if thread == 0:
        cycles[rank] = taken
    cluster.sync()


@cache
def exchange_pieces(added: bool) -> Kernel:
    """Give a kernel in which blocks exchange pieces by pairs, by the copy engine; it may add what comes."""

    @kernel(signature="void(uint32, uint32, uint32[::1])")
    def exchange(rounds, nbytes, cycles):
        """Exchange `nbytes`, `rounds` times; dynamic shared memory has a block's piece, and two that come in turn."""
        pieces = cuda.shared.array(0, int32, alignment=128)
        full = mbarrier.shared(2)
        rank = cluster.block_rank()
        words = nbytes // uint32(4)
        for i in range(cuda.threadIdx.x, 3 * words, cuda.blockDim.x):
            pieces[i] = 1
        fence.proxy_async_shared()
        if cuda.threadIdx.x == 0:
            mbarrier.init(full[0], 1)
            mbarrier.init(full[1], 1)
            fence.mbarrier_init()
        cluster.sync()
        if cuda.threadIdx.x == 0:
            there = cluster.map_shared_rank(pieces, rank ^ uint32(1))
            start = clock()
            for i in range(rounds):
                now = i % 2
                mbarrier.arrive_expect_tx(full[now], nbytes)
                their_full = cluster.map_shared_rank(full[now], rank ^ uint32(1))
                inbox = there[words * uint32(1 + now) :]
                if added:
                    bulk.send_reduce(inbox, pieces, nbytes, their_full)
                else:
                    bulk.send(inbox, pieces, nbytes, their_full)
                mbarrier.wait(full[now], i // 2 % 2, scope="cluster")
            cycles[rank] = clock() - start
        cluster.sync()

    return exchange


@cache
def relay_pieces(added: bool) -> Kernel:
    """Give a kernel in which a piece goes around the blocks of a cluster, by the copy engine; it may add."""

    @kernel(signature="void(uint32, uint32, uint32[::1])")
    def pass_around(rounds, nbytes, cycles):
        """Pass `nbytes` around `rounds` times; dynamic shared memory has a block's piece and what comes."""
        pieces = cuda.shared.array(0, int32, alignment=128)
        full = mbarrier.shared()
        rank = cluster.block_rank()
        words = nbytes // uint32(4)
        for i in range(cuda.threadIdx.x, 2 * words, cuda.blockDim.x):
            pieces[i] = 1
        fence.proxy_async_shared()
        if cuda.threadIdx.x == 0:
            mbarrier.init(full, 1)
            fence.mbarrier_init()
        cluster.sync()
        if cuda.threadIdx.x == 0:
            following = (rank + uint32(1)) % cluster.num_blocks()
            there, their_full = (
                cluster.map_shared_rank(pieces, following),
                cluster.map_shared_rank(full, following),
            )
            inbox = there[words:]
            start = clock()
            for i in range(rounds):
                mbarrier.arrive_expect_tx(full, nbytes)
                if rank != 0:
                    mbarrier.wait(full, i % 2, scope="cluster")
                if added:
                    bulk.send_reduce(inbox, pieces, nbytes, their_full)
                else:
                    bulk.send(inbox, pieces, nbytes, their_full)
                if rank == 0:
                    mbarrier.wait(full, i % 2, scope="cluster")
            cycles[rank] = clock() - start
        cluster.sync()

    return pass_around


@kernel(signature="void(uint32, uint32[::1], uint32[::1], uint32[::1])")
def flag_words(rounds, words, flags, cycles):
    """Say the words of flags, by one thread: a part for each of `FLAGS`.

    Parameters
    ----------
    rounds
        How often each part does.
    words, flags
        Elements of global memory; flags count up where they are asked for, so that each look sees news.
    cycles
        For each part, the clock cycles of all rounds.
    """
    start = clock()
    for i in range(rounds):
        words[0] = i
        atomic_ref.store_release(flags, 0, uint32(i + 1))
    cycles[0] = clock() - start
    seen = uint32(0)
    start = clock()
    for i in range(rounds):
        seen += atomic_ref.load_acquire(flags, uint32(32) + (uint32(i) & uint32(7)))
    cycles[1] = clock() - start
    start = clock()
    for i in range(rounds):
        seen += atomic_ref.load_acquire(flags, uint32(32) + (uint32(i) & uint32(7)))
        seen += words[seen >> uint32(31)]
    words[64] = seen
    cycles[2] = clock() - start


@kernel(signature="void(uint32, uint32[::1], uint32[::1], uint32[::1], uint32[::1])")
def relay_by_flag(rounds, mailbox, flags, cycles, received):
    """Pass a word around the blocks of the grid through global memory: the word, then a flag that is polled.

    Parameters
    ----------
    rounds
        How often it goes around.
    mailbox, flags
        A word and a flag for each block, 32 elements apart. Flags are 0 at first.
    cycles, received
        As in `relay`.
    """
    rank = cuda.blockIdx.x
    mine, theirs = 32 * rank, 32 * ((rank + 1) % cuda.gridDim.x)
    if cuda.threadIdx.x == 0:
        total = uint32(0)
        start = clock()
        for i in range(rounds):
            if rank == 0:
                mailbox[theirs] = i
                atomic_ref.store_release(flags, theirs, uint32(i + 1))
            while atomic_ref.load_acquire(flags, mine) <= i:
                pass
            total += mailbox[mine]
            if rank != 0:
                mailbox[theirs] = i
                atomic_ref.store_release(flags, theirs, uint32(i + 1))
        cycles[rank] = clock() - start
        received[rank] = total
