"""Which SMs share a GPC: maps of cards, and how to find one from where clusters land.

Cards of one name differ: the die has 8 GPCs of 18 SMs, and what is switched off differs from card to card
(lit-002.a). All blocks of a cluster run in one GPC (talk-027), so SMs that once held one cluster are
together: that is proved. That two SMs are *apart* is never proved: they may only not have met yet.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

from hopperlab.chip import chip
from hopperlab.models.arguments import whole_number

MAX_SMS_PER_GPC = chip("GH100").max_sms_per_gpc

SM_ID_LIMIT = 2**16 - 1  # far above any card; catches garbage


@dataclass(frozen=True)
class GpcMap:
    """The SMs of a card by GPC.

    Parameters
    ----------
    name
        What the map is of.
    groups
        SM ids (``%smid``) of each group, each SM once. A group is a GPC, or a part of one.
    provenance
        ``"quoted"``, ``"modelled"`` or ``"measured"``.
    source
        Where it is from: the claim's id, or the card and the way it was measured; and what is assumed.
    apart
        True where the source says which GPC each SM belongs to; False where groups only were never seen
        together, so that two of them may be one GPC.

    Raises
    ------
    ValueError
        If there is no group, a group is empty or has more SMs than a GPC (18: chip-006), or an SM is in two.
    """

    name: str
    groups: tuple[tuple[int, ...], ...]
    provenance: str
    source: str
    apart: bool = True

    def __post_init__(self) -> None:
        """Bring the groups to tuples and refuse a map that no card can have."""
        groups = tuple(
            tuple(whole_number(f"groups[{number}]", sm, 0, SM_ID_LIMIT) for sm in group)
            for number, group in enumerate(self.groups)
        )
        object.__setattr__(self, "groups", groups)
        if not groups:
            raise ValueError("groups=() must hold at least one group of SMs")
        for number, group in enumerate(groups):
            whole_number(f"SMs of groups[{number}]", len(group), 1, MAX_SMS_PER_GPC)
        repeated = [sm for sm, times in Counter(sm for group in groups for sm in group).items() if times > 1]
        if repeated:
            raise ValueError(f"groups: SM {repeated[0]} is listed more than once; an SM is in one GPC")
        if self.provenance not in ("quoted", "modelled", "measured"):
            raise ValueError(f"provenance={self.provenance!r} must be 'quoted', 'modelled' or 'measured'")

    @cached_property
    def gpc_sm_counts(self) -> tuple[int, ...]:
        """SMs of each group, in the map's order."""
        return tuple(len(group) for group in self.groups)

    @property
    def sms(self) -> int:
        """SMs of the card."""
        return sum(self.gpc_sm_counts)

    @cached_property
    def _group_of(self) -> dict[int, int]:
        return {sm: number for number, group in enumerate(self.groups) for sm in group}

    def group_of(self, sm: int) -> int:
        """The number of the group that an SM is in; ValueError for an SM that the map lacks."""
        if sm not in self._group_of:
            raise ValueError(f"sm={sm!r} is not among the {self.sms} SMs of the map {self.name!r}")
        return self._group_of[sm]

    def name_of(self, group: int) -> str:
        """What a group is called: ``GPC 3``; ``pair 8`` where only two SMs were found together, or one alone."""
        size = self.gpc_sm_counts[group]
        found_small = not self.apart and size <= 2
        return f"{('lone SM', 'pair')[size - 1] if found_small else 'GPC'} {group}"

    def sizes(self) -> str:
        """The groups' sizes in short, largest first: ``2x18 + 5x16 + 8 + 4x2``."""
        counted = sorted(Counter(self.gpc_sm_counts).items(), reverse=True)
        return " + ".join(f"{times}x{size}" if times > 1 else str(size) for size, times in counted)

    def may_share_a_gpc(self) -> tuple[tuple[int, int], ...]:
        """Pairs of groups that may be parts of one GPC: never seen together, and small enough for it."""
        if self.apart:
            return ()
        counts = self.gpc_sm_counts
        return tuple(
            (a, b) for a, b in combinations(range(len(counts)), 2) if counts[a] + counts[b] <= MAX_SMS_PER_GPC
        )

    def open_questions(self) -> tuple[str, ...]:
        """What the map leaves open, one sentence each; empty where nothing is."""
        questions = []
        alone = [group[0] for group in self.groups if len(group) == 1]
        if alone and not self.apart:
            sms = ", ".join(map(str, alone))
            questions.append(f"Never seen in a cluster with another SM: SM {sms}.")
        pairs = self.may_share_a_gpc()
        if pairs:
            numbers = ", ".join(
                str(number) for number in sorted({number for pair in pairs for number in pair})
            )
            counted = f"{len(pairs)} pair{'' if len(pairs) == 1 else 's'}"
            questions.append(
                f"Never seen together, yet small enough for one GPC of {MAX_SMS_PER_GPC} SMs: "
                f"{counted} of groups, among {numbers}."
            )
        return tuple(questions)


