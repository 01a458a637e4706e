"""Four ways to fill a matrix: the same products, and not the same watts."""

from functools import cache

import numpy as np

from hopperlab.models.fp8 import decode

ROWS, COLUMNS = 64, 128
NO_NAN = 0xF7  # bits of a byte that may be set: no E4M3 number with them is NaN
ONE = 0x38
SEED = 17


@cache
def fillings() -> dict[str, np.ndarray]:
    """For each name a matrix of E4M3 bytes, (64, 128): zeros, ones, random, and each row of that in order."""
    random = np.random.default_rng(SEED).integers(0, 256, (ROWS, COLUMNS), np.uint8) & np.uint8(NO_NAN)
    order = np.argsort(decode(random, "e4m3"), axis=1, kind="stable")
    return {
        "zeros": np.zeros((ROWS, COLUMNS), np.uint8),
        "ones": np.full((ROWS, COLUMNS), ONE, np.uint8),
        "random": random,
        "sorted": np.take_along_axis(random, order, axis=1),
    }
