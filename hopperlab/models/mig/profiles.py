"""What MIG can cut a chip into: the GPU instance profiles of each card, as its driver lists them.

The tables are what ``nvidia-smi mig -lgip`` and ``-lgipp`` print on the cards themselves. NVIDIA's own
mock of the H100 (go-nvml) differs from them; see ``MOCK_H100_SMS``.
"""

import difflib
from dataclasses import dataclass

from hopperlab import chip as chips

MEMORY_SLICES = 8
"""Memory slices of a card: the axis on which GPU instances are placed (claim mig-001)."""

COMPUTE_SLICES = 7
"""Compute slices of a card: one short of the memory slices (claim mig-002)."""


@dataclass(frozen=True)
class Profile:
    """One kind of GPU instance of one card.

    Parameters
    ----------
    name
        As the driver spells it: compute slices, then memory in GB, such as ``"3g.40gb"``.
    chip
        The card's name in ``hopperlab.chip``.
    number
        The profile's number in NVML and in ``nvidia-smi mig -cgi``.
    compute_slices, memory_slices
        Of the seven and the eight. Double-memory profiles such as ``1g.20gb`` hold more memory slices than
        their name has compute slices.
    memory_gib
        Memory that the instance can use, in GiB: what is left of its slices after the driver's share.
    sms, copy_engines, decoders, jpeg_decoders, optical_flow
        Engines that belong to the instance alone.
    max_instances
        How many fit on one otherwise empty card.
    starts
        The memory slices on which such an instance may begin.
    sms_claim, memory_claim
        The claim ids of its SMs and of its memory.
    """

    name: str
    chip: str
    number: int
    compute_slices: int
    memory_slices: int
    memory_gib: float
    sms: int
    copy_engines: int
    decoders: int
    jpeg_decoders: int
    optical_flow: int
    max_instances: int
    starts: tuple[int, ...]
    sms_claim: str
    memory_claim: str

    @property
    def media_extension(self) -> bool:
        """Whether this is the one 1g instance that also holds the media engines (``+me``)."""
        return self.name.endswith("+me")

    def mask_at(self, start: int) -> int:
        """The memory slices that an instance beginning at ``start`` holds, as bits."""
        return ((1 << self.memory_slices) - 1) << start


# number, compute slices, memory slices, max instances, starts: the same on all these cards (mig-003)
SHAPES = {
    "1g": (19, 1, 1, 7, (0, 1, 2, 3, 4, 5, 6)),
    "1g+me": (20, 1, 1, 1, (0, 1, 2, 3, 4, 5, 6)),
    "1g double memory": (15, 1, 2, 4, (0, 2, 4, 6)),
    "2g": (14, 2, 2, 3, (0, 2, 4)),
    "3g": (9, 3, 4, 2, (0, 4)),
    "4g": (5, 4, 4, 1, (0,)),
    "7g": (0, 7, 8, 1, (0,)),
}

BASE_SHAPES = ("1g", "2g", "3g", "4g", "7g")
"""The shapes that every MIG card has had from the start."""

SXM_SMS = (16, 16, 26, 32, 60, 64, 132)
PCIE_SMS = (14, 14, 14, 30, 46, 62, 114)
A100_SMS = (14, 14, 14, 28, 42, 56, 98)
# copy engines, decoders, JPEG decoders, optical flow accelerators, in the order of SHAPES (mig-015, mig-016);
# some drivers list 2, 3 and 4 decoders for the A100 2g, 3g and 4g
HOPPER_ENGINES = ((1, 1, 1, 2, 3, 4, 8), (1, 1, 1, 2, 3, 4, 7), (1, 1, 1, 2, 3, 4, 7), (0, 1, 0, 0, 0, 0, 1))
A100_ENGINES = ((1, 1, 1, 2, 3, 4, 7), (0, 1, 1, 1, 2, 2, 5), (0, 1, 0, 0, 0, 0, 1), (0, 1, 0, 0, 0, 0, 1))

NAMES_40 = ("1g.5gb", "1g.5gb+me", "1g.10gb", "2g.10gb", "3g.20gb", "4g.20gb", "7g.40gb")
NAMES_80 = ("1g.10gb", "1g.10gb+me", "1g.20gb", "2g.20gb", "3g.40gb", "4g.40gb", "7g.80gb")
NAMES_141 = ("1g.18gb", "1g.18gb+me", "1g.35gb", "2g.35gb", "3g.71gb", "4g.71gb", "7g.141gb")

GIB_40 = (4.75, 4.75, 9.75, 9.75, 19.62, 19.62, 39.50)
GIB_80_HOPPER = (9.75, 9.75, 19.62, 19.62, 39.50, 39.50, 79.25)
GIB_80_A100 = (9.50, 9.50, 19.50, 19.50, 39.25, 39.25, 79.00)
GIB_141 = (16.00, 16.00, 32.25, 32.25, 69.50, 69.50, 140.00)

