"""A kernel that holds the stream, so that what is timed behind it is queued before it may start."""

from numba import uint64

from hopperlab.device import global_timer, kernel, nanosleep


@kernel(signature="void(uint64)")
def hold(nanoseconds):
    """Keep one thread busy for about so many nanoseconds of the global timer."""
    began = global_timer()
    while uint64(global_timer() - began) < nanoseconds:
        nanosleep(1000)
