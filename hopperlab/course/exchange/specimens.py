"""Broken kernels about other blocks' shared memory."""

from hopperlab.course.broken_kernels import BrokenKernel

SPECIMENS = (
    BrokenKernel("Read before the peer wrote", "read_before_the_peer_wrote"),
    BrokenKernel("A peer that has left", "peer_exited"),
    BrokenKernel("No cluster.sync at the end", "missing_sync_at_the_end"),
    BrokenKernel("No cluster.sync at the start", "missing_sync_at_the_start"),
    BrokenKernel("A counter of two blocks without atomics", "race_across_blocks"),
    BrokenKernel("A peer's barrier too soon", "init_not_visible_to_the_cluster"),
)
