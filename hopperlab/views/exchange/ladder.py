"""The exchange ladder: time runs down, each message is an arrow between its two lanes, with its cycles."""

from math import atan, degrees

from hopperlab.models.exchange import CONSUMER, MEMORY, PRODUCER, Exchange, Message
from hopperlab.views import svg
from hopperlab.views.picture import Picture

WIDTH = 1010
TOP, ROOM = 118, 520
"""Where time begins, and how far down the longer of two ladders reaches."""

LANES = {PRODUCER: 90, MEMORY: 245, CONSUMER: 400}
NAMES = {PRODUCER: "producer", MEMORY: "L2", CONSUMER: "consumer"}
SECOND = 505  # how far right the second ladder stands
LABEL_ROOM = 22  # pixels of a wait that has room for its words


def ladder(left: Exchange, right: Exchange) -> Picture:
    """Draw two hand-overs of a word beside each other, on one scale.

    Parameters
    ----------
    left, right
        Two exchanges of `hopperlab.models.exchange`.
    """
    ratio = left.cycles / right.cycles if right.cycles else 0.0
    title = f"{left.protocol}: {left.cycles:.0f} cycles, {right.protocol}: {right.cycles:.0f}"
    verdict = f"{ratio:.1f} times as long; modelled" if right.cycles else "modelled"
    unit = ROOM / max(left.cycles, right.cycles, 1)
    body = [svg.text(20, 34, f"{title}; {verdict}", size=18, bold=True)]
    for shift, exchange in ((0, left), (SECOND, right)):
        body += _one(shift, exchange, unit)
    bottom = TOP + ROOM + 62
    body += _legend(bottom)
    text = "\n".join(line for exchange in (left, right) for line in _told(exchange))
    return Picture(f"{title}; {verdict}", text, svg=svg.document(WIDTH, bottom + 24, title, text, body))


def _one(shift: float, exchange: Exchange, unit: float) -> list[str]:
    end = TOP + unit * exchange.cycles
    drawn = [svg.text(shift + 20, 66, exchange.protocol, bold=True)]
    for lane, x in LANES.items():
        if lane == MEMORY and not exchange.through_memory:
            continue
        drawn.append(svg.text(shift + x, 96, NAMES[lane], "f-quiet", anchor="middle"))
        drawn.append(
            svg.path(f"M{shift + x} {TOP - 8}V{TOP + ROOM + 8}", "f-none s-line", 'stroke-width="2"')
        )
    drawn += _waiting(shift, exchange, unit) + _fencing(shift, exchange, unit)
    for message in exchange.messages:
        drawn += _arrow(shift, message, unit)
    x = shift + LANES[CONSUMER]
    drawn.append(svg.path(f"M{x - 22} {end:g}H{x + 22}", "f-none s-finding", 'stroke-width="4"'))
    drawn.append(svg.text(x - 10, end + 22, f"has it: {exchange.cycles:.0f}", anchor="end", bold=True))
    return drawn


def _waiting(shift: float, exchange: Exchange, unit: float) -> list[str]:
    """The consumer's time until it has the word: asleep on a barrier, or asking."""
    x, height = shift + LANES[CONSUMER] - 5, unit * exchange.cycles
    if height <= 0:
        return []
    shown = [svg.rect(x, TOP, 10, height, "f-waiting", 'fill-opacity="0.45"')]
    if not exchange.through_memory:
        shown.append(svg.path(svg.hatching(x, TOP, 10, height), "f-none s-waiting", 'stroke-width="1.5"'))
    return shown


def _fencing(shift: float, exchange: Exchange, unit: float) -> list[str]:
    """The producer's time in a fence: from its first write until it goes on; and the consumer's waking."""
    fences = [message.lands for message in exchange.messages if message.receiver == PRODUCER]
    drawn = []
    if fences:
        x = shift + LANES[PRODUCER]
        on = min(m.leaves for m in exchange.messages if m.sender == PRODUCER and m.leaves >= fences[0])
        drawn.append(svg.rect(x - 5, TOP, 10, unit * on, "f-barrier", 'fill-opacity="0.6"'))
        if unit * (on - fences[0]) > LABEL_ROOM:
            middle = TOP + unit * (on + fences[0]) / 2
            drawn.append(svg.text(x + 12, middle + 5, f"fence, {on - fences[0]:.0f} more", size=14))
    landed = max(message.lands for message in exchange.messages)
    wakes = exchange.cycles - landed
    if unit * wakes > LABEL_ROOM:
        x, middle = shift + LANES[CONSUMER], TOP + unit * (landed + wakes / 2)
        drawn.append(svg.text(x - 12, middle + 5, f"wakes and reads, {wakes:.0f}", size=14, anchor="end"))
    return drawn


