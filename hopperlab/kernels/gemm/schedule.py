"""How a product is cut: a block's tile, the stages of its ring, the cluster, and which tile comes when."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from hopperlab.chip import chip
from hopperlab.models.arguments import whole_number

ROWS = 128
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

PAIR = (2, 1)
SEAM = 16
"""What a tile costs however wide it is, in columns; with the next two it gives the order in which an H200 is fast."""

START = 16
"""What it costs clusters to start, in columns."""

UNSHARED = 1.02
"""How much longer a column takes if each block reads all of B by itself."""

MOST_ROWS_OF_TILES = 1 << 24

SMS = chip("H100 SXM5").sms


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


def schedule_for(m: int, n: int, k: int, widest: int = 256) -> Schedule:
    """Choose the columns of a tile, at most `widest`, and the cluster for which the last SM is done first.

    All SMs take tiles in rounds, and the last round takes as long as the others however few have one. A round takes as
    long as a tile is wide, and `SEAM` more. Two blocks, one below the other, read each part of B from the L2 once; but
    a cluster starts more slowly. K decides whether there is time to store a tile under the next.
    """
    cuts = ((columns, cluster) for columns in STAGES if columns <= widest for cluster in ((1, 1), PAIR))
    columns, cluster = min(cuts, key=lambda cut: _columns_in_a_row(m, n, *cut))
    return Schedule(columns, cluster=cluster, overlapped=-(-k // STEP) >= -(-columns // PART))


def _columns_in_a_row(m: int, n: int, columns: int, cluster: tuple[int, int]) -> float:
    """Give the time of a product, in columns that one SM does in a row."""
    down, across = cluster
    clusters = -(-m // (ROWS * down)) * -(-n // (columns * across))
    rounds = -(-clusters // (SMS // (down * across)))
    return rounds * (columns + SEAM) + START if cluster == PAIR else rounds * (columns + SEAM) * UNSHARED
