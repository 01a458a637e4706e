"""Experiments about the SM: what fits on one, by the driver's own count."""

from hopperlab.measure.sm.occupancy import SM_OCCUPANCY

EXPERIMENTS = (SM_OCCUPANCY,)
