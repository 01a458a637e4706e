"""fence: order between the threads' own accesses and those of the copy engines, and across the cluster.

Threads read and write through the generic proxy, copy engines through the async proxy. What one wrote the
other sees only after a fence between the proxies, or after the barrier on which a copy completed.
"""

from hopperlab.device.vocabulary.word import word

PTX = "PTX ISA, Parallel Synchronization: membar / fence"


@word(ptx="fence.proxy.async.shared::cta;", source=PTX)
def proxy_async_shared() -> None:
    """Let the copy engines see what this thread wrote to this block's shared memory: before every store."""


@word(ptx="fence.proxy.async;", source=PTX)
def proxy_async() -> None:
    """Let the copy engines see what this thread wrote, to shared or to global memory."""


@word(ptx="fence.mbarrier_init.release.cluster;", source=PTX)
def mbarrier_init() -> None:
    """Let the cluster, and the copy engines, see the barriers that this thread initialized."""


@word(ptx="fence.acq_rel.cluster;", source=PTX)
def acq_rel_cluster() -> None:
    """Order this thread's accesses before the fence with those after it, as seen by its cluster."""
