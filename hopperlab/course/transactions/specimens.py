"""Broken kernels about transaction barriers."""

from hopperlab.course.broken_kernels import BrokenKernel

SPECIMENS = (
    BrokenKernel("Bytes fall short", "expect_tx_too_large"),
    BrokenKernel("Half expected", "expect_tx_too_small"),
    BrokenKernel("Nothing expected", "expect_tx_forgotten"),
    BrokenKernel("Expected too late", "expect_tx_late"),
    BrokenKernel("A warp counted, a lane arrived", "wrong_arrival_count"),
    BrokenKernel("A wait for the wrong parity", "parity_off_by_one"),
    BrokenKernel("A producer that waits for readers of nothing", "producer_on_the_wrong_phase"),
    BrokenKernel("A ring without empty barriers", "overwritten_while_read"),
    BrokenKernel("More bytes than it can count", "tx_count_overflow"),
    BrokenKernel("No fence after init", "init_without_fence"),
    BrokenKernel("A peer's barrier too soon", "init_not_visible_to_the_cluster"),
    BrokenKernel("No wait at all", "wait_skipped"),
    BrokenKernel("A peer that has left", "peer_exited"),
)
