"""A pointer chase as the staircase model sees it: its latencies and its treads."""

from dataclasses import dataclass, field
from functools import cache

import numpy as np

from hopperlab.chip import chip
from hopperlab.models.memory import LEVELS, Staircase

LINE = 128
LEAST, MOST = 2**10, 2**34
"""The footprints that are drawn, in bytes."""

DRAWN = 80
"""How many of them, each the same times the one before."""


@dataclass(frozen=True)
class Chase:
    """How the lines of a chase lie, what the L1 cache has left of its SM, and the L2 cache behind it.

    Attributes
    ----------
    stride
        Bytes from one line to the next.
    shared_kib
        Shared memory of the SM.
    through_l1
        Whether loads look into the L1 cache.
    l2_bytes
        The size of the L2 cache.
    model
        The staircase, with its parameters.
    """

    stride: int
    shared_kib: int = 0
    through_l1: bool = True
    l2_bytes: int = chip("H200 SXM").l2_bytes
    model: Staircase = field(default_factory=Staircase)

    def latency(self, footprint: float) -> float:
        """Give the mean cycles of a load."""
        return _latency(self, footprint)

    def answers(self, footprint: float) -> dict[str, float]:
        """Give the share of loads that each level answers, by the level's name."""
        beyond = self.model.shares(
            footprint,
            self.stride,
            shared_kib=self.shared_kib,
            through_l1=self.through_l1,
            l2_bytes=self.l2_bytes,
        )
        shares = -np.diff([1.0, *beyond, 0.0]) + 0.0  # no share is -0
        return dict(zip(LEVELS, shares.tolist(), strict=True))

    def footprints(self, count: int) -> list[float]:
        """Give so many footprints from the least to the most, each the same times the one before."""
        return np.geomspace(max(LEAST, self.stride), MOST, count).tolist()

    def line(self, measured: tuple[float, ...] = ()) -> list[tuple[float, float]]:
        """Give footprints and their latencies: closer together where something was measured, or by the L1's step."""
        return _line(self, measured)

    def _step(self) -> list[float]:
        """Footprints about that which the L1 cache just holds."""
        just = self.model.l1_bytes(self.shared_kib) * self.stride / LINE
        return [at for at in (np.geomspace(0.99, 2.0, 16) * just).tolist() if self.stride <= at <= MOST]

    def treads(self) -> dict[str, float]:
        """Give the middle of each level's tread, in bytes: where it answers most loads, or the most that it ever does.

        A level that answers hardly any is left out.
        """
        return _treads(self)


@cache
def _latency(chase: Chase, footprint: float) -> float:
    return chase.model.latency(
        footprint,
        chase.stride,
        shared_kib=chase.shared_kib,
        through_l1=chase.through_l1,
        l2_bytes=chase.l2_bytes,
    )


@cache
def _line(chase: Chase, measured: tuple[float, ...]) -> list[tuple[float, float]]:
    closer = measured or (chase._step() if chase.through_l1 else ())
    return [(at, chase.latency(at)) for at in sorted({*chase.footprints(DRAWN), *closer})]


@cache
def _treads(chase: Chase) -> dict[str, float]:
    asked = [(at, chase.answers(at)) for at in chase.footprints(DRAWN)]
    found = {}
    for level in LEVELS:
        most = max(shares[level] for _, shares in asked)
        tread = [at for at, shares in asked if shares[level] >= min(most, 0.5)]
        if most > 0.05:
            found[level] = (tread[0] * tread[-1]) ** 0.5
    return found
