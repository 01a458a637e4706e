"""The latency of a pointer chase by its footprint: a staircase of caches.

A chase visits lines of 128 bytes in no order, each as often as the others, again and again in that order. A cache
answers all of them while they fit in it, and a share of them when they do not. What comes out is a mean of
latencies: near a capacity the curve rises gently, though every single load has one of four latencies.

The L1 cache loses lines by the set. Four sets share the places that shared memory leaves them. A line too many
takes a place of its own set, and a chase comes to each line of that set when it has just been thrown out: all of
them miss. The next line too many takes its place from the set that is lost already, and costs nothing, until the
next set is lost. Yet a line that was used again is kept longer than one that was only loaded, so that far beyond
the capacity, of n lines for p places, about p * p / n still hit. The misses show these rules; how the cache is
built is not published.

Every load that misses the L1 cache goes to the half of the L2 cache that is nearer to its SM. That half keeps
copies of the other half's lines as well: it answers all of a footprint up to half of the L2 cache, beyond that a
share, and the rest comes from farther.
"""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from hopperlab.chip import chip
from hopperlab.models.arguments import finite_number, whole_number

KIB = 1024
LINE = 128
"""Bytes of a line of the L1 and the L2 cache."""

HOPPER, H200 = chip("H100 SXM5"), chip("H200 SXM")
LEAST_SHARED_KIB = 8
"""The least shared memory of an SM with a block on it: the next size above the 1 KiB kept for every block."""

LEVELS = ("L1", "near L2", "whole L2", "memory")
"""What answers, from near to far."""


