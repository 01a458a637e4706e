"""Pictures of collectives: one GPU's packets, what everyone holds, gains, curves, and one run in every unit."""

from hopperlab.views.collectives.curves import Measured, busbw_curves
from hopperlab.views.collectives.gains import sharp_gains
from hopperlab.views.collectives.holdings import holdings
from hopperlab.views.collectives.one_gpu import one_gpu
from hopperlab.views.collectives.reduction_rate import reduction_rate
from hopperlab.views.collectives.units import one_run

__all__ = ["Measured", "busbw_curves", "holdings", "one_gpu", "one_run", "reduction_rate", "sharp_gains"]
