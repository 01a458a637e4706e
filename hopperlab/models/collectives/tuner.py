"""NCCL's own model of an all-reduce, with the constants of Hopper: a latency, and bytes over a bandwidth.

NCCL chooses ring, tree or NVLS (reduction in the NVSwitch) by such an estimate. The constants are those of its
sources src/graph/tuning.cc, topo.h and search.cc (lit-205); other releases have others. The search over channels
is cut short to what one full NVSwitch node gives; between 3 and 7 GPUs it is coarse.
"""

from dataclasses import dataclass

from hopperlab.models.arguments import finite_number, whole_number

TUNED = ("ring", "tree", "NVLS")
PROTOCOLS = ("LL", "LL128", "Simple")

LINK_GB_PER_S = 20.6  # what NCCL counts for one NVLink 4 link and direction (lit-205.a)
LINKS = 18
NODE_GB_PER_S = LINK_GB_PER_S * LINKS  # 370.8, the figure in NCCL's own log

# Channel bandwidths that the search tries, from the largest (lit-205.b).
SPEEDS_GB_PER_S = (60.0, 50.0, 40.0, 30.0, 24.0, 20.0, 15.0, 12.0, 11.0, 6.0, 3.0)
RING_CHANNELS = 12

# Microseconds (lit-205.c): before anything moves, and for each hop over NVLink.
BASE_US = {
    "ring": {"LL": 6.6, "LL128": 14.0, "Simple": 8.4},
    "tree": {"LL": 6.8, "LL128": 14.0, "Simple": 8.4},
    "NVLS": {"Simple": 0.0},
}
HOP_US = {
    "ring": {"LL": 0.6, "LL128": 1.9, "Simple": 3.4},
    "tree": {"LL": 0.6, "LL128": 1.25, "Simple": 4.0},
    "NVLS": {"Simple": 25.0},
}
# Shares of the bandwidth that a protocol or an algorithm keeps (lit-205.d).
PROTOCOL_KEEPS = {"LL": 0.5, "LL128": 0.92, "Simple": 1.0}
LL_GB_PER_S = 141.0  # the most through LL within one Hopper node
TREE_KEEPS = 0.92
NVLS_KEEPS = 0.85


@dataclass(frozen=True)
class Estimate:
    """What the model says of one algorithm and protocol.

    Attributes
    ----------
    latency_us, algorithm_gb_per_s
        The two numbers of the model.
    seconds
        Latency and bytes over bandwidth.
    """

    algorithm: str
    protocol: str
    ranks: int
    nbytes: float
    latency_us: float
    algorithm_gb_per_s: float

    @property
    def seconds(self) -> float:
        """The estimated time."""
        return self.latency_us * 1e-6 + self.nbytes / (self.algorithm_gb_per_s * 1e9)

    @property
    def bus_gb_per_s(self) -> float:
        """What nccl-tests would print as busbw."""
        return self.nbytes / self.seconds / 1e9 * 2 * (self.ranks - 1) / self.ranks


def nvls_channel_bandwidth(ranks: int) -> float:
    """The largest channel bandwidth (GB/s) that the search accepts for NVLS.

    Each channel has one head: its GPU is charged twice and the others once, so n channels load a GPU with n + 1
    times the channel's bandwidth (lit-205.e): the N + 1 of the traffic count, in code.
    """
    whole_number("ranks", ranks, 2, 8)
    return next(speed for speed in SPEEDS_GB_PER_S if speed * (ranks + 1) <= NODE_GB_PER_S)


def _bus_gb_per_s(algorithm: str, protocol: str, ranks: int) -> float:
    if algorithm == "NVLS":
        return ranks * nvls_channel_bandwidth(ranks) * NVLS_KEEPS * (ranks - 1) / ranks * 2
    channel = next(speed for speed in SPEEDS_GB_PER_S if speed * RING_CHANNELS <= NODE_GB_PER_S)
    bandwidth = RING_CHANNELS * channel * PROTOCOL_KEEPS[protocol]
    if protocol == "LL":
        bandwidth = min(bandwidth, LL_GB_PER_S)
    return bandwidth * (TREE_KEEPS if algorithm == "tree" else 1.0)


def _algorithm_gb_per_s(algorithm: str, protocol: str, ranks: int) -> float:
    bus = _bus_gb_per_s(algorithm, protocol, ranks)
    return bus * 0.5 if algorithm == "tree" else bus * ranks / (2 * (ranks - 1))


def _latency_us(algorithm: str, protocol: str, ranks: int) -> float:
    hop = HOP_US[algorithm][protocol]
    hops = {"ring": 2 * (ranks - 1), "tree": 2 * (ranks - 1), "NVLS": 1}[algorithm]
    return BASE_US[algorithm][protocol] + hops * hop


def estimate(algorithm: str, ranks: int, nbytes: float, protocol: str = "Simple") -> Estimate:
    """NCCL's estimate of an all-reduce within one HGX H100 or H200.

    Parameters
    ----------
    algorithm
        One of ``TUNED``.
    ranks
        GPUs, 2 to 8.
    nbytes
        The buffer of one rank.
    protocol
        ``"LL"``, ``"LL128"`` or ``"Simple"``; NVLS has only Simple.

    Raises
    ------
    ValueError
        For another name, or a number out of range.
    """
    if algorithm not in TUNED:
        raise ValueError(f"algorithm={algorithm!r} must be one of {', '.join(TUNED)}")
    if protocol not in BASE_US[algorithm]:
        raise ValueError(f"protocol={protocol!r}: {algorithm} has {', '.join(BASE_US[algorithm])}")
    whole_number("ranks", ranks, 2, 8)
    finite_number("nbytes", nbytes, above=0)
    return Estimate(
        algorithm,
        protocol,
        ranks,
        nbytes,
        _latency_us(algorithm, protocol, ranks),
        _algorithm_gb_per_s(algorithm, protocol, ranks),
    )


def best(ranks: int, nbytes: float, multicast: bool = True) -> Estimate:
    """The algorithm and protocol that the model finds fastest; without multicast there is no NVLS."""
    names = [name for name in TUNED if multicast or name != "NVLS"]
    choices = [estimate(name, ranks, nbytes, protocol) for name in names for protocol in BASE_US[name]]
    return min(choices, key=lambda one: one.seconds)
