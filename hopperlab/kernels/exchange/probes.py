"""Kernels that measure the way between two blocks of a cluster: what arrives, how late, and how much a cycle."""

from numba import cuda, uint32, uint64

from hopperlab.device import bulk, clock, cluster, dsmem, fence, kernel, mbarrier, smid

CHAIN = 64
"""Links of the chain that `chase` follows, one a thread."""

CHASED = 500
"""Links that it follows for a sample, after as many to warm up."""

READERS = 128
"""Threads of a block in `read_peer`: more of them get fewer bytes a cycle."""

READ_WORDS = 16384
"""32-bit words of the array that they read: 64 KiB."""

THREADS = 1024
"""Threads of a block in `write_peer`."""

WORDS = 8192
"""64-bit words of the array that they write: 64 KiB."""

SENT_BYTES = 16384
"""Bytes that `send_to_peer` sends at once."""

IN_FLIGHT = 4
"""Sends of a block under way at a time."""


@kernel(signature="void(uint32[:, :, ::1], uint32[:, ::1])")
def every_pair(seen, totals):
    """Let every block of a cluster write to, read from and add to every other.

    Parameters
    ----------
    seen
        For each cluster, block and peer: what the peer's own cell held, plus what the peer wrote here.
        Peer p writes 1000 (p + 1) into the cell that it has in each block b, and keeps p + b there itself.
    totals
        For each cluster and block: a counter to which each thread of each block adds one.
    """
    written = cuda.shared.array(16, uint32)
    kept = cuda.shared.array(16, uint32)
    counter = cuda.shared.array(1, uint32)
    rank, blocks, peer = cluster.block_rank(), cluster.num_blocks(), uint32(cuda.threadIdx.x)
    if peer < blocks:
        kept[peer] = rank + peer
    if peer == 0:
        counter[0] = 0
    cluster.sync()
    if peer < blocks:
        cluster.map_shared_rank(written, peer)[rank] = uint32(1000) * (rank + uint32(1))
    for other in range(blocks):
        cuda.atomic.add(cluster.map_shared_rank(counter, other), 0, uint32(1))
    cluster.sync()
    number = cuda.blockIdx.x // blocks
    if peer < blocks:
        seen[number, rank, peer] = cluster.map_shared_rank(kept, peer)[rank] + written[peer]
    if peer == 0:
        totals[number, rank] = counter[0]
    cluster.sync()


@kernel(signature="void(uint32, uint32[::1], uint32[::1], uint32[::1])")
def chase(reader, cycles, ends, sms):
    """Follow a chain through the shared memory of each block of one cluster, a link only when it is known.

    Parameters
    ----------
    reader
        The rank of the block that follows; the others stand still.
    cycles
        For each rank, the clock cycles that `CHASED` links took in its memory.
    ends
        For each rank, the link at which the chain was left: `2 * CHASED` steps from link 0.
    sms
        For each rank, its SM.
    """
    chain = cuda.shared.array(CHAIN, uint32)
    thread, rank = uint32(cuda.threadIdx.x), cluster.block_rank()
    chain[thread] = (thread + uint32(17)) % uint32(CHAIN)
    if thread == 0:
        sms[rank] = smid()
    cluster.sync()
    if rank == reader and thread == 0:
        for owner in range(cluster.num_blocks()):
            there = cluster.map_shared_rank(chain, owner)
            link = uint32(0)
            for _ in range(CHASED):
                link = there[link]
            start = clock()
            for _ in range(CHASED):
                link = there[link]
            ends[owner] = link
            cycles[owner] = clock() - start
    cluster.sync()


