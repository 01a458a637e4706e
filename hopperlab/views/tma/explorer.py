"""The explorer: a tensor map, a box of it, and all that follows from where the box lies."""

from collections.abc import Sequence

from hopperlab.models.tma import (
    Descriptor,
    Footprint,
    Refusal,
    bank_conflicts,
    footprint,
    refusals,
    warp_access,
)
from hopperlab.views import svg
from hopperlab.views.picture import Picture
from hopperlab.views.tma.tensor import PLANES, address_rows, planes, tensor
from hopperlab.views.tma.tile import BARS, LINE, MOST_LINES, tile

PAGE, MARGIN, RIGHT = 1010, 20, 560
TENSOR_HEIGHT = 170
COLUMNS = 52  # characters of the right half
TILE_TOP = 130
HEIGHT = TILE_TOP + LINE * MOST_LINES + BARS + 50
HEIGHT_WITHOUT_A_TILE = 550
FIELDS = {
    "element_type": "elementType",
    "global_address": "globalAddress",
    "global_dim": "globalDim",
    "global_strides": "globalStrides",
    "box_dim": "boxDim",
    "element_strides": "elementStrides",
    "swizzle": "swizzle",
    "fill": "oobFill",
}
"""The descriptor's fields and what ``cuTensorMapEncodeTiled`` calls them."""


def explorer(descriptor: Descriptor, corner: Sequence[int], access: str = "a row", index: int = 0) -> Picture:
    """Draw a box over its tensor, its tile after the swizzle, the banks of one access, the bytes and the fields.

    Parameters
    ----------
    descriptor
        A tensor map, accepted or not: one that is not is shown with the rules that it breaks.
    corner
        Where the box begins, innermost dimension first.
    access, index
        What a warp reads of the tile, as of ``warp_access``.
    """
    broken = refusals(descriptor)
    where = ""
    places = None
    if not broken:
        try:
            places = footprint(descriptor, tuple(corner))
        except ValueError as refusal:
            where = str(refusal)
    right = _right(descriptor, corner, broken, places)
    if places is None:
        title = (
            f"Refused: {broken[0].argument}" if broken else "Illegal: the box begins between 16-byte units"
        )
        reasons = [str(refusal) for refusal in broken] or [where]
        left = _reasons(title, reasons, bool(broken))
        words = [_fields_in_words(descriptor, broken), *reasons]
    else:
        title, words, left = _accepted(descriptor, places, access, index)
    body = [svg.text(MARGIN, 36, title, size=19, bold=True), *left, *right]
    text = "\n".join(words)
    height = HEIGHT_WITHOUT_A_TILE if places is None else HEIGHT
    return Picture(title, text, svg=svg.document(PAGE, height, title, text.partition("\n")[0], body))


def _accepted(d: Descriptor, places: Footprint, access: str, index: int) -> tuple[str, list[str], list[str]]:
    addresses, width = warp_access(d, access, index, places)
    conflicts = bank_conflicts(addresses, width)
    inside = int(places.inside.sum()) * d.element_type.nbytes
    title = f"{places.nbytes:,} bytes on the barrier, {inside:,} of them from the tensor"
    hit = int((conflicts.words.max(axis=0) > 0).sum())
    passes = f"{conflicts.passes} {'pass' if conflicts.passes == 1 else 'passes'}"
    read = (
        f"{addresses.size} lanes read {access}, number {index}, {width} bytes each: {hit} banks, "
        f"{passes}; without conflicts {conflicts.least}"
    )
    rows = address_rows(places)
    words = [
        _fields_in_words(d, []),
        f"barrier: {places.nbytes} bytes counted, {inside} loaded, {places.nbytes - inside} filled",
        f"addresses: {_addresses(rows)}",
        f"shared memory: {places.shared_bytes} bytes; {_lines_in_words(d, places)}",
        f"warp: {read}",
        "words wanted of each bank, worst group: " + " ".join(map(str, conflicts.words.max(axis=0))),
    ]
    drawn = [
        svg.text(MARGIN, 66, "Shared memory, by lines of 128 bytes: chunks of 16 bytes", bold=True),
        *svg.lines(MARGIN, 90, read, 62),
        *tile(places, addresses, width, conflicts, MARGIN, TILE_TOP),
    ]
    return title, words, drawn


