"""Kernels about barriers: arriving and waiting apart, both at once, and a barrier that is told what to do."""

from numba import cuda, float32, uint8, uint32

from hopperlab.device import bulk, fence, kernel, mbarrier, nanosleep

THREADS = 256
"""Threads of a block in `arrive_then_wait` and `arrive_and_wait`."""


@kernel(signature="void(float32[::1], float32[::1], int32)")
def arrive_then_wait(values, sums, work):
    """Publish a value, arrive, work on something of one's own, and wait only then to read the neighbor's.

    Parameters
    ----------
    values
        A value a thread.
    sums
        For each thread, the neighbor's value and its own work's result together.
    work
        How many steps of work lie between arriving and waiting.
    """
    published = cuda.shared.array(THREADS, float32)
    ready = mbarrier.shared()
    thread = cuda.threadIdx.x
    if thread == 0:
        mbarrier.init(ready, THREADS)
    cuda.syncthreads()
    mine = values[cuda.grid(1)]
    published[thread] = mine
    mbarrier.arrive(ready)
    for _ in range(work):
        mine = cuda.fma(mine, float32(0.5), float32(1))
    mbarrier.wait(ready, 0)
    sums[cuda.grid(1)] = published[(thread + 1) % THREADS] + mine


@kernel(signature="void(float32[::1], float32[::1], int32)")
def arrive_and_wait(values, sums, work):
    """Do as `arrive_then_wait` does, with `cuda.syncthreads`: arriving and waiting cannot be told apart.

    `values`, `sums` and `work` are the same, and so is every bit of the result.
    """
    published = cuda.shared.array(THREADS, float32)
    thread = cuda.threadIdx.x
    mine = values[cuda.grid(1)]
    published[thread] = mine
    cuda.syncthreads()
    for _ in range(work):
        mine = cuda.fma(mine, float32(0.5), float32(1))
    sums[cuda.grid(1)] = published[(thread + 1) % THREADS] + mine


INIT, ARRIVE, ARRIVE_DROP, EXPECT_TX, ARRIVE_EXPECT_TX, COMPLETE_TX, COPY, INVAL = range(8)
"""What `obey` can be told; each takes a number: arrivals or bytes."""

COPY_BYTES = 4096
"""The most bytes that a COPY brings."""

NAPS, NAP = 8, 5000
"""How long a copy gets to land: so many naps, of nanoseconds; a nap may be twice as long or end at once."""


@kernel(signature="void(int64[::1], uint8[::1], uint32[::1], uint8[::1], uint32[::1])")
def obey(starts, operations, numbers, source, observed):
    """Let each block do a sequence of operations on a barrier of its own, and tell what it saw after each.

    Parameters
    ----------
    starts
        Where each block's sequence starts in `operations`, and where the last one ends.
    operations, numbers
        What to do, and the number that goes with it.
    source
        `COPY_BYTES` bytes in global memory, for the copies.
    observed
        For each operation, the phase's parity after it in bit 0; above, the arrivals that were pending
        before it, if it is an arrival.
    """
    tile = cuda.shared.array(COPY_BYTES, uint8, alignment=16)
    barrier = mbarrier.shared()
    for i in range(starts[cuda.blockIdx.x], starts[cuda.blockIdx.x + 1]):
        operation, number = operations[i], numbers[i]
        pending = uint32(0)
        if operation == INIT:
            mbarrier.init(barrier, number)
            fence.mbarrier_init()
        elif operation == ARRIVE:
            pending = mbarrier.pending_count(mbarrier.arrive(barrier, number))
        elif operation == ARRIVE_DROP:
            pending = mbarrier.pending_count(mbarrier.arrive_drop(barrier, number))
        elif operation == EXPECT_TX:
            mbarrier.expect_tx(barrier, number)
        elif operation == ARRIVE_EXPECT_TX:
            pending = mbarrier.pending_count(mbarrier.arrive_expect_tx(barrier, number))
        elif operation == COMPLETE_TX:
            mbarrier.complete_tx(barrier, number)
        elif operation == COPY:
            bulk.load(tile, source, number, barrier)
            for _ in range(NAPS):
                nanosleep(NAP)
        elif operation == INVAL:
            mbarrier.inval(barrier)
        parity = uint32(0)
        if operation != INVAL and mbarrier.test_wait(barrier, 0):
            parity = uint32(1)
        observed[i] = pending << uint32(1) | parity


@kernel(signature="void(uint32, int32, uint8[::1], uint32[::1])")
def overshoot(nbytes, skipped, source, turned):
    """Copy more bytes than a barrier waits for: block b's waits for 16 (b + 1), and for nothing else.

    A phase that turns shows that exactly so many bytes had been counted at some moment in between.

    Parameters
    ----------
    nbytes
        Of the copy, at most `COPY_BYTES`.
    skipped
        Bytes of `source` before the first that is copied; the tile starts on 128 bytes.
    source
        At least `skipped + nbytes` bytes.
    turned
        One is added for each block of which the phase turned.
    """
    tile = cuda.shared.array(COPY_BYTES, uint8, alignment=128)
    full = mbarrier.shared()
    mbarrier.init(full, 1)
    fence.mbarrier_init()
    mbarrier.arrive_expect_tx(full, uint32(16) * (cuda.blockIdx.x + 1))
    bulk.load(tile, source[skipped:], nbytes, full)
    for _ in range(NAPS):
        nanosleep(NAP)
    turned[cuda.blockIdx.x] += mbarrier.test_wait(full, 0)
