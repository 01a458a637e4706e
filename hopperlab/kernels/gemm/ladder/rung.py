"""What a rung is: a kernel, what changed since the one below, and how it is launched on a product of any size."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from hopperlab.chip import chip
from hopperlab.device import tma
from hopperlab.kernels.gemm.ladder import lanes, warpgroups

if TYPE_CHECKING:
    from hopperlab.device import Kernel

HOPPER = chip("H100 SXM5")

BYTES = {"float32": 4, "bf16": 2, "e4m3": 1}
"""Bytes of an element of A and B, by format."""


class Launch(NamedTuple):
    """A kernel with all that a launch of it takes."""

    kernel: Kernel
    grid: tuple[int, int]
    block: int | tuple[int, int]
    arguments: tuple
    shared_bytes: int = 0
    cluster: int = 1

    def run(self) -> None:
        """Launch on this session's machine."""
        self.kernel[self.grid, self.block, 0, self.shared_bytes, self.cluster](*self.arguments)

    def simulate(self, **options: Any) -> Any:
        """Run in the simulator: options are those of `Kernel.simulate`."""
        options = {"shared_bytes": self.shared_bytes, "cluster": self.cluster, **options}
        return self.kernel.simulate(self.grid, self.block, self.arguments, **options)


@dataclass(frozen=True)
class Rung:
    """One step of the ladder.

    Attributes
    ----------
    name
        What it is called.
    changed
        What changed since the rung below, in a sentence.
    format
        Of A and B: "float32", "bf16" or "e4m3". D is float32 on every rung.
    make
        From size and stages to the kernel; on the first rungs one or both mean nothing.
    size
        Of a tile: `each` on the ordinary lanes, columns on the tensor cores.
    stages
        Buffers of the ring; 0 where there is none.
    way
        How it is fed: "arrays", "maps" of float32, or "bytes", maps of them.
    warpgroups
        Of a block, on the tensor cores.
    cluster
        Blocks of a cluster.
    persistent
        Whether a block takes tile after tile.
    """

    name: str
    changed: str
    format: str
    make: Callable[[int, int], Kernel]
    size: int
    stages: int = 0
    way: str = "bytes"
    warpgroups: int = 0
    cluster: int = 1
    persistent: bool = False

    def tile(self, size: int | None = None) -> tuple[int, int, int]:
        """Give rows and columns of a block's tile of D, and the elements along K of one step."""
        size = self.size if size is None else size
        if self.warpgroups:
            return warpgroups.TILE_ROWS, size, warpgroups.STEP // BYTES[self.format]
        edge = lanes.SIDE * size
        return edge, edge, lanes.STEP if self.stages or size > 1 else 1

    def launch(
        self,
        a: Any,
        b: Any,
        d: Any,
        *,
        size: int | None = None,
        stages: int | None = None,
        sms: int = HOPPER.sms,
    ) -> Launch:
        """Prepare D = A times B transposed.

        Parameters
        ----------
        a, b
            (M, K) and (N, K) arrays, numpy's or a device's, of float32 or of bytes: uint8 (M, K * element bytes).
        d
            (M, N) array of float32.
        size, stages
            Other ones than the rung's own: small tiles for the simulator, stages to compare.
        sms
            Blocks that run at once, for a persistent rung.

        Raises
        ------
        ValueError
            If a shape is no multiple of the tile's, or the arrays do not go together.
        """
        size, stages = size or self.size, stages or self.stages
        rows, columns, step = self.tile(size)
        (m, width), (n, other) = a.shape, b.shape
        length = width if self.format == "float32" else width // BYTES[self.format]
        if width != other or tuple(d.shape) != (m, n):
            raise ValueError(
                f"a, b and d are {a.shape}, {b.shape}, {d.shape}: give (M, K), (N, K) and (M, N)"
            )
        for name, given, unit in (("M", m, rows * self.cluster), ("N", n, columns), ("K", length, step)):
            if given <= 0 or given % unit:
                raise ValueError(f"{name} is {given}; rung {self.name!r} takes multiples of {unit}")
        kernel = self.make(size, stages)
        if not self.warpgroups:
            return self._on_the_lanes(kernel, a, b, d, size)
        boxes = (rows, warpgroups.STEP), (columns // self.cluster, warpgroups.STEP)
        maps = [tma.tensor_map(x, box, swizzle=128) for x, box in zip((a, b), boxes, strict=True)]
        across = n // columns
        if self.persistent:
            across = min(across, max(1, sms // (m // rows)))
        nbytes = stages * warpgroups.stage_bytes(columns)
        threads = self.warpgroups * warpgroups.WARPGROUP
        return Launch(kernel, (m // rows, across), threads, (*maps, d, np.int32(width)), nbytes, self.cluster)

    def _on_the_lanes(self, kernel: Kernel, a: Any, b: Any, d: Any, size: int) -> Launch:
        edge = lanes.SIDE * size
        grid = (d.shape[1] // edge, d.shape[0] // edge)
        if self.way == "arrays":
            block = lanes.THREADS if size > 1 else (lanes.SIDE, lanes.SIDE)
            return Launch(kernel, grid, block, (a, b, d))
        maps = [tma.tensor_map(x, (edge, lanes.STEP), swizzle=32) for x in (a, b)]
        return Launch(kernel, grid, lanes.THREADS, (*maps, d, np.int32(a.shape[1])))
