"""What a cluster looks like for as long as it runs: its hue, and its place on each of its SMs."""

from typing import NamedTuple

from hopperlab.models.clusters import Placement, Schedule
from hopperlab.views.palette import HUES_LIGHT

PLAIN_HUE = 3  # of every plain block: each is an SM's part of its own, so nothing needs telling apart


class Seating(NamedTuple):
    """A placement's hue, and for each of its blocks the SM and the block's place there, 0 for the first."""

    hue: int
    blocks: tuple[tuple[int, int], ...]


def seatings(schedule: Schedule) -> dict[Placement, Seating]:
    """The seating of every placement: clusters that meet in a GPC differ in hue while hues last."""
    running: list[list[tuple[Placement, Seating]]] = [[] for _ in schedule.gpc_map.groups]
    seated = {}
    for placement in schedule.placements:
        neighbors = [(other, seat) for other, seat in running[placement.gpc] if other.end > placement.start]
        alone = schedule.grids[placement.grid].cluster_size == 1
        hue = PLAIN_HUE if alone else _hue(placement, neighbors)
        seat = Seating(hue, _places(placement, neighbors))
        running[placement.gpc] = [*neighbors, (placement, seat)]
        seated[placement] = seat
    return seated


def _hue(placement: Placement, neighbors: list[tuple[Placement, Seating]]) -> int:
    """The hue that the fewest neighbors wear, the first of them counted from the unit's own number on."""
    worn = [seat.hue for _, seat in neighbors]
    hues = len(HUES_LIGHT)
    return min(range(hues), key=lambda hue: (worn.count(hue), (hue - placement.unit) % hues))


def _places(placement: Placement, neighbors: list[tuple[Placement, Seating]]) -> tuple[tuple[int, int], ...]:
    taken = {block for _, seat in neighbors for block in seat.blocks}
    blocks = []
    for sm in placement.sms:
        place = 0
        while (sm, place) in taken:
            place += 1
        taken.add((sm, place))
        blocks.append((sm, place))
    return tuple(blocks)
