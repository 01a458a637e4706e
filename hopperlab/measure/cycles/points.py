"""The points that the simulator's time is tested on; no cost is set by any of them."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from hopperlab.measure.cycles.calibration import KIB, boxes_of
from hopperlab.measure.cycles.case import CYCLES, ROUNDS, Boxes, Case

if TYPE_CHECKING:
    import numpy as np

HALO_BYTES = (32, 256, 2048)
RING_SIZES = (2, 4, 8, 16)
VECTOR_BYTES = 32 * KIB
STAGES = (1, 2, 3, 4, 6)
TILES = 256
LOADS_KIB = (1, 4, 16, 32)


@cache
def cases() -> tuple[Case, ...]:
    """Give the 22 points."""
    return (*_messages(), *_patterns(), *_copies(), *_blocks())


def _zeros(size: int, dtype: str = "uint32") -> np.ndarray:
    import numpy as np

    return np.zeros(size, dtype)


def _messages() -> tuple[Case, ...]:
    from hopperlab.kernels.exchange import ping_pong_by_flag
    from hopperlab.kernels.timing import points

    return (
        *(
            Case(
                f"st.async to and fro in a cluster of {blocks}", lambda: points.ping_pong,
                (ROUNDS, CYCLES, _zeros(blocks)), 32, blocks, blocks,
            )
            for blocks in (2, 8)
        ),
        Case(
            "a flag in global memory to and fro", lambda: ping_pong_by_flag,
            (ROUNDS, _zeros(64), _zeros(64), CYCLES, _zeros(2)), 32, 2, 2,
        ),
    )  # fmt: skip


def _patterns() -> tuple[Case, ...]:
    from hopperlab.kernels.timing import points

    return (
        *(
            Case(
                f"halo of 4 blocks, {nbytes} bytes an edge", lambda: points.halo,
                (ROUNDS, _zeros(1)[0] + nbytes // 4, CYCLES), points.CELLS, 4, 4, simulated_rounds=2,
            )
            for nbytes in HALO_BYTES
        ),
        *(
            Case(
                f"ring all-reduce of {VECTOR_BYTES // KIB} KiB in a cluster of {blocks}",
                lambda: points.ring_all_reduce, (ROUNDS, _zeros(1)[0] + VECTOR_BYTES // 4, CYCLES), 32,
                blocks, blocks, VECTOR_BYTES, simulated_rounds=2,
            )
            for blocks in RING_SIZES
        ),
    )  # fmt: skip


def _copies() -> tuple[Case, ...]:
    from hopperlab.kernels.timing import points

    def tensor() -> Boxes:
        rows = points.TILE_ROWS
        return Boxes(_zeros(TILES * rows * points.TILE_COLUMNS, "float32").reshape(TILES * rows, -1), rows)

    return (
        *(
            Case(
                f"ring of {stages} stages, a tile", lambda stages=stages: points.pipeline(stages),
                (ROUNDS, tensor(), _zeros(32, "float32"), CYCLES), 64, rounds=TILES, simulated_rounds=TILES // 2,
            )
            for stages in STAGES
        ),
        *(boxes_of(kib) for kib in LOADS_KIB),
    )  # fmt: skip


def _blocks() -> tuple[Case, ...]:
    from hopperlab.kernels.timing import points, words

    return (
        Case("syncthreads of 512 threads", lambda: words.sync_block, (ROUNDS, CYCLES), 512),
        Case(
            "cluster.sync of 8 x 256 threads", lambda: words.sync_cluster, (ROUNDS, CYCLES), 256, 8, 8,
            simulated_rounds=4,
        ),
        Case(
            "shared reduction of 256 elements", lambda: points.reduction,
            (ROUNDS, _zeros(points.REDUCED, "float32"), _zeros(1, "float32"), CYCLES), points.REDUCED,
            simulated_rounds=4,
        ),
    )  # fmt: skip
