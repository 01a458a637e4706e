"""Pictures of lesson 02: what feeds the tensor cores, what fits on an SM, which warp issues when, and generations."""

from hopperlab.views.sm.feeding import delivery, feeding, register_tiles
from hopperlab.views.sm.generations import generations
from hopperlab.views.sm.warps import occupancy, scheduling

__all__ = ["delivery", "feeding", "generations", "occupancy", "register_tiles", "scheduling"]
