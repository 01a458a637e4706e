"""Exchange between the blocks of a cluster: protocols and their crossings, latency as two parts, bytes a clock."""

from hopperlab.models.exchange.bandwidth import all_to_all_rate, port_rate
from hopperlab.models.exchange.latency import fit, latency, left_over, pairs_of, rms
from hopperlab.models.exchange.protocols import (
    CONSUMER,
    FLAG,
    MEMORY,
    ONE_SIDED,
    PRODUCER,
    PROTOCOLS,
    STORE,
    TAGGED,
    Exchange,
    Latencies,
    Message,
    crossings,
    exchange,
    round_trip,
)

__all__ = [
    "CONSUMER",
    "FLAG",
    "MEMORY",
    "ONE_SIDED",
    "PRODUCER",
    "PROTOCOLS",
    "STORE",
    "TAGGED",
    "Exchange",
    "Latencies",
    "Message",
    "all_to_all_rate",
    "crossings",
    "exchange",
    "fit",
    "latency",
    "left_over",
    "pairs_of",
    "port_rate",
    "rms",
    "round_trip",
]
