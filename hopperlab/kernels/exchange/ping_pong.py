"""A word sent to and fro between two blocks: by a one-sided write, and by a flag in global memory."""

from numba import cuda, uint32

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
