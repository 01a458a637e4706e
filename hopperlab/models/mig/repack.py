"""Making room: the fewest instances to move so that one more fits.

An instance cannot slide along the slices. To move it is to destroy it and create it elsewhere, and its
tenant's work stops; so the fewest moves matter.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

from hopperlab.models.mig.driver import Board, InsufficientResources
from hopperlab.models.mig.placement import Instance, explain, free_starts
from hopperlab.models.mig.profiles import Profile, profile


@dataclass(frozen=True)
class Move:
    """One instance that is destroyed at one start and created at another."""

    profile: str
    start: int
    to: int


@dataclass(frozen=True)
class Repacking:
    """The moves that make room, and the board after them with the new instance on it."""

    moves: tuple[Move, ...]
    board: Board


def make_room(board: Board, name: str) -> Repacking:
    """The fewest moves after which an instance of this profile fits, with the instance created.

    Raises
    ------
    InsufficientResources
        If no arrangement of these instances has room for it.
    ValueError
        If the card has no such profile.
    """
    wanted = profile(name, board.chip)
    verdict = explain([*(i.profile.name for i in board.instances), name], board.chip)
    if not verdict.fits:
        raise InsufficientResources(f"no moves can make room for {wanted.name}: {verdict.reason}")
    return next(_repackings(board, wanted))


def _repackings(board: Board, wanted: Profile) -> Iterator[Repacking]:
    """Every way to make room, those with the fewest moves first."""
    for count in range(len(board.instances) + 1):
        for moved in combinations(board.instances, count):
            stay = tuple(i for i in board.instances if i not in moved)
            laid = _lay([wanted, *(i.profile for i in moved)], stay)
            if laid is not None:
                pairs = zip(moved, laid[1:], strict=True)
                moves = tuple(Move(old.profile.name, old.start, new.start) for old, new in pairs)
                yield Repacking(moves, Board(board.chip, (*stay, *laid)))


def _lay(wanted: list[Profile], stay: tuple[Instance, ...]) -> list[Instance] | None:
    """A place for each profile beside those that stay, in order, or None."""
    if not wanted:
        return []
    for start in free_starts(wanted[0], stay):
        instance = Instance(start, wanted[0])
        rest = _lay(wanted[1:], (*stay, instance))
        if rest is not None:
            return [instance, *rest]
    return None
