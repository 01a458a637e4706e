"""A queue of tenants for one card: who runs when, under three ways to serve it.

Each tenant asks for one GPU instance for some hours. Time is in whole hours; nothing is random.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from hopperlab.models.mig.driver import Board, InsufficientResources
from hopperlab.models.mig.profiles import profile
from hopperlab.models.mig.repack import make_room

POLICIES = ("in order", "let others pass", "make room")
"""In order: the first in the queue waits, and all behind it. Let others pass: those that fit go ahead.
Make room: as the second, and instances may be moved; each move stops its tenant for ``MOVE_HOURS``."""

MOVE_HOURS = 1


@dataclass(frozen=True)
class Tenant:
    """Who asks for what, when, and for how long (whole hours)."""

    name: str
    profile: str
    arrives: int
    stays: int


@dataclass(frozen=True)
class Stay:
    """A tenant on the card, from its first hour to its last (exclusive).

    ``places`` holds the hour and the memory slice of its first place and of every one it was moved to.
    """

    tenant: Tenant
    places: tuple[tuple[int, int], ...]
    ends: int

    @property
    def begins(self) -> int:
        """Its first hour."""
        return self.places[0][0]

    @property
    def start(self) -> int:
        """Where it lies at the end."""
        return self.places[-1][1]

    @property
    def spans(self) -> tuple[tuple[int, int, int], ...]:
        """For each place: its memory slice, the first hour there, and the last (exclusive)."""
        until = [*(hour for hour, _ in self.places[1:]), self.ends]
        return tuple((start, hour, end) for (hour, start), end in zip(self.places, until, strict=True))

    @property
    def waited(self) -> int:
        """Hours between arrival and begin."""
        return self.begins - self.tenant.arrives


@dataclass(frozen=True)
class Schedule:
    """Every tenant's stay, in order of begin, and how many instances were moved."""

    policy: str
    chip: str
    stays: tuple[Stay, ...]
    moves: int

    @property
    def hours(self) -> int:
        """Hours until the last tenant has left."""
        return max((s.ends for s in self.stays), default=0)

    @property
    def hours_waited(self) -> int:
        """All tenants' waiting together."""
        return sum(s.waited for s in self.stays)

    @property
    def sms_busy(self) -> float:
        """SMs held by tenants, averaged over the schedule's hours."""
        held = sum(s.tenant.stays * profile(s.tenant.profile, self.chip).sms for s in self.stays)
        return held / self.hours if self.hours else 0.0


def serve(queue: Sequence[Tenant], chip: str, policy: str = "in order") -> Schedule:
    """Serve a queue of tenants on one card.

    Parameters
    ----------
    queue
        Tenants; those of the same hour are served in this order.
    chip
        A card with MIG.
    policy
        One of ``POLICIES``.

    Raises
    ------
    ValueError
        For an unknown policy or profile, a negative arrival, a stay below one hour, or a name used twice.
    """
    _check(queue, chip, policy)
    waiting = sorted(queue, key=lambda t: t.arrives)
    running: list[Stay] = []
    gone: list[Stay] = []
    board, hour, moves = Board(chip), 0, 0
    while waiting or running:
        for stay in [s for s in running if s.ends <= hour]:
            running.remove(stay)
            gone.append(stay)
            board = board.destroy(stay.start)
        for tenant in [t for t in waiting if t.arrives <= hour]:
            served = _serve_one(tenant, board, running, hour, policy)
            if served is not None:
                board, running, moved = served
                moves += moved
                waiting.remove(tenant)
            elif policy == "in order":
                break
        hour += 1
    stays = tuple(sorted(gone, key=lambda s: (s.begins, s.tenant.name)))
    return Schedule(policy, chip, stays, moves)


def _serve_one(
    tenant: Tenant, board: Board, running: list[Stay], hour: int, policy: str
) -> tuple[Board, list[Stay], int] | None:
    """The board and the stays with this tenant on the card, and the moves it took; None if it must wait."""
    try:
        start = board.choice(tenant.profile)
        stays = [*running, Stay(tenant, ((hour, start),), hour + tenant.stays)]
        return board.create(tenant.profile, start), stays, 0
    except InsufficientResources:
        if policy != "make room":
            return None
    try:
        repacking = make_room(board, tenant.profile)
    except InsufficientResources:
        return None
    to = {move.start: move.to for move in repacking.moves}
    stays = [_moved(stay, hour, to[stay.start]) if stay.start in to else stay for stay in running]
    held = {s.start for s in stays}
    start = next(i.start for i in repacking.board.instances if i.start not in held)
    return repacking.board, [*stays, Stay(tenant, ((hour, start),), hour + tenant.stays)], len(to)


def _moved(stay: Stay, hour: int, start: int) -> Stay:
    return replace(stay, places=(*stay.places, (hour, start)), ends=stay.ends + MOVE_HOURS)


def _check(queue: Sequence[Tenant], chip: str, policy: str) -> None:
    if policy not in POLICIES:
        raise ValueError(f"policy={policy!r}: the policies are {', '.join(map(repr, POLICIES))}")
    names = [t.name for t in queue]
    for tenant in queue:
        profile(tenant.profile, chip)
        if tenant.arrives < 0:
            raise ValueError(f"arrives={tenant.arrives} of {tenant.name!r}: hours count from 0")
        if tenant.stays < 1:
            raise ValueError(f"stays={tenant.stays} of {tenant.name!r}: a stay is 1 hour or more")
        if names.count(tenant.name) > 1:
            raise ValueError(f"two tenants are named {tenant.name!r}: names must differ")
