"""What a card draws and what clock that leaves it: bits that change, a limit in watts, and a reading that trails.

Power is a card at rest, and a kernel's share that grows with the clock and the square of the voltage. Voltages
are not told, so it is *assumed* that they follow the clock: the share then goes by the clock's third power. Each
kernel was seen near one clock only, but for the first moments of a load: `excess_joules` says what these tell.
What a tensor core draws is taken as straight in the share of operand bits that change from one number to the next;
its two ends are fitted to a recording of an H200, to zeros and to a mix; numbers of other order and value test it.
"""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from hopperlab.models.arguments import finite_number

BOOST_MHZ = 1980.0
"""The highest clock of the card [lit-053]."""

TENSOR_MHZ = 1830.0
"""The clock of tensor cores though power is far from the limit: that which their peaks assume [lit-052.a]."""

IDLE_WATTS = 124.0
"""A card at rest, at its boost clock: fitted to the end of the recording."""

LIMIT_WATTS = 690.0
"""Where readings stop rising: fitted to products of mixed numbers. The card is sold with 700 W [chip-038]."""

QUIET_WATTS = 149.0
"""What products add at `TENSOR_MHZ` if no bit of an operand changes: fitted to products of zeros."""

CHANGING_WATTS = 1353.0
"""What they would add on top if every bit changed: fitted to the clock that products of mixed numbers keep."""

EXPONENT = 3
"""By which power of the clock a kernel's share of power goes: *assumed*, as if voltage followed the clock."""

WINDOW_SECONDS, DELAY_SECONDS = 1.0, 0.055
"""NVML's power is a mean over so long, and so long ago: fitted to the rise under L2 reads of mixed numbers."""

PARAMETERS = (
    "BOOST_MHZ",
    "TENSOR_MHZ",
    "IDLE_WATTS",
    "LIMIT_WATTS",
    "QUIET_WATTS",
    "CHANGING_WATTS",
    "WINDOW_SECONDS",
    "DELAY_SECONDS",
)
"""All numbers that the model was given."""


def changing_share(numbers: np.ndarray) -> float:
    """Tell which share of the bits changes from each byte to the next, along rows: 0 to 1.

    Parameters
    ----------
    numbers
        uint8, (rows, columns); 2 columns or more.

    Raises
    ------
    TypeError, ValueError
        If these are no bytes, or no two of them follow each other.
    """
    if not isinstance(numbers, np.ndarray) or numbers.dtype != np.uint8:
        raise TypeError(
            f"numbers is {getattr(numbers, 'dtype', type(numbers).__name__)}; it must be of uint8"
        )
    if numbers.ndim != 2 or numbers.shape[0] < 1 or numbers.shape[1] < 2:
        raise ValueError(f"numbers has shape {numbers.shape}; it must have 1 row and 2 columns, or more")
    return float(np.unpackbits(numbers[:, 1:] ^ numbers[:, :-1]).mean())


def busy_watts(share: float) -> float:
    """Watts that products add to a card at rest, at `TENSOR_MHZ`, if this share of operand bits changes."""
    share = finite_number("share", share, at_least=0)
    if share > 1:
        raise ValueError(f"share is {share}; it must be 0 to 1")
    return QUIET_WATTS + CHANGING_WATTS * share


def power_watts(busy: float, mhz: float, at_mhz: float = TENSOR_MHZ) -> float:
    """Watts of the card at a clock, if its kernel adds `busy` watts at the clock `at_mhz`."""
    busy = finite_number("busy", busy, at_least=0)
    return IDLE_WATTS + busy * (_clock("mhz", mhz) / _clock("at_mhz", at_mhz)) ** EXPONENT


def clock_mhz(
    busy: float, limit: float = LIMIT_WATTS, at_mhz: float = TENSOR_MHZ, exponent: float = EXPONENT
) -> float:
    """The clock that a limit in watts leaves to a kernel that adds `busy` watts at its own clock `at_mhz`.

    Parameters
    ----------
    busy
        Watts that the kernel adds to a card at rest, at `at_mhz`; 0 or more.
    limit
        Watts of the whole card; more than `IDLE_WATTS`.
    at_mhz
        The clock that the kernel has if no limit is near.
    exponent
        By which power of the clock its share goes.

    Raises
    ------
    ValueError
        If the limit leaves nothing to a card at rest.
    """
    busy, at_mhz = finite_number("busy", busy, at_least=0), _clock("at_mhz", at_mhz)
    limit = finite_number("limit", limit, above=IDLE_WATTS)
    if IDLE_WATTS + busy <= limit:
        return at_mhz
    return at_mhz * ((limit - IDLE_WATTS) / busy) ** (1 / finite_number("exponent", exponent, above=0))


def excess_joules(
    seconds: Sequence[float],
    mhz: Sequence[float],
    busy: float,
    settled_mhz: float,
    exponent: float = EXPONENT,
) -> float:
    """Energy that a load takes above what it settles at, while its clock is still another.

    Parameters
    ----------
    seconds, mhz
        How long the load ran, and at which clock, piece by piece.
    busy
        Watts that it adds to a card at rest once it has settled.
    settled_mhz
        The clock at which it does.
    exponent
        By which power of the clock its share goes.
    """
    busy, settled_mhz = finite_number("busy", busy, at_least=0), _clock("settled_mhz", settled_mhz)
    share = (np.asarray(mhz, float) / settled_mhz) ** finite_number("exponent", exponent, above=0)
    return float(np.dot(seconds, busy * (share - 1)))


def _clock(name: str, mhz: float) -> float:
    return finite_number(name, mhz, above=0)


def readings(schedule: Sequence[tuple[float, float]], seconds: Sequence[float]) -> np.ndarray:
    """What NVML tells at these times of a card that draws what the schedule says.

    Parameters
    ----------
    schedule
        Pairs of a time in seconds and the watts from then on, in order; the first watts hold before it, too.
    seconds
        When the power is read.

    Returns
    -------
    Watts, float64: the mean over `WINDOW_SECONDS` that ended `DELAY_SECONDS` ago.
    """
    if not schedule or any(one[0] >= other[0] for one, other in pairwise(schedule)):
        raise ValueError("schedule must have 1 pair or more, their times rising")
    starts, watts = (np.array(column, float) for column in zip(*schedule, strict=True))
    ends = np.asarray(seconds, float) - DELAY_SECONDS
    # Energy up to each start; before the first and after the last, power stays as it is.
    energy = np.concatenate([[0.0], np.cumsum(watts[:-1] * np.diff(starts))])

    def used(until: np.ndarray) -> np.ndarray:
        phase = np.clip(np.searchsorted(starts, until, side="right") - 1, 0, None)
        return energy[phase] + watts[phase] * (until - starts[phase])

    return (used(ends) - used(ends - WINDOW_SECONDS)) / WINDOW_SECONDS
