"""Cases of atomics: a word raised alone, handed to and fro, fought for, and added to."""

import numpy as np

from hopperlab.kernels import atomics
from hopperlab.measure.kernel_outputs.case import (
    ALONE_ON_AN_SM,
    CYCLES,
    PLACE,
    SMS,
    Case,
    case,
    whole,
    words,
)


def _zeros(count: int) -> np.ndarray:
    return np.zeros(count, np.uint32)


@case
def alone_in_shared(seed: int) -> Case:
    """A few rounds."""
    arguments = (np.int32(5 + seed), _zeros(1), _zeros(1))
    return Case(atomics.alone_in_shared, 1, 1, arguments, undetermined=CYCLES)


@case
def alone_in_cluster(seed: int) -> Case:
    """A few rounds, from one block of two or more."""
    blocks = (2, 3, 4, 8, 16)[seed % 5]
    arguments = (np.int32(5 + seed), _zeros(1), _zeros(1))
    return Case(atomics.alone_in_cluster, blocks, 1, arguments, cluster=blocks, undetermined=CYCLES)


@case
def alone_in_global(seed: int) -> Case:
    """A few rounds, on one word of some."""
    arguments = (np.int32(5 + seed), _zeros(32), np.int32(7 * seed % 32), _zeros(1), _zeros(1))
    return Case(atomics.alone_in_global, 1, 1, arguments, undetermined=CYCLES)


@case
def hand_off_in_shared(seed: int) -> Case:
    """A few rounds between the first thread and the last."""
    threads = (2, 32, 33, 64, 128)[seed % 5]
    arguments = (np.int32(3 + seed), _zeros(1), _zeros(1))
    return Case(atomics.hand_off_in_shared, 1, threads, arguments, undetermined=CYCLES)


@case
def hand_off_in_cluster(seed: int) -> Case:
    """A few rounds between blocks 0 and 1, by a word of one block after the other."""
    blocks = (2, 3, 4, 8, 16)[seed % 5]
    arguments = (np.uint32(seed % blocks), np.int32(3 + seed), _zeros(1), _zeros(1), _zeros(blocks))
    undetermined = CYCLES | {"sms": PLACE}
    return Case(atomics.hand_off_in_cluster, blocks, 32, arguments, cluster=blocks, undetermined=undetermined)


@case
def hand_off_in_global(seed: int) -> Case:
    """A few rounds between two SMs of all: each has a block."""
    first, second = np.uint32(seed), np.uint32(SMS - 1 - 7 * seed)
    value = words(seed, 1) & np.uint32(0xFFFF)
    given = _zeros(32)
    given[seed] = value[0]
    arguments = (first, second, np.int32(3 + seed), given, np.int32(seed), value[0], _zeros(1))
    return Case(atomics.hand_off_in_global, SMS, 1, arguments, ALONE_ON_AN_SM, undetermined=CYCLES)


@case
def contend(seed: int) -> Case:
    """As many blocks as the seed says."""
    blocks = (2, 3, 5, 8, 12)[seed % 5]
    arguments = (np.int32(4 + seed), _zeros(1), np.zeros(blocks, np.uint64))
    return Case(atomics.contend, blocks, 32, arguments, undetermined=CYCLES)


@case
def add(seed: int) -> Case:
    """All threads on one word, on words of one line, or on their own."""
    spread, size = ((0, 1), (1, 8), (1, 64), (8, 512), (3, 40))[seed % 5]
    given = whole(seed, size, 0, 2**31, np.uint32)
    arguments = (given, np.uint32(spread), np.uint32(3 + seed), np.int32(4), np.zeros(2, np.uint64))
    return Case(atomics.add, 2, 32, arguments, undetermined=CYCLES)


@case
def add_in_shared(seed: int) -> Case:
    """The same in shared memory."""
    spread = (0, 1, 2, 32, 33)[seed % 5]
    arguments = (np.uint32(spread), np.uint32(3 + seed), np.int32(4), np.zeros(2, np.uint64), _zeros(2))
    return Case(atomics.add_in_shared, 2, 64, arguments, undetermined=CYCLES)