def _lines_in_words(d: Descriptor, places: Footprint) -> str:
    """Which chunk of its row lies at each place of the first rows."""
    step = 16 // d.element_type.nbytes
    rows = places.shared_offsets.reshape(-1, d.box_shape[0])[:, ::step]
    told = []
    for number, row in enumerate(rows[:8]):
        order = sorted(range(len(row)), key=lambda chunk: row[chunk])
        told.append(f"row {number} from byte {min(row)}: {' '.join(map(str, order))}")
    return "chunks of 16 bytes in the order they lie, " + "; ".join(told)


def _addresses(rows: list[tuple[int, int]]) -> str:
    if not rows:
        return "none, the whole box lies outside"
    first, last = rows[0][0], rows[0][1]
    told = f"{len(rows)} rows of {last - first + 1} bytes, at bytes {first}"
    if len(rows) > 2:
        told += f", {rows[1][0]}, ..."
    return told + (f", {rows[-1][0]}" if len(rows) > 1 else "")


def _right(
    d: Descriptor, corner: Sequence[int], broken: list[Refusal], places: Footprint | None
) -> list[str]:
    sizes = " x ".join(map(str, d.global_dim))
    begins = ", ".join(map(str, corner))
    drawn = [
        svg.text(RIGHT, 66, "Global memory: the box over its tensor", bold=True),
        svg.text(RIGHT, 90, f"{sizes} elements; box at ({begins})", "f-quiet"),
        *tensor(d, corner, RIGHT, 104, PAGE - MARGIN - RIGHT, TENSOR_HEIGHT),
    ]
    y = 104 + TENSOR_HEIGHT + (56 if planes(d, corner) > PLANES else 36)
    if places is not None:
        drawn.append(svg.text(RIGHT, y, "Addresses generated", bold=True))
        drawn += svg.lines(RIGHT, y + 22, _addresses(address_rows(places)), COLUMNS)
        y += 62
        drawn += _bar(places, y)
        y += 58
    drawn.append(svg.text(RIGHT, y, "The descriptor", bold=True))
    refused = {refusal.argument for refusal in broken}
    for number, (field, name) in enumerate(FIELDS.items(), 1):
        classes = "f-finding" if field in refused else "f-ink"
        line = f"{name}: {_value(d, field)}" + ("   <- refused" if field in refused else "")
        drawn.append(svg.text(RIGHT, y + 22 * number, line, classes, bold=field in refused))
    return drawn


def _bar(places: Footprint, y: float) -> list[str]:
    """The bytes that the barrier counts: what was loaded, and what was filled in."""
    width = PAGE - MARGIN - RIGHT
    loaded = width * float(places.inside.mean())
    return [
        svg.text(RIGHT, y, f"{places.nbytes:,} bytes on the barrier; filled in: hatched", bold=True),
        svg.rect(RIGHT, y + 8, loaded, 18, "f-engine", 'opacity="0.45"'),
        svg.path(svg.hatching(RIGHT + loaded, y + 8, width - loaded, 18), "f-none s-idle"),
        svg.rect(RIGHT, y + 8, width, 18, "f-none s-barrier", 'stroke-width="2"'),
    ]


def _reasons(title: str, reasons: list[str], by_driver: bool) -> list[str]:
    who = (
        "cuTensorMapEncodeTiled refuses the descriptor:"
        if by_driver
        else "The driver takes the map. The copy is an illegal instruction (measured on an H200):"
    )
    drawn, y = svg.lines(MARGIN, 76, who, 56, bold=True), 122.0
    for reason in reasons:
        written = svg.lines(MARGIN, y, reason, 58, "f-finding")
        drawn += written
        y += svg.LINE_HEIGHT * len(written) + 10
    return drawn


def _value(d: Descriptor, field: str) -> str:
    value = getattr(d, field)
    if field == "global_address":
        return f"{value:#x}"
    if isinstance(value, tuple):
        return "{" + ", ".join(map(str, value)) + "}" + (" bytes" if field == "global_strides" else "")
    return value.name


def _fields_in_words(d: Descriptor, broken: list[Refusal]) -> str:
    fields = ", ".join(f"{name} {_value(d, field)}" for field, name in FIELDS.items())
    return f"descriptor: {fields}" + ("; refused" if broken else "; accepted")
