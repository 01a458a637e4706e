"""Two programs, each in a cluster and through global memory: a histogram with many bins, and an all-reduce."""

from numba import cuda, uint32

from hopperlab.device import atomic_ref, clock, cluster, kernel
from hopperlab.kernels.exchange.patterns import histogram

THREADS = 512
"""Threads of a block of the all-reduces."""

wide_histogram = kernel(signature="void(uint32[::1], uint32[::1])")(histogram.function)
"""`histogram` for values of 32 bits: more bins than 16 bits can name."""


@kernel(signature="void(uint32[::1], uint32[::1])")
def histogram_in_a_block(values, counts):
    """Count in bins of each block's own, and add these up in the end: all bins must fit in one block.

    Parameters
    ----------
    values
        What is counted, each below `counts.size`.
    counts
        A bin for each value, zeros at first; 4 bytes a bin are the launch's dynamic shared memory.
    """
    bins = cuda.shared.array(0, uint32)
    for i in range(cuda.threadIdx.x, counts.size, cuda.blockDim.x):
        bins[i] = 0
    cuda.syncthreads()
    for i in range(cuda.grid(1), values.size, cuda.gridsize(1)):
        cuda.atomic.add(bins, values[i], uint32(1))
    cuda.syncthreads()
    for i in range(cuda.threadIdx.x, counts.size, cuda.blockDim.x):
        cuda.atomic.add(counts, i, bins[i])


@kernel(signature="void(uint32[::1], uint32[::1])")
def histogram_in_global_memory(values, counts):
    """Count straight into global memory; the arguments are those of `histogram_in_a_block`."""
    for i in range(cuda.grid(1), values.size, cuda.gridsize(1)):
        cuda.atomic.add(counts, values[i], uint32(1))


@kernel(signature="void(uint32[:, ::1], uint32, uint32[::1])", launch_bounds=THREADS)
def all_reduce_in_a_cluster(vectors, rounds, cycles):
    """Give every block of a cluster the sum of all blocks' vectors, `rounds` times, through shared memory.

    Each block adds up one chunk of all vectors, and then fetches the other chunks' sums.

    Parameters
    ----------
    vectors
        A row a block of the grid: its vector, and in the end the sum. The cluster's size divides its length;
        twice its bytes are the launch's dynamic shared memory.
    rounds
        How often the same vectors are added up.
    cycles
        For each block, the clock cycles that all rounds took.
    """
    memory = cuda.shared.array(0, uint32)
    mine = vectors[cuda.blockIdx.x]
    vector, sums = memory[: mine.size], memory[mine.size :]
    blocks, rank, thread = cluster.num_blocks(), cluster.block_rank(), uint32(cuda.threadIdx.x)
    chunk = uint32(mine.size) // blocks
    for i in range(thread, mine.size, cuda.blockDim.x):
        vector[i] = mine[i]
    cluster.sync()
    start = clock()
    for _ in range(rounds):
        for i in range(rank * chunk + thread, (rank + uint32(1)) * chunk, cuda.blockDim.x):
            total = uint32(0)
            for other in range(blocks):
                total += cluster.map_shared_rank(vector, other)[i]
            sums[i] = total
        cluster.sync()
        for i in range(thread, mine.size, cuda.blockDim.x):
            owner = uint32(i) // chunk
            if owner != rank:
                sums[i] = cluster.map_shared_rank(sums, owner)[i]
        cluster.sync()  # no block adds up anew, or ends, while others fetch from it
    if thread == 0:
        cycles[cuda.blockIdx.x] = clock() - start
    for i in range(thread, mine.size, cuda.blockDim.x):
        mine[i] = sums[i]


@cuda.jit(device=True)
def meet(arrived, counter, due):
    """Let blocks meet in global memory: count this one's coming, and wait until so many have come in all."""
    cuda.syncthreads()
    if cuda.threadIdx.x == 0:
        cuda.threadfence()
        cuda.atomic.add(arrived, counter, uint32(1))
        while atomic_ref.load_acquire(arrived, counter) < due:
            pass
    cuda.syncthreads()


@kernel(
    signature="void(uint32[:, ::1], uint32, uint32[::1], uint32[:, ::1], uint32[:, ::1], uint32[::1])",
    launch_bounds=THREADS,
)
def all_reduce_in_global_memory(vectors, rounds, cycles, copies, totals, arrived):
    """Do the same through global memory, where the blocks meet at a counter too.

    They are still launched as a cluster: who waits for another block must know that it runs.

    Parameters
    ----------
    vectors, rounds, cycles
        As in `all_reduce_in_a_cluster`.
    copies
        Room for the vectors.
    totals
        Room for a row of sums for each cluster.
    arrived
        A counter for each cluster, 32 elements apart, 0 at first.
    """
    memory = cuda.shared.array(0, uint32)
    mine, copy = vectors[cuda.blockIdx.x], copies[cuda.blockIdx.x]
    vector, sums = memory[: mine.size], memory[mine.size :]
    blocks, rank, thread = cluster.num_blocks(), cluster.block_rank(), uint32(cuda.threadIdx.x)
    group = uint32(cuda.blockIdx.x) // blocks
    first, counter, due = group * blocks, uint32(32) * group, uint32(0)
    chunk = uint32(mine.size) // blocks
    for i in range(thread, mine.size, cuda.blockDim.x):
        vector[i] = mine[i]
    cluster.sync()
    start = clock()
    for _ in range(rounds):
        for i in range(thread, mine.size, cuda.blockDim.x):
            copy[i] = vector[i]
        due += blocks
        meet(arrived, counter, due)
        for i in range(rank * chunk + thread, (rank + uint32(1)) * chunk, cuda.blockDim.x):
            total = uint32(0)
            for other in range(blocks):
                total += copies[first + other, i]
            totals[group, i] = total
        due += blocks
        meet(arrived, counter, due)
        for i in range(thread, mine.size, cuda.blockDim.x):
            sums[i] = totals[group, i]
    if thread == 0:
        cycles[cuda.blockIdx.x] = clock() - start
    for i in range(thread, mine.size, cuda.blockDim.x):
        mine[i] = sums[i]
