"""A read of memory in plain Python: so many loads of a thread at a time, and a wait that the compiler must keep."""

from functools import cache

from numba import cuda, int32, uint32

from hopperlab.device import Kernel, kernel


@cache
def reader(in_flight: int, waits: bool = True) -> Kernel:
    """Give a kernel that adds up words, `in_flight` loads of a thread at a time.

    It takes (words, rounds, sums): uint32 words, as many rounds as the grid needs to pass over all of them, and a
    sum for each thread of the grid.

    Parameters
    ----------
    in_flight
        Loads of a thread before it needs the first.
    waits
        Whether the next loads begin only when these are there. Without that the compiler may begin them sooner.
    """

    @kernel(signature="void(uint32[::1], int32, uint32[::1])")
    def read(words, rounds, sums):
        held = cuda.local.array(in_flight, uint32)
        total = uint32(0)
        at = int32(cuda.grid(1))
        for _ in range(rounds):
            for j in range(in_flight):
                held[j] = words[at + int32(j * cuda.gridsize(1))]
            for j in range(in_flight):
                total += held[j]
            at += int32(in_flight * cuda.gridsize(1))
            if waits and total == uint32(1):  # never so: but nobody knows before the loads are there
                at = int32(0)
        sums[cuda.grid(1)] = total

    return read


LOADS_ASKED, LOADS_UNDER_WAY = 2, 8
"""Loads of a thread before one is needed, in the machine code of `reader(2)` and of `reader(2, waits=False)`."""
