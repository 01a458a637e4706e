"""The card that the lesson asks about: one H200, its GPCs as a recording found them."""

from functools import cache

from hopperlab import ledger
from hopperlab.models.clusters import GpcMap

CARD = "H200 SXM"


@cache
def measured_map() -> GpcMap:
    """The map of GPCs that ships with the package, from the recording ``gpc_map`` of one H200."""
    recording = ledger.recordings("gpc_map", card=CARD)[0]
    return GpcMap(
        name=CARD,
        groups=tuple(map(tuple, recording.results["groups"])),
        provenance="measured",
        source=f"recording gpc_map, one {CARD}, {recording.date:%Y-%m-%d}",
        apart=False,
    )


def gpc_sm_counts() -> tuple[int, ...]:
    """SMs of each group of that map, largest first."""
    return measured_map().gpc_sm_counts
