"""How late a word from another block's shared memory comes: one part for either SM, added up.

The latency of a pair over the SM-to-SM network is separable: lat(i, j) = d_i + d_j (derived-013.a). A part
says how far its SM lies from the switch in the middle. All latencies are in clock cycles.
"""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from math import sqrt

import numpy as np

Pair = tuple[Hashable, Hashable, float]
"""A reader's SM, the SM that owns the word, and the cycles it took."""


def fit(pairs: Iterable[Pair]) -> dict[Hashable, float]:
    """The part of every SM, in cycles, by least squares over pairs of different SMs.

    Raises
    ------
    ValueError
        If a pair is of one SM with itself, or the pairs do not determine every part: that takes a
        triangle, or another ring of an odd number of SMs, in every group of SMs that are linked by pairs.
    """
    pairs = list(pairs)
    for reader, owner, _ in pairs:
        if reader == owner:
            raise ValueError(f"pairs has SM {reader!r} with itself; its own memory is not on the network")
    number = {sm: place for place, sm in enumerate(sorted({sm for pair in pairs for sm in pair[:2]}))}
    parts = np.zeros((len(pairs), len(number)))
    for row, (reader, owner, _) in enumerate(pairs):
        parts[row, number[reader]] += 1
        parts[row, number[owner]] += 1
    fitted, _, rank, _ = np.linalg.lstsq(parts, np.array([cycles for *_, cycles in pairs]), rcond=None)
    if rank < len(number):
        raise ValueError(f"pairs determine {rank} of the parts of {len(number)} SMs; give a triangle of each")
    return {sm: float(fitted[place]) for sm, place in number.items()}


def latency(parts: Mapping[Hashable, float], reader: Hashable, owner: Hashable) -> float:
    """The cycles until a reader has a word of the owner's; ValueError for an SM that has no part."""
    for sm in (reader, owner):
        if sm not in parts:
            raise ValueError(f"SM {sm!r} has no part; there are parts for {sorted(parts)}")
    return parts[reader] + parts[owner]


def left_over(parts: Mapping[Hashable, float], pairs: Iterable[Pair]) -> list[float]:
    """For each pair, what was measured less what the two parts say, in cycles."""
    return [cycles - latency(parts, reader, owner) for reader, owner, cycles in pairs]


def rms(values: Sequence[float]) -> float:
    """The root of the mean square; ValueError for no values."""
    if not len(values):
        raise ValueError("values is empty: a mean needs at least one")
    return sqrt(sum(value * value for value in values) / len(values))


def pairs_of(matrix: Sequence[Sequence[float]], sms: Sequence[Hashable] | None = None) -> list[Pair]:
    """All pairs of a latency matrix, a row a reader and a column an owner, its diagonal left out.

    `sms` names the rows and columns; ranks do if it is left out.
    """
    size = len(matrix)
    names = range(size) if sms is None else sms
    if any(len(row) != size for row in matrix) or len(names) != size:
        raise ValueError(f"matrix has {size} rows; it must be square, and sms must name {size}")
    return [
        (names[reader], names[owner], float(matrix[reader][owner]))
        for reader in range(size)
        for owner in range(size)
        if reader != owner
    ]
