"""Where a chip's SMs are drawn: a column for each GPC, two SMs a row, small groups stacked in one column."""

from dataclasses import dataclass
from typing import NamedTuple

from hopperlab.models.clusters import GpcMap

STACKED_UP_TO = 2  # SMs of a group that shares a column with others


class Box(NamedTuple):
    """A rectangle: its upper left corner and its size."""

    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True)
class Scale:
    """Sizes in drawing units: of an SM, between SMs, around them in their GPC, between GPCs, above each."""

    sm_width: float
    sm_height: float
    gap: float
    padding: float
    between: float
    label: float


@dataclass(frozen=True)
class Plan:
    """The drawing's boxes: ``groups`` in the map's order, ``sms`` by SM id; and its size."""

    groups: tuple[Box, ...]
    sms: dict[int, Box]
    width: float
    height: float


def plan(gpc_map: GpcMap, scale: Scale, x: float, y: float) -> Plan:
    """Lay the map out with its upper left corner at (x, y); each label stands above its group's box."""
    tallest = max(_height(count, scale) for count in gpc_map.gpc_sm_counts)
    column_width = 2 * scale.sm_width + scale.gap + 2 * scale.padding
    groups, sms = [], {}
    left, top, stacking = x - column_width - scale.between, y, False
    for group in gpc_map.groups:
        height = _height(len(group), scale)
        small = len(group) <= STACKED_UP_TO
        if not (small and stacking and top + height <= y + tallest):
            left, top = left + column_width + scale.between, y
        stacking = small
        box = Box(left, top + scale.label, column_width, height - scale.label)
        groups.append(box)
        for place, sm in enumerate(group):
            row, column = divmod(place, 2)
            sms[sm] = Box(
                box.x + scale.padding + column * (scale.sm_width + scale.gap),
                box.y + scale.padding + row * (scale.sm_height + scale.gap),
                scale.sm_width,
                scale.sm_height,
            )
        top += height + scale.between / 2
    return Plan(tuple(groups), sms, left + column_width - x, tallest)


def _height(sms: int, scale: Scale) -> float:
    """Of a group's box and the label above it."""
    rows = -(-sms // 2)
    return scale.label + 2 * scale.padding + rows * scale.sm_height + (rows - 1) * scale.gap
