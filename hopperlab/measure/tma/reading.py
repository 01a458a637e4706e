"""What the experiments about reading tiles share: an image whose words are known, and launches that read it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

KIB = 1024
SIDE, THREADS = 64, 256  # of kernels.tiles
TILE = 4 * SIDE * SIDE
BARRIERS = 1024
"""Bytes of shared memory that a kernel's barriers take at most, with what aligns the ring."""


@dataclass
class Source:
    """Device memory whose word number n holds n, seen as images.

    Attributes
    ----------
    nbytes
        Of the memory.
    """

    nbytes: int

    @cached_property
    def words(self) -> Any:
        """The memory itself."""
        import numpy as np
        from numba import cuda

        return cuda.to_device(np.arange(self.nbytes // 4, dtype=np.uint32))

    def image(self, rows: int, columns: int) -> Any:
        """Give the first rows * columns words as a float32 image."""
        import numpy as np

        return self.words[: rows * columns].view(np.float32).reshape(rows, columns)


@dataclass
class Reading:
    """A launch that reads tiles: to be timed, and then to be asked whether it did its work.

    Attributes
    ----------
    launch
        Starts it.
    boxes, box_bytes
        Boxes that each block reads, and bytes of one.
    cycles, sums
        Device arrays, an element a block.
    expected
        What the sums are to be.
    """

    launch: Callable[[], None]
    boxes: int
    box_bytes: int
    cycles: Any
    sums: Any
    expected: Any

    def cycles_per_box(self) -> list[float]:
        """Give each block's clock cycles for a box, in the launch before; refuse it if a box did not come."""
        from hopperlab.measure.timing import require_work

        require_work("boxes read", self.sums.copy_to_host(), self.expected)
        return (self.cycles.copy_to_host() / self.boxes).round(1).tolist()


def expected_sums(
    grid: tuple[int, int], width: int, height: int, each: int, rows: int, columns: int, share: int
) -> Any:
    """Give the sum of the first words of each block's boxes, where word n holds n."""
    import numpy as np

    across, down = np.meshgrid(np.arange(grid[0]) // share, np.arange(grid[1]))
    k = np.arange(each, dtype=np.uint64)[:, None, None]
    top = (down * height + k * np.uint64(grid[1] * height)) % np.uint64(rows)
    firsts = top.astype(np.uint64) * np.uint64(columns) + (across * width).astype(np.uint64)
    return firsts.sum(axis=0).astype(np.uint32).ravel()


def by_engine(
    source: Source,
    grid: tuple[int, int],
    box: tuple[int, int],
    each: int,
    stages: int,
    *,
    blocks_per_sm: int = 1,
    share: int = 1,
    rows: int | None = None,
) -> Reading:
    """Read boxes of (rows, columns) by the engine; neighbors of a `share` read the same ones."""
    import numpy as np

    from hopperlab.device import tma
    from hopperlab.kernels.tiles import read_boxes

    height, width = box
    columns, rows = grid[0] // share * width, rows or grid[1] * height * each
    map_ = tma.tensor_map(source.image(rows, columns), box)
    numbers = [np.int32(n) for n in (width, height, each, stages, share, rows)]
    nbytes = 4 * height * width
    started = read_boxes[grid, 64, 0, _shared(stages * nbytes, blocks_per_sm)]
    expected = expected_sums(grid, width, height, each, rows, columns, share)
    return _reading(started, [map_, *numbers], each, nbytes, expected)


def by_threads(
    source: Source, way: str, grid: tuple[int, int], each: int, stages: int, blocks_per_sm: int = 1
) -> Reading:
    """Read tiles by all threads of a block, with "cp.async" or with "loads"."""
    import numpy as np

    from hopperlab.kernels.tiles import read_by_cp_async, read_by_loads

    kernel = read_by_cp_async(stages) if way == "cp.async" else read_by_loads
    rows, columns = grid[1] * SIDE * each, grid[0] * SIDE
    started = kernel[grid, THREADS, 0, _shared(stages * TILE, blocks_per_sm)]
    expected = expected_sums(grid, SIDE, SIDE, each, rows, columns, 1)
    return _reading(started, [source.image(rows, columns), np.int32(each)], each, TILE, expected)


def by_multicast(
    source: Source, grid: tuple[int, int], size: int, each: int, stages: int, requesters: int, rows: int
) -> Reading:
    """Read tiles by clusters of `size` along x; `requesters` of their blocks ask, and all get all."""
    import numpy as np

    from hopperlab.device import tma
    from hopperlab.kernels.tiles import read_shared_boxes

    columns = grid[0] // size * SIDE
    map_ = tma.tensor_map(source.image(rows, columns), (SIDE // requesters, SIDE))
    numbers = [np.int32(n) for n in (each, stages, requesters, rows)]
    started = read_shared_boxes[grid, 64, 0, _shared(stages * TILE, 1), size]
    expected = expected_sums(grid, SIDE, SIDE, each, rows, columns, size)
    return _reading(started, [map_, *numbers], each, TILE, expected)


def _shared(nbytes: int, blocks_per_sm: int) -> int:
    """Give dynamic shared memory that holds the ring and lets no more than `blocks_per_sm` share an SM."""
    share = 228 * KIB // (blocks_per_sm + 1) + 1 - KIB if blocks_per_sm > 1 else 128 * KIB
    return max(nbytes, -(-share // KIB) * KIB)


def _reading(started: Any, arguments: list, boxes: int, box_bytes: int, expected: Any) -> Reading:
    import numpy as np
    from numba import cuda

    cycles, sums = (cuda.to_device(np.zeros(expected.size, np.uint32)) for _ in range(2))
    return Reading(lambda: started(*arguments, cycles, sums), boxes, box_bytes, cycles, sums, expected)