def _arrow(shift: float, message: Message, unit: float) -> list[str]:
    x0, x1 = (shift + LANES[lane] for lane in (message.sender, message.receiver))
    y0, y1 = TOP + unit * message.leaves, TOP + unit * message.lands
    length = max(((x1 - x0) ** 2 + (y1 - y0) ** 2) ** 0.5, 1e-9)
    along, across = ((x1 - x0) / length, (y1 - y0) / length), 6
    tip = (x1 - 6 * along[0], y1 - 6 * along[1])
    neck = (tip[0] - 12 * along[0], tip[1] - 12 * along[1])
    side = (-across * along[1], across * along[0])
    kind = _kind(message)
    head = (
        f"M{tip[0]:.1f} {tip[1]:.1f}L{neck[0] + side[0]:.1f} {neck[1] + side[1]:.1f}"
        f"L{neck[0] - side[0]:.1f} {neck[1] - side[1]:.1f}z"
    )
    dashes = ' stroke-dasharray="6 5"' if kind == "waiting" else ""
    words = f"{message.says}, {message.lands - message.leaves:.0f}"
    return [
        svg.path(
            f"M{x0:.1f} {y0:.1f}L{neck[0]:.1f} {neck[1]:.1f}", f"f-none s-{kind}", f'stroke-width="3"{dashes}'
        ),
        svg.path(head, f"f-{kind}"),
        _along(x0, y0, x1, y1, words),
    ]


def _along(x0: float, y0: float, x1: float, y1: float, words: str) -> str:
    """Words above the middle of an arrow, as steep as it is."""
    slope = degrees(atan((y1 - y0) / (x1 - x0)))
    x, y = (x0 + x1) / 2, (y0 + y1) / 2
    written = svg.text(x, y - 7, words, size=14, anchor="middle")
    return f'<g transform="rotate({slope:.1f} {x:.1f} {y:.1f})">{written}</g>'


def _kind(message: Message) -> str:
    """The role that an arrow is drawn in: what carries the word, what asks or answers, what counts itself."""
    if message.sender == PRODUCER and message.receiver == CONSUMER:
        return "engine"
    empty = message.receiver == PRODUCER or message.says.endswith("?") or message.says == "not yet"
    return "waiting" if empty else "compute"


def _legend(y: float) -> list[str]:
    drawn, x = [], 20.0
    for kind, words, room, dashes in (
        ("compute", "write or answer", 185, ""),
        ("engine", "into shared memory", 215, ""),
        ("waiting", "question, acknowledgment", 265, ' stroke-dasharray="6 5"'),
    ):
        drawn.append(svg.path(f"M{x:g} {y - 5:g}h34", f"f-none s-{kind}", f'stroke-width="3"{dashes}'))
        drawn.append(svg.text(x + 42, y, words, "f-quiet"))
        x += room
    for kind, words, room in (("barrier", "in a fence", 110), ("waiting", "asks, or sleeps (hatched)", 0)):
        drawn.append(svg.rect(x, y - 16, 10, 18, f"f-{kind}", 'fill-opacity="0.6"'))
        drawn.append(svg.text(x + 18, y, words, "f-quiet"))
        x += room
    return drawn


def _told(exchange: Exchange) -> list[str]:
    landed = max(message.lands for message in exchange.messages)
    wakes = f", {exchange.cycles - landed:.0f} of them to wake up" if exchange.cycles > landed else ""
    rows = [
        f"{exchange.protocol}: the consumer has the word after {exchange.cycles:.0f} cycles{wakes}; modelled"
    ]
    for says, sender, receiver, leaves, lands in exchange.messages:
        rows.append(f"  {leaves:4.0f} to {lands:4.0f}: {NAMES[sender]} to {NAMES[receiver]}: {says}")
    return rows