@dataclass(frozen=True)
class Staircase:
    """The eight parameters of the model. The defaults are an H200's.

    They were fitted to four curves of the recording `memory_latency` of an H200: "lines", "every fifth line",
    "lines, 100 KiB shared" and "lines, 228 KiB shared". The other eight curves are for testing, other strides and
    other carve-outs. The rules for the L1 cache, though not their numbers, were found with all curves in view.

    Attributes
    ----------
    l1_cycles
        Latency of the L1 cache.
    l1_kept_kib
        What an SM keeps of its memory for neither the L1 cache nor shared memory.
    l1_sets
        Sets of the L1 cache. An SM's whole memory would give each of them four places, and four sets share theirs.
    l1_step
        Lines too many in four sets from the loss of one set to the loss of the next.
    l2_cycles
        Latency of the nearer half of the L2 cache.
    far_cycles
        Mean latency of what that half does not hold, of a footprint within the L2 cache.
    memory_cycles
        Latency of what the L2 cache does not hold.
    l2_share
        The share of the L2 cache that holds a footprint.
    """

    l1_cycles: float = 32.01
    l1_kept_kib: float = 7.5
    l1_sets: int = 512
    l1_step: float = 2.2
    l2_cycles: float = 281.4
    far_cycles: float = 547.2
    memory_cycles: float = 689.7
    l2_share: float = 0.976

    def latency(
        self,
        footprint: float,
        stride: int = LINE,
        *,
        shared_kib: int = 0,
        through_l1: bool = True,
        l2_bytes: int = H200.l2_bytes,
    ) -> float:
        """Give the mean cycles of a load.

        Parameters
        ----------
        footprint
            Bytes from the first line to the last.
        stride
            Bytes from one line to the next, a multiple of 128.
        shared_kib
            Shared memory of the SM, 0 to 228 KiB; the L1 cache has the rest.
        through_l1
            Whether loads look into the L1 cache.
        l2_bytes
            The size of the L2 cache.

        Raises
        ------
        ValueError
            If an argument is out of its range.
        """
        shares = self.shares(
            footprint, stride, shared_kib=shared_kib, through_l1=through_l1, l2_bytes=l2_bytes
        )
        cycles = (self.l1_cycles, self.l2_cycles, self.far_cycles, self.memory_cycles)
        # What misses a level adds the step to the next one.
        steps = zip((1.0, *shares), (cycles[0], *np.diff(cycles)), strict=True)
        return float(sum(share * step for share, step in steps))

    def shares(
        self,
        footprint: float,
        stride: int = LINE,
        *,
        shared_kib: int = 0,
        through_l1: bool = True,
        l2_bytes: int = H200.l2_bytes,
    ) -> tuple[float, float, float]:
        """Give the share of all loads that goes beyond the L1 cache, the near half of the L2, and all of it."""
        touched = self.touched(footprint, stride)
        near, whole = self.l2_share * l2_bytes / 2, self.l2_share * l2_bytes
        l1 = self._missing_l1(touched / LINE, stride, shared_kib) if through_l1 else 1.0
        return l1, l1 * _missing(touched / near), l1 * _missing(touched / whole)

    def l1_bytes(self, shared_kib: int = 0) -> float:
        """Give the size of the L1 cache of an SM with so much shared memory."""
        whole_number("shared_kib", shared_kib, 0, HOPPER.shared_bytes_per_sm // KIB)
        return HOPPER.l1_bytes_per_sm - KIB * (max(shared_kib, LEAST_SHARED_KIB) + self.l1_kept_kib)

    def touched(self, footprint: float, stride: int = LINE) -> float:
        """Give the bytes of the lines of a footprint: what takes up room in a cache."""
        finite_number("footprint", footprint, above=0)
        whole_number("stride", stride, LINE, 2**40)
        if stride % LINE:
            raise ValueError(f"stride={stride} must be a multiple of {LINE}: a chase visits whole lines")
        return footprint / stride * LINE

    def up_to_a_hash(self, footprint: float, stride: int = LINE, *, shared_kib: int = 0) -> bool:
        """Say whether a hash that is not known decides how many lines the L1 cache loses.

        Lines whose stride is a power of two fall on all sets alike. Of other strides some sets get more than their
        share, and overflow from a quarter of the capacity on: there, latencies can be off by tens of percent.
        """
        filled = self.touched(footprint, stride) / self.l1_bytes(shared_kib)
        return (stride // LINE).bit_count() > 1 and 0.25 < filled < 2

    @property
    def l1_ways(self) -> float:
        """The places of a set if an SM's whole memory were L1 cache; and how many sets share theirs."""
        return HOPPER.l1_bytes_per_sm / LINE / self.l1_sets

    def lost(self, lines: float, places: float) -> float:
        """Give how many lines miss in each round of a chase, of so many in four sets that share so many places.

        Parameters
        ----------
        lines
            Lines that fall on the four sets; a mean of many such fours, so that it need not be whole.
        places
            Places that the four sets have together, up to 16.

        Raises
        ------
        ValueError
            If one of them is not above 0.
        """
        finite_number("lines", lines, above=0)
        finite_number("places", places, above=0)
        too_many, ways = lines - places, self.l1_ways
        if too_many <= 0:
            return 0.0
        most = float(_not_used_again(lines, places, ways))
        if lines > ways * ways:  # more than there are tags for: no set is left to lose
            return most
        sets, rest = divmod(too_many, self.l1_step)
        if sets:
            lost = ways * (sets + min(1.0, 2 * rest / self.l1_step))
        else:  # the line itself, and those that its set has already
            lost = min(ways, rest * min(ways, max(2.0, 1 + places / ways)))
        return min(lost, most)

    def _missing_l1(self, lines: float, stride: int, shared_kib: int) -> float:
        """Give the share of loads that miss the L1 cache."""
        fours = self.l1_sets / self.l1_ways
        places = self.l1_bytes(shared_kib) / LINE
        missing = self.lost(lines / fours, places / fours) / (lines / fours)
        if _is_even(stride, self.l1_sets):
            return missing
        return max(missing, self._missing_by_chance(lines, places))

    def _missing_by_chance(self, lines: float, places: float) -> float:
        """Give that share where lines fall on sets by chance.

        A hash deals lines more evenly than chance does: as chance would to half as many sets of twice the size.
        """
        pairs = self.l1_sets / 2
        mean, each = lines / pairs, max(1.0, places / pairs)
        if mean > 8 * each:
            return float(_not_used_again(mean, each, self.l1_ways)) / mean
        dealt = np.arange(1, int(mean + 12 * mean**0.5 + 20))
        chances = np.exp(dealt * np.log(mean) - mean - np.cumsum(np.log(dealt)))
        return float(chances @ _not_used_again(dealt, each, self.l1_ways)) / mean


def _not_used_again(lines: np.ndarray | float, places: float, ways: float) -> np.ndarray:
    """Give how many of some lines miss if those that hit are kept longer than those that were only loaded."""
    too_many = np.maximum(0.0, lines - places)
    return np.where(
        too_many > 0, np.minimum(lines, lines - places**2 / lines + ways / 2 * np.minimum(1, too_many)), 0.0
    )


def _missing(filled: float) -> float:
    """Give the share of lines that are not in a cache, of `filled` times as many bytes as it holds."""
    return 1 - 1 / filled if filled > 1 else 0.0


def _is_even(stride: int, sets: int) -> bool:
    """Say whether lines so far apart fall on all sets alike.

    A hash by exclusive-ors sends every line to another set while adding up the stride makes no carries: for ever if
    it is a power of two, else for as many lines as its bits are apart.
    """
    bits = [bit for bit in range(stride.bit_length()) if stride >> bit & 1]
    apart = min((high - low for low, high in pairwise(bits)), default=sets)
    return apart >= sets.bit_length() - 1
