"""How many results an SM gives in a clock: the lanes of its units, and what must be in flight to fill them."""

from hopperlab.models.throughput.ceilings import (
    COUNTED,
    FLOP,
    LANE_RESULTS,
    WARP_INSTRUCTIONS,
    ceiling,
    of_a_mix,
    possible,
)
from hopperlab.models.throughput.units import UNITS, Unit, in_flight_to_fill, rate, rate_of, warps_to_fill

__all__ = [
    "COUNTED",
    "FLOP",
    "LANE_RESULTS",
    "UNITS",
    "WARP_INSTRUCTIONS",
    "Unit",
    "ceiling",
    "in_flight_to_fill",
    "of_a_mix",
    "possible",
    "rate",
    "rate_of",
    "warps_to_fill",
]
