"""Rounds of tiles by the tile's width: how often all SMs take one, and how many rest in the last round."""

from collections.abc import Sequence

from hopperlab.models.gemm.rounds import SEAM, START, UNSHARED, Rounds
from hopperlab.views import svg
from hopperlab.views.picture import Picture

WIDTH = 1010
LEFT, ROOM, RIGHT = 150, 600, 765
TOP, ROW, BAR = 100, 52, 36
NARROWEST_SEAM = 1.0  # px; narrower rounds are drawn as one
LEGEND = (("f-compute", "SMs with a tile, of all"), ("f-waiting", "SMs without one in the last round"))


def rounds(cuts: Sequence[Rounds], note: str = "") -> Picture:
    """Draw for each width the rounds in a row, each as long as its tile is wide, the last as full as it is.

    Parameters
    ----------
    cuts
        The same result on the same card, by width.
    note
        A line below the title.

    Raises
    ------
    ValueError
        If there is no cut, or one is of another result.
    """
    if len({(cut.m, cut.n, cut.together, cut.sms) for cut in cuts}) != 1:
        raise ValueError(f"cuts are {list(cuts)}: give at least one, all of one result, card and cluster")
    best = min(cuts, key=lambda cut: cut.time)
    title = (
        f"{best.m} x {best.n}: {best.columns} columns are done first, "
        f"in {_plural(best.count, 'round')}, the last with {_plural(best.idle, 'SM')} idle"
    )
    unit = ROOM / max(cut.time for cut in cuts)
    body = [svg.text(20, 34, title, size=18, bold=True)]
    if note:
        body.append(svg.text(20, 64, note, "f-quiet"))
    y = float(TOP)
    for cut in cuts:
        body += _row(cut, y, unit, bold=cut is best)
        y += ROW
    body += _legend(y + 22)
    drawing = svg.document(WIDTH, y + 42, title, "; ".join(map(_in_words, cuts)), body)
    return Picture(title, _twin(cuts, best, note), svg=drawing)


def _row(cut: Rounds, y: float, unit: float, *, bold: bool) -> list[str]:
    """Draw a width: full rounds at full height, then the last one as high as SMs have a tile in it."""
    columns = unit if cut.together > 1 else unit * UNSHARED
    round_, seam = columns * (cut.columns + SEAM), columns * SEAM
    at = LEFT + (unit * START if cut.together > 1 else 0.0)
    full = cut.count - 1
    if seam >= NARROWEST_SEAM:
        blocks = svg.boxes((at + i * round_, y, round_ - seam, BAR) for i in range(full))
    else:
        blocks = svg.boxes([(at, y, full * round_, BAR)] if full else [])
    x, width = at + full * round_, max(round_ - seam, 0.5)
    busy = BAR * cut.last / cut.sms
    drawn = [svg.text(20, y + 23, f"{cut.columns} columns", bold=bold)]
    if full:
        drawn.append(svg.path(blocks, "f-compute"))
    drawn += [
        svg.rect(x, y, width, BAR - busy, "f-waiting", 'fill-opacity="0.25"'),
        svg.path(svg.hatching(x, y, width, BAR - busy), "f-none s-waiting", 'stroke-width="2"'),
        svg.rect(x, y + BAR - busy, width, busy, "f-compute"),
        svg.text(RIGHT, y + 16, f"{_plural(cut.count, 'round')}, {cut.idle} idle", bold=bold, size=14),
        svg.text(RIGHT, y + 34, f"{cut.time:,.0f} columns in a row", "f-quiet", size=14),
    ]
    return drawn


def _legend(y: float) -> list[str]:
    drawn = []
    for place, (look, words) in enumerate(LEGEND):
        x = 20 + 300 * place
        if look == "f-waiting":
            drawn += [
                svg.rect(x, y - 15, 22, 19, look, 'fill-opacity="0.25"'),
                svg.path(svg.hatching(x, y - 15, 22, 19), "f-none s-waiting", 'stroke-width="2"'),
            ]
        else:
            drawn.append(svg.rect(x, y - 15, 22, 19, look))
        drawn.append(svg.text(x + 32, y, words, "f-quiet"))
    return drawn


def _in_words(cut: Rounds) -> str:
    return (
        f"{cut.columns} columns: {_plural(cut.count, 'round')}, {cut.idle} of {cut.sms} SMs idle in the last"
    )


def _twin(cuts: Sequence[Rounds], best: Rounds, note: str) -> str:
    rows = [note] if note else []
    rows.append(
        "columns  tiles  rounds  tiles in the last  SMs idle there  sums used  columns in a row (modelled)"
    )
    for cut in cuts:
        mark = "  done first" if cut is best else ""
        rows.append(
            f"{cut.columns:7}  {cut.tiles:5}  {cut.count:6}  {cut.last:17}  {cut.idle:14}  {100 * cut.used:7.1f} %"
            f"  {cut.time:16,.0f}{mark}"
        )
    return "\n".join(rows)


def _plural(count: int, word: str) -> str:
    return f"{count:,} {word}{'s' * (count != 1)}"
