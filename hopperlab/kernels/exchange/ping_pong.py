"""A word sent to and fro between two blocks: through shared memory in two ways, through global memory in three."""

from numba import cuda, uint32, uint64

from hopperlab.device import atomic_ref, clock, cluster, dsmem, fence, kernel, mbarrier


@kernel(signature="void(uint32, uint32[::1], uint32[::1])")
def ping_pong_by_st_async(rounds, cycles, received):
    """Send a word to and fro `rounds` times between the two blocks of a cluster, through shared memory.

    The word carries its own bytes' count to the receiver's barrier: one message each way, nothing else.

    Parameters
    ----------
    rounds
        How often it goes there and back.
    cycles
        For each block, the clock cycles that all rounds took.
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
        there = cluster.map_shared_rank(inbox, rank ^ uint32(1))
        their_full = cluster.map_shared_rank(full, rank ^ uint32(1))
        total = uint32(0)
        start = clock()
        for i in range(rounds):
            mbarrier.arrive_expect_tx(full, 4)
            if rank == 0:
                dsmem.st_async(there, i % 2, uint32(i), their_full)
            mbarrier.wait(full, i % 2, scope="cluster")
            total += inbox[i % 2]
            if rank == 1:
                dsmem.st_async(there, i % 2, uint32(i), their_full)
        cycles[rank] = clock() - start
        received[rank] = total
    cluster.sync()


@kernel(signature="void(uint32, uint32[::1], uint32[::1], uint32[::1], uint32[::1])")
def ping_pong_by_flag(rounds, mailbox, flags, cycles, received):
    """Do the same through global memory: write the word, then raise a flag; the other block polls.

    Raising a flag makes the word visible first, and that takes a trip of its own.

    Parameters
    ----------
    rounds
        How often the word goes there and back.
    mailbox, flags
        A word and a flag for each block, on a line of their own: 32 elements apart. Flags are 0 at first.
    cycles, received
        As in `ping_pong_by_st_async`.
    """
    rank = cuda.blockIdx.x % 2
    mine, theirs = 32 * rank, 32 * (1 - rank)
    cluster.sync()
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
            if rank == 1:
                mailbox[theirs] = i
                atomic_ref.store_release(flags, theirs, uint32(i + 1))
        cycles[rank] = clock() - start
        received[rank] = total
    cluster.sync()


@kernel(signature="void(uint32, uint32[::1], uint32[::1], uint32[::1], uint32[::1])")
def ping_pong_by_atomics(rounds, mailbox, flags, cycles, received):
    """Do the same in global memory as it was written before loads could acquire: fences, and atomics on the flag.

    The arguments are those of `ping_pong_by_flag`.
    """
    rank = cuda.blockIdx.x % 2
    mine, theirs = 32 * rank, 32 * (1 - rank)
    cluster.sync()
    if cuda.threadIdx.x == 0:
        total = uint32(0)
        start = clock()
        for i in range(rounds):
            if rank == 0:
                mailbox[theirs] = i
                cuda.threadfence()
                cuda.atomic.exch(flags, theirs, uint32(i + 1))
            while cuda.atomic.add(flags, mine, uint32(0)) <= i:
                pass
            cuda.threadfence()
            total += mailbox[mine]
            if rank == 1:
                mailbox[theirs] = i
                cuda.threadfence()
                cuda.atomic.exch(flags, theirs, uint32(i + 1))
        cycles[rank] = clock() - start
        received[rank] = total
    cluster.sync()


@kernel(signature="void(uint32, uint64[::1], uint32[::1], uint32[::1])")
def ping_pong_by_tagged_word(rounds, mailbox, cycles, received):
    """Do the same in global memory with a word that is its own flag: its upper half says which round it is of.

    Nothing is written before it that must be seen, so no fence is needed; eight bytes are seen at once or not.

    Parameters
    ----------
    rounds
        How often the word goes there and back.
    mailbox
        A word for each block, on a line of its own: 16 elements apart; 0 at first.
    cycles, received
        As in `ping_pong_by_st_async`.
    """
    rank = cuda.blockIdx.x % 2
    mine, theirs = 16 * rank, 16 * (1 - rank)
    cluster.sync()
    if cuda.threadIdx.x == 0:
        total = uint32(0)
        start = clock()
        for i in range(rounds):
            tagged = uint64(i + 1) << uint64(32) | uint64(i)
            if rank == 0:
                cuda.stwt(mailbox, theirs, tagged)
            seen = atomic_ref.load_acquire(mailbox, mine)
            while seen >> uint64(32) <= uint64(i):
                seen = atomic_ref.load_acquire(mailbox, mine)
            total += uint32(seen)
            if rank == 1:
                cuda.stwt(mailbox, theirs, tagged)
        cycles[rank] = clock() - start
        received[rank] = total
    cluster.sync()


@kernel(signature="void(uint32, uint32[::1], uint32[::1])")
def ping_pong_by_store_and_arrive(rounds, cycles, received):
    """Do the same through shared memory in two steps: store the word, then arrive on the receiver's barrier.

    The arrival must not overtake the word, so it waits until the word is there. Arguments and results are
    those of `ping_pong_by_st_async`.
    """
    inbox = cuda.shared.array(2, uint32)
    full = mbarrier.shared()
    rank = cluster.block_rank()
    if cuda.threadIdx.x == 0:
        mbarrier.init(full, 1)
        fence.mbarrier_init()
    cluster.sync()
    if cuda.threadIdx.x == 0:
        there = cluster.map_shared_rank(inbox, rank ^ uint32(1))
        their_full = cluster.map_shared_rank(full, rank ^ uint32(1))
        total = uint32(0)
        start = clock()
        for i in range(rounds):
            if rank == 0:
                there[i % 2] = uint32(i)
                mbarrier.arrive(their_full)
            mbarrier.wait(full, i % 2, scope="cluster")
            total += inbox[i % 2]
            if rank == 1:
                there[i % 2] = uint32(i)
                mbarrier.arrive(their_full)
        cycles[rank] = clock() - start
        received[rank] = total
    cluster.sync()
