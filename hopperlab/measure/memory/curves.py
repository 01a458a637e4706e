"""Which footprints, strides and carve-outs are chased: curves over the whole hierarchy, and over the L1 cache alone.

The curves of the L1 cache are there to tell rules apart. A stride that is no power of two, in lines, fills some sets
before others, by a hash that is not published; each such stride shows another part of it. Whole curves are set aside,
in `Curve.held_out`, before any is measured: no rule and no number of a model is to be taken from them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

KIB, MIB, GIB = 2**10, 2**20, 2**30
LINE = 128
PAGE = 2 * MIB
CARVEOUT_STEP = 8 * KIB


@dataclass(frozen=True)
class Curve:
    """One sweep over footprints.

    Attributes
    ----------
    name
        What it is called.
    stride
        Bytes from one line to the next.
    low, high
        The smallest and the largest footprint, in bytes.
    per_octave
        Footprints from one to twice it; 0 for even steps.
    through_l1
        Whether loads go through the L1 cache.
    shared_kib
        The shared memory that the SM is asked to keep; the rest is L1 cache.
    step
        Bytes from one footprint to the next, if the steps are even.
    held_out
        Whether it was set aside to test models, before it was measured.
    """

    name: str
    stride: int
    low: int
    high: int
    per_octave: int = 3
    through_l1: bool = True
    shared_kib: int = 0
    step: int = CARVEOUT_STEP
    held_out: bool = False

    def lines(self) -> list[int]:
        """Give the numbers of lines of its footprints."""
        return sorted({max(2, footprint // self.stride) for footprint in self._footprints()})

    def _footprints(self) -> Iterator[int]:
        if not self.per_octave:
            yield from range(self.low, self.high + 1, self.step)
            return
        steps, footprint = 0, self.low
        while footprint <= self.high:
            yield footprint
            steps += 1
            footprint = round(self.low * 2 ** (steps / self.per_octave))


def _by_name(*curves: Curve) -> dict[str, Curve]:
    return {curve.name: curve for curve in curves}


CURVES = _by_name(
    Curve("lines", LINE, KIB, 512 * MIB, per_octave=4),
    Curve("lines past L1", LINE, KIB, 256 * MIB, through_l1=False),
    Curve("every second line", 2 * LINE, 2 * KIB, GIB, per_octave=4),
    Curve("every fifth line", 5 * LINE, 4 * KIB, GIB),
    Curve("a line of 4 KiB", 4 * KIB + LINE, 64 * KIB, 2 * GIB),
    Curve("a line of 64 KiB", 64 * KIB + LINE, MIB, 8 * GIB),
    Curve("a line of a page, past L1", PAGE + LINE, 8 * MIB, 16 * GIB, through_l1=False),
    *(
        Curve(f"lines, {kib} KiB shared", LINE, 8 * KIB, 272 * KIB, 0, shared_kib=kib)
        for kib in (0, 64, 100, 164, 228)
    ),
)
"""Curves over the whole hierarchy, and of five carve-outs."""


def _of_stride(lines: int, shared_kib: int = 0, held_out: bool = False) -> Curve:
    """Give the curve of every so many lines, where sets of the L1 cache overflow one after the other.

    They begin to at a fraction of what the L1 cache holds, which is less the more memory is shared.
    """
    stride = lines * LINE
    low, high, step = (256, 2816, 64) if shared_kib == 0 else (64, 1408, 32)
    name = f"every {lines} lines, {shared_kib} KiB shared"
    return Curve(name, stride, low * stride, high * stride, 0, True, shared_kib, step * stride, held_out)


def _of_carveout(shared_kib: int, held_out: bool = False) -> Curve:
    """Give the curve of every line at a carve-out, in steps of 4 KiB."""
    name = f"lines, {shared_kib} KiB shared"
    return Curve(name, LINE, 8 * KIB, 272 * KIB, 0, True, shared_kib, 4 * KIB, held_out)


L1_CURVES = _by_name(
    _of_carveout(132),
    _of_carveout(32, held_out=True),
    _of_carveout(196, held_out=True),
    *(_of_stride(lines) for lines in (3, 5, 9, 17, 65)),
    *(_of_stride(lines, held_out=True) for lines in (7, 11, 31, 33, 129, 513)),
    _of_stride(3, 132),
    _of_stride(7, 132, held_out=True),
    _of_stride(5, 196, held_out=True),
)
"""Curves over the L1 cache alone: carve-outs and strides that `CURVES` lacks, and both together."""


def _unseen(lines: int, shared_kib: int) -> Curve:
    """Give the curve of every so many lines at a carve-out, up to half as much again as an L1 cache could hold."""
    stride, most = lines * LINE, (256 - shared_kib) * KIB // LINE
    step = most // 32
    name = f"unseen: every {lines} lines, {shared_kib} KiB shared"
    return Curve(
        name, stride, step * stride * 4, step * stride * 48, 0, True, shared_kib, step * stride, held_out=True
    )


UNSEEN = _by_name(
    *(_unseen(lines, 0) for lines in (6, 13, 19, 21, 63, 257, 511, 1023)),
    *(_unseen(1, kib) for kib in (8, 16)),
    _unseen(9, 64),
    _unseen(27, 100),
)
"""Curves that were first measured when all rules and numbers of the model stood, and are looked at once."""
