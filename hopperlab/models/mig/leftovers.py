"""What a board leaves over: SMs and memory that nobody holds, and how much of it anyone still could.

Stranded means idle, and out of reach of any instance that could still be created.
"""

from dataclasses import dataclass
from functools import lru_cache

from hopperlab import chip as chips
from hopperlab.models.mig.driver import Board
from hopperlab.models.mig.placement import Instance, free_starts
from hopperlab.models.mig.profiles import COMPUTE_SLICES, MEMORY_SLICES, profiles


@dataclass(frozen=True)
class Share:
    """How one resource of the card is divided: used by instances, still reachable, stranded.

    The three add up to ``total``. Reachable is the most that further instances could take of this resource
    alone; the same instances may not give the most of another.
    """

    unit: str
    total: float
    used: float
    reachable: float

    @property
    def stranded(self) -> float:
        """What no further instance can take."""
        return self.total - self.used - self.reachable


@dataclass(frozen=True)
class Leftovers:
    """A board's SMs, memory slices, compute slices and usable memory (GiB)."""

    sms: Share
    memory_slices: Share
    compute_slices: Share
    memory_gib: Share


def leftovers(board: Board) -> Leftovers:
    """What of the card the board's instances use, what others could still take, and what is stranded.

    SMs are counted against the card's own number, memory against what its 7g instance may use: the
    driver's reserve is not called stranded.
    """
    whole = profiles(board.chip)[-1]
    totals = (chips.chip(board.chip).sms, MEMORY_SLICES, COMPUTE_SLICES, whole.memory_gib)
    units = ("SM", "memory slices", "compute slices", "GiB")
    instances = tuple(sorted(board.instances, key=lambda i: i.start))
    used = _amounts(instances)
    reach = _most_added(instances, board.chip)
    return Leftovers(
        *(Share(unit, total, u, r) for unit, total, u, r in zip(units, totals, used, reach, strict=True))
    )


def _amounts(instances: tuple[Instance, ...]) -> tuple[float, ...]:
    """SMs, memory slices, compute slices and GiB that these instances hold."""
    kinds = [i.profile for i in instances]
    return (
        sum(p.sms for p in kinds),
        sum(p.memory_slices for p in kinds),
        sum(p.compute_slices for p in kinds),
        sum(p.memory_gib for p in kinds),
    )


@lru_cache(maxsize=4096)
def _most_added(instances: tuple[Instance, ...], chip: str) -> tuple[float, ...]:
    """The most of each resource that further instances could hold, each on its own."""
    most = (0, 0, 0, 0.0)
    held = _amounts(instances)
    for kind in profiles(chip):
        for start in free_starts(kind, instances):
            grown = tuple(sorted((*instances, Instance(start, kind)), key=lambda i: i.start))
            more = _most_added(grown, chip)
            gained = (a - h + m for a, h, m in zip(_amounts(grown), held, more, strict=True))
            most = tuple(max(pair) for pair in zip(most, gained, strict=True))
    return most


def sms_lost(board: Board) -> float:
    """The share of the card's SMs that no instance holds, as a fraction: what this layout costs."""
    total = chips.chip(board.chip).sms
    return 1 - sum(i.profile.sms for i in board.instances) / total