@kernel(signature="void(uint32, uint32, int32, uint64[::1], uint64[::1])", launch_bounds=READERS)
def read_peer(shift, every, repeats, cycles, sums):
    """Let blocks read the shared memory of the block `shift` ranks on, 16 bytes a thread and load.

    Parameters
    ----------
    shift
        Whose memory is read: rank + shift, around the cluster.
    every
        Only ranks that this divides read: 1 for all, 2 for one of each pair.
    repeats
        How often the `READ_WORDS` words are read.
    cycles
        For each block of the grid, the cycles it took; 0 where it did not read.
    sums
        For each block, the sum of all that was read: `repeats` times that of 0 to `READ_WORDS - 1`.
    """
    words = cuda.shared.array(0, uint32, alignment=16)
    total = cuda.shared.array(1, uint64)
    thread, rank = cuda.threadIdx.x, cluster.block_rank()
    for i in range(thread, READ_WORDS, READERS):
        words[i] = i
    if thread == 0:
        total[0] = 0
    cluster.sync()
    if rank % every == 0:
        there = cluster.map_shared_rank(words, (rank + shift) % cluster.num_blocks())
        own = uint64(0)
        start = clock()
        for k in range(repeats):
            first = uint32(4 * thread + 128 * k)  # moved on, so that no repeat can be taken for the last
            for i in range(0, READ_WORDS, 4 * READERS):
                a, b, c, d = dsmem.load_v4(there, (first + uint32(i)) % uint32(READ_WORDS))
                own += a + b + c + d
        cuda.atomic.add(total, 0, own)
        cuda.syncthreads()
        if thread == 0:
            cycles[cuda.blockIdx.x] = uint64(clock() - start)
            sums[cuda.blockIdx.x] = total[0]
    cluster.sync()


@kernel(signature="void(uint32, uint32, int32, uint64[::1], uint64[::1])", launch_bounds=THREADS)
def write_peer(shift, every, repeats, cycles, sums):
    """Let blocks write to the shared memory of the block `shift` ranks on, 8 bytes a thread and store.

    `shift`, `every`, `repeats` and `cycles` are those of `read_peer`; the time ends when the cluster has
    seen all stores. `sums` gets, for each block, the sum of its own words in the end: those of the last
    repeat if it was written to.
    """
    words = cuda.shared.array(0, uint64)
    total = cuda.shared.array(1, uint64)
    thread, rank = cuda.threadIdx.x, cluster.block_rank()
    for i in range(thread, WORDS, THREADS):
        words[i] = 0
    if thread == 0:
        total[0] = 0
    cluster.sync()
    start = clock()
    if rank % every == 0:
        there = cluster.map_shared_rank(words, (rank + shift) % cluster.num_blocks())
        for k in range(repeats):
            cuda.syncthreads()
            for i in range(0, WORDS, THREADS):
                there[i + thread] = i + thread + k
    cluster.sync()
    if thread == 0:
        cycles[cuda.blockIdx.x] = uint64(clock() - start)
    own = uint64(0)
    for i in range(thread, WORDS, THREADS):
        own += words[i]
    cuda.atomic.add(total, 0, own)
    cuda.syncthreads()
    if thread == 0:
        sums[cuda.blockIdx.x] = total[0]


