"""What a generation of chips brings: factors that a workload may spend, memory by clock and width, and links."""

from hopperlab.models.chip.extension import effective_bandwidth
from hopperlab.models.chip.factors import FACTORS, WORKLOADS, Gain, Workload, factor, gain
from hopperlab.models.chip.harvest import Harvest, harvest

__all__ = [
    "FACTORS",
    "WORKLOADS",
    "Gain",
    "Harvest",
    "Workload",
    "effective_bandwidth",
    "factor",
    "gain",
    "harvest",
]
