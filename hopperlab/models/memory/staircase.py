"""The latency of a pointer chase by its footprint: a staircase of caches.

A chase visits lines of 128 bytes in no order, each as often as the others, again and again in that order. A cache
answers all of them while they fit in it, and a share of them when they do not. What comes out is a mean of
latencies: near a capacity the curve rises gently, though every single load has one of four latencies.

The L1 cache is followed load by load, as `hopperlab.models.memory.l1` says: which lines share a set, how many places
a set has and all sets together, and which line goes. Nothing of this is a fitted curve.

Every load that misses the L1 cache goes to the half of the L2 cache that is nearer to its SM. That half keeps
copies of the other half's lines as well: it answers all of a footprint up to half of the L2 cache, beyond that a
share, and the rest comes from farther.
"""

from dataclasses import dataclass

import numpy as np

from hopperlab.chip import chip
from hopperlab.models.arguments import finite_number, whole_number
from hopperlab.models.memory.l1 import missing
from hopperlab.models.memory.sets import LINE, WAYS

KIB = 1024

HOPPER, H200 = chip("H100 SXM5"), chip("H200 SXM")
LEAST_SHARED_KIB = 8
"""The least shared memory of an SM with a block on it: the next size above the 1 KiB kept for every block."""

LEVELS = ("L1", "near L2", "whole L2", "memory")
"""What answers, from near to far."""


@dataclass(frozen=True)
class Staircase:
    """The seven parameters of the model. The defaults are an H200's.

    The four latencies, `l1_kept_kib` and `l2_share` were fitted to curves of the recording `memory_latency` of an
    H200. Which lines share a set was read off single lines that missed, `l1_ways` with it; which line goes when
    there is no place was found on curves of other strides and carve-outs. Ten curves more had been set aside before
    they were measured, and are for testing alone.

    Attributes
    ----------
    l1_cycles
        Latency of the L1 cache.
    l1_kept_kib
        What an SM keeps of its memory for neither the L1 cache nor shared memory.
    l1_ways
        Lines that a set of the L1 cache holds at most.
    l2_cycles
        Latency of the nearer half of the L2 cache.
    far_cycles
        Mean latency of what that half does not hold, of a footprint within the L2 cache.
    memory_cycles
        Latency of what the L2 cache does not hold.
    l2_share
        The share of the L2 cache that holds a footprint.
    """

    l1_cycles: float = 32.0
    l1_kept_kib: float = 7.0
    l1_ways: int = WAYS
    l2_cycles: float = 280.2
    far_cycles: float = 570.0
    memory_cycles: float = 684.7
    l2_share: float = 0.9635

    def latency(
        self,
        footprint: float,
        stride: int = LINE,
        *,
        shared_kib: int = 0,
        through_l1: bool = True,
        l2_bytes: int = H200.l2_bytes,
        address: int = 0,
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
        address
            Where the first line lies, a multiple of 128. It decides which lines share a set of the L1 cache, but of
            footprints below 32 MiB that begin at a multiple of it, all are alike.

        Raises
        ------
        ValueError
            If an argument is out of its range.
        """
        shares = self.shares(
            footprint,
            stride,
            shared_kib=shared_kib,
            through_l1=through_l1,
            l2_bytes=l2_bytes,
            address=address,
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
        address: int = 0,
    ) -> tuple[float, float, float]:
        """Give the share of all loads that goes beyond the L1 cache, the near half of the L2, and all of it."""
        touched = self.touched(footprint, stride)
        near, whole = self.l2_share * l2_bytes / 2, self.l2_share * l2_bytes
        l1 = self._missing_l1(footprint, stride, shared_kib, address) if through_l1 else 1.0
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

    def l1_lines(self, shared_kib: int = 0) -> int:
        """Give the lines that the L1 cache of an SM with so much shared memory holds."""
        return int(self.l1_bytes(shared_kib) // LINE)

    def _missing_l1(self, footprint: float, stride: int, shared_kib: int, address: int) -> float:
        """Give the share of loads that miss the L1 cache, of as many whole lines as a footprint has."""
        whole_number("address", address, 0, 2**64 - 1)
        if address % LINE:
            raise ValueError(f"address={address} must be a multiple of {LINE}: a chase visits whole lines")
        lines = max(1, int(footprint // stride))
        return missing(lines, stride // LINE, self.l1_lines(shared_kib), self.l1_ways, address // LINE)


def _missing(filled: float) -> float:
    """Give the share of lines that are not in a cache, of `filled` times as many bytes as it holds."""
    return 1 - 1 / filled if filled > 1 else 0.0
