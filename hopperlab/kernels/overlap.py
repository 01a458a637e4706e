"""The same work twice: with arriving and waiting apart, and with both at once."""

from numba import cuda, float32

from hopperlab.device import kernel, mbarrier

MOST_THREADS = 32
"""Threads that a block may have in these kernels."""


@kernel(signature="void(float32[::1], int32[::1], float32[::1], int32[::1], float32[::1])")
def share_apart(needed, needed_starts, own, own_starts, sums):
    """Add up a part that the neighbor needs, arrive, add up a part of one's own, and only then wait.

    Parameters
    ----------
    needed, needed_starts
        The parts that others need, and where each thread's part starts and the last one ends.
    own, own_starts
        The parts that nobody else needs, likewise.
    sums
        For each thread, what its neighbor published and its own part together.
    """
    published = cuda.shared.array(MOST_THREADS, float32)
    ready = mbarrier.shared()
    thread = cuda.threadIdx.x
    if thread == 0:
        mbarrier.init(ready, cuda.blockDim.x)
    cuda.syncthreads()
    total = float32(0)
    for i in range(needed_starts[thread], needed_starts[thread + 1]):
        total += needed[i]
    published[thread] = total
    mbarrier.arrive(ready)  # the neighbor may read as soon as all have come this far
    mine = float32(0)
    for i in range(own_starts[thread], own_starts[thread + 1]):
        mine += own[i]
    mbarrier.wait(ready, 0)
    sums[thread] = published[(thread + 1) % cuda.blockDim.x] + mine


@kernel(signature="void(float32[::1], int32[::1], float32[::1], int32[::1], float32[::1])")
def share_at_once(needed, needed_starts, own, own_starts, sums):
    """Do as `share_apart` does, with `cuda.syncthreads`: the own part can only follow it.

    The arguments are the same, and so is every bit of the result.
    """
    published = cuda.shared.array(MOST_THREADS, float32)
    thread = cuda.threadIdx.x
    total = float32(0)
    for i in range(needed_starts[thread], needed_starts[thread + 1]):
        total += needed[i]
    published[thread] = total
    cuda.syncthreads()
    mine = float32(0)
    for i in range(own_starts[thread], own_starts[thread + 1]):
        mine += own[i]
    sums[thread] = published[(thread + 1) % cuda.blockDim.x] + mine
