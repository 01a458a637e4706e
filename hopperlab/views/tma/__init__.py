"""Pictures of the tensor memory accelerator: the explorer, what a tile costs, and curves of bandwidth."""

from hopperlab.views.tma.cost import Way, cost
from hopperlab.views.tma.curves import curves
from hopperlab.views.tma.explorer import explorer

__all__ = ["Way", "cost", "curves", "explorer"]