TABLES = {
    "H100 SXM5": (NAMES_80, GIB_80_HOPPER, SXM_SMS, HOPPER_ENGINES, "mig-010"),
    "H100 PCIe": (NAMES_80, GIB_80_HOPPER, PCIE_SMS, HOPPER_ENGINES, "mig-011"),
    "H200 SXM": (NAMES_141, GIB_141, SXM_SMS, HOPPER_ENGINES, "mig-012"),
    "A100 SXM4 40GB": (NAMES_40, GIB_40, A100_SMS, A100_ENGINES, "mig-013"),
    "A100 SXM4 80GB": (NAMES_80, GIB_80_A100, A100_SMS, A100_ENGINES, "mig-014"),
    "A100 PCIe 40GB": (NAMES_40, GIB_40, A100_SMS, A100_ENGINES, "mig-013"),
}

CHIPS = tuple(TABLES)
"""The cards of ``hopperlab.chip`` that have MIG."""

MOCK_H100_SMS = {"1g.10gb": 16, "2g.20gb": 32, "3g.40gb": 48, "4g.40gb": 64, "7g.80gb": 112}
"""A public table that is wrong: it multiplies 16 SMs by the compute slices (claim mig-004).

Cards list 60 SMs for 3g and 132 for 7g. The belief that MIG costs 15 % of an H100 comes from this 112."""


def _row(card: str, index: int, shape: str) -> Profile:
    names, gib, sms, engines, claim = TABLES[card]
    number, compute_slices, memory_slices, max_instances, starts = SHAPES[shape]
    copy_engines, decoders, jpeg_decoders, optical_flow = (counts[index] for counts in engines)
    return Profile(
        name=names[index],
        chip=card,
        number=number,
        compute_slices=compute_slices,
        memory_slices=memory_slices,
        memory_gib=gib[index],
        sms=sms[index],
        copy_engines=copy_engines,
        decoders=decoders,
        jpeg_decoders=jpeg_decoders,
        optical_flow=optical_flow,
        max_instances=max_instances,
        starts=starts,
        sms_claim=f"{claim}.{'abcdefg'[index]}",
        memory_claim=f"{claim}.{'hijklmn'[index]}",
    )


_PROFILES = {card: tuple(_row(card, i, shape) for i, shape in enumerate(SHAPES)) for card in CHIPS}


def profiles(chip: str) -> tuple[Profile, ...]:
    """Every profile of a card, from the smallest to the whole.

    Raises
    ------
    TypeError
        If ``chip`` is not a string.
    ValueError
        If there is no such chip, or it has no MIG.
    """
    if not isinstance(chip, str):
        raise TypeError(f"chip must be a name such as 'H100 SXM5', not {type(chip).__name__}")
    if chip not in _PROFILES:
        if chip in chips.NAMES:
            raise ValueError(f"chip={chip!r} is no card one can buy, so no driver lists its MIG profiles")
        near = difflib.get_close_matches(chip, CHIPS, n=1, cutoff=0.5)
        hint = f"; did you mean {near[0]!r}?" if near else ""
        raise ValueError(f"chip={chip!r} is unknown{hint} MIG cards are {', '.join(CHIPS)}")
    return _PROFILES[chip]


def base_profiles(chip: str) -> tuple[Profile, ...]:
    """The five profiles that every MIG card has: 1g, 2g, 3g, 4g and 7g."""
    shapes = tuple(SHAPES)
    return tuple(p for p, shape in zip(profiles(chip), shapes, strict=True) if shape in BASE_SHAPES)


def profile(name: str, chip: str) -> Profile:
    """The profile of that name on that card; ``"MIG 3g.40gb"`` is taken as ``"3g.40gb"``.

    Raises
    ------
    TypeError
        If the name is not a string.
    ValueError
        If the card has no such profile; the message gives the nearest name.
    """
    if not isinstance(name, str):
        raise TypeError(f"a profile is named by a string such as '3g.40gb', not {type(name).__name__}")
    known = {p.name: p for p in profiles(chip)}
    wanted = name.strip().removeprefix("MIG ")
    if wanted in known:
        return known[wanted]
    raise ValueError(f"{name!r} is no profile of the {chip}; {_nearest(wanted, chip)}")


def _nearest(wanted: str, chip: str) -> str:
    """What the reader most likely meant: the same slices on this card, or the closest spelling."""
    names = [p.name for p in profiles(chip)]
    elsewhere = [card for card in CHIPS if any(p.name == wanted for p in profiles(card))]
    slices = wanted.split(".")[0].lower()
    if elsewhere:
        here = next(p.name for p in profiles(chip) if p.name.startswith(f"{slices}."))
        return f"it is one of the {elsewhere[0]}, and here a {slices} is {here!r}"
    near = difflib.get_close_matches(wanted.lower(), names, n=1, cutoff=0.4)
    return f"did you mean {near[0]!r}?" if near else f"there are {', '.join(names)}"
