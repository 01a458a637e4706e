"""Two blocks that swap messages of a word a thread, over and over: one-sided, and by a flag in global memory."""

from numba import cuda, uint32

from hopperlab.device import atomic_ref, clock, cluster, dsmem, fence, kernel, mbarrier

MOST_WORDS = 1024
"""Words of a message, one a thread."""


@kernel(signature="void(uint32, uint32[::1], uint32[::1])", launch_bounds=MOST_WORDS)
def swap_by_st_async(rounds, cycles, received):
    """Let each thread of two blocks send a word to the same thread of the other, `rounds` times.

    A neighbor may be one round ahead, never two: there are two inboxes and two barriers, used in turn.

    Parameters
    ----------
    rounds
        How often messages are swapped.
    cycles
        For each block, the clock cycles that all rounds took.
    received
        For each thread of both blocks, the sum of the words that came.
    """
    inbox = cuda.shared.array((2, MOST_WORDS), uint32)
    full = mbarrier.shared(2)
    thread, rank = uint32(cuda.threadIdx.x), cluster.block_rank()
    nbytes = uint32(4) * uint32(cuda.blockDim.x)
    if thread == 0:
        mbarrier.init(full[0], 1)
        mbarrier.init(full[1], 1)
        fence.mbarrier_init()
    cluster.sync()
    there = cluster.map_shared_rank(inbox, rank ^ uint32(1))
    their_full = cluster.map_shared_rank(full, rank ^ uint32(1))
    total = uint32(0)
    start = clock()
    for i in range(rounds):
        turn = i % 2
        if thread == 0:
            mbarrier.arrive_expect_tx(full[turn], nbytes)
        dsmem.st_async(there, (turn, thread), uint32(i) + thread, their_full[turn])
        mbarrier.wait(full[turn], i // 2 % 2, scope="cluster")
        total += inbox[turn, thread]
    if thread == 0:
        cycles[rank] = clock() - start
    received[cuda.grid(1)] = total
    cluster.sync()


@kernel(
    signature="void(uint32, uint32[:, :, ::1], uint32[::1], uint32[::1], uint32[::1])",
    launch_bounds=MOST_WORDS,
)
def swap_by_flag(rounds, mailbox, flags, cycles, received):
    """Do the same through global memory: all write, meet, one raises a flag; one polls, all meet and read.

    Parameters
    ----------
    rounds
        How often messages are swapped.
    mailbox
        Two rows of a word a thread, for each block.
    flags
        One for each block, 32 elements apart, 0 at first.
    cycles, received
        As in `swap_by_st_async`.
    """
    thread, rank = uint32(cuda.threadIdx.x), cuda.blockIdx.x % 2
    other = 1 - rank
    cluster.sync()
    total = uint32(0)
    start = clock()
    for i in range(rounds):
        turn = i % 2
        mailbox[other, turn, thread] = uint32(i) + thread
        cuda.syncthreads()
        if thread == 0:
            atomic_ref.store_release(flags, 32 * other, uint32(i + 1))
            while atomic_ref.load_acquire(flags, 32 * rank) <= i:
                pass
        cuda.syncthreads()
        total += mailbox[rank, turn, thread]
    if thread == 0:
        cycles[rank] = clock() - start
    received[cuda.grid(1)] = total
    cluster.sync()
