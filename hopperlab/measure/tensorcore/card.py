"""A matrix product on the card, by the instruction of a unit of `models.tensorcore`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hopperlab.models.tensorcore import UNITS, Unit
from hopperlab.models.tensorcore.formats import FLOAT16

if TYPE_CHECKING:
    import numpy as np

WARPGROUP, WARP = "hopper.wgmma", "hopper.mma"
ON_THE_CARD = tuple(name for name in UNITS if name.startswith((f"{WARPGROUP}.", f"{WARP}.")))
"""The units of a Hopper card."""

COLUMNS = 64  # of a warpgroup's tile
STEP_BYTES = 128  # of K at a time


def multiply(a: np.ndarray, b: np.ndarray, c: np.ndarray, unit: Unit) -> np.ndarray:
    """Give D = C + A B^T as the card computes it, for A (M, K), B (N, K), C (M, N) of any size.

    All three are filled up with zeros to whole tiles: 64 rows and columns, 128 bytes along K.
    """
    import numpy as np

    m, n = c.shape
    rows, columns = -(-m // 64) * 64, -(-n // 64) * 64
    row_bytes = -(-a.shape[1] * a.itemsize // STEP_BYTES) * STEP_BYTES
    a_bytes, b_bytes = _bytes(a, rows, row_bytes), _bytes(b, columns, row_bytes)
    padded = np.zeros((rows, columns), unit.output.dtype)
    padded[:m, :n] = c
    by = _by_warpgroup if unit.name.startswith(WARPGROUP) else _by_warp
    return by(a_bytes, b_bytes, padded, unit)[:m, :n]


def _bytes(matrix: np.ndarray, rows: int, row_bytes: int) -> np.ndarray:
    import numpy as np

    padded = np.zeros((rows, row_bytes), np.uint8)
    own = np.ascontiguousarray(matrix).view(np.uint8)
    padded[: own.shape[0], : own.shape[1]] = own
    return padded


def _by_warpgroup(a: np.ndarray, b: np.ndarray, c: np.ndarray, unit: Unit) -> np.ndarray:
    import numpy as np
    from numba import cuda

    from hopperlab.device import tma
    from hopperlab.kernels.tensorcore.warpgroup import tile_product

    maps = [tma.tensor_map(cuda.to_device(x), (64, STEP_BYTES), swizzle=128) for x in (a, b)]
    d = cuda.to_device(np.zeros_like(c))
    kernel = tile_product(unit.a.name, unit.b.name, COLUMNS, unit.output.name)
    kernel[(c.shape[0] // 64, c.shape[1] // COLUMNS), 128](*maps, cuda.to_device(c), d, np.int32(a.shape[1]))
    return d.copy_to_host()


def _by_warp(a: np.ndarray, b: np.ndarray, c: np.ndarray, unit: Unit) -> np.ndarray:
    import numpy as np
    from numba import cuda

    from hopperlab.kernels.tensorcore.warp import warp_product

    halves = unit.output is FLOAT16
    words = [cuda.to_device(x.view(np.uint32)) for x in (a, b)]
    given = cuda.to_device(c.view(np.uint32) if halves else c)
    d = cuda.to_device(np.zeros_like(c).view(np.uint32) if halves else np.zeros_like(c))
    kernel = warp_product(unit.a.name, unit.b.name, unit.output.name)
    kernel[(c.shape[0] // 16, c.shape[1] // 8), 32](*words, given, d)
    return d.copy_to_host().view(c.dtype)
