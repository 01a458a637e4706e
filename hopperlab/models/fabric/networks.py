"""Small networks to send messages over: a switch, a ring, all-to-all wires, and two tiers with a taper."""

from collections.abc import Hashable

from hopperlab.models.arguments import whole_number
from hopperlab.models.fabric.contention import Network, Path

SWITCH = -1
MOST_RANKS = 256


def one_switch(ranks: int, bytes_per_second: float, latency_ns: float = 0.0) -> Network:
    """GPUs on one switch that blocks nothing: a link up and a link down each, half the latency on each.

    Rank -1 is the switch itself, for what it reduces or multicasts.
    """
    whole_number("ranks", ranks, 2, MOST_RANKS)
    each = Path(bytes_per_second, latency_ns / 2)
    paths = {(way, r): each for r in range(ranks) for way in ("up", "down")}

    def route(source: int, target: int) -> list[Hashable]:
        up = [] if source == SWITCH else [("up", source)]
        return up + ([] if target == SWITCH else [("down", target)])

    return Network(f"one switch of {ranks} GPUs", paths, route, ranks)


def ring_of(ranks: int, bytes_per_second: float, latency_ns: float = 0.0) -> Network:
    """GPUs wired in a ring, both ways round; messages take the shorter way, clockwise where both are equal."""
    whole_number("ranks", ranks, 3, MOST_RANKS)
    each = Path(bytes_per_second, latency_ns)
    paths = {(r, (r + way) % ranks): each for r in range(ranks) for way in (1, -1)}

    def route(source: int, target: int) -> list[Hashable]:
        ahead = (target - source) % ranks
        way = 1 if ahead <= ranks - ahead else -1
        hops = min(ahead, ranks - ahead)
        return [((source + way * hop) % ranks, (source + way * (hop + 1)) % ranks) for hop in range(hops)]

    return Network(f"a ring of {ranks} GPUs", paths, route, ranks)


def all_connected(ranks: int, bytes_per_second: float, latency_ns: float = 0.0) -> Network:
    """A wire from every GPU to every other."""
    whole_number("ranks", ranks, 2, MOST_RANKS)
    each = Path(bytes_per_second, latency_ns)
    paths = {(one, other): each for one in range(ranks) for other in range(ranks) if one != other}
    return Network(f"{ranks} GPUs, all connected", paths, lambda source, target: [(source, target)], ranks)


def two_tiers(
    groups: int,
    gpus_per_group: int,
    bytes_per_second: float,
    taper: float = 1.0,
    latency_ns: float = 0.0,
    uplink_bytes_per_second: float | None = None,
) -> Network:
    """Groups of GPUs, each behind a switch, under a second tier of switches.

    A group's uplinks carry as many messages at once as its lanes: its GPUs divided by the taper, rounded down.

    Parameters
    ----------
    groups, gpus_per_group
        Such as servers and the GPUs of one; rank r stands in group r // gpus_per_group.
    taper
        2 means that half of what a group's GPUs can send fits its uplinks; 1 blocks nothing.
    latency_ns
        Of each link.
    uplink_bytes_per_second
        Of one lane, where it differs from a GPU's links.

    Raises
    ------
    ValueError
        If the taper leaves a group without a lane.
    """
    whole_number("groups", groups, 1, MOST_RANKS)
    whole_number("gpus_per_group", gpus_per_group, 1, MOST_RANKS)
    lanes = int(gpus_per_group / taper)
    if lanes < 1:
        raise ValueError(f"taper={taper} must be in 1 to {gpus_per_group}: each group needs a lane")
    ranks = groups * gpus_per_group
    near = Path(bytes_per_second, latency_ns)
    far = Path(uplink_bytes_per_second or bytes_per_second, latency_ns, lanes)
    paths: dict[Hashable, Path] = {(way, r): near for r in range(ranks) for way in ("up", "down")}
    paths |= {(way, group): far for group in range(groups) for way in ("to spine", "from spine")}

    def route(source: int, target: int) -> list[Hashable]:
        here, there = source // gpus_per_group, target // gpus_per_group
        between = [] if here == there else [("to spine", here), ("from spine", there)]
        return [("up", source), *between, ("down", target)]

    return Network(f"{groups} groups of {gpus_per_group} GPUs, taper {taper:g} to 1", paths, route, ranks)
