"""Experiments about power: what the card draws, and how it holds its clock back."""

from hopperlab.measure.power.watching import CLOCKS_AND_POWER

EXPERIMENTS = (CLOCKS_AND_POWER,)
