"""Pictures of thread block clusters: the board, the occupancy curve, the hierarchy, the map of GPCs."""

from hopperlab.views.clusters.board import board
from hopperlab.views.clusters.gpc_map import gpc_map
from hopperlab.views.clusters.hierarchy import hierarchy
from hopperlab.views.clusters.occupancy_curve import occupancy_curve

__all__ = ["board", "gpc_map", "hierarchy", "occupancy_curve"]
