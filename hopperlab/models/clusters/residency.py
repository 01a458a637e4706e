"""Whether the blocks of a grid may all wait for each other."""

from collections.abc import Sequence
from dataclasses import dataclass

from hopperlab.models.arguments import whole_number
from hopperlab.models.clusters.occupancy import cluster_occupancy


@dataclass(frozen=True)
class Residency:
    """Whether all blocks of a grid can be on an empty card at once. True and False as a condition.

    Attributes
    ----------
    blocks, room
        Blocks of the grid, and blocks of its kind that the card holds at once.
    """

    blocks: int
    room: int

    def __bool__(self) -> bool:
        """True where every block finds a place."""
        return self.blocks <= self.room

    @property
    def reason(self) -> str:
        """The answer in a sentence."""
        if self:
            return (
                f"All {self.blocks} blocks find a place at once, of {self.room}, if nothing else runs. "
                "Only a cooperative launch promises it."
            )
        return (
            f"Of {self.blocks} blocks {self.room} find a place; {self.blocks - self.room} start only when "
            "others leave. A block that waits for all of them waits for ever."
        )


def can_all_be_resident(
    blocks: int, gpc_sm_counts: Sequence[int], blocks_per_sm: int = 1, cluster_size: int = 1
) -> Residency:
    """Whether the blocks of a grid may all wait for each other.

    CUDA promises that the blocks of one cluster run together, never that those of a plain grid do. A grid
    that spins until all its blocks have come hangs unless all of them are resident.

    Parameters
    ----------
    blocks
        Blocks of the grid: a multiple of ``cluster_size``.
    gpc_sm_counts, blocks_per_sm, cluster_size
        As for ``max_active_clusters``; size 1 is a plain grid.
    """
    whole_number("blocks", blocks, 1, 2**31 - 1)
    full = cluster_occupancy(gpc_sm_counts, cluster_size, blocks_per_sm)
    room = full.blocks if cluster_size > 1 else sum(full.gpc_sm_counts) * blocks_per_sm
    if blocks % cluster_size:
        raise ValueError(f"blocks={blocks} must be a multiple of cluster_size={cluster_size}")
    return Residency(blocks, room)
