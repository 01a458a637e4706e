"""Experiments about tensor cores: whether they compute what the model says, and how long an instruction takes."""

from hopperlab.measure.tensorcore.differential import TENSORCORE_DIFFERENTIAL
from hopperlab.measure.tensorcore.probes import TENSORCORE_PROBES
from hopperlab.measure.tensorcore.rates import WGMMA_RATES

EXPERIMENTS = (TENSORCORE_DIFFERENTIAL, TENSORCORE_PROBES, WGMMA_RATES)
