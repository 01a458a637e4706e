"""Kernels that measure what it costs to agree on one word: alone, handed over, and with everyone at it."""

from numba import cuda, int32, uint32

from hopperlab.device import clock, clock64, cluster, kernel, smid

WARM_UP = 16
"""Rounds of a hand-off before its time begins."""

PATIENCE = 1_000_000
"""Tries after which a player gives up: a missing opponent hangs nobody."""


@cuda.jit(device=True)
def _count_up(words, at, rounds):
    """Raise a word by compare-and-swap, each time from what the last one returned; nobody else is at it."""
    value = words[at]
    for _ in range(rounds):
        value = uint32(cuda.atomic.cas(words, at, value, uint32(value + uint32(1))) + uint32(1))
    return value


@cuda.jit(device=True)
def _hand_over(words, at, value, rounds):
    """Play: raise the word from `value` to the next number when it is there, then from two further on.

    Gives the value at which this player would go on, also when the other one has kept it waiting in vain.
    """
    for _ in range(rounds):
        tries = int32(0)
        while cuda.atomic.cas(words, at, value, uint32(value + uint32(1))) != value:
            tries += int32(1)
            if tries > PATIENCE:
                return value
        value = uint32(value + uint32(2))
    return value


@cuda.jit(device=True)
def _play(words, at, value, rounds, player, cycles):
    """Hand over to and fro: `cycles` gets, of the first player, the time of `rounds` rounds."""
    value = _hand_over(words, at, uint32(value + uint32(player)), WARM_UP)
    start = clock()
    value = _hand_over(words, at, value, rounds)
    if player == 0:
        cycles[0] = clock() - start


@kernel(signature="void(int32, uint32[::1], uint32[::1])")
def alone_in_shared(rounds, cycles, ends):
    """Raise a word of shared memory `rounds` times by compare-and-swap, in one thread.

    `cycles` gets the clock cycles, `ends` the word: 2 * rounds, for as many rounds warm up.
    """
    words = cuda.shared.array(1, uint32)
    words[0] = 0
    _count_up(words, 0, rounds)
    start = clock()
    ends[0] = _count_up(words, 0, rounds)
    cycles[0] = clock() - start


@kernel(signature="void(int32, uint32[::1], uint32[::1])")
def alone_in_cluster(rounds, cycles, ends):
    """Do the same to a word in the shared memory of the next block of a cluster, from its block 0."""
    words = cuda.shared.array(1, uint32)
    words[0] = 0
    cluster.sync()
    if cluster.block_rank() == 0 and cuda.threadIdx.x == 0:
        there = cluster.map_shared_rank(words, 1)
        _count_up(there, 0, rounds)
        start = clock()
        ends[0] = _count_up(there, 0, rounds)
        cycles[0] = clock() - start
    cluster.sync()


@kernel(signature="void(int32, uint32[::1], int32, uint32[::1], uint32[::1])")
def alone_in_global(rounds, words, at, cycles, ends):
    """Do the same to a word of global memory, which is 0 at first: words[at]."""
    _count_up(words, at, rounds)
    start = clock()
    ends[0] = _count_up(words, at, rounds)
    cycles[0] = clock() - start


@kernel(signature="void(int32, uint32[::1], uint32[::1])")
def hand_off_in_shared(rounds, cycles, ends):
    """Let the first and the last thread of a block hand a word of shared memory to and fro by compare-and-swap.

    Parameters
    ----------
    rounds
        How often it goes there and back, after `WARM_UP` rounds.
    cycles
        Gets the clock cycles of all rounds.
    ends
        Gets the word in the end: 2 * (WARM_UP + rounds).
    """
    words = cuda.shared.array(1, uint32)
    thread, last = cuda.threadIdx.x, cuda.blockDim.x - 1
    if thread == 0:
        words[0] = 0
    cuda.syncthreads()
    if thread == 0 or thread == last:
        _play(words, 0, uint32(0), rounds, 0 if thread == 0 else 1, cycles)
    cuda.syncthreads()
    if thread == 0:
        ends[0] = words[0]


