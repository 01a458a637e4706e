"""Collective operations: what each rank moves, in which order, how long it takes, and what a benchmark prints."""

from hopperlab.models.collectives.bandwidth import (
    UNITS_OF_RATE,
    Rate,
    algorithm_bandwidth,
    bus_bandwidth,
    seconds_from_bus_bandwidth,
    wire_bandwidth,
)
from hopperlab.models.collectives.closed_form import all_to_all_bus_ceiling, crossover_bytes, seconds
from hopperlab.models.collectives.hockney import Hockney, fitted
from hopperlab.models.collectives.operations import OPERATIONS, Operation, operation
from hopperlab.models.collectives.protocol import Holdings, Transfer, complete, hold_at_start, run, transfers
from hopperlab.models.collectives.reduction import reduction_limit, reduction_work
from hopperlab.models.collectives.traffic import (
    ALGORITHMS,
    Traffic,
    corrected_gain,
    spoken_gain,
    spoken_shards,
    traffic,
)
from hopperlab.models.collectives.tuner import TUNED, Estimate, best, estimate, nvls_channel_bandwidth

__all__ = [
    "ALGORITHMS",
    "OPERATIONS",
    "TUNED",
    "UNITS_OF_RATE",
    "Estimate",
    "Hockney",
    "Holdings",
    "Operation",
    "Rate",
    "Traffic",
    "Transfer",
    "algorithm_bandwidth",
    "all_to_all_bus_ceiling",
    "best",
    "bus_bandwidth",
    "complete",
    "corrected_gain",
    "crossover_bytes",
    "estimate",
    "fitted",
    "hold_at_start",
    "nvls_channel_bandwidth",
    "operation",
    "reduction_limit",
    "reduction_work",
    "run",
    "seconds",
    "seconds_from_bus_bandwidth",
    "spoken_gain",
    "spoken_shards",
    "traffic",
    "transfers",
    "wire_bandwidth",
]