def map_from_clusters(
    clusters: Iterable[Collection[int]], sms: int, *, name: str = "card", source: str = "clusters observed"
) -> GpcMap:
    """The map that observed clusters prove: SMs that ever held one cluster share a GPC.

    Parameters
    ----------
    clusters
        For each cluster observed, the SM ids of its blocks.
    sms
        SMs of the card; their ids are 0 to ``sms`` less 1.

    Returns
    -------
    GpcMap
        Groups from large to small, then by first SM; ``apart`` is False, for nothing here proves it.

    Raises
    ------
    ValueError
        If an id is out of range, a cluster is empty, or the clusters join more SMs than a GPC has.
    """
    whole_number("sms", sms, 1, SM_ID_LIMIT + 1)
    groups = [{sm} for sm in range(sms)]
    for number, cluster in enumerate(clusters):
        joined = {whole_number(f"clusters[{number}]", sm, 0, sms - 1) for sm in cluster}
        if not joined:
            raise ValueError(f"clusters[{number}] is empty: a cluster ran on at least one SM")
        touched = [group for group in groups if group & joined]
        groups = [group for group in groups if not group & joined] + [set().union(*touched)]
        if len(groups[-1]) > MAX_SMS_PER_GPC:
            raise ValueError(
                f"clusters[{number}]={sorted(joined)} joins {len(groups[-1])} SMs into one GPC; "
                f"a GPC has 1 to {MAX_SMS_PER_GPC}"
            )
    ordered = sorted((sorted(group) for group in groups), key=lambda group: (-len(group), group[0]))
    return GpcMap(name, tuple(map(tuple, ordered)), "measured", source, apart=False)


def map_from_sizes(
    gpc_sm_counts: Sequence[int],
    *,
    name: str = "example",
    provenance: str = "modelled",
    source: str = "sizes given; SM ids dealt in pairs over the GPCs",
    apart: bool = True,
) -> GpcMap:
    """A map of GPCs of those sizes. SM ids go round the GPCs in pairs (a TPC), as cards show (lit-004)."""
    counts = check_gpc_sm_counts(gpc_sm_counts)
    return GpcMap(name, _dealt_in_pairs(counts), provenance, source, apart)


def check_gpc_sm_counts(gpc_sm_counts: Sequence[int]) -> tuple[int, ...]:
    """The sizes as a tuple, each 1 to 18 SMs; ValueError where there is none or one is out of range."""
    counts = tuple(
        whole_number(f"gpc_sm_counts[{number}]", count, 1, MAX_SMS_PER_GPC)
        for number, count in enumerate(gpc_sm_counts)
    )
    if not counts:
        raise ValueError("gpc_sm_counts=() must hold at least one GPC")
    return counts


def _dealt_in_pairs(counts: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    groups: list[list[int]] = [[] for _ in counts]
    next_sm = 0
    while next_sm < sum(counts):
        for group, count in zip(groups, counts, strict=True):
            dealt = min(2, count - len(group))
            group.extend(range(next_sm, next_sm + dealt))
            next_sm += dealt
    return tuple(map(tuple, groups))


def _h100_pcie() -> GpcMap:
    """The one published map: seven GPCs dealt to 14 SMs, six of them on to 16, the first to 18 at last."""
    first, *others = _dealt_in_pairs((14, 16, 16, 16, 16, 16, 16))
    return GpcMap(
        "H100 PCIe",
        ((*first, 110, 111, 112, 113), *others),
        "quoted",
        "lit-004, one H100 PCIe; GPCs 0 and 1 as quoted, the others by the same rule",
    )


EXAMPLE_MAPS: dict[str, GpcMap] = {
    shown.name: shown
    for shown in (
        map_from_sizes(
            (18, 18, 16, 16, 16, 16, 16, 8, 2, 2, 2, 2),
            name="H200 SXM",
            provenance="measured",
            source="sizes found on one H200 SXM, where clusters landed; SM ids dealt in pairs, not measured",
            apart=False,
        ),
        _h100_pcie(),
        map_from_sizes(
            (18, 18, 16, 16, 16, 16, 16, 16),
            name="132 SMs, 2x18 + 6x16",
            provenance="quoted",
            source="lit-010, inferred by its authors for an H200 NVL; SM ids dealt in pairs",
        ),
        map_from_sizes(
            (18, 18, 18, 16, 16, 16, 16, 14),
            name="132 SMs, 3x18 + 4x16 + 14",
            provenance="modelled",
            source="derived-003, what 15 clusters of 8 on a 132-SM card suggest; SM ids dealt in pairs",
        ),
        map_from_sizes(
            (18,) * 8,
            name="GH100",
            provenance="quoted",
            source="lit-001.c, the full die, which no card sells; SM ids dealt in pairs",
        ),
    )
}
"""Maps to try the models on, by name; each says how its sizes and its SM ids are known."""
