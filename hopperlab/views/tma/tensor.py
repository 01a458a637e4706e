"""The tensor in global memory with the box over it, a plane for each index of the outer dimensions."""

from collections.abc import Iterator, Sequence
from itertools import islice, product
from math import prod

from hopperlab.models.tma import Descriptor, Footprint
from hopperlab.views import svg

PLANES = 4  # that are drawn beside each other
GAP = 14


def tensor(
    d: Descriptor, corner: Sequence[int], x: float, y: float, width: float, height: float
) -> list[str]:
    """Draw the planes that the box touches: the tensor, the box, and what of it hangs outside."""
    shown = list(islice(product(*(range(at, at + size) for at, size in _outer(d, corner))), PLANES))
    wide = (width - GAP * (len(shown) - 1)) / len(shown)
    drawn: list[str] = []
    for number, plane in enumerate(shown):
        drawn += _plane(d, corner, plane[::-1], x + number * (wide + GAP), y, wide, height)
    if planes(d, corner) > PLANES:
        more = f"and {planes(d, corner) - PLANES} planes more"
        drawn.append(svg.text(x, y + height + 21, more, "f-quiet"))
    return drawn


def planes(d: Descriptor, corner: Sequence[int]) -> int:
    """How many planes the box reaches, within the tensor or not."""
    return prod(size for _, size in _outer(d, corner))


def _outer(d: Descriptor, corner: Sequence[int]) -> list[tuple[int, int]]:
    return [(corner[axis], d.box_dim[axis]) for axis in reversed(range(2, d.rank))]


def _plane(
    d: Descriptor,
    corner: Sequence[int],
    plane: tuple[int, ...],
    x: float,
    y: float,
    width: float,
    height: float,
) -> Iterator[str]:
    """One plane; ``plane`` are its indices, dimension 2 first."""
    columns, rows = d.global_dim[0], d.global_dim[1] if d.rank > 1 else 1
    left, top = corner[0], corner[1] if d.rank > 1 else 0
    right, bottom = left + d.box_dim[0], top + (d.box_dim[1] if d.rank > 1 else 1)
    low_x, low_y = min(0, left), min(0, top)
    if plane:
        name = ", ".join(map(str, reversed(plane)))
        yield svg.text(x, y + 15, f"plane {name}", "f-quiet", size=14)
        y, height = y + 22, height - 22
    unit_x = width / (max(columns, right) - low_x)
    unit_y = min(height / (max(rows, bottom) - low_y), 26)

    def box(x0: float, y0: float, x1: float, y1: float) -> tuple[float, float, float, float]:
        return x + unit_x * (x0 - low_x), y + unit_y * (y0 - low_y), unit_x * (x1 - x0), unit_y * (y1 - y0)

    exists = all(0 <= at < size for at, size in zip(plane, d.global_dim[2:], strict=True))
    yield svg.path(svg.hatching(*box(left, top, right, bottom)), "f-none s-idle")
    if exists:
        yield svg.rect(*box(0, 0, columns, rows), "f-paper s-quiet", 'stroke-width="2"')
        inside = max(left, 0), max(top, 0), min(right, columns), min(bottom, rows)
        if inside[0] < inside[2] and inside[1] < inside[3]:
            yield svg.rect(*box(*inside), "f-engine", 'opacity="0.45"')
    yield svg.rect(*box(left, top, right, bottom), "f-none s-engine", 'stroke-width="3"')


def address_rows(places: Footprint) -> list[tuple[int, int]]:
    """Bytes from the tensor's address that are read, as (first, last) of each row of the box that has any."""
    itemsize = places.nbytes // places.inside.size
    columns = places.inside.shape[-1]
    offsets = places.global_offsets.reshape(-1, columns)
    inside = places.inside.reshape(-1, columns)
    return [
        (int(row[within].min()), int(row[within].max()) + itemsize - 1)
        for row, within in zip(offsets, inside, strict=True)
        if within.any()
    ]
