"""Kernels about clusters: blocks that report where they run, and blocks that take registers."""

from functools import cache

from numba import cuda, float64, uint64

from hopperlab.device import Kernel, cluster, global_timer, kernel, nanosleep, smid


@kernel(signature="void(uint32[::1], uint64[::1], uint64[::1], uint64)")
def report_placement(sms, starts, ends, stay):
    """Report where each block runs and when, and stay there.

    Parameters
    ----------
    sms
        For each block of a one-dimensional grid, the number of its SM.
    starts, ends
        For each block, the time (ns) at which its whole cluster was up, and at which it was about to end.
    stay
        How long (ns) a block stays after its start.
    """
    cluster.sync()
    if cuda.threadIdx.x == 0:
        start = global_timer()
        now = start
        while now - start < stay:
            nanosleep(1000)
            now = global_timer()
        sms[cuda.blockIdx.x] = smid()
        starts[cuda.blockIdx.x] = start
        ends[cuda.blockIdx.x] = now
    cluster.sync()


@cache
def register_user(pairs: int) -> Kernel:
    """Give a kernel that keeps `pairs` times two doubles in registers, four registers a pair and some more.

    Occupancy depends on the registers that a kernel takes; these kernels differ in nothing else.
    """

    @kernel(signature="void(float64[::1], float64[::1])")
    def keep_in_registers(values, products):
        low = cuda.local.array(pairs, float64)
        high = cuda.local.array(pairs, float64)
        first = uint64(cuda.grid(1)) * uint64(2 * pairs)
        for i in range(pairs):
            low[i] = values[first + uint64(i)]
        for i in range(pairs):
            high[i] = values[first + uint64(pairs + i)]
        # No value can be let go before all are there: the barrier stands between, and the order is turned.
        cuda.syncthreads()
        for i in range(pairs):
            products[first + uint64(i)] = low[i] * high[pairs - 1 - i]
        cuda.syncthreads()
        for i in range(pairs):
            products[first + uint64(pairs + i)] = high[i] * low[(7 * i + 3) % pairs]

    return keep_in_registers
