"""Experiments about the tensor memory accelerator: what its maps may say, where bytes land, how fast it copies."""

from hopperlab.measure.tma.copying import TMA_COPY
from hopperlab.measure.tma.descriptors import TMA_DESCRIPTORS
from hopperlab.measure.tma.layout import TMA_LAYOUT

EXPERIMENTS = (TMA_DESCRIPTORS, TMA_LAYOUT, TMA_COPY)
