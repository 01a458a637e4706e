"""The driver's answers to how many blocks fit on an SM, and how many clusters on the card."""

from __future__ import annotations

from typing import Any

from cuda.bindings import driver

from hopperlab.device.silicon.card import checked

_ID = driver.CUlaunchAttributeID

POLICIES = {"default": 0, "spread": 1, "load balancing": 2}
"""CUclusterSchedulingPolicy: how the hardware is asked to place the blocks of a cluster (lit-016)."""


def max_active_blocks_per_sm(function: Any, threads: int, shared_bytes: int) -> int:
    """Ask cuOccupancyMaxActiveBlocksPerMultiprocessor: blocks of a kernel that one SM holds at once."""
    return checked(driver.cuOccupancyMaxActiveBlocksPerMultiprocessor(function, threads, shared_bytes))


def max_active_clusters(
    function: Any, cluster: tuple[int, int, int], threads: int, shared_bytes: int, policy: int = 0
) -> int:
    """Ask cuOccupancyMaxActiveClusters: clusters of a kernel that the card holds at once.

    Parameters
    ----------
    function
        The driver's function, opted in to the cluster size and the shared memory.
    cluster
        Blocks of a cluster along x, y, z; the grid that is asked about is one cluster.
    threads
        Threads of a block.
    shared_bytes
        Dynamic shared memory of a block, in bytes.
    policy
        One of the values of `POLICIES`.

    Raises
    ------
    RuntimeError
        If the driver refuses the configuration.
    """
    config = driver.CUlaunchConfig()
    config.gridDimX, config.gridDimY, config.gridDimZ = cluster
    config.blockDimX, config.blockDimY, config.blockDimZ = threads, 1, 1
    config.sharedMemBytes = shared_bytes
    shape = driver.CUlaunchAttribute()
    shape.id = _ID.CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION
    shape.value.clusterDim.x, shape.value.clusterDim.y, shape.value.clusterDim.z = cluster
    preference = driver.CUlaunchAttribute()
    preference.id = _ID.CU_LAUNCH_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE
    preference.value.clusterSchedulingPolicyPreference = driver.CUclusterSchedulingPolicy(policy)
    config.attrs = [shape, preference] if policy else [shape]
    config.numAttrs = len(config.attrs)
    return checked(driver.cuOccupancyMaxActiveClusters(function, config))
