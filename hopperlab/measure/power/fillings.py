"""Numbers to fill the tiles of a product with: the work is the same, the bits that change from number to number not."""

from __future__ import annotations

from functools import cache

import numpy as np

from hopperlab.models.fp8 import decode

FILLINGS = ("ones", "random", "sorted")
ONE = 0x38
NO_NAN = 0xF7  # bits of a byte that may be set: no E4M3 number with them is NaN
ROWS, COLUMNS, STEP = 64, 256, 128
SEED = 17


@cache
def filled(name: str) -> tuple[np.ndarray, np.ndarray]:
    """Give the tiles of `kernels.power.multiply_given`, as bytes of E4M3: (64, 128) and (256, 128).

    Parameters
    ----------
    name
        "ones"; "random", any numbers but those of an odd exponent; or "sorted", each row of these from the least to
        the greatest.

    Raises
    ------
    ValueError
        If there is no filling of that name.
    """
    if name not in FILLINGS:
        raise ValueError(f"name={name!r} must be one of {', '.join(FILLINGS)}")
    return _tile(name, ROWS, SEED), _tile(name, COLUMNS, SEED + 1)


def _tile(name: str, rows: int, seed: int) -> np.ndarray:
    if name == "ones":
        return np.full((rows, STEP), ONE, np.uint8)
    random = np.random.default_rng(seed).integers(0, 256, (rows, STEP), np.uint8) & np.uint8(NO_NAN)
    if name == "random":
        return random
    return np.take_along_axis(random, np.argsort(decode(random, "e4m3"), axis=1, kind="stable"), axis=1)


def product(name: str) -> np.ndarray:
    """Give the product of these tiles, (64, 256) in float64: the sums of one group."""
    rows, columns = (np.asarray(decode(tile, "e4m3"), np.float64) for tile in filled(name))
    return rows @ columns.T
