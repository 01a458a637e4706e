"""Bytes a clock between the shared memories of a cluster, and what is left when all read from one.

The rate of one SM follows from four lanes of 32 bytes for the six SMs of a CPC (derived-007, inferred by its
authors). Readers of one owner share its port.
"""

from hopperlab.chip import chip
from hopperlab.models.arguments import finite_number, whole_number

HOPPER = chip("H100 SXM5")
LANES, LANE_BYTES, SMS_OF_A_CPC = 4, 32, 6  # derived-007
PACKET_BYTES = 32
"""What a load fetches at least, however few of them it uses; lit-113."""


def port_rate(lanes: int = LANES, lane_bytes: int = LANE_BYTES, sms: int = SMS_OF_A_CPC) -> float:
    """The bytes a clock that one SM sends or receives, one way, when all of its CPC do."""
    for name, value in (("lanes", lanes), ("lane_bytes", lane_bytes), ("sms", sms)):
        finite_number(name, value, above=0)
    return lanes * lane_bytes / sms


def all_to_all_rate(
    blocks: int, in_step: bool, port: float | None = None, used_bytes: int = PACKET_BYTES
) -> float:
    """The bytes a clock that one SM reads when every block of a cluster reads every other's memory.

    Parameters
    ----------
    blocks
        Of the cluster, 2 to 16.
    in_step
        Whether all read from the same owner at a time, which itself has nothing to read then, and go on to the
        next together. Otherwise every owner has one reader.
    port
        Bytes a clock that one SM's port gives; `port_rate()` if left out.
    used_bytes
        Of the `PACKET_BYTES` that a load fetches together, how many are asked for: 4 if threads read words that
        lie apart.
    """
    whole_number("blocks", blocks, 2, HOPPER.max_cluster_size)
    whole_number("used_bytes", used_bytes, 1, PACKET_BYTES)
    rate = finite_number("port", port_rate() if port is None else port, above=0)
    return rate * used_bytes / PACKET_BYTES / (blocks if in_step else 1)