@kernel(signature="void(uint32, int32, uint32[::1], uint32[::1], uint32[::1])")
def hand_off_in_cluster(owner, rounds, cycles, ends, sms):
    """Let blocks 0 and 1 of a cluster do so with a word in the shared memory of block `owner`.

    `sms` gets the SM of each block; the rest is as in `hand_off_in_shared`.
    """
    words = cuda.shared.array(1, uint32)
    rank, thread = cluster.block_rank(), cuda.threadIdx.x
    if thread == 0:
        words[0] = 0
    cluster.sync()
    if thread == 0:
        sms[rank] = smid()
        if rank < 2:
            _play(cluster.map_shared_rank(words, owner), 0, uint32(0), rounds, rank, cycles)
    cluster.sync()
    if rank == owner and thread == 0:
        ends[0] = words[0]


@kernel(signature="void(uint32, uint32, int32, uint32[::1], int32, uint32, uint32[::1])")
def hand_off_in_global(first, second, rounds, words, at, value, cycles):
    """Let the blocks on two SMs do so with words[at] of global memory; blocks on other SMs do nothing.

    Parameters
    ----------
    first, second
        The SMs. One block an SM.
    rounds, cycles
        As in `hand_off_in_shared`.
    words, at, value
        The word, and what it holds; in the end it holds 2 * (WARM_UP + rounds) more.
    """
    here = smid()
    player = 0 if here == first else 1 if here == second else 2
    if cuda.threadIdx.x == 0 and player < 2:
        _play(words, at, value, rounds, player, cycles)


@kernel(signature="void(int32, uint32[::1], uint64[::1])")
def contend(rounds, words, cycles):
    """Let the first thread of every block raise words[0] `rounds` times by compare-and-swap.

    `cycles` gets, for each block, the clock cycles that it took.
    """
    if cuda.threadIdx.x == 0:
        start = clock64()
        seen = uint32(0)  # a guess: the first swap that fails tells better
        for _ in range(rounds):
            found = cuda.atomic.cas(words, 0, seen, uint32(seen + uint32(1)))
            while found != seen:
                seen = found
                found = cuda.atomic.cas(words, 0, seen, uint32(seen + uint32(1)))
            seen = uint32(seen + uint32(1))
        cycles[cuda.blockIdx.x] = clock64() - start


@kernel(signature="void(uint32[::1], uint32, uint32, int32, uint64[::1])")
def add(words, spread, amount, rounds, cycles):
    """Let every thread add to a word of global memory, and not ask for what was there.

    Parameters
    ----------
    words
        What is added to.
    spread
        Thread t of the grid adds to words[t * spread % words.size].
    amount, rounds
        What it adds, and how often.
    cycles
        Gets, for each block, the clock cycles until its sums are there.
    """
    at = int32(uint32(uint32(cuda.grid(1)) * spread) % uint32(words.size))
    cuda.syncthreads()
    start = clock64()
    for _ in range(rounds):
        cuda.atomic.add(words, at, amount)
    cuda.threadfence()
    cuda.syncthreads()
    if cuda.threadIdx.x == 0:
        cycles[cuda.blockIdx.x] = clock64() - start


SHARED_WORDS = 1024
"""Words of shared memory that `add_in_shared` adds to."""


@kernel(signature="void(uint32, uint32, int32, uint64[::1], uint32[::1])")
def add_in_shared(spread, amount, rounds, cycles, totals):
    """Let the threads of a block add to shared memory; `spread`, `amount`, `rounds`, `cycles` as in `add`.

    There are `SHARED_WORDS` words; `totals` gets, for each block, the sum of them all.
    """
    words = cuda.shared.array(SHARED_WORDS, uint32)
    total = cuda.shared.array(1, uint32)
    for i in range(cuda.threadIdx.x, SHARED_WORDS, cuda.blockDim.x):
        words[i] = 0
    if cuda.threadIdx.x == 0:
        total[0] = 0
    at = int32(uint32(uint32(cuda.threadIdx.x) * spread) % uint32(SHARED_WORDS))
    cuda.syncthreads()
    start = clock64()
    for _ in range(rounds):
        cuda.atomic.add(words, at, amount)
    cuda.syncthreads()
    if cuda.threadIdx.x == 0:
        cycles[cuda.blockIdx.x] = clock64() - start
    for i in range(cuda.threadIdx.x, SHARED_WORDS, cuda.blockDim.x):
        cuda.atomic.add(total, 0, words[i])
    cuda.syncthreads()
    if cuda.threadIdx.x == 0:
        totals[cuda.blockIdx.x] = total[0]
