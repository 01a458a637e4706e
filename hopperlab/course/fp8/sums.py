"""The sums that lesson 04 asks about: ones on a large accumulator, and long sums of uniform numbers."""

from collections.abc import Sequence
from functools import cache

import numpy as np

from hopperlab.models import tensorcore
from hopperlab.models.fp8 import decode, encode
from hopperlab.models.tensorcore import Block

UNIT = "hopper.wgmma.e4m3"
ROWS = 16  # the mean over 16 x 16 sums
SEED = 4


def ones_on(c: float, unit: str = UNIT, count: int = 32) -> Block:
    """One block: so many products 1 x 1, and the accumulator."""
    ones = np.ones(count, tensorcore.UNITS[unit].a.dtype)
    return tensorcore.explain_block(ones, ones, c, unit)


def all_ones(k: int, promote_every: int | None = None) -> float:
    """A dot product of k ones with k ones."""
    ones = np.ones((1, k), tensorcore.UNITS[UNIT].a.dtype)
    return float(tensorcore.matmul(ones, ones.T, promote_every=promote_every)[0, 0])


@cache
def uniform_bias(k: int, promote_every: int | None = None, unit: str = UNIT) -> float:
    """Mean relative error of sums of k products of numbers uniform in [0, 1), against the exact sums.

    The operands are rounded to E4M3 first, scaled so that 1 becomes 448; what is told is the accumulator's error
    alone.
    """
    rng = np.random.default_rng(SEED)
    a = encode(448 * rng.random((ROWS, k)), "e4m3")
    b = encode(448 * rng.random((k, ROWS)), "e4m3")
    exact = decode(a, "e4m3").astype(np.float64) @ decode(b, "e4m3").astype(np.float64)
    if unit != UNIT:
        dtype = tensorcore.UNITS[unit].a.dtype
        a, b = a.astype(dtype), b.astype(dtype)
    given = tensorcore.matmul(a, b, unit=unit, promote_every=promote_every, threads=1)
    return float(np.mean(given / exact) - 1)


def biases(terms: Sequence[int], promote_every: int | None = None, unit: str = UNIT) -> tuple[float, ...]:
    """The same for several lengths."""
    return tuple(uniform_bias(k, promote_every, unit) for k in terms)
