"""A recommender over many GPUs: its embedding tables, the bytes it exchanges, and where its time goes."""

from hopperlab.models.recommender.exchange import (
    communication_speedups,
    exchanged_bytes,
    gpus_needed,
    step_speedup,
)
from hopperlab.models.recommender.inversion import Inverted, invert
from hopperlab.models.recommender.placement import (
    Load,
    Machine,
    Table,
    example_tables,
    greedy,
    improved,
    load,
    random_placement,
    split,
    step_seconds,
)

__all__ = [
    "Inverted",
    "Load",
    "Machine",
    "Table",
    "communication_speedups",
    "example_tables",
    "exchanged_bytes",
    "gpus_needed",
    "greedy",
    "improved",
    "invert",
    "load",
    "random_placement",
    "split",
    "step_seconds",
    "step_speedup",
]
