"""How a product is cut: a block's tile, the stages of its ring, the cluster, and which tile comes when."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from hopperlab.models.arguments import whole_number
from hopperlab.models.gemm.rounds import TILE_ROWS, Rounds

ROWS = TILE_ROWS
"""Rows of a block's tile of the result: 64 for each of two warpgroups."""

STEP = 128
"""Bytes along K that a stage holds, which are as many elements of FP8: four instructions of 32."""

WARPGROUP = 128
CONSUMERS = 2
THREADS = (CONSUMERS + 1) * WARPGROUP
PART = 64
"""Columns of a finished tile that leave during one step along K of the next; the last part may have half as many."""

STAGES = {256: 4, 224: 5, 192: 5, 160: 6, 128: 7, 64: 9}
"""By a tile's columns, the stages that fit in the shared memory of a block."""

CLUSTERS = ((1, 1), (1, 2), (2, 1), (1, 4), (2, 2), (4, 1))
"""Blocks of a cluster, down and across."""

ALONE, PAIR = (1, 1), (2, 1)
MOST_ROWS_OF_TILES = 1 << 24


@dataclass(frozen=True)
class Schedule:
    """How the work is divided.

    Attributes
    ----------
    columns
        Of a block's tile: one of `STAGES`.
    stages
        Places in the ring for tiles of A and B that are on their way or worked on; by default those of `STAGES`.
    cluster
        Blocks of a cluster, down and across: one of `CLUSTERS`. Blocks side by side share rows of A, and blocks one
        below the other rows of B, which are columns of the result: each loads a part for all of them.
    group
        Rows of tiles that are worked through column by column, before the next rows: what is worked on at one
        time is then about a square, whose rows and columns are found in the L2.
    overlapped
        Whether a finished tile leaves under the products of the next. A tile then has at least a step along K for
        each `PART` of its columns.
    early
        Whether blocks come to their SM and set up while the grid before still stores, as programmatic dependent
        launch lets them.
    """

    columns: int = 256
    stages: int | None = None
    cluster: tuple[int, int] = (1, 1)
    group: int = 16
    overlapped: bool = True
    early: bool = True

    def __post_init__(self) -> None:
        """Fill in the stages; a ValueError for what no kernel has, a TypeError for what is no whole number."""
        whole_number("columns", self.columns, min(STAGES), max(STAGES))
        whole_number("group", self.group, 1, MOST_ROWS_OF_TILES)
        if self.columns not in STAGES:
            raise ValueError(f"columns is {self.columns}; allowed are {', '.join(map(str, STAGES))}")
        if self.cluster not in CLUSTERS:
            raise ValueError(f"cluster is {self.cluster}; allowed are {', '.join(map(str, CLUSTERS))}")
        if self.stages is None:
            object.__setattr__(self, "stages", STAGES[self.columns])
        whole_number("stages", self.stages, 2, STAGES[self.columns])

    @property
    def blocks(self) -> int:
        """Blocks of a cluster."""
        down, across = self.cluster
        return down * across

    @property
    def boxes(self) -> tuple[tuple[int, int], tuple[int, int]]:
        """What a block loads of A and of B for each stage: rows, and bytes along K."""
        down, across = self.cluster
        return (ROWS // across, STEP), (self.columns // down, STEP)

    @property
    def parts(self) -> int:
        """Steps along K under which a tile leaves."""
        return -(-self.columns // PART)

    @property
    def stage_bytes(self) -> int:
        """Bytes of A and B in a stage."""
        return (ROWS + self.columns) * STEP

    @property
    def shared_bytes(self) -> int:
        """Dynamic shared memory of a block: the ring."""
        return self.stages * self.stage_bytes

    def order(self, m: int, n: int) -> np.ndarray:
        """Give the first row and column of each cluster's tile of an M x N result, int32 (tiles, 2), first to last."""
        height, width = ROWS * self.cluster[0], self.columns * self.cluster[1]
        down, across = (x.ravel() for x in np.indices((-(-m // height), -(-n // width))))
        first_to_last = np.lexsort((down, across, down * self.cluster[0] // self.group))
        return (np.stack([down, across], axis=1)[first_to_last] * (height, width)).astype(np.int32)


@lru_cache(maxsize=256)
def schedule_for(m: int, n: int, k: int, widest: int = 256) -> Schedule:
    """Choose the columns of a tile, at most `widest`, and the cluster for which the last SM is done first.

    `models.gemm.Rounds` says which that is: the last round takes as long as the others however few SMs have a tile.
    Two blocks, one below the other, read each part of B from the L2 once; but a cluster starts more slowly. K decides
    whether there is time to store a tile under the next.
    """
    cuts = ((columns, cluster) for columns in STAGES if columns <= widest for cluster in (ALONE, PAIR))
    columns, cluster = min(cuts, key=lambda cut: Rounds(m, n, cut[0], together=cut[1][0]).time)
    return Schedule(columns, cluster=cluster, overlapped=-(-k // STEP) >= -(-columns // PART))
