"""The SM: what feeds its tensor cores, how many warps hide a latency, and what its 256 KB are divided into."""

from hopperlab.models.sm.delivery import delivery_energy
from hopperlab.models.sm.generations import GENERATIONS, Generation, Product
from hopperlab.models.sm.operands import SHARED_BYTES_PER_CLOCK, Operands
from hopperlab.models.sm.register_tiles import RegisterTile
from hopperlab.models.sm.scheduler import Schedule, issue_rate, schedule, warps_to_hide
from hopperlab.models.sm.storage import CARVE_OUTS, carve_out

__all__ = [
    "CARVE_OUTS",
    "GENERATIONS",
    "SHARED_BYTES_PER_CLOCK",
    "Generation",
    "Operands",
    "Product",
    "RegisterTile",
    "Schedule",
    "carve_out",
    "delivery_energy",
    "issue_rate",
    "schedule",
    "warps_to_hide",
]
