"""Four ways to fill matrices: the same products, and not the same watts."""

from functools import cache

import numpy as np

from hopperlab.measure.power.fillings import filled


@cache
def fillings() -> dict[str, np.ndarray]:
    """For each name the rows of both matrices as E4M3 bytes, (320, 128): zeros, ones, random, and each row in order.

    All but the zeros are those that were measured.
    """
    measured = {name: np.concatenate(filled(name)) for name in ("ones", "random", "sorted")}
    zeros = np.zeros_like(measured["ones"])
    return {
        "zeros": zeros,
        "ones": measured["ones"],
        "sorted": measured["sorted"],
        "random": measured["random"],
    }
