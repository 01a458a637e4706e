"""What agreeing on one word costs: the pace of two players who wait for each other, and additions a clock.

A player sends a compare-and-swap to the word, waits for its answer, and sends the next one. Whoever is farther
from the word sets the pace: between two of its tries the nearer one has always tried.
"""

import math
from dataclasses import dataclass

from hopperlab.models.arguments import finite_number, whole_number

PAUSE_CYCLES = 99.8
"""From an answer to the next try, in cycles: fitted to hand-offs between SMs that are near to the word, on an H200."""

PAUSE_IN_SHARED_CYCLES = 176.6
"""The same if the word lies in shared memory: fitted to a cluster in which the first player has it, on an H200.

Why it is longer is not known: in the machine code the loops differ in the kind of compare-and-swap, and in a move.
"""

NEAR_CYCLES, FAR_CYCLES = 321.2, 517.9
"""An atomic on a word of the near half of the L2 cache, and of the far half, there and back (measured, H200)."""

CLUSTER_CYCLES, SHARED_CYCLES = 201.8, 40.1
"""A compare-and-swap in the shared memory of a cluster's other block, and in one's own (measured, H200)."""


@dataclass(frozen=True)
class Limits:
    """Additions a clock in global memory that one SM makes, and at most the whole card.

    Attributes
    ----------
    of_one, of_all
        The two limits. A curve that bends softly ends well below the second.
    sharpness
        How sharply a curve bends from one to the other: infinite is a corner.
    fitted
        The numbers of SMs, of a recording on an H200, to which this was fitted. All others test it.
    """

    of_one: float
    of_all: float
    sharpness: float = math.inf
    fitted: tuple[int, ...] = (1, 132)


ADDITIONS = {
    "one word": Limits(0.492, 0.69),
    "a word for each lane, one line": Limits(5.17, 6.64),
    "a word for each thread": Limits(6.01, 363, 0.95, fitted=(1, 33, 132)),
    "a line for each thread": Limits(0.498, 37.5),
}
"""The limits, by where threads add."""


def hand_off_cycles(first: float, second: float, pause: float = PAUSE_CYCLES) -> float:
    """Cycles of a hand-off, one way, on the mean.

    Parameters
    ----------
    first, second
        Cycles of a compare-and-swap of each player, there and back.
    pause
        Cycles from an answer to the next try.

    Raises
    ------
    ValueError
        If a trip is not above 0, or the pause below 0.
    """
    finite_number("first", first, above=0)
    finite_number("second", second, above=0)
    finite_number("pause", pause, at_least=0)
    return (max(first, second) + pause) / 2


def additions_per_clock(spread: str, sms: int) -> float:
    """Additions a clock of so many SMs in global memory, with 1,024 threads each.

    Parameters
    ----------
    spread
        Where threads add: a key of `ADDITIONS`.
    sms
        How many SMs add, 1 to 132.

    Raises
    ------
    ValueError
        If the spread is not known, or the SMs are out of range.
    """
    if spread not in ADDITIONS:
        raise ValueError(f"spread={spread!r} must be one of {', '.join(map(repr, ADDITIONS))}")
    limits = ADDITIONS[spread]
    asked = whole_number("sms", sms, 1, 132) * limits.of_one
    if math.isinf(limits.sharpness):
        return min(asked, limits.of_all)
    return asked * (1 + (asked / limits.of_all) ** limits.sharpness) ** (-1 / limits.sharpness)


@dataclass(frozen=True)
class Try:
    """One compare-and-swap of a player: when it is sent, reaches the word and is answered, in cycles.

    `value` is what the word holds once it was there; `raised` whether this try made it so.
    """

    player: int
    sent: float
    arrived: float
    answered: float
    raised: bool
    value: int


def game(
    first: float, second: float, until: float, later: float = 0.0, pause: float = PAUSE_CYCLES
) -> tuple[Try, ...]:
    """All tries that reach the word before a time, in the order in which they do.

    Player 0 raises the word when it is even, player 1 when it is odd. At the same instant player 0 comes first.

    Parameters
    ----------
    first, second, pause
        As in `hand_off_cycles`.
    until
        The time in cycles, 0 to 1,000,000.
    later
        Cycles by which player 1 begins after player 0.

    Raises
    ------
    ValueError
        If a trip is below 1, the pause below 0, player 1 begins before 0, or the time is out of range.
    """
    trips = (finite_number("first", first, at_least=1), finite_number("second", second, at_least=1))
    finite_number("pause", pause, at_least=0)
    finite_number("later", later, at_least=0)
    if not 0 <= until <= 1e6:
        raise ValueError(f"until={until!r} must be in 0 to 1000000 cycles")
    arrivals = []
    for player, trip in enumerate(trips):
        sent = later * player
        while sent + trip / 2 < until:
            arrivals.append((sent + trip / 2, player, sent))
            sent += trip + pause
    value, tries = 0, []
    for arrived, player, sent in sorted(arrivals):
        raised = value % 2 == player
        value += raised
        tries.append(Try(player, sent, arrived, sent + trips[player], raised, value))
    return tuple(tries)
