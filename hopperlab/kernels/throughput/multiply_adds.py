"""Multiply-adds between two looks at the clock, in one chain or several: the simplest kernel that measures."""

from functools import cache

from numba import cuda, float32

from hopperlab.device import Kernel, clock64, kernel


@cache
def multiply_adds(chains: int) -> Kernel:
    """Give the kernel whose threads carry on so many chains of multiply-adds side by side.

    It takes (values, clocks, rounds): float32 values of shape (chains, threads of the grid), each of which
    becomes value * 0.5 + 0.25 `rounds` times, and uint64 clocks (threads, 2).

    Raises
    ------
    ValueError
        If chains are not 1 to 16.
    """
    if chains not in range(1, 17):
        raise ValueError(f"chains={chains} must be 1 to 16")

    @kernel(signature="void(float32[:, ::1], uint64[:, ::1], int32)")
    def work(values, clocks, rounds):
        thread = cuda.grid(1)
        a = cuda.local.array(chains, float32)
        for j in range(chains):
            a[j] = values[j, thread]
        start = clock64()
        for _ in range(rounds):
            for j in range(chains):  # a[j] needs the a[j] of the round before, and no other
                a[j] = cuda.fma(a[j], float32(0.5), float32(0.25))
        clocks[thread, 0], clocks[thread, 1] = start, clock64()
        for j in range(chains):
            values[j, thread] = a[j]  # without this the compiler leaves all of it out

    return work
