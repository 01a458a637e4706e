"""Claims with a number that nothing here is held against, and why: the audit prints them by their reasons.

A claim that gets a row leaves this table; a test sees to it. Themes whose claims are not all answered or named here
have the rest counted by the audit as "so far only quoted".
"""

UNTESTED: dict[str, tuple[str, ...]] = {
    "no program can count it": (
        *("talk-006.b", "article-001.a", "article-001.c", "article-023.a", "article-023.b"),
    ),
    "it is of whole applications, on systems of two generations": ("talk-001", "talk-002"),
    "it is of a Grace Hopper, which no recording is of": ("talk-004",),
    "it is half of a comparison with another maker's card, whose number was not told": ("article-015",),
    "a sheet's own constant, from which the models start; no such card was recorded": (
        *("chip-010", "chip-011", "chip-013", "chip-017", "chip-018", "chip-019", "chip-020", "chip-028"),
        *(
            "chip-039",
            "chip-041",
            "chip-043",
            "chip-045",
            "lit-157.g",
            "chip-053.a",
            "chip-053.b",
            "chip-055.a",
            "chip-055.b",
        ),
    ),
    "a sheet's own constant, from which the models start; no recording asks for it": (
        *("chip-001", "chip-036", "lit-021.e"),
    ),
    "a standard's number, from which the models start": (
        *("chip-048.a", "chip-048.b", "chip-049", "chip-050.a", "chip-050.b"),
    ),
    "no kernel here does what it is of": (
        *("lit-081.b", "lit-083.a", "lit-083.b", "lit-134", "lit-135", "recalled-007"),
    ),
    "the sweep here is too short for power, which NVML tells as a mean of a second": ("lit-152.c",),
    "it is no measurement: the loop had been removed, as in a specimen of lesson 21": ("lit-147.b",),
    "it is a number in a driver's header, which only the driver uses": ("lit-213",),
    "it is what another program's authors chose": ("lit-242.b",),
}
"""Reasons, each with the ids of the claims that it keeps from being tested."""


def reasons(theme_ids: set[str]) -> dict[str, tuple[str, ...]]:
    """The reasons that concern some of these claims, each with the ids that it concerns, in the table's order."""
    concerned = {reason: tuple(id for id in ids if id in theme_ids) for reason, ids in UNTESTED.items()}
    return {reason: ids for reason, ids in concerned.items() if ids}
