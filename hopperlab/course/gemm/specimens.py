"""Broken kernels about products that run beside their threads, and the rings that feed them."""

from hopperlab.course.broken_kernels import BrokenKernel

SPECIMENS = (
    BrokenKernel("No fence before the products", "wgmma_fence_missing"),
    BrokenKernel("A stage given back too early", "empty_before_the_products_end"),
    BrokenKernel("A producer past the tail", "producer_past_the_tail"),
    BrokenKernel("Sums stored without a wait", "wgmma_wait_missing"),
    BrokenKernel("A ring without empty barriers", "overwritten_while_read"),
    BrokenKernel("A block that leaves its cluster early", "missing_sync_at_the_end"),
)
