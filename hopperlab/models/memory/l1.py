"""The L1 cache of an SM: 512 sets by a hash, four pools of places, and lines that are kept because they hit.

A line that misses takes a place. If its set has four lines, one of them goes. If the pool has no place left, a line
of another set goes: the sets of the pool lose one in turn. What goes is the line used longest ago of those that were
only loaded. Lines that hit are kept, up to half of what a set can hold; then the one of them used longest ago counts
as just loaded again. In the literature that is a segmented LRU.

So a chase over more lines than there are places loses 512 of them in each round, one from every set, over a
wide range of footprints, then 1024, and so on: the stairs within the step of the curve.
"""

from functools import lru_cache

import numpy as np

from hopperlab.models.arguments import whole_number
from hopperlab.models.memory.sets import POOLS, SETS, WAYS, pools_of, sets_of

SEED = 18
ROUNDS = 2
"""Rounds of a chase until it is steady, and rounds that are counted."""

FOLLOWED = 6 * SETS
"""Lines of the largest ring that is followed hop by hop. Far beyond it, what still hits goes with one over lines."""


def ring(lines: int) -> np.ndarray:
    """Give the order in which a chase visits so many lines: each once, from line 0 on, by chance."""
    others = np.random.default_rng([SEED, lines]).permutation(lines - 1) + 1
    return np.concatenate([[0], others]).astype(np.uint32)


class _Set:
    """The lines of a set, those used longest ago first: those that were only loaded, and those that hit since."""

    __slots__ = ("hit", "loaded", "pool")

    def __init__(self, pool: "_Pool") -> None:
        self.pool = pool
        self.loaded: dict[int, None] = {}
        self.hit: dict[int, None] = {}
        pool.sets.append(self)

    def take(self, line: int, ways: int) -> None:
        """Give a line a place that is missing, of this set if it is full, else of the pool."""
        pool = self.pool
        if len(self.loaded) + len(self.hit) == ways:
            del self.loaded[next(iter(self.loaded))]
        elif pool.free:
            pool.free -= 1
        else:
            pool.lose()
        self.loaded[line] = None


class _Pool:
    """Places that some sets share, and whose turn it is to lose one."""

    def __init__(self, places: int) -> None:
        self.free = places
        self.sets: list[_Set] = []
        self.turn = 0

    def lose(self) -> None:
        """Take a place from the next set that has one."""
        while True:
            losing = self.sets[self.turn]
            self.turn = (self.turn + 1) % len(self.sets)
            lines = losing.loaded or losing.hit
            if lines:
                del lines[next(iter(lines))]
                return


class L1Cache:
    """An L1 cache that knows which lines it holds.

    Parameters
    ----------
    places
        Lines that it holds at most, in all its pools.
    ways
        Lines that a set holds at most.

    Raises
    ------
    ValueError
        If there is not a place for each pool, or no way.
    """

    def __init__(self, places: int, ways: int = WAYS) -> None:
        whole_number("places", places, POOLS, 2**31 - 1)
        self.ways = whole_number("ways", ways, 1, 2**31 - 1)
        pools = [_Pool(places // POOLS) for _ in range(POOLS)]
        self._sets = [_Set(pools[pool]) for pool in pools_of(np.arange(SETS)).tolist()]

    def visit(self, lines: np.ndarray, rounds: int = 1) -> int:
        """Load lines, given by their numbers, in order and that so many times over; give how many loads missed."""
        ways, kept, missed = self.ways, self.ways // 2, 0
        homes = [self._sets[at] for at in sets_of(lines).tolist()]
        visits = list(zip(lines.tolist(), homes, strict=True))
        for _ in range(rounds):
            for line, home in visits:
                hit = home.hit
                if line in hit:  # now the last one used
                    del hit[line]
                    hit[line] = None
                elif line in home.loaded:
                    del home.loaded[line]
                    hit[line] = None
                    if len(hit) > kept:
                        oldest = next(iter(hit))
                        del hit[oldest]
                        home.loaded[oldest] = None
                else:
                    missed += 1
                    home.take(line, ways)
        return missed


@lru_cache(maxsize=4096)
def missing(lines: int, stride: int, places: int, ways: int = WAYS, first: int = 0) -> float:
    """Give the share of loads that miss the L1 cache, of a chase that is steady.

    A block loads the whole ring once, line after line; then the chase begins.

    Parameters
    ----------
    lines
        Lines of the ring.
    stride
        From one to the next, in lines.
    places
        Lines that the cache holds at most.
    ways
        Lines that a set holds at most.
    first
        The number of the first line: its address over 128.
    """
    if lines > FOLLOWED:
        hits = 1 - missing(FOLLOWED, stride, places, ways, first)
        return 1 - hits * (FOLLOWED / lines) ** 2
    numbers = first + stride * np.arange(lines, dtype=np.int64)
    followed, of_all = _followed(numbers, places, ways)
    order = ring(lines)
    order = order[followed[order]]
    if not order.size:
        return 0.0
    cache = L1Cache(places, ways)
    cache.visit(numbers[followed])
    cache.visit(numbers[order], ROUNDS)
    return cache.visit(numbers[order], ROUNDS) / (ROUNDS * of_all)


def _followed(numbers: np.ndarray, places: int, ways: int) -> tuple[np.ndarray, int]:
    """Say which lines must be followed to know how many miss, and of how many lines they are all that miss.

    Where a set and its pool have room for all their lines, none misses. And if all sets have the same number of
    lines, or one more, a pool stands for the others.
    """
    sets = sets_of(numbers)
    pools = pools_of(sets)
    of_set, of_pool = np.bincount(sets, minlength=SETS), np.bincount(pools, minlength=POOLS)
    may_miss = (of_set[sets] > ways) | (of_pool[pools] > places // POOLS)
    if not may_miss.any() or np.ptp(of_set) > 1:
        return may_miss, len(numbers)
    fullest = of_pool.argmax()
    return pools == fullest, int(of_pool[fullest])
