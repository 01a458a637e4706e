"""Accesses of memory, one after the other: each index is the value that was read before."""

from numba import cuda, float32, uint32

from hopperlab.device import clock, cluster, kernel

CHAIN = 64
"""Links of the chain in `chase_shared`, and threads of its block."""

MOST_ELEMENTS = 1024
"""Elements of `scan` and `smooth`, at most; a thread each."""

STORED = 1024
"""Cells that `store_shared` writes to."""


@kernel(signature="void(uint32, uint32[::1], uint32[::1])")
def chase_shared(rounds, cycles, ends):
    """Follow a chain through shared memory, `rounds` links.

    Parameters
    ----------
    rounds
        How many links.
    cycles
        Clock cycles of all.
    ends
        The link where it ended, so that nothing is left out.
    """
    chain = cuda.shared.array(CHAIN, uint32)
    thread = uint32(cuda.threadIdx.x)
    chain[thread] = (thread + uint32(17)) % uint32(CHAIN)
    cuda.syncthreads()
    if thread == 0:
        link = uint32(0)
        start = clock()
        for _ in range(rounds):
            link = chain[link]
        ends[0] = link
        cycles[0] = clock() - start


@kernel(signature="void(uint32, uint32[::1], uint32[::1])")
def chase_parts(rounds, cycles, ends):
    """Follow a chain through shared memory, each link the first element of a part of the array."""
    chain = cuda.shared.array(CHAIN, uint32)
    thread = uint32(cuda.threadIdx.x)
    chain[thread] = (thread + uint32(17)) % uint32(CHAIN)
    cuda.syncthreads()
    if thread == 0:
        link = uint32(0)
        start = clock()
        for _ in range(rounds):
            link = chain[link:][0]
        ends[0] = link
        cycles[0] = clock() - start


@kernel(signature="void(uint32, uint32[::1], uint32[::1])")
def chase_ranks(rounds, cycles, ends):
    """Ask one block of a cluster of two after the other for the rank of the next to ask: it is always the second."""
    following = cuda.shared.array(1, uint32)
    following[0] = 1
    cluster.sync()
    if cluster.block_rank() == 0:
        rank = uint32(1)
        start = clock()
        for _ in range(rounds):
            rank = cluster.map_shared_rank(following, rank)[0]
        ends[0] = rank
        cycles[0] = clock() - start
    cluster.sync()


@kernel(signature="void(uint32, uint32[::1], uint32[::1])")
def chase_remote(rounds, cycles, ends):
    """Follow a chain through the shared memory of the second block of a cluster of two."""
    chain = cuda.shared.array(CHAIN, uint32)
    thread = uint32(cuda.threadIdx.x)
    chain[thread] = (thread + uint32(17)) % uint32(CHAIN)
    cluster.sync()
    if thread == 0 and cluster.block_rank() == 0:
        there = cluster.map_shared_rank(chain, uint32(1))
        link = uint32(0)
        start = clock()
        for _ in range(rounds):
            link = there[link]
        ends[0] = link
        cycles[0] = clock() - start
    cluster.sync()


@kernel(signature="void(uint32, uint32[::1], uint32[::1], uint32[::1])")
def chase_global(rounds, links, cycles, ends):
    """Follow a chain through global memory, by loads that the L2 answers.

    Parameters
    ----------
    rounds, cycles, ends
        As for `chase_shared`.
    links
        The chain: each element is the index of the next.
    """
    link = uint32(0)
    for _ in range(rounds):
        link = cuda.ldcg(links, link)
    start = clock()
    for _ in range(rounds):
        link = cuda.ldcg(links, link)
    ends[0] = link
    cycles[0] = clock() - start


@kernel(signature="void(uint32, uint32[::1], uint32[::1])")
def store_shared(rounds, cycles, ends):
    """Store to shared memory, each time in another place."""
    cells = cuda.shared.array(STORED, uint32)
    thread = uint32(cuda.threadIdx.x)
    start = clock()
    for i in range(rounds):
        cells[(thread + uint32(32) * uint32(i)) % uint32(STORED)] = uint32(i)
    taken = clock() - start
    cuda.syncthreads()
    if thread == 0:
        ends[0] = cells[0]
        cycles[0] = taken


