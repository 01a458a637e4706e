"""What a tile costs to bring in: threads and instructions of three ways, side by side."""

from collections.abc import Mapping
from dataclasses import dataclass

from hopperlab.models.tma import CopyCost
from hopperlab.views import svg
from hopperlab.views.picture import Picture

WIDTH, MARGIN, LEFT = 1010, 20, 330
ROW, MARK, GAP = 118, 9, 2
ACROSS, MOST = 60, 420  # marks in a line, and marks drawn


@dataclass(frozen=True)
class Way:
    """One way to bring a tile in.

    Attributes
    ----------
    cost
        Threads and instructions that copy.
    addresses
        Who computes addresses and compares them with the edges, in words.
    counted
        All instructions of all warps for the tile, if that was measured.
    """

    cost: CopyCost
    addresses: str
    counted: float | None = None


def cost(ways: Mapping[str, Way], tile: str) -> Picture:
    """Draw a mark for each copying instruction of a warp, a row a way.

    Parameters
    ----------
    ways
        By name, in the order of the rows.
    tile
        The tile in words.
    """
    least = min(ways.values(), key=lambda way: way.cost.warp_instructions)
    most = max(ways.values(), key=lambda way: way.cost.warp_instructions)
    title = f"{tile}: {most.cost.warp_instructions} copying instructions of warps, or {least.cost.warp_instructions}"
    body = [svg.text(MARGIN, 36, title, size=19, bold=True)]
    body.append(svg.text(MARGIN, 62, "A mark is one copying instruction of a warp (modelled).", "f-quiet"))
    for number, (name, way) in enumerate(ways.items()):
        body += _row(name, way, 100 + ROW * number)
    height = 100 + ROW * len(ways) + 10
    return Picture(title, _twin(ways), svg=svg.document(WIDTH, height, title, tile, body))


def _row(name: str, way: Way, y: float) -> list[str]:
    marks = min(way.cost.warp_instructions, MOST)
    step = MARK + GAP
    boxes = [(LEFT + step * (n % ACROSS), y - 12 + step * (n // ACROSS), MARK, MARK) for n in range(marks)]
    said = [
        _who(way.cost),
        f"addresses: {way.addresses}",
        *([f"all instructions: {way.counted:,.0f} (measured)"] if way.counted else []),
    ]
    drawn = [
        svg.text(MARGIN, y, name, bold=True),
        *(svg.text(MARGIN, y + 22 * n, words, "f-quiet", size=14) for n, words in enumerate(said, 1)),
        svg.path(svg.boxes(boxes), "f-engine" if way.cost.threads == 1 else "f-compute"),
    ]
    rest = way.cost.warp_instructions - marks
    if rest:
        drawn.append(
            svg.text(LEFT, y + step * (MOST // ACROSS) + 4, f"and {rest:,} more", "f-quiet", size=14)
        )
    return drawn


def _who(spent: CopyCost) -> str:
    threads = "1 thread" if spent.threads == 1 else f"{spent.threads} threads"
    return f"{threads}, {'once' if spent.rounds == 1 else f'up to {spent.rounds} times each'}"


def _twin(ways: Mapping[str, Way]) -> str:
    rows = []
    for name, way in ways.items():
        counted = f"; all instructions: {way.counted:,.0f} (measured)" if way.counted else ""
        rows.append(
            f"{name}: {_who(way.cost)}; copying instructions of warps: {way.cost.warp_instructions} (modelled); "
            f"addresses: {way.addresses}{counted}"
        )
    return "\n".join(rows)
