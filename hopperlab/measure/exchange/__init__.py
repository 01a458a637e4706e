"""Experiments about exchange: what arrives between two blocks, how late, how much a cycle, and how a message costs."""

from hopperlab.measure.exchange.all_to_all import DSMEM_ALL_TO_ALL
from hopperlab.measure.exchange.bandwidth import DSMEM_BANDWIDTH
from hopperlab.measure.exchange.latency import DSMEM_LATENCY
from hopperlab.measure.exchange.pairs import DSMEM_PAIRS
from hopperlab.measure.exchange.programs import EXCHANGE_PROGRAMS
from hopperlab.measure.exchange.protocols import EXCHANGE_PROTOCOLS
from hopperlab.measure.exchange.round_trip import EXCHANGE_ROUND_TRIP

EXPERIMENTS = (
    DSMEM_PAIRS,
    DSMEM_LATENCY,
    DSMEM_BANDWIDTH,
    DSMEM_ALL_TO_ALL,
    EXCHANGE_ROUND_TRIP,
    EXCHANGE_PROTOCOLS,
    EXCHANGE_PROGRAMS,
)
