"""The card that lesson 16 cuts up, and the requests, boards and tenants that it talks about."""

from hopperlab.models.mig import Board, Instance, Tenant, profile

CARD = "H100 SXM5"

LAYOUTS = {
    "3g + 3g + 1g": ("3g.40gb", "3g.40gb", "1g.10gb"),
    "4g + 3g": ("4g.40gb", "3g.40gb"),
    "4g + 4g": ("4g.40gb", "4g.40gb"),
    "3g + 4 x 1g": ("3g.40gb",) + ("1g.10gb",) * 4,
    "3 x 2g + 1g": ("2g.20gb",) * 3 + ("1g.10gb",),
    "5 x 1g with double memory": ("1g.20gb",) * 5,
    "4g + 2 x 1g with double memory": ("4g.40gb", "1g.20gb", "1g.20gb"),
}
"""Seven layouts to judge."""

MIXED = ("1g.10gb", "1g.10gb", "2g.20gb", "3g.40gb")
"""A layout that fits, though the driver refuses it in most orders: smallest first."""

SEQUENCES = {
    "largest first": MIXED[::-1],
    "smallest first": MIXED,
    "2g, 3g, 2g": ("2g.20gb", "3g.40gb", "2g.20gb"),
    "seven 1g": ("1g.10gb",) * 7,
    "3g, 4g": ("3g.40gb", "4g.40gb"),
}
"""Requests to watch the driver serve, in order."""

DAY = (
    Tenant("Ada", "1g.10gb", 0, 6),
    Tenant("Bo", "2g.20gb", 0, 3),
    Tenant("Cy", "2g.20gb", 0, 5),
    Tenant("Di", "3g.40gb", 1, 4),
    Tenant("Ed", "1g.10gb", 2, 3),
    Tenant("Fay", "4g.40gb", 3, 3),
    Tenant("Gus", "2g.20gb", 4, 2),
    Tenant("Hal", "1g.20gb", 5, 3),
)
"""A day's tenants."""


def board(*placed: tuple[str, int], chip: str = CARD) -> Board:
    """The card with these instances: each a profile and the memory slice at which it starts."""
    return Board(chip, tuple(Instance(start, profile(name, chip)) for name, start in placed))


SCATTERED = board(("1g.10gb", 1), ("1g.10gb", 3), ("2g.20gb", 4))
"""Four memory slices in use, four free, and no place for a 3g."""

WANTED = "3g.40gb"
