"""Broken kernels about arriving, waiting and phases."""

from hopperlab.course.broken_kernels import BrokenKernel

SPECIMENS = (
    BrokenKernel("A count too high", "wrong_arrival_count"),
    BrokenKernel("Two phases late", "two_phases_late"),
    BrokenKernel("Parity 1 on a fresh barrier", "parity_off_by_one"),
    BrokenKernel("An init that not all have seen", "init_not_visible_to_the_block"),
    BrokenKernel("Initialized for every tile", "live_barrier_reused"),
    BrokenKernel("One waits, and all read", "read_in_flight"),
    BrokenKernel("syncthreads in a branch", "divergent_barrier"),
)
