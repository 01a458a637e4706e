"""A pointer chase that measures nothing: where it ends is not stored, so that its loads are not needed."""

from numba import int32, uint32

from hopperlab.device import clock, kernel
from hopperlab.kernels.memory.chases import UNROLLED


@kernel(signature="void(uint32[::1], int32, uint32[::1], uint32[::1])")
def chase_unread(chain, hops, cycles, ends):
    """Follow a chain as `chase` does, and forget to say where the timed part of it ended.

    Parameters
    ----------
    chain, hops, cycles
        As in `chase`.
    ends
        Gets the index at which the warm-up ended.
    """
    link = uint32(0)
    for _ in range(hops):
        link = chain[link]
    ends[0] = link
    left = int32(hops // UNROLLED)
    start = clock()
    while left > 0:
        left = int32(left - 1)
        for _ in range(UNROLLED):
            link = chain[link]
    cycles[0] = clock() - start


LOADS_OF_CHASE, LOADS_LEFT = 80, 0
"""Loads between the two readings of the clock, in the machine code of `chase` and of `chase_unread`."""
