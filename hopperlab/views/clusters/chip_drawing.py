"""The chip of the board: GPCs at their real sizes, each running cluster one shape, idle SMs by cause."""

from collections.abc import Iterator
from itertools import groupby, pairwise

from hopperlab.models.clusters import Placement
from hopperlab.models.clusters.state import LEFT_OVER, SMALL_GPC
from hopperlab.views.clusters.plan import Box, Plan, Scale, plan
from hopperlab.views.clusters.scene import MOST_PLACES_DRAWN, Scene
from hopperlab.views.clusters.seating import Seating, seatings
from hopperlab.views.svg import SMALLEST_MARK, SMALLEST_TEXT, boxes, group, hatching, path, rect, text

GAP, WIDE_GAP = 3, 5  # between SMs of one block, of several
DIGIT_WIDTH = 0.7  # of a bold digit, in heights of its text
IDLE_CLASSES = {LEFT_OVER: "stranded left-over", SMALL_GPC: "stranded small-gpc"}

PLACE_HEIGHT = {1: 25, 2: 18, 3: 15, 4: 15}


def board_plan(scene: Scene, x: float, y: float) -> Plan:
    """Where the chip's SMs are drawn."""
    places = scene.places if scene.places <= MOST_PLACES_DRAWN else 1
    height = (PLACE_HEIGHT[places] + 1) * places - 1
    gap = GAP if places == 1 else WIDE_GAP
    return plan(scene.card, Scale(26, height, gap, 6, 7, 22), x, y)


def chip_elements(scene: Scene, laid: Plan) -> Iterator[str]:
    """The elements of the chip, from back to front."""
    for number, box in enumerate(laid.groups):
        yield from _gpc(scene, number, box)
    yield from _idle_sms(scene, laid)
    if scene.places > 1:
        busy = [box for sm, box in laid.sms.items() if sm not in scene.state.idle_sms]
        yield path(boxes(busy), "sms f-none s-line", 'stroke-width="2"')
    if scene.places > MOST_PLACES_DRAWN:
        yield from _loads(scene, laid)
        return
    seated = seatings(scene.schedule)
    for placement in scene.state.running:
        yield _unit(scene, placement, seated[placement], laid)


def _gpc(scene: Scene, number: int, box: Box) -> Iterator[str]:
    """The box of a GPC, its name above, and below, where there is room, its SMs and what runs there."""
    middle, below = box.x + box.width / 2, box.y + box.height
    sms = scene.card.gpc_sm_counts[number]
    name = scene.card.name_of(number)
    yield rect(box.x, box.y, box.width, box.height, "gpc f-none s-line", 'rx="6" stroke-width="1.5"')
    yield text(middle, box.y - 6, name, size=SMALLEST_TEXT, anchor="middle", bold=True)
    if sms > 2:
        runs = f"{len(scene.running_in(number))} run"
        yield text(middle, below + 19, f"{sms} SMs", "f-quiet", size=SMALLEST_TEXT, anchor="middle")
        yield text(middle, below + 38, runs, "f-quiet", size=SMALLEST_TEXT, anchor="middle")


def _idle_sms(scene: Scene, laid: Plan) -> Iterator[str]:
    """SMs without a block: an empty frame, hatched if stranded, crossed if their whole GPC is too small."""
    for sm, cause in scene.state.idle_sms.items():
        box = laid.sms[sm]
        marks = ""
        if cause in IDLE_CLASSES:
            marks = path(hatching(*box, crossed=cause == SMALL_GPC), "f-none s-idle", 'stroke-width="1.5"')
        name = f"SM {sm} {'stranded' if marks else 'free'}{f': {cause}' if cause else ''}"
        yield group([rect(*box, "f-none s-line", 'rx="3"'), marks], IDLE_CLASSES.get(cause, "free"), name)


