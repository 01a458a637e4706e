"""Bank conflicts: in how many passes shared memory serves one warp's access.

Shared memory has 32 banks of 4 bytes. In one pass each bank serves one of its words; lanes that want the
same word share it, lanes that want different words of one bank take turns. An access of 8 bytes a lane is
served a half-warp at a time, one of 16 bytes a quarter-warp at a time: 32 banks of 4 bytes can give no more.
"""

from dataclasses import dataclass

import numpy as np

BANKS, BANK_BYTES, LANES = 32, 4, 32
WIDTHS = (1, 2, 4, 8, 16)


@dataclass(frozen=True)
class BankConflicts:
    """How one access of a warp falls on the banks.

    Attributes
    ----------
    words
        int array (groups, 32): different words that each group of lanes wants of each bank.
    groups
        Lanes of each group: 32, 16 or 8 at a time.
    """

    words: np.ndarray
    groups: int

    @property
    def degree(self) -> int:
        """The worst bank's words in one group: 1 without conflict, n for an n-way conflict."""
        return int(self.words.max(initial=1))

    @property
    def passes(self) -> int:
        """Passes that the whole access takes."""
        return int(self.words.max(axis=1).clip(min=1).sum())

    @property
    def least(self) -> int:
        """Passes that it would take without any conflict: one a group."""
        return len(self.words)


def bank_conflicts(addresses: np.ndarray | list[int], width: int = BANK_BYTES) -> BankConflicts:
    """Words wanted of each bank when a warp reads or writes `width` bytes at each lane's address.

    Parameters
    ----------
    addresses
        Byte addresses in shared memory, one an active lane, 1 to 32, in the order of the lanes.
    width
        Bytes each lane accesses: 1, 2, 4, 8 or 16.

    Raises
    ------
    ValueError
        For another width, more than 32 lanes, or an address that is no multiple of the width.
    """
    addresses = np.asarray(addresses)
    if width not in WIDTHS:
        raise ValueError(f"width={width}: allowed are {', '.join(map(str, WIDTHS))} bytes")
    if addresses.ndim != 1 or not 1 <= addresses.size <= LANES:
        raise ValueError(f"addresses have shape {addresses.shape}: allowed are 1 to {LANES} lanes")
    if addresses.min() < 0 or (addresses % width).any():
        wrong = int(addresses[(addresses < 0) | (addresses % width != 0)][0])
        raise ValueError(f"addresses hold {wrong}: each must be a multiple of the width, {width} bytes")
    lanes = min(LANES, BANKS * BANK_BYTES // width)
    groups = [addresses[first : first + lanes] for first in range(0, addresses.size, lanes)]
    return BankConflicts(np.stack([_words_by_bank(group, width) for group in groups]), lanes)


def _words_by_bank(addresses: np.ndarray, width: int) -> np.ndarray:
    words = addresses[:, None] // BANK_BYTES + np.arange(max(1, width // BANK_BYTES))
    return np.bincount(np.unique(words) % BANKS, minlength=BANKS)
