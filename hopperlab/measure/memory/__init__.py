"""Experiments about memory: how late a byte is, where the L2 cache keeps it, and how many come a second."""

from hopperlab.measure.memory.bandwidth import BANDWIDTH
from hopperlab.measure.memory.l2_map import L2_MAP
from hopperlab.measure.memory.latency import MEMORY_LATENCY
from hopperlab.measure.memory.unseen import MEMORY_LATENCY_UNSEEN

EXPERIMENTS = (MEMORY_LATENCY, MEMORY_LATENCY_UNSEEN, L2_MAP, BANDWIDTH)