@kernel(signature="void(uint32, uint32, int32, uint64[::1], uint64[::1])")
def send_to_peer(shift, every, repeats, cycles, sums):
    """Let the copy engine send tiles to the block `shift` ranks on, `IN_FLIGHT` of them under way.

    `shift`, `every`, `repeats` and `cycles` are those of `read_peer`, and `repeats` is a multiple of
    `IN_FLIGHT`. A receiver counts the bytes; a sender goes on when they are there: rank + shift arrives on
    its barrier. `sums` gets, for each block, the sum of what it received last.
    """
    memory = cuda.shared.array(0, uint64, alignment=128)
    words = SENT_BYTES // 8
    received = mbarrier.shared(IN_FLIGHT)
    taken = mbarrier.shared(IN_FLIGHT)
    rank, blocks = cluster.block_rank(), cluster.num_blocks()
    inbox, outbox = memory[: IN_FLIGHT * words], memory[IN_FLIGHT * words :]
    for i in range(cuda.threadIdx.x, words, cuda.blockDim.x):
        outbox[i] = i
    fence.proxy_async_shared()
    if cuda.threadIdx.x == 0:
        for slot in range(IN_FLIGHT):
            mbarrier.init(received[slot], 1)
            mbarrier.init(taken[slot], 1)
        fence.mbarrier_init()
    cluster.sync()
    start = clock()
    if cuda.threadIdx.x == 0 and rank % every == 0:
        target = (rank + shift) % blocks
        there, full = cluster.map_shared_rank(inbox, target), cluster.map_shared_rank(received, target)
        for k in range(repeats):
            slot, lap = k % IN_FLIGHT, k // IN_FLIGHT
            mbarrier.wait(taken[slot], (lap + 1) % 2, scope="cluster")
            bulk.send(there[slot * words :], outbox, SENT_BYTES, full[slot])
    if cuda.threadIdx.x == 32 and (rank + blocks - shift) % blocks % every == 0:
        source = (rank + blocks - shift) % blocks
        free = cluster.map_shared_rank(taken, source)
        for k in range(repeats):
            slot, lap = k % IN_FLIGHT, k // IN_FLIGHT
            mbarrier.arrive_expect_tx(received[slot], SENT_BYTES)
            mbarrier.wait(received[slot], lap % 2, scope="cluster")
            mbarrier.arrive_relaxed(free[slot])
        cycles[cuda.blockIdx.x] = uint64(clock() - start)
        total = uint64(0)
        for i in range(words):
            total += inbox[i]
        sums[cuda.blockIdx.x] = total
    cluster.sync()


@kernel(signature="void(uint32, uint32, int32, int32, uint64[::1], uint64[::1])", launch_bounds=THREADS)
def read_all(staggered, in_step, width, repeats, cycles, sums):
    """Let every block of a cluster read the `READ_WORDS` words of every other block.

    Parameters
    ----------
    staggered
        1: each block begins with the one after it, so that no two read from the same. 0: all begin with
        rank 0.
    in_step
        1: the cluster meets after each owner, so that all go on together. 0: every warp as it can.
    width
        16: a thread loads 16 bytes at a time. 4: four bytes, next to its neighbors'. 0: four bytes that lie
        32 bytes from its neighbors'.
    repeats
        How often they read the words of all others.
    cycles, sums
        For each block of the grid, the cycles it took and the sum of all that was read.
    """
    words = cuda.shared.array(0, uint32, alignment=16)
    total = cuda.shared.array(1, uint64)
    thread, rank, blocks = cuda.threadIdx.x, cluster.block_rank(), cluster.num_blocks()
    for i in range(thread, READ_WORDS, THREADS):
        words[i] = i
    if thread == 0:
        total[0] = 0
    cluster.sync()
    own = uint64(0)
    start = clock()
    for k in range(repeats):
        for step in range(blocks):
            owner = (uint32(step) + staggered * rank) % blocks
            if owner != rank:
                there = cluster.map_shared_rank(words, owner)
                if width == 16:
                    first = uint32(4 * thread + 128 * k)
                    for i in range(0, READ_WORDS, 4 * THREADS):
                        a, b, c, d = dsmem.load_v4(there, (first + uint32(i)) % uint32(READ_WORDS))
                        own += a + b + c + d
                elif width == 4:
                    first = uint32(thread + 32 * k)
                    for i in range(0, READ_WORDS, THREADS):
                        own += there[(first + uint32(i)) % uint32(READ_WORDS)]
                else:
                    first = uint32(8 * thread + 32 * k)
                    for i in range(READ_WORDS // THREADS):
                        place = first + uint32(8 * THREADS) * uint32(i) + uint32(i) // uint32(2)
                        own += there[place % uint32(READ_WORDS)]
            if in_step:
                cluster.sync()
    cuda.atomic.add(total, 0, own)
    cuda.syncthreads()
    if thread == 0:
        cycles[cuda.blockIdx.x] = uint64(clock() - start)
        sums[cuda.blockIdx.x] = total[0]
    cluster.sync()
