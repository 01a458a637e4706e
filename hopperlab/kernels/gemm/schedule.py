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
"""Columns of a finished tile that leave during one step along K of the next."""

STAGES = {256: 4, 128: 7, 64: 9}
"""By a tile's columns, the stages that fit in the shared memory of a block."""

MOST_ROWS_OF_TILES = 1 << 24

SMS = chip("H100 SXM5").sms


@dataclass(frozen=True)
class Schedule:
    """How the work is divided.

    Attributes
    ----------
    columns
        Of a block's tile: 64, 128 or 256.
    stages
        Places in the ring for tiles of A and B that are on their way or worked on; by default those of `STAGES`.
    cluster
        Blocks of a cluster, 1, 2 or 4, which lie side by side and share the rows of A: each loads a part for all.
    group
        Rows of tiles that are worked through column by column, before the next rows: what is worked on at one
        time is then about a square, whose rows and columns are found in the L2.
    overlapped
        Whether a finished tile leaves under the products of the next. A tile then has at least a step along K for
        each `PART` of its columns.
    """

    columns: int = 256
    stages: int | None = None
    cluster: int = 1
    group: int = 32
    overlapped: bool = True

    def __post_init__(self) -> None:
        """Fill in the stages; a ValueError for what no kernel has, a TypeError for what is no whole number."""
        whole_number("columns", self.columns, min(STAGES), max(STAGES))
        whole_number("cluster", self.cluster, 1, 4)
        whole_number("group", self.group, 1, MOST_ROWS_OF_TILES)
        if self.columns not in STAGES:
            raise ValueError(f"columns is {self.columns}; allowed are {', '.join(map(str, STAGES))}")
        if self.cluster not in (1, 2, 4):
            raise ValueError(f"cluster is {self.cluster}; allowed are 1, 2 and 4")
        if self.stages is None:
            object.__setattr__(self, "stages", STAGES[self.columns])
        whole_number("stages", self.stages, 2, STAGES[self.columns])

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
        height, width = ROWS, self.columns * self.cluster
        down, across = (x.ravel() for x in np.indices((-(-m // height), -(-n // width))))
        first_to_last = np.lexsort((down, across, down // self.group))
        return (np.stack([down, across], axis=1)[first_to_last] * (height, width)).astype(np.int32)


def schedule_for(m: int, n: int, k: int, widest: int = 256) -> Schedule:
    """Choose a schedule: the widest tiles of which more than half of the SMs get one, else the narrowest.

    A wide tile reads the least for each product; but an SM without a tile multiplies nothing. K decides whether
    there is time to store a tile under the next.
    """
    for columns in (c for c in STAGES if c <= widest):
        schedule = Schedule(columns, overlapped=-(-k // STEP) >= columns // PART)
        if 2 * len(schedule.order(m, n)) > SMS:
            break
    return schedule
