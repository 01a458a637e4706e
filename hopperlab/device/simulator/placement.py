"""Where clusters go: the places of a chip, filled as models.clusters fills them."""

from __future__ import annotations

from collections import deque

from hopperlab.chip import Chip
from hopperlab.device.simulator.threads import Cluster, Dim3
from hopperlab.models.clusters import EXAMPLE_MAPS, GpcMap, Hierarchy, blocks_per_sm, map_from_sizes
from hopperlab.models.clusters.occupancy import MAX_CLUSTER_BLOCKS_PER_SM
from hopperlab.models.clusters.places import Places

REGISTERS = 32  # a thread's, assumed: what a kernel takes is known only to the compiler

_MAPS = {
    "H100 SXM5": "132 SMs, 2x18 + 6x16",
    "H100 PCIe": "H100 PCIe",
    "H200 SXM": "H200 SXM",
    "GH100": "GH100",
}
_A100_GPCS = (16, 16, 16, 16, 16, 14, 14)  # modelled: 108 SMs on 7 GPCs of at most 16


class NoPlace(ValueError):  # noqa: N818 - the run makes a finding of it
    """A block, or a cluster, that the empty chip has no place for."""


def map_of(chip: Chip) -> GpcMap:
    """Give the map of GPCs that stands for a chip; cards of one name differ."""
    if chip.name in _MAPS:
        return EXAMPLE_MAPS[_MAPS[chip.name]]
    return map_from_sizes(_A100_GPCS, name=chip.name)


class Placement:
    """Gives the clusters of a launch to the chip, in order, as places become free.

    Raises
    ------
    NoPlace
        If one cluster does not fit the empty chip.
    """

    def __init__(self, shape: Hierarchy, chip: Chip, shared_bytes: int) -> None:
        self.shape = shape
        if shape.blocks_per_cluster > chip.max_cluster_size:
            raise NoPlace(f"the {chip.name} runs no clusters: they came with Hopper")
        threads = shape.threads_per_block
        fitting = blocks_per_sm(chip, threads, REGISTERS, shared_bytes)
        size = shape.blocks_per_cluster
        if size > 1:
            fitting = min(fitting, MAX_CLUSTER_BLOCKS_PER_SM)
        if not fitting:
            raise NoPlace(f"no SM of the {chip.name} has room for a block of {threads} threads")
        self._places = Places(map_of(chip), fitting)
        x, y, z = shape.block
        self._indices = [Dim3(i, j, k) for k in range(z) for j in range(y) for i in range(x)]
        self._next = 0
        self._seated: deque = deque()
        self.sms: dict[int, int] = {}
        if self._places.find(size, 1, smallest_gpc=size) is None:
            raise NoPlace(
                f"the {chip.name} has no GPC with room for a cluster of {size} blocks of {threads} threads: "
                f"its map is {map_of(chip).sizes()} SMs"
            )
        self._seat(0.0)

    def _seat(self, cycle: float) -> None:
        size = self.shape.blocks_per_cluster
        while self._next < self.shape.clusters:
            seats = self._places.find(size, 1, smallest_gpc=size)
            if seats is None:
                return
            self._places.take(seats, 1)
            self._seated.append((self._next, seats, cycle))
            self._next += 1

    def next_cluster(self) -> Cluster | None:
        """Give the next cluster that has its places; None if there is none, or none left."""
        if not self._seated:
            return None
        number, seats, cycle = self._seated.popleft()
        cluster = Cluster(number, self.shape, seats, self._indices, cycle)
        for block in cluster.blocks:
            self.sms[block.number] = block.sm
        return cluster

    def free(self, cluster: Cluster, cycle: float) -> None:
        """Take back the places of a cluster that has ended, at that time."""
        self._places.take(cluster.seats, -1)
        self._seat(cycle)