@kernel(signature="void(uint32, uint32[::1], uint32[::1])")
def store_global(rounds, target, cycles):
    """Store to global memory, each time in another place of `target`, whose size is a power of two."""
    thread = uint32(cuda.threadIdx.x)
    mask = uint32(target.size - 1)
    start = clock()
    for i in range(rounds):
        target[(thread + uint32(32) * uint32(i)) & mask] = uint32(i)
    taken = clock() - start
    if thread == 0:
        cycles[0] = taken


@kernel(signature="void(uint32, uint32[::1], uint32[::1])")
def add_atomically(rounds, counters, cycles):
    """Add to a counter and use what it held: in shared memory, in another block's, in global memory.

    Parameters
    ----------
    rounds
        How often to add to each.
    counters
        In global memory, zeros at first; one element is used, and the last two are results.
    cycles
        For each of the three, clock cycles of all rounds. A cluster of two blocks, of one thread.
    """
    counter = cuda.shared.array(2, uint32)
    counter[0] = 0
    counter[1] = 0
    cluster.sync()
    if cluster.block_rank() == 0:
        there = cluster.map_shared_rank(counter, uint32(1))
        old = uint32(0)
        start = clock()
        for _ in range(rounds):
            old = cuda.atomic.add(counter, old >> uint32(31), uint32(1))
        counters[1] = old
        cycles[0] = clock() - start
        old = uint32(0)
        start = clock()
        for _ in range(rounds):
            old = cuda.atomic.add(there, old >> uint32(31), uint32(1))
        counters[2] = old
        cycles[1] = clock() - start
        old = uint32(0)
        start = clock()
        for _ in range(rounds):
            old = cuda.atomic.add(counters, old >> uint32(31), uint32(1))
        counters[3] = old
        cycles[2] = clock() - start
    cluster.sync()


@kernel(signature="void(uint32, uint32[::1], uint32[::1])")
def scan(rounds, sums, cycles):
    """Add up all elements before each one in shared memory, step by step, `rounds` times over.

    Parameters
    ----------
    rounds
        How often; each time all elements are 1 at first.
    sums
        For each thread of the block, the sum of its element and all before it.
    cycles
        Clock cycles of all rounds.
    """
    cells = cuda.shared.array(MOST_ELEMENTS, uint32)
    thread = cuda.threadIdx.x
    taken = uint32(0)
    for _ in range(rounds):
        cells[thread] = 1
        cuda.syncthreads()
        start = clock()
        step = 1
        while step < cuda.blockDim.x:
            added = uint32(0)
            if thread >= step:
                added = cells[thread - step]
            cuda.syncthreads()
            if thread >= step:
                cells[thread] += added
            cuda.syncthreads()
            step *= 2
        taken += clock() - start
    sums[thread] = cells[thread]
    if thread == 0:
        cycles[0] = taken


@kernel(signature="void(uint32, float32[::1], uint32[::1])")
def smooth(rounds, values, cycles):
    """Let each element of a row in shared memory become a mean of itself and its neighbors, `rounds` times over.

    Parameters
    ----------
    rounds
        How often.
    values
        The elements, one a thread; written at the end.
    cycles
        Clock cycles of all rounds.
    """
    cells = cuda.shared.array(MOST_ELEMENTS, float32)
    thread, last = cuda.threadIdx.x, cuda.blockDim.x - 1
    before, after = max(thread - 1, 0), min(thread + 1, last)
    cells[thread] = values[thread]
    cuda.syncthreads()
    start = clock()
    for _ in range(rounds):
        mean = cuda.fma(float32(0.5), cells[thread], float32(0.25) * (cells[before] + cells[after]))
        cuda.syncthreads()
        cells[thread] = mean
        cuda.syncthreads()
    taken = clock() - start
    values[thread] = cells[thread]
    if thread == 0:
        cycles[0] = taken
