"""Four schedulers, one instruction a clock each, and the warps that they choose from."""

from dataclasses import dataclass
from math import ceil

from hopperlab.chip import chip
from hopperlab.models.arguments import whole_number

HOPPER = chip("H100 SXM5")
SUB_PARTITIONS = 4
"""Sub-partitions of an SM; each issues one warp instruction a clock (article-032.b)."""

ISSUES, READY, WAITS = "issues", "ready", "waits"
LONGEST_LATENCY = 1000
MOST_CLOCKS = 10_000


@dataclass(frozen=True)
class Schedule:
    """What every warp does in every clock.

    Attributes
    ----------
    states
        For each warp, a state for each clock: ``issues``, ``ready`` (it could, another was chosen) or ``waits``.
    latency
        Cycles from an instruction of a warp to its next.
    """

    states: tuple[tuple[str, ...], ...]
    latency: int

    @property
    def issued(self) -> tuple[int, ...]:
        """Instructions of all four schedulers in each clock."""
        return tuple(column.count(ISSUES) for column in zip(*self.states, strict=True))


def schedule(warps: int, latency: int, per_clock: int = SUB_PARTITIONS, clocks: int = 64) -> Schedule:
    """Run warps of dependent instructions: each waits ``latency`` cycles for its last before its next.

    Warp w belongs to sub-partition w % 4, which issues at most one instruction a clock, of the warp that has
    been ready longest. The unit that all instructions go to takes ``per_clock`` of them from the whole SM: 4 for
    arithmetic on 128 lanes, 1 for loads from shared memory. The sub-partitions take turns at it.

    Parameters
    ----------
    warps
        Warps of the SM, 1 to 64 (lit-021.b).
    latency
        Cycles, 1 to 1,000.
    per_clock
        Instructions that the unit takes in a clock, 1 to 4.
    clocks
        How long, 1 to 10,000.

    Raises
    ------
    ValueError
        If an argument is out of its range.
    """
    _check(warps, latency, per_clock)
    whole_number("clocks", clocks, 1, MOST_CLOCKS)
    ready_at = [0] * warps
    states: list[list[str]] = [[] for _ in range(warps)]
    turn = 0
    for now in range(clocks):
        chosen: set[int] = set()
        last = turn
        for sub_partition in ((turn + step) % SUB_PARTITIONS for step in range(SUB_PARTITIONS)):
            able = [w for w in range(sub_partition, warps, SUB_PARTITIONS) if ready_at[w] <= now]
            if able and len(chosen) < per_clock:
                chosen.add(min(able, key=lambda w: ready_at[w]))
                last = sub_partition + 1
        turn = last % SUB_PARTITIONS
        for warp in range(warps):
            able = ready_at[warp] <= now
            states[warp].append(ISSUES if warp in chosen else READY if able else WAITS)
        for warp in chosen:
            ready_at[warp] = now + latency
    return Schedule(tuple(map(tuple, states)), latency)


def issue_rate(warps: int, latency: int, per_clock: int = SUB_PARTITIONS) -> float:
    """Instructions of an SM in a clock, by Little's law: warps over latency, up to what is taken in a clock.

    See ``schedule`` for arguments and errors. A sub-partition cannot issue more than one a clock.
    """
    _check(warps, latency, per_clock)
    each = [len(range(first, warps, SUB_PARTITIONS)) for first in range(SUB_PARTITIONS)]
    return min(per_clock, sum(min(1.0, count / latency) for count in each))


def warps_to_hide(latency: float, per_clock: float, independent: int = 1) -> int:
    """Give the warps that keep a unit busy: latency times what it takes in a clock, over what each has under way.

    Parameters
    ----------
    latency
        Cycles from an instruction to its result.
    per_clock
        Warp instructions that the unit takes from the SM in a clock.
    independent
        Instructions that a warp has under way at once.
    """
    if not (latency > 0 and per_clock > 0):
        raise ValueError(f"latency={latency} and per_clock={per_clock} must be above 0")
    whole_number("independent", independent, 1, 255)
    return ceil(latency * per_clock / independent)


def _check(warps: int, latency: int, per_clock: int) -> None:
    whole_number("warps", warps, 1, HOPPER.max_warps_per_sm)
    whole_number("latency", latency, 1, LONGEST_LATENCY)
    whole_number("per_clock", per_clock, 1, SUB_PARTITIONS)
