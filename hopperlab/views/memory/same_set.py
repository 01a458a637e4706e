"""Which lines share a set of the L1 cache: a ring that just fits, and one line far away that makes a set overflow."""

from collections.abc import Collection

import numpy as np

from hopperlab.models.memory.sets import WAYS, sets_of
from hopperlab.views import svg
from hopperlab.views.picture import Picture

COLUMNS, CELL, ROW = 64, 15, 13
LEFT, TOP = 24, 142


def same_set(lines: int, far: int, missed: Collection[int] | None, *, card: str, first: int = 0) -> Picture:
    """Lines side by side, those that share the far line's set by the model, and those that missed.

    Parameters
    ----------
    lines
        Lines of the ring, from number 0 on.
    far
        The number of the one more that is far away.
    missed
        The numbers of the lines that missed, measured; None if nobody measured.
    card
        The card that was measured.
    first
        What must be added to a number for the address of its line, over 128.
    """
    sets = sets_of(first + np.array([*range(lines), far]))
    mates = [line for line in range(lines) if sets[line] == sets[-1]]
    modelled = sorted([*mates, far]) if len(mates) + 1 > WAYS else []
    said = f"Line {far:,} and lines {_listed(mates)} share a set (modelled)"
    if missed is None:
        compared = "Nobody measured this one: the model alone."
    else:
        agree = "as modelled" if sorted(missed) == modelled else "not as modelled"
        who = f"lines {_listed(sorted(missed))}" if missed else "no line"
        compared = f"Each round {who} missed (measured, {card}): {agree}."
    places = f"{len(mates) + 1} lines for {WAYS} places: " + (
        "all of them miss." if modelled else "they fit."
    )
    text = "\n".join([f"{said}.", f"A set has {places}", compared])
    height = TOP + ROW * -(-lines // COLUMNS) + 20
    body = [svg.text(20, 34, said, bold=True, size=17)]
    body += [svg.text(20, 58, f"A set has {places}"), svg.text(20, 80, compared), *_legend()]
    body.append(svg.path(_cells(range(lines)), "f-none s-line"))
    body.append(svg.path(_cells(mates), "f-none s-modelled", 'stroke-width="4"'))
    for line in missed or ():
        if line < lines:
            across, up = _corner(line)
            body.append(
                f'<circle class="f-measured" cx="{across + CELL / 2:g}" cy="{up + ROW / 2:g}" r="4.5">'
                f"<title>line {line}</title></circle>"
            )
    return Picture(said, text, svg=svg.document(1010, height, said, text, body))


def _legend() -> list[str]:
    up = TOP - 36
    return [
        svg.rect(LEFT, up, CELL, ROW, "f-none s-modelled", 'stroke-width="4"'),
        svg.text(LEFT + 28, up + 12, "shares its set (modelled)"),
        f'<circle class="f-measured" cx="{LEFT + 262}" cy="{up + 6}" r="4.5"/>',
        svg.text(LEFT + 276, up + 12, "missed in each round (measured)"),
        svg.text(LEFT + 560, up + 12, f"A box is a line of 128 bytes; {COLUMNS} in a row.", "f-quiet"),
    ]


def _corner(line: int) -> tuple[float, float]:
    return LEFT + CELL * (line % COLUMNS), TOP + ROW * (line // COLUMNS)


def _cells(lines: Collection[int] | range) -> str:
    return svg.boxes((*_corner(line), CELL, ROW) for line in lines)


def _listed(lines: Collection[int]) -> str:
    *others, last = (f"{line:,}" for line in lines)
    return f"{', '.join(others)} and {last}" if others else last
