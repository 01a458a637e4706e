"""Experiments about DPX: what each function gives, how fast it is, and what it does for whole programs."""

from hopperlab.measure.dpx.functions import DPX_FUNCTIONS
from hopperlab.measure.dpx.programs import DPX_PROGRAMS
from hopperlab.measure.dpx.rates import DPX_RATES

EXPERIMENTS = (DPX_FUNCTIONS, DPX_RATES, DPX_PROGRAMS)
