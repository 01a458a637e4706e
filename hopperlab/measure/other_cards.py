"""What differs between the card that was measured and the cards that claims are about."""

from collections.abc import Sequence

from hopperlab.chip import NAMES, Chip, chip, chip_of_card
from hopperlab.measure.rows import Row

CONSTANTS = (
    ("sms", "SMs", 1, ""),
    ("boost_clock_hz", "boost clock", 10**6, " MHz"),
    ("fp32_lanes_per_sm", "FP32 lanes of an SM", 1, ""),
    ("l1_bytes_per_sm", "L1 and shared memory of an SM", 2**10, " KiB"),
    ("l2_bytes", "L2", 2**20, " MiB"),
    ("memory_bandwidth_bytes_per_s", "memory", 10**12, " TB/s"),
    ("power_limit_watts", "power limit", 1, " W"),
)
"""Constants of a sheet that its measurements hang on: field, words, factor and unit."""


def differences(other: Chip, own: Chip) -> str:
    """The constants in which two chips differ, the other's first; empty where nothing known differs."""
    parts = []
    for field, words, factor, unit in CONSTANTS:
        values = [getattr(one, field) for one in (other, own)]
        if None not in values and values[0] != values[1]:
            theirs, ours = (f"{value / factor:.4g}" for value in values)
            parts.append(f"{words} {theirs} and {ours}{unit}")
    return ", ".join(parts)


def of_rows(rows: Sequence[Row]) -> tuple[str, ...]:
    """A sentence for each chip that has a sheet and is quoted in rows which measured another card."""
    found: dict[str, str] = {}
    for row in rows:
        own = chip_of_card(row.card) or (chip(row.card) if row.card in NAMES else None)
        if row.measured is None or row.source is None or row.own_card or own is None:
            continue
        other = _quoted_chip(row)
        if other is not None and other != own:
            told = differences(other, own)
            found.setdefault(f"{other.name} and {own.name}", told or "nothing of their sheets differs")
    return tuple(f"{names}: {told}." for names, told in found.items())


def _quoted_chip(row: Row) -> Chip | None:
    """The first chip that the row's claim is about."""
    return next((chip(name) for name in NAMES if row.source.covers(name)), None)
