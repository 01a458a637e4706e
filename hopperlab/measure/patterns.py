"""Inputs that every machine makes alike from a seed, and a digest of what came of them."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np


def random_words(seed: Sequence[int], count: int) -> np.ndarray:
    """Give that many random uint32; the same in every version of numpy, for they are the generator's own bits."""
    import numpy as np

    raw = np.random.PCG64(np.random.SeedSequence(seed)).random_raw(-(-count // 2))
    return raw.view(np.uint32)[:count]


def digest(*arrays: np.ndarray) -> str:
    """Give the SHA-256 of arrays, one after the other: equal digests, equal bits."""
    import numpy as np

    found = hashlib.sha256()
    for array in arrays:
        found.update(np.ascontiguousarray(array).tobytes())
    return found.hexdigest()
