"""The latency of a pointer chase by its footprint: a staircase of caches.

A chase visits lines of 128 bytes in no order, each as often as the others. A cache answers all of them while
they fit in it, and a share of them when they do not. What comes out is a mean of latencies: near a capacity the
curve rises gently, though every single load has one of four latencies.

Every load that misses the L1 cache goes to the half of the L2 cache that is nearer to its SM. That half keeps
copies of the other half's lines as well: it answers all of a footprint up to half of the L2 cache, beyond that a
share, and the rest comes from farther.
"""

from dataclasses import dataclass
from functools import cache

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
    "lines, 100 KiB shared" and "lines, 228 KiB shared". The other curves are for testing.

    Attributes
    ----------
    l1_cycles
        Latency of the L1 cache.
    l1_kept_kib
        What an SM keeps of its memory for neither the L1 cache nor shared memory.
    l1_sharpness
        How fast lines are lost past the L1's capacity: of r times as many bytes as fit, the share
        r ** -l1_sharpness hits.
    l1_ways
        How evenly lines fall on the L1's places when their stride is no power of two: as if dealt to sets of so
        many places. Some sets overflow before the cache is full.
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
    l1_kept_kib: float = 6.25
    l1_sharpness: float = 3.13
    l1_ways: float = 4.3
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
        l1 = self._missing_l1(touched / self.l1_bytes(shared_kib), stride) if through_l1 else 1.0
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

    def on_the_l1_step(self, footprint: float, stride: int = LINE, *, shared_kib: int = 0) -> bool:
        """Say whether a footprint is so near to the L1's capacity that the model is only a guess there.

        How the L1 cache chooses what to lose is not known; from about its capacity to twice that, and from 0.4
        of it on where strides are no powers of two, latencies are off by tens of percent.
        """
        filled = self.touched(footprint, stride) / self.l1_bytes(shared_kib)
        return (0.95 if _is_even(stride) else 0.4) < filled < 2

    def _missing_l1(self, filled: float, stride: int) -> float:
        if _is_even(stride):
            return _missing(filled, self.l1_sharpness)
        nodes, weights = _normal()
        spread = filled * np.exp(nodes / np.sqrt(self.l1_ways))
        return float(sum(w * _missing(f, self.l1_sharpness) for f, w in zip(spread, weights, strict=True)))


def _missing(filled: float, sharpness: float = 1.0) -> float:
    """Give the share of lines that are not in a cache, of `filled` times as many bytes as it holds."""
    return 1 - filled**-sharpness if filled > 1 else 0.0


def _is_even(stride: int) -> bool:
    """Whether lines so far apart fall on all places of a cache equally: powers of two do."""
    return (stride // LINE).bit_count() == 1


@cache
def _normal() -> tuple[np.ndarray, np.ndarray]:
    """Give nodes and weights of a mean over a normal distribution."""
    nodes, weights = np.polynomial.hermite_e.hermegauss(9)
    return nodes, weights / weights.sum()
