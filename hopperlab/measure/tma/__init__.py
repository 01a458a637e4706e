"""Experiments about the tensor memory accelerator: what maps may say, where bytes land, speed and cost."""

from hopperlab.measure.tma.bandwidth import TMA_BANDWIDTH
from hopperlab.measure.tma.copying import TMA_COPY
from hopperlab.measure.tma.descriptors import TMA_DESCRIPTORS
from hopperlab.measure.tma.instructions import TMA_INSTRUCTIONS
from hopperlab.measure.tma.layout import TMA_LAYOUT
from hopperlab.measure.tma.multicast import TMA_MULTICAST
from hopperlab.measure.tma.refusals import TMA_REFUSALS

EXPERIMENTS = (
    TMA_DESCRIPTORS,
    TMA_LAYOUT,
    TMA_COPY,
    TMA_BANDWIDTH,
    TMA_MULTICAST,
    TMA_INSTRUCTIONS,
    TMA_REFUSALS,
)
