"""A small table of what should be and what is, with the rows that differ marked."""

from collections.abc import Collection, Sequence

from hopperlab.views import svg
from hopperlab.views.picture import Picture

WIDTH = 1010
MARGIN = 20


def side_by_side(
    title: str, heads: Sequence[str], rows: Sequence[Sequence[str]], wrong: Collection[int]
) -> Picture:
    """A small table of what should be and what is; rows that differ carry a mark.

    Parameters
    ----------
    heads
        One for each column.
    rows
        Cells as they are to be read.
    wrong
        The numbers of the rows that are marked, from 0.
    """
    across = (WIDTH - 2 * MARGIN - 120) / len(heads)
    body = [svg.text(MARGIN, 34, title, bold=True, size=17)]
    for number, row in enumerate([heads, *rows]):
        y = 70 + 28 * number
        body += [
            svg.text(MARGIN + across * place, y, cell, bold=not number) for place, cell in enumerate(row)
        ]
        if number - 1 in wrong:
            body.append(svg.text(WIDTH - MARGIN, y, "wrong", "f-finding", anchor="end", bold=True))
    marked = [", ".join(row) + (": wrong" if number in wrong else "") for number, row in enumerate(rows)]
    text = "\n".join([", ".join(heads), *marked])
    return Picture(title, text, svg=svg.document(WIDTH, 70 + 28 * len(rows) + 20, title, text, body))
