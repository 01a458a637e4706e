"""Clock cycles of kernels: those that set the simulator's costs, and those that test them."""

from hopperlab.measure.cycles.experiments import TIMING, TIMING_COSTS

EXPERIMENTS = (TIMING_COSTS, TIMING)
