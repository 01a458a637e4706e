"""How many clusters run at once, what they leave stranded, and in how many waves a grid is done.

The rule is ``clusters_in_gpc``; everything else here counts with it.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from hopperlab.chip import chip
from hopperlab.models.arguments import whole_number
from hopperlab.models.clusters.gpc_map import check_gpc_sm_counts
from hopperlab.models.clusters.hierarchy import check_cluster_size

MAX_BLOCKS_PER_SM = chip("H100 SXM5").max_blocks_per_sm

MAX_CLUSTER_BLOCKS_PER_SM = 8
"""Blocks of clusters that one SM holds at most: measured (cluster_occupancy, cluster_placement); no document."""

POLICIES = ("default", "spread", "load balancing")
"""How the hardware is asked to place a cluster's blocks (lit-016)."""


def clusters_in_gpc(sms: int, cluster_size: int, blocks_per_sm: int, policy: str = "default") -> int:
    """Clusters that run at once in one GPC of ``sms`` SMs: the rule, as cards answer.

    A cluster runs in one GPC (talk-027) and takes any free places there. Two things no document says, and the
    recordings ``cluster_occupancy`` and ``cluster_placement`` show: an SM holds at most 8 blocks of clusters;
    and a cluster of more blocks than the GPC has SMs never runs there, however many blocks an SM could hold,
    unless the launch asks for load balancing.
    """
    if sms < cluster_size and policy != "load balancing":
        return 0
    return sms * min(blocks_per_sm, MAX_CLUSTER_BLOCKS_PER_SM) // cluster_size


def max_active_clusters(
    gpc_sm_counts: Sequence[int], cluster_size: int, blocks_per_sm: int = 1, policy: str = "default"
) -> int:
    """Clusters of ``cluster_size`` blocks that run at once on an empty card.

    Parameters
    ----------
    gpc_sm_counts
        SMs of each GPC.
    cluster_size
        Blocks of a cluster, 1 to 16 (talk-030).
    blocks_per_sm
        Blocks of this kernel that fit on one SM, 0 to 32: see ``blocks_per_sm``. Of clusters, 8 count.
    policy
        One of ``POLICIES``.

    Raises
    ------
    ValueError
        For a value out of range.
    """
    return cluster_occupancy(gpc_sm_counts, cluster_size, blocks_per_sm, policy).clusters


def naive_clusters(sms: int, cluster_size: int, blocks_per_sm: int = 1) -> int:
    """Places divided by cluster size: what one would guess if a cluster could span GPCs. It cannot."""
    check_cluster_size("cluster_size", cluster_size, chip("H100 SXM5"))
    whole_number("blocks_per_sm", blocks_per_sm, 0, MAX_BLOCKS_PER_SM)
    return whole_number("sms", sms, 0, 2**16) * blocks_per_sm // cluster_size


@dataclass(frozen=True)
class ClusterOccupancy:
    """A card full of clusters of one size: what runs in each GPC and what is left over.

    Attributes
    ----------
    clusters_per_gpc, sms_used_per_gpc, stranded_sms_per_gpc
        By GPC: clusters running, SMs with a block, SMs that no cluster can use.
    """

    gpc_sm_counts: tuple[int, ...]
    cluster_size: int
    blocks_per_sm: int
    clusters_per_gpc: tuple[int, ...]

    @property
    def clusters(self) -> int:
        """Clusters running at once."""
        return sum(self.clusters_per_gpc)

    @property
    def blocks(self) -> int:
        """Blocks running at once."""
        return self.clusters * self.cluster_size

    @property
    def sms_used_per_gpc(self) -> tuple[int, ...]:
        """SMs with at least one block: blocks are spread over SMs before an SM takes a second one."""
        return tuple(
            min(sms, clusters * self.cluster_size)
            for sms, clusters in zip(self.gpc_sm_counts, self.clusters_per_gpc, strict=True)
        )

    @property
    def sms_used(self) -> int:
        """SMs of the card with at least one block."""
        return sum(self.sms_used_per_gpc)

    @property
    def stranded_sms_per_gpc(self) -> tuple[int, ...]:
        """SMs without a block while more clusters wait: too few of them are left in their GPC."""
        return tuple(sms - used for sms, used in zip(self.gpc_sm_counts, self.sms_used_per_gpc, strict=True))

    @property
    def stranded_sms(self) -> int:
        """SMs of the card without a block."""
        return sum(self.stranded_sms_per_gpc)

    @property
    def naive(self) -> int:
        """What ``naive_clusters`` promises for this card."""
        return naive_clusters(sum(self.gpc_sm_counts), self.cluster_size, self.blocks_per_sm)


def cluster_occupancy(
    gpc_sm_counts: Sequence[int], cluster_size: int, blocks_per_sm: int = 1, policy: str = "default"
) -> ClusterOccupancy:
    """The card of those GPCs, full of clusters: see ``max_active_clusters`` for arguments and errors."""
    counts = check_gpc_sm_counts(gpc_sm_counts)
    check_cluster_size("cluster_size", cluster_size, chip("H100 SXM5"))
    whole_number("blocks_per_sm", blocks_per_sm, 0, MAX_BLOCKS_PER_SM)
    if policy not in POLICIES:
        raise ValueError(f"policy={policy!r} must be one of {', '.join(POLICIES)}")
    per_gpc = tuple(clusters_in_gpc(sms, cluster_size, blocks_per_sm, policy) for sms in counts)
    return ClusterOccupancy(counts, cluster_size, blocks_per_sm, per_gpc)


@dataclass(frozen=True)
class Waves:
    """How often a card fills up before a grid is done, if all its units take equally long.

    Attributes
    ----------
    full
        Times that the card is full.
    tail
        Units left for a last, partly empty wave; 0 where none is needed.
    at_once
        Units in a full wave.
    """

    full: int
    tail: int
    at_once: int

    @property
    def total(self) -> int:
        """Waves, the partly empty one included."""
        return self.full + (self.tail > 0)

    @property
    def efficiency(self) -> float:
        """Units launched over units that the waves had places for, 0 to 1."""
        return (self.full * self.at_once + self.tail) / (self.total * self.at_once)


def waves(units: int, at_once: int) -> Waves:
    """The waves of a grid of ``units`` blocks or clusters where ``at_once`` run at once.

    Raises
    ------
    ValueError
        If either is below 1: nothing to run, or nothing fits.
    """
    whole_number("units", units, 1, 2**63 - 1)
    whole_number("at_once", at_once, 1, 2**31 - 1)
    return Waves(units // at_once, units % at_once, at_once)
