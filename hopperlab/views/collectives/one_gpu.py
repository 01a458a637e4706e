"""One GPU's packets in an all-reduce, with and without reduction in the switch: each direction by itself."""

from collections.abc import Iterator

from hopperlab.models.collectives import Transfer, spoken_shards, transfers
from hopperlab.views import svg
from hopperlab.views.picture import Picture
from hopperlab.views.svg import SMALLEST_MARK, SMALLEST_TEXT, group, path, rect, text

WIDTH, MARGIN, LEFT = 1010, 20, 250
LANE = 44
WAYS = {"ring": "without SHARP: a ring", "in-network": "with SHARP: the switch adds"}

Lanes = dict[str, list[Transfer]]


def one_gpu(ranks: int, ticks: int, gpu: int = 0) -> Picture:
    """The packets that one GPU has sent and received after some ticks, a packet a tick in each direction.

    Parameters
    ----------
    ranks
        GPUs on the switch, 2 to 16. A packet is one shard, S / N.
    ticks
        Packets that have had time to cross, in each direction.
    gpu
        Whose view it is.
    """
    lanes = {way: _packets(way, ranks, gpu) for way in WAYS}
    title = f"{ranks} GPUs, after {ticks} packet times: " + ", ".join(
        f"{min(ticks, len(lane['sent']))} of {len(lane['sent'])} {'by ring' if way == 'ring' else 'with SHARP'}"
        for way, lane in lanes.items()
    )
    body = [text(MARGIN, 34, title, size=20, bold=True)]
    body.append(
        text(
            MARGIN,
            60,
            f"Packets between GPU {gpu} and its switch; each is one shard, S / {ranks}.",
            "f-quiet",
        )
    )
    top = 84
    for way, lane in lanes.items():
        body += _way(way, lane, ticks, top, ranks)
        top += 156
    body += _legend(top + 6)
    said = _said(lanes, ranks)
    body += list(svg.lines(MARGIN, top + 50, said, 112, "f-ink"))
    height = top + 50 + 3 * svg.LINE_HEIGHT
    return Picture(title, _twin(lanes, ticks, said), svg=svg.document(WIDTH, height, title, said, body))


def _packets(way: str, ranks: int, gpu: int) -> Lanes:
    messages = transfers("all-reduce", way, ranks)
    return {
        "sent": [one for one in messages if one.source == gpu],
        "received": [one for one in messages if one.target == gpu],
    }


def _way(way: str, lane: Lanes, ticks: int, top: float, ranks: int) -> Iterator[str]:
    yield text(MARGIN, top + 20, WAYS[way], bold=True)
    size = min(36.0, (WIDTH - LEFT - MARGIN) / (2 * ranks + 1))
    for row, (direction, packets) in enumerate(lane.items()):
        y = top + 34 + row * LANE
        arrow = "\u2191 to the switch" if direction == "sent" else "\u2193 from the switch"
        yield text(
            MARGIN, y + 24, f"{arrow}: {min(ticks, len(packets))} of {len(packets)}", size=SMALLEST_TEXT
        )
        for place, packet in enumerate(packets):
            yield from _packet(packet, LEFT + place * size, y, size - 4, place < ticks)


def _packet(packet: Transfer, x: float, y: float, size: float, crossed: bool) -> Iterator[str]:
    """Filled once it has crossed; round corners for a finished sum, square for values yet to be added."""
    hue = "hue0" if packet.adds else "hue2"
    radius = "rx='2'" if packet.adds else f"rx='{size / 2:g}'"
    kind = "values to be added" if packet.adds else "a finished sum"
    label = f"shard {packet.shard}: {kind}"
    if not crossed:
        yield group([rect(x, y + 4, size, size, "f-none s-line", radius)], "packet", label)
        return
    parts = [rect(x, y + 4, size, size, f"f-{hue}", radius)]
    if size >= 20:
        parts.append(
            text(
                x + size / 2,
                y + 9 + size / 2,
                str(packet.shard),
                f"on-{hue}",
                size=SMALLEST_MARK,
                anchor="middle",
            )
        )
    yield group(parts, "packet", label)


def _legend(y: float) -> Iterator[str]:
    yield rect(MARGIN, y, 16, 16, "f-hue0", "rx='2'")
    yield text(MARGIN + 24, y + 13, "values, yet to be added", size=SMALLEST_TEXT)
    yield rect(MARGIN + 230, y, 16, 16, "f-hue2", "rx='8'")
    yield text(MARGIN + 254, y + 13, "a finished sum", size=SMALLEST_TEXT)
    yield path(f"M{MARGIN + 400} {y}h16v16h-16z", "f-none s-line")
    yield text(MARGIN + 424, y + 13, "still to cross", size=SMALLEST_TEXT)


def _said(lanes: dict[str, Lanes], ranks: int) -> str:
    plain, shared = (len(lanes[way]["sent"]) for way in WAYS)
    spoken = spoken_shards(ranks)
    return (
        f"Each direction: {plain} packets by ring, {shared} with SHARP, a ratio of {plain / shared:.3g}. The talk "
        f"counts both directions as {spoken[0]} against {spoken[1]}, a ratio of {spoken[0] / spoken[1]:.3g}: its "
        "ring also sends a GPU's own shard to itself."
    )


def _twin(lanes: dict[str, Lanes], ticks: int, said: str) -> str:
    rows = [
        f"{WAYS[way]}, {direction}: {min(ticks, len(packets))} of {len(packets)} packets; "
        f"{sum(one.adds for one in packets)} carry values, {sum(not one.adds for one in packets)} finished sums"
        for way, lane in lanes.items()
        for direction, packets in lane.items()
    ]
    return "\n".join(["Modelled.", *rows, said])
