"""Thread block clusters: the hierarchy, maps of GPCs, occupancy, and a gang scheduler."""

from hopperlab.models.clusters.gpc_map import EXAMPLE_MAPS, GpcMap, map_from_clusters, map_from_sizes
from hopperlab.models.clusters.hierarchy import Hierarchy, flatten, unflatten
from hopperlab.models.clusters.occupancy import (
    MAX_CLUSTER_BLOCKS_PER_SM,
    POLICIES,
    ClusterOccupancy,
    Waves,
    cluster_occupancy,
    clusters_in_gpc,
    max_active_clusters,
    naive_clusters,
    waves,
)
from hopperlab.models.clusters.residency import Residency, can_all_be_resident
from hopperlab.models.clusters.resources import BlockLimits, block_limits, blocks_per_sm
from hopperlab.models.clusters.schedule import Schedule
from hopperlab.models.clusters.scheduler import schedule_grids
from hopperlab.models.clusters.state import IDLE_CAUSES, Event, Placement, State, Waiting
from hopperlab.models.clusters.work import Grid

__all__ = [
    "EXAMPLE_MAPS",
    "IDLE_CAUSES",
    "MAX_CLUSTER_BLOCKS_PER_SM",
    "POLICIES",
    "BlockLimits",
    "ClusterOccupancy",
    "Event",
    "GpcMap",
    "Grid",
    "Hierarchy",
    "Placement",
    "Residency",
    "Schedule",
    "State",
    "Waiting",
    "Waves",
    "block_limits",
    "blocks_per_sm",
    "can_all_be_resident",
    "cluster_occupancy",
    "clusters_in_gpc",
    "flatten",
    "map_from_clusters",
    "map_from_sizes",
    "max_active_clusters",
    "naive_clusters",
    "schedule_grids",
    "unflatten",
    "waves",
]
