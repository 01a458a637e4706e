"""Experiments about throughput: how fast instructions are, of an SM and of the chip."""

from hopperlab.measure.throughput.rates import INSTRUCTION_RATES

EXPERIMENTS = (INSTRUCTION_RATES,)
