"""Where GPU instances can lie together: every layout that the hardware allows.

An instance takes a run of the eight memory slices, from one of the few starts of its profile. Two may
not overlap, and together they may not ask for more than seven compute slices (mig-001 to mig-003).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from hopperlab.models.mig.profiles import (
    COMPUTE_SLICES,
    MEMORY_SLICES,
    Profile,
    base_profiles,
    profile,
    profiles,
)


@dataclass(frozen=True)
class Instance:
    """A GPU instance at its place: a profile and the first of its memory slices."""

    start: int
    profile: Profile

    def __post_init__(self) -> None:
        """Refuse a start that the hardware does not have."""
        if self.start not in self.profile.starts:
            allowed = ", ".join(map(str, self.profile.starts))
            raise ValueError(f"start={self.start!r}: a {self.profile.name} starts at memory slice {allowed}")

    @property
    def memory(self) -> range:
        """The memory slices that it holds."""
        return range(self.start, self.start + self.profile.memory_slices)

    @property
    def compute(self) -> range:
        """The compute slices that it holds: the first ones above its memory slices."""
        return range(self.start, self.start + self.profile.compute_slices)

    @property
    def mask(self) -> int:
        """Its memory slices as bits."""
        return self.profile.mask_at(self.start)


@dataclass(frozen=True)
class Verdict:
    """Whether a layout fits, one way to lay it, and why in words.

    ``placement`` is empty where it does not fit.
    """

    fits: bool
    placement: tuple[Instance, ...]
    reason: str


def check_layout(layout: Sequence[str], chip: str) -> tuple[Profile, ...]:
    """The profiles of a layout, or the error of the first wrong name.

    Raises
    ------
    TypeError
        If the layout is one string, or not a sequence of strings.
    ValueError
        If a name is no profile of the card.
    """
    if isinstance(layout, str | bytes):
        raise TypeError(f"layout must be a list of profile names, not one string: write [{layout!r}]")
    if not isinstance(layout, Sequence):
        raise TypeError(f"layout must be a list of profile names, not {type(layout).__name__}")
    profiles(chip)
    return tuple(profile(name, chip) for name in layout)


def is_valid(layout: Sequence[str], chip: str) -> bool:
    """Whether these GPU instances can exist together on the card, wherever they are laid.

    Parameters
    ----------
    layout
        Profile names, such as ``["3g.40gb", "3g.40gb"]``; an empty layout is valid.
    chip
        A card of ``hopperlab.chip``, such as ``"H100 SXM5"``.

    Raises
    ------
    TypeError, ValueError
        For a layout or a chip that names nothing; the message gives the nearest name.
    """
    return explain(layout, chip).fits


def explain(layout: Sequence[str], chip: str) -> Verdict:
    """Whether a layout fits, with a placement if it does and the reason if it does not.

    Arguments and errors are those of ``is_valid``.
    """
    wanted = check_layout(layout, chip)
    memory = sum(p.memory_slices for p in wanted)
    compute = sum(p.compute_slices for p in wanted)
    counts = f"{memory} of {MEMORY_SLICES} memory slices, {compute} of {COMPUTE_SLICES} compute slices"
    media = [p.name for p in wanted if p.media_extension]
    if len(media) > 1:
        return Verdict(False, (), f"{len(media)} x {media[0]}: the card has one set of media engines to give")
    if memory > MEMORY_SLICES:
        return Verdict(False, (), f"too much memory: {counts}")
    if compute > COMPUTE_SLICES:
        return Verdict(False, (), f"too much compute: {counts}")
    # Counting suffices: the tests find a placement for every layout that comes this far.
    return Verdict(True, next(placements(wanted)), f"fits: {counts}")


def placements(wanted: Sequence[Profile]) -> Iterator[tuple[Instance, ...]]:
    """Every way to lay these profiles side by side, each once, sorted by start."""
    ordered = sorted(wanted, key=lambda p: (len(p.starts), p.name))
    if not _within_limits(ordered):
        return
    seen: set[tuple[Instance, ...]] = set()
    for laid in _lay(ordered, 0):
        instances = tuple(sorted(laid, key=lambda i: i.start))
        if instances not in seen:
            seen.add(instances)
            yield instances


def _within_limits(wanted: Sequence[Profile]) -> bool:
    return (
        sum(p.compute_slices for p in wanted) <= COMPUTE_SLICES
        and sum(p.memory_slices for p in wanted) <= MEMORY_SLICES
        and sum(p.media_extension for p in wanted) <= 1
    )


def _lay(wanted: Sequence[Profile], taken: int) -> Iterator[list[Instance]]:
    if not wanted:
        yield []
        return
    first, rest = wanted[0], wanted[1:]
    for start in first.starts:
        instance = Instance(start, first)
        if not instance.mask & taken:
            for others in _lay(rest, taken | instance.mask):
                yield [instance, *others]


def free_starts(wanted: Profile, instances: Sequence[Instance]) -> tuple[int, ...]:
    """The starts at which one more such instance could be created now."""
    if sum(i.profile.compute_slices for i in instances) + wanted.compute_slices > COMPUTE_SLICES:
        return ()
    if wanted.media_extension and any(i.profile.media_extension for i in instances):
        return ()
    taken = sum(i.mask for i in instances)
    return tuple(start for start in wanted.starts if not wanted.mask_at(start) & taken)


@lru_cache
def maximal_layouts(chip: str, *, all_profiles: bool = False) -> tuple[tuple[Instance, ...], ...]:
    """Every placed layout to which no instance can be added.

    Parameters
    ----------
    chip
        A card with MIG.
    all_profiles
        Also use the media extension and the double-memory 1g; by default the five base profiles, which
        give 19 layouts on every card (mig-005).
    """
    kinds = profiles(chip) if all_profiles else base_profiles(chip)
    found: set[tuple[Instance, ...]] = set()

    def grow(instances: tuple[Instance, ...], seen: set[tuple[Instance, ...]]) -> None:
        if instances in seen:
            return
        seen.add(instances)
        choices = [Instance(start, kind) for kind in kinds for start in free_starts(kind, instances)]
        if not choices:
            found.add(instances)
        for choice in choices:
            grow(tuple(sorted((*instances, choice), key=lambda i: i.start)), seen)

    grow((), set())
    return tuple(sorted(found, key=lambda layout: [(i.start, -i.profile.memory_slices) for i in layout]))
