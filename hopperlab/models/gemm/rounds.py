"""Rounds: all SMs take a tile each, then the next; the last round is as long as the others, however few have one."""

from __future__ import annotations

from dataclasses import dataclass

from hopperlab.chip import chip
from hopperlab.models.arguments import whole_number

TILE_ROWS = 128
"""Rows of a block's tile: 64 for each of two warpgroups."""

SEAM = 16
"""What a tile costs however wide it is, in columns.

Chosen, with the next two, so that widths come in the order in which an H200 was fast when they were tried; of that no
recording is kept.
"""

START = 16
"""What it costs clusters to start, in columns."""

UNSHARED = 1.02
"""How much longer a column takes if each block reads all of B by itself."""

SMS = chip("H200 SXM").sms
LARGEST, WIDEST, MOST_TOGETHER, MOST_SMS = 2**30, 2**16, 16, 2**12


@dataclass(frozen=True)
class Rounds:
    """How an M x N result is cut into tiles, and how SMs that hold one block each go through them.

    Attributes
    ----------
    m, n
        Rows and columns of the result.
    columns
        Of a tile, which has `TILE_ROWS` rows.
    together
        Blocks of a cluster, one below the other: they share the columns of B. A cluster takes as many tiles at once.
    sms
        Of the card.
    """

    m: int
    n: int
    columns: int
    together: int = 1
    sms: int = SMS

    def __post_init__(self) -> None:
        """Refuse what is no result, no tile or no cluster of the card: ValueError, TypeError for no whole number."""
        whole_number("m", self.m, 1, LARGEST)
        whole_number("n", self.n, 1, LARGEST)
        whole_number("columns", self.columns, 1, WIDEST)
        whole_number("sms", self.sms, 1, MOST_SMS)
        whole_number("together", self.together, 1, min(MOST_TOGETHER, self.sms))

    @property
    def tiles(self) -> int:
        """Tiles that blocks take; at the edge of the result some are partly, or in clusters wholly, beyond it."""
        return -(-self.m // (TILE_ROWS * self.together)) * self.together * -(-self.n // self.columns)

    @property
    def at_once(self) -> int:
        """Blocks that run at one time: whole clusters."""
        return self.sms // self.together * self.together

    @property
    def count(self) -> int:
        """The rounds."""
        return -(-self.tiles // self.at_once)

    @property
    def last(self) -> int:
        """Tiles of the last round."""
        return self.tiles - (self.count - 1) * self.at_once

    @property
    def idle(self) -> int:
        """SMs that have no tile in the last round."""
        return self.sms - self.last

    @property
    def used(self) -> float:
        """The share of the sums that all SMs have time for which are the result's: the rest idles or is cut off."""
        return self.m * self.n / (self.count * self.sms * TILE_ROWS * self.columns)

    @property
    def time(self) -> float:
        """How long it takes, in columns that one SM does in a row.

        Right to compare widths by, where the tensor cores are the limit: narrow tiles also ask for more bytes.
        """
        in_a_row = self.count * (self.columns + SEAM)
        return in_a_row + START if self.together > 1 else in_a_row * UNSHARED
