"""Experiments about clusters: which SMs share a GPC, how many clusters the card holds, how many truly run."""

from hopperlab.measure.clusters.gpc_map import GPC_MAP
from hopperlab.measure.clusters.occupancy import CLUSTER_OCCUPANCY
from hopperlab.measure.clusters.placement import CLUSTER_PLACEMENT

EXPERIMENTS = (GPC_MAP, CLUSTER_OCCUPANCY, CLUSTER_PLACEMENT)
