"""Many jobs on one InfiniBand fabric: who gets the switches to reduce, and what the others lose."""

from hopperlab.models.sharp_tenancy.admission import (
    RULES,
    Admission,
    Cluster,
    Job,
    Placed,
    admit,
    best_packing,
    pack,
)
from hopperlab.models.sharp_tenancy.throughput import GAME_HOMES, GAME_JOBS, step_seconds, steps_per_hour

__all__ = [
    "GAME_HOMES",
    "GAME_JOBS",
    "RULES",
    "Admission",
    "Cluster",
    "Job",
    "Placed",
    "admit",
    "best_packing",
    "pack",
    "step_seconds",
    "steps_per_hour",
]
