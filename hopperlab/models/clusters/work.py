"""The work that a scheduler places: grids of plain blocks or of clusters, with given durations."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from hopperlab.chip import chip
from hopperlab.models.arguments import finite_number, whole_number
from hopperlab.models.clusters.hierarchy import check_cluster_size
from hopperlab.models.clusters.occupancy import MAX_BLOCKS_PER_SM, MAX_CLUSTER_BLOCKS_PER_SM, POLICIES


@dataclass(frozen=True)
class Grid:
    """One launch: a stream of units, each a cluster, or a plain block where ``cluster_size`` is 1.

    Parameters
    ----------
    durations
        How long each unit runs, in launch order; one entry a unit, in any unit of time.
    cluster_size
        Blocks of a unit, 1 to 16 (talk-030).
    blocks_per_sm
        Blocks of this grid that an otherwise empty SM holds: see ``hopperlab.models.clusters.blocks_per_sm``.
    name
        What pictures and messages call it.
    stream
        Grids of one stream run one after another; grids of different streams may run together.
    ready
        When the launch reaches the card; same unit of time.
    policy
        How the hardware is asked to place clusters, one of ``POLICIES``. Only ``"load balancing"`` lets a
        cluster run in a GPC of fewer SMs than it has blocks.
    waits_for_itself
        True for a grid whose units spin until all of them have started, and run for their duration then.

    Raises
    ------
    ValueError
        For a value out of range, and for ``blocks_per_sm=0``: a block that fits no SM cannot be launched.
    TypeError
        For a value that is no number.
    """

    durations: Sequence[float]
    cluster_size: int = 1
    blocks_per_sm: int = 1
    name: str = "grid"
    stream: int = 0
    ready: float = 0.0
    policy: str = "default"
    waits_for_itself: bool = False

    def __post_init__(self) -> None:
        """Refuse what CUDA refuses to launch."""
        object.__setattr__(self, "durations", tuple(self.durations))
        if not self.durations:
            raise ValueError(f"durations=() of {self.name!r} must hold at least one unit")
        for number, duration in enumerate(self.durations):
            finite_number(f"durations[{number}]", duration, above=0)
        check_cluster_size("cluster_size", self.cluster_size, chip("H100 SXM5"))
        if self.blocks_per_sm == 0:
            raise ValueError(
                f"blocks_per_sm=0: a block of {self.name!r} fits no SM; allowed 1 to {MAX_BLOCKS_PER_SM}"
            )
        whole_number("blocks_per_sm", self.blocks_per_sm, 1, MAX_BLOCKS_PER_SM)
        finite_number("ready", self.ready, at_least=0)
        if self.policy not in POLICIES:
            raise ValueError(f"policy={self.policy!r} must be one of {', '.join(POLICIES)}")

    @property
    def units(self) -> int:
        """Clusters of the grid, or blocks of a plain one."""
        return len(self.durations)

    @property
    def blocks(self) -> int:
        """Blocks of the grid."""
        return self.units * self.cluster_size

    @property
    def places_per_sm(self) -> int:
        """Blocks of this grid that an SM takes: of clusters, 8 at most (see ``MAX_CLUSTER_BLOCKS_PER_SM``)."""
        most = MAX_CLUSTER_BLOCKS_PER_SM if self.cluster_size > 1 else self.blocks_per_sm
        return min(self.blocks_per_sm, most)

    @property
    def smallest_gpc(self) -> int:
        """SMs that a GPC needs at least to run a unit: see ``clusters_in_gpc``."""
        return (
            -(-self.cluster_size // self.places_per_sm)
            if self.policy == "load balancing"
            else self.cluster_size
        )

    @property
    def unit_name(self) -> str:
        """What one unit is called: ``cluster`` or ``block``."""
        return "cluster" if self.cluster_size > 1 else "block"

    def as_plain_blocks(self) -> "Grid":
        """The same work without clusters: every block on its own, as long as its cluster ran."""
        durations = tuple(duration for duration in self.durations for _ in range(self.cluster_size))
        return replace(self, durations=durations, cluster_size=1)
