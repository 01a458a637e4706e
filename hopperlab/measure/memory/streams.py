"""Streams over device memory: launching them, timing them, and knowing what their sums must be."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from hopperlab.measure.memory.clock import megahertz, stamps
from hopperlab.measure.timing import require_work, seconds

MIB = 2**20
VALUE = 0x0123456789ABCDEF  # what is written
WARM_UP = 2

Launch = Callable[[], Any]
Check = Callable[[], Any]


@dataclass(frozen=True)
class Walk:
    """Which tiles the blocks of a stream visit: see `kernels.memory.read`.

    Attributes
    ----------
    tile_bytes
        Bytes of a tile.
    tiles
        How many tiles there are.
    blocks
        How many blocks walk.
    step, count
        How many tiles a block goes on by each time, and how many it visits.
    """

    tile_bytes: int
    tiles: int
    blocks: int
    step: int
    count: int

    @property
    def nbytes(self) -> int:
        """What all blocks move."""
        return self.tile_bytes * self.blocks * self.count

    def arguments(self) -> tuple:
        """Give the three numbers that a kernel takes."""
        import numpy as np

        return np.int32(self.tiles), np.int32(self.step % self.tiles), np.int32(self.count)

    def visited(self) -> Any:
        """Give the number of every tile that is visited, as often as it is."""
        import numpy as np

        starts = np.arange(self.blocks) % self.tiles
        return (starts[:, None] + np.arange(self.count) * self.step) % self.tiles


class Field:
    """Device memory filled with the numbers of `kernels.memory.fill`, to be read, written and copied.

    Parameters
    ----------
    nbytes
        Its size, a multiple of 4 MiB.
    """

    def __init__(self, nbytes: int) -> None:
        import numpy as np
        from numba import cuda

        self.words = cuda.device_array(nbytes // 4, np.uint32)
        self.longs = self.words.view(np.uint64)
        self.times = stamps()
        self.fill()

    def fill(self) -> None:
        """Fill it anew."""
        from hopperlab.kernels.memory import fill

        fill[1024, 512](self.words)

    @cached_property
    def period(self) -> Any:
        """What stands in it, until it comes again: uint32."""
        import numpy as np

        from hopperlab.kernels.memory.stream import PERIOD, SCRAMBLE

        return np.arange(PERIOD, dtype=np.uint32) * np.uint32(SCRAMBLE)

    def reader(
        self, width: int, in_flight: int, walk: Walk, shift: int = 0, through_l1: bool = False
    ) -> tuple[Launch, Check]:
        """Give what launches a read, each time `shift` bytes further on, and what looks at its sums."""
        import numpy as np
        from numba import cuda

        from hopperlab.kernels.memory import read
        from hopperlab.kernels.memory.stream import THREADS

        kernel = read(width, in_flight, through_l1)
        array = self.words if width == 4 else self.longs
        sums = cuda.to_device(np.zeros(walk.blocks * THREADS, np.uint64))
        starts = self._starts(walk, shift)

        def launch() -> None:
            kernel[walk.blocks, THREADS](starts(array), *walk.arguments(), sums, self.times)

        def check() -> None:
            period = self.period.view(array.dtype).reshape(-1, walk.tile_bytes // array.dtype.itemsize)
            of_tiles = period.sum(axis=1, dtype=np.uint64)
            expected = of_tiles[walk.visited() % of_tiles.size].sum(dtype=np.uint64)
            require_work("read", sums.copy_to_host().sum(dtype=np.uint64), expected)

        return launch, check

    def reader_of_tiles(self, walk: Walk, shift: int) -> tuple[Launch, Check]:
        """Give the same of a read by the copy engine."""
        import numpy as np
        from numba import cuda

        from hopperlab.kernels.memory import read_tiles
        from hopperlab.kernels.memory.stream import STAGES, TILE_BYTES

        sums = cuda.to_device(np.zeros(walk.blocks, np.uint64))
        starts = self._starts(walk, shift)

        def launch() -> None:
            read_tiles[walk.blocks, 32, 0, STAGES * TILE_BYTES](
                starts(self.longs), *walk.arguments(), sums, self.times
            )

        def check() -> None:
            firsts = self.period.view(np.uint64)[:: walk.tile_bytes // 8]
            expected = firsts[walk.visited() % firsts.size].sum(axis=1, dtype=np.uint64)
            require_work("read by the copy engine", sums.copy_to_host(), expected)

        return launch, check

    def writer(self, in_flight: int, walk: Walk) -> tuple[Launch, Check]:
        """Give what launches a write, and what looks at it and fills the field anew."""
        import numpy as np

        from hopperlab.kernels.memory import write
        from hopperlab.kernels.memory.stream import THREADS

        def launch() -> None:
            write(in_flight)[walk.blocks, THREADS](
                self.longs, *walk.arguments(), np.uint64(VALUE), self.times
            )

        def check() -> None:
            some = self.longs[: min(walk.tiles * walk.tile_bytes // 8, MIB)].copy_to_host()
            require_work("write", np.unique(some), np.array([VALUE], np.uint64))
            self.fill()

        return launch, check

    def copier(self, other: Field, in_flight: int, walk: Walk) -> tuple[Launch, Check]:
        """Give what launches a copy to another field, and what looks at it."""

        from hopperlab.kernels.memory import copy
        from hopperlab.kernels.memory.stream import THREADS

        def launch() -> None:
            copy(in_flight)[walk.blocks, THREADS](self.longs, other.longs, *walk.arguments(), self.times)

        def check() -> None:
            size = min(walk.tiles * walk.tile_bytes // 4, self.period.size)
            require_work("copy", other.words[:size].copy_to_host(), self.period[:size])

        return launch, check

    def timed(self, work: tuple[Launch, Check], repeats: int) -> tuple[list[float], float]:
        """Launch, and look at the work; give the seconds of each launch, and the clock of the last in MHz."""
        launch, check = work
        taken = seconds(launch, warm_up=WARM_UP, repeats=repeats)[0]
        check()
        return taken, megahertz(self.times)

    def _starts(self, walk: Walk, shift: int) -> Callable[[Any], Any]:
        """Give what moves an array on by `shift` bytes each time, as long as the walk fits in it."""
        room = (self.words.size * 4 - walk.tiles * walk.tile_bytes) // shift if shift else 0
        launched = [0]

        def moved(array: Any) -> Any:
            first = launched[0] % (room + 1) * shift // array.dtype.itemsize
            launched[0] += 1
            return array[first:]

        return moved