def _unit(scene: Scene, placement: Placement, seating: Seating, laid: Plan) -> str:
    """A running unit: its blocks on their SMs, joined where they touch, and its number on every piece."""
    whole_sm = scene.schedule.grids[placement.grid].places_per_sm == 1
    places = 1 if whole_sm else scene.places
    cells = [_place(laid.sms[sm], place, places) for sm, place in seating.blocks]
    pieces = list(_pieces(sorted(cells, key=lambda box: (box.y, box.x))))
    hue, label = f"hue{seating.hue}", scene.label(placement.grid, placement.unit)
    parts = [rect(*joint, f"f-{hue}", 'opacity="0.75"') for piece in pieces for joint in _joints(piece)]
    parts += [rect(*box, f"f-{hue}", 'rx="3"') for box in cells]
    parts += [_number(piece, label, hue) for piece in pieces]
    name = scene.schedule.name_of(placement.grid, placement.unit)
    sms = ", ".join(map(str, sorted(placement.sms)))
    return group(parts, "unit", f"{name} on SM {sms}")


def _place(sm: Box, place: int, places: int) -> Box:
    """The part of an SM that one block of several takes."""
    height = (sm.height - (places - 1)) / places
    return Box(sm.x, sm.y + place * (height + 1), sm.width, height)


def _pieces(cells: list[Box]) -> Iterator[list[list[Box]]]:
    """Cells in reading order as connected pieces, each a list of rows from top to bottom."""
    piece: list[list[Box]] = []
    for _, row_cells in groupby(cells, key=lambda box: box.y):
        row = list(row_cells)
        if piece and not _touch(piece[-1], row):
            yield piece
            piece = []
        piece.append(row)
    yield piece


def _touch(upper: list[Box], lower: list[Box]) -> bool:
    next_to = lower[0].y - (upper[0].y + upper[0].height) <= WIDE_GAP
    return next_to and bool({box.x for box in upper} & {box.x for box in lower})


def _joints(piece: list[list[Box]]) -> Iterator[Box]:
    """What fills the gaps within a piece."""
    for row in piece:
        for left, right in pairwise(row):
            edge = left.x + left.width
            yield Box(edge, left.y, right.x - edge, left.height)
    for upper, lower in pairwise(piece):
        shared = sorted({box.x for box in upper} & {box.x for box in lower})
        bottom = upper[0].y + upper[0].height
        yield Box(shared[0], bottom, shared[-1] + upper[0].width - shared[0], lower[0].y - bottom)


def _number(piece: list[list[Box]], label: str, hue: str) -> str:
    """The unit's number in the middle of a piece, as large as fits."""
    row = piece[(len(piece) - 1) // 2]
    left, right = row[0].x, row[-1].x + row[-1].width
    room = right - left - 2
    wanted = 18 if len(row) == 2 and len(piece) > 1 else SMALLEST_TEXT
    size = max(SMALLEST_MARK, min(wanted, room / (DIGIT_WIDTH * len(label))))
    squeezed = room if DIGIT_WIDTH * size * len(label) > room else None
    return text(
        (left + right) / 2,
        row[0].y + row[0].height / 2 + 0.36 * size,
        label,
        f"unit-number on-{hue}",
        size=int(size),
        anchor="middle",
        bold=True,
        width=squeezed,
    )


def _loads(scene: Scene, laid: Plan) -> Iterator[str]:
    """For many blocks an SM: how many each holds, as a number and a level."""
    most = scene.places
    for sm, blocks in scene.blocks_on().items():
        box = laid.sms[sm]
        level = box.height * blocks / most
        filled = rect(box.x, box.y + box.height - level, box.width, level, "f-compute", 'opacity="0.4"')
        middle = (box.x + box.width / 2, box.y + box.height / 2 + 5)
        number = text(*middle, str(blocks), size=SMALLEST_TEXT, anchor="middle", bold=True)
        yield group([filled, number], "load", f"SM {sm} holds {blocks} of {most} blocks")
