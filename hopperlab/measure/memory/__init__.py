"""Experiments about memory: how late a byte is, where the L2 cache keeps it, and how many come a second."""

from hopperlab.measure.memory.bandwidth import BANDWIDTH
from hopperlab.measure.memory.l2_map import L2_MAP
from hopperlab.measure.memory.latency import MEMORY_LATENCY

EXPERIMENTS = (MEMORY_LATENCY, L2_MAP, BANDWIDTH)
