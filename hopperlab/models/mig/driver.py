"""What the driver does with requests for GPU instances, one after another.

The driver does not look ahead. It gives each request the free start that leaves the most places for
later ones, the lowest of equals. The open driver's source says so of compute instances (mig-006). GPU
instances are placed by firmware, so this model of them is inferred: it gives every placement that public
transcripts show for 1g, 2g, 3g and 4g (mig-007). For a 1g with double memory on an empty card they show
instance numbers that read better as slice 4 than as the model's slice 6 (mig-008): check that one on a card.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import permutations

from hopperlab.models.mig.placement import Instance, check_layout, free_starts
from hopperlab.models.mig.profiles import COMPUTE_SLICES, Profile, profile, profiles


class InsufficientResources(ValueError):  # noqa: N818  the driver's own words
    """The driver found no free place for an instance, though the name is right."""


@dataclass(frozen=True)
class Board:
    """A card in MIG mode and the GPU instances on it. Immutable: keep the old one to step back.

    Parameters
    ----------
    chip
        A card with MIG.
    instances
        In the order of their creation.
    """

    chip: str
    instances: tuple[Instance, ...] = ()

    def __post_init__(self) -> None:
        """Refuse instances that overlap or belong to another card."""
        profiles(self.chip)
        laid: list[Instance] = []
        for instance in self.instances:
            if instance.profile.chip != self.chip:
                raise ValueError(f"{instance.profile.name} is a profile of the {instance.profile.chip}")
            if instance.start not in free_starts(instance.profile, laid):
                raise InsufficientResources(
                    f"{instance.profile.name} at memory slice {instance.start} overlaps an earlier instance "
                    "or asks for more slices than are left"
                )
            laid.append(instance)

    def free(self, name: str) -> tuple[int, ...]:
        """The starts that one more instance of this profile could take."""
        return free_starts(profile(name, self.chip), self.instances)

    def choice(self, name: str) -> int:
        """The start that the driver would take for this profile.

        Raises
        ------
        InsufficientResources
            If there is none; the message says what is in the way.
        """
        wanted = profile(name, self.chip)
        starts = free_starts(wanted, self.instances)
        if not starts:
            raise InsufficientResources(self._why_not(wanted))
        return max(starts, key=lambda start: (self._left(wanted, start), -start))

    def create(self, name: str, start: int | None = None) -> "Board":
        """The board with one more instance, where the driver puts it or at ``start``.

        Raises
        ------
        InsufficientResources
            If no start, or not this one, is free.
        ValueError
            If ``start`` is none of the profile's starts.
        """
        wanted = profile(name, self.chip)
        instance = Instance(self.choice(name) if start is None else start, wanted)
        return replace(self, instances=(*self.instances, instance))

    def destroy(self, start: int) -> "Board":
        """The board without the instance that begins at ``start``.

        Raises
        ------
        ValueError
            If no instance begins there.
        """
        if start not in {i.start for i in self.instances}:
            begun = (
                ", ".join(str(s) for s in sorted(i.start for i in self.instances))
                or "none: the board is empty"
            )
            raise ValueError(f"start={start!r}: no instance begins there; instances begin at {begun}")
        return replace(self, instances=tuple(i for i in self.instances if i.start != start))

    def _left(self, wanted: Profile, start: int) -> int:
        """How many (profile, start) pairs stay possible with one more instance at ``start``."""
        instances = (*self.instances, Instance(start, wanted))
        return sum(len(free_starts(kind, instances)) for kind in profiles(self.chip))

    def _why_not(self, wanted: Profile) -> str:
        media = [i.profile.name for i in self.instances if i.profile.media_extension]
        if wanted.media_extension and media:
            return f"no {wanted.name}: {media[0]} already holds the card's media engines"
        compute = sum(i.profile.compute_slices for i in self.instances)
        left = COMPUTE_SLICES - compute
        if wanted.compute_slices > left:
            return f"no {wanted.name}: {left} compute slices are left, it needs {wanted.compute_slices}"
        over = [i for i in self.instances if any(i.mask & wanted.mask_at(start) for start in wanted.starts)]
        holders = ", ".join(f"{i.profile.name} at {i.start}" for i in sorted(over, key=lambda i: i.start))
        starts = ", ".join(map(str, wanted.starts))
        return f"no place for {wanted.name}, which starts at {starts}: in the way are {holders}"


@dataclass(frozen=True)
class Request:
    """One request in a sequence: what was asked, where the driver put it (or None), and why not."""

    name: str
    start: int | None
    reason: str
    board: Board


@dataclass(frozen=True)
class Placing:
    """A sequence of requests as the driver served it, up to the first that it refused.

    ``requests`` holds each served request and the refused one, each with the board after it.
    """

    requests: tuple[Request, ...]
    board: Board

    @property
    def succeeded(self) -> bool:
        """Whether every request got its instance."""
        return all(r.start is not None for r in self.requests)

    @property
    def refused(self) -> Request | None:
        """The request that the driver refused, if any."""
        return next((r for r in self.requests if r.start is None), None)


def place(sequence: Sequence[str], chip: str) -> Placing:
    """Create GPU instances in this order, as ``nvidia-smi mig -cgi`` does; stop at the first refusal.

    Parameters
    ----------
    sequence
        Profile names in the order of the requests.
    chip
        A card with MIG.

    Raises
    ------
    TypeError, ValueError
        For a name or a chip that does not exist; a refusal is no error but part of the result.
    """
    board = Board(chip)
    requests = []
    for wanted in check_layout(sequence, chip):
        try:
            start = board.choice(wanted.name)
        except InsufficientResources as refusal:
            requests.append(Request(wanted.name, None, str(refusal), board))
            break
        board = board.create(wanted.name, start)
        requests.append(Request(wanted.name, start, "", board))
    return Placing(tuple(requests), board)


def orders_refused(layout: Sequence[str], chip: str) -> tuple[tuple[str, ...], ...]:
    """The orders of these requests that the driver does not serve to the end, in alphabetical order.

    Empty means that order does not matter; all orders mean that the layout is not valid. At most seven
    requests, since no more fit.

    Raises
    ------
    TypeError, ValueError
        As ``place``; ValueError also for more than seven requests.
    """
    wanted = [p.name for p in check_layout(layout, chip)]
    if len(wanted) > COMPUTE_SLICES:
        raise ValueError(f"layout has {len(wanted)} instances; a card holds at most {COMPUTE_SLICES}")
    return tuple(order for order in sorted(set(permutations(wanted))) if not place(order, chip).succeeded)
