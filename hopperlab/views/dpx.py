"""Pictures of lesson 03: a line and the machine code it becomes, two alignments that race, and rates."""

from collections.abc import Mapping, Sequence

import numpy as np

from hopperlab.models.dpx import fused, results_per_clock
from hopperlab.views import svg
from hopperlab.views.axes import plain_layout
from hopperlab.views.palette import LIGHT
from hopperlab.views.picture import Picture

WIDTH = 1010
MARGIN = 20
ROW = 34
BASES = "ACGT"


def line_and_code(name: str, source: str, instructions: Sequence[str]) -> Picture:
    """A line of Python, the instructions it becomes, and how many results a clock they allow.

    Parameters
    ----------
    name
        What this way of writing is called.
    source
        The line, or lines, of the kernel.
    instructions
        Machine code with registers, in order, without loads and stores.
    """
    rate = results_per_clock(instructions)
    hits = sum(fused(instruction) for instruction in instructions)
    count = f"{len(instructions)} instruction{'s' * (len(instructions) > 1)}"
    verdict = "fused" if hits == len(instructions) else "fused in part" if hits else "not fused"
    title = f"{name}: {verdict}, {count}, at most {rate:.3g} results a clock and SM (modelled)"
    written = source.splitlines()
    body = [svg.text(MARGIN, 34, title, bold=True, size=17), svg.text(MARGIN, 66, "Python", "f-quiet")]
    body += [_code(MARGIN + 90, 66 + 22 * number, line) for number, line in enumerate(written)]
    top = 66.0 + 22 * len(written) + 12
    body.append(svg.text(MARGIN, top + 22, "SASS", "f-quiet"))
    for number, instruction in enumerate(instructions):
        y = top + ROW * number
        role = "f-compute" if fused(instruction) else "f-line"
        body.append(svg.rect(MARGIN + 90, y, 12, ROW - 8, role))
        body.append(_code(MARGIN + 112, y + 19, instruction))
        if fused(instruction):
            body.append(svg.text(MARGIN + 560, y + 19, "one fused instruction", "f-ink"))
    height = top + ROW * len(instructions) + 14
    text = "\n".join(["Python:", *written, "SASS:", *(_marked(one) for one in instructions)])
    drawing = svg.document(WIDTH, height, title, text, body)
    return Picture(title, text, svg=drawing)


def _code(x: float, y: float, words: str) -> str:
    return svg.text(x, y, words).replace("<text ", '<text style="font-family:monospace;white-space:pre" ', 1)


def _marked(instruction: str) -> str:
    return f"{instruction}  <- fused" if fused(instruction) else instruction


def race(
    query: Sequence[int],
    target: Sequence[int],
    scores: np.ndarray,
    filled: Mapping[str, float],
) -> Picture:
    """The same matrix being filled at two speeds, anti-diagonal by anti-diagonal.

    Parameters
    ----------
    query, target
        Letters, 0 to 3: columns and rows.
    scores
        H(i, j), of shape (rows, columns).
    filled
        For each of two runners, by its name, the cells it has filled by now; not above the matrix's.
    """
    rows, columns = scores.shape
    cell = 20.0
    body, words = [], []
    title = "; ".join(f"{name}: {int(done)} of {rows * columns} cells" for name, done in filled.items())
    body.append(
        svg.text(MARGIN, 34, "Two alignments race: cells of one anti-diagonal together", bold=True, size=17)
    )
    for place, (name, done) in enumerate(filled.items()):
        left = MARGIN + 30 + place * (columns * cell + 80)
        body += _matrix(left, 96.0, cell, query, target, scores, int(done))
        best = _best_so_far(scores, int(done))
        body.append(svg.text(left, 66, f"{name}: {int(done)} cells, best score {best}"))
        words.append(f"{name}: {int(done)} of {rows * columns} cells filled, best score so far {best}")
    letters = ", ".join(
        f"{what} {''.join(BASES[one] for one in of)}" for what, of in (("query", query), ("target", target))
    )
    text = "\n".join([letters, *words])
    height = 96 + cell * rows + 54
    legend = "Blue: a score above 0. Gray: 0. Orange: the best so far. Empty: not filled yet."
    body.append(svg.text(MARGIN, height - 16, legend, "f-quiet"))
    return Picture(title, text, svg=svg.document(WIDTH, height, title, text, body))


def filled_mask(rows: int, columns: int, done: int) -> np.ndarray:
    """Which cells are filled after so many, in the order of anti-diagonals; bool of shape (rows, columns)."""
    i, j = np.indices((rows, columns))
    order = np.lexsort((i.ravel(), (i + j).ravel()))
    mask = np.zeros(rows * columns, bool)
    mask[order[:done]] = True
    return mask.reshape(rows, columns)


def _best_so_far(scores: np.ndarray, done: int) -> int:
    return int(scores[filled_mask(*scores.shape, done)].max(initial=0))


def _matrix(
    left: float,
    top: float,
    cell: float,
    query: Sequence[int],
    target: Sequence[int],
    scores: np.ndarray,
    done: int,
) -> list[str]:
    rows, columns = scores.shape
    mask = filled_mask(rows, columns, done)
    parts = [svg.rect(left, top, cell * columns, cell * rows, "f-none s-line")]
    for j, letter in enumerate(query):
        parts.append(
            svg.text(left + cell * (j + 0.5), top - 6, BASES[letter], "f-quiet", size=14, anchor="middle")
        )
    for i, letter in enumerate(target):
        y = top + cell * (i + 0.75)
        parts.append(svg.text(left - 8, y, BASES[letter], "f-quiet", size=14, anchor="end"))
    low = [
        (left + cell * j, top + cell * i, cell - 1, cell - 1)
        for i, j in zip(*np.where(mask & (scores == 0)), strict=True)
    ]
    high = [
        (left + cell * j, top + cell * i, cell - 1, cell - 1)
        for i, j in zip(*np.where(mask & (scores > 0)), strict=True)
    ]
    parts.append(svg.path(svg.boxes(low), "f-line"))
    parts.append(svg.path(svg.boxes(high), "f-compute"))
    if mask.any() and scores[mask].max() > 0:
        i, j = np.unravel_index(np.argmax(np.where(mask, scores, -1)), scores.shape)
        parts.append(svg.rect(left + cell * j, top + cell * i, cell - 1, cell - 1, "f-waiting"))
    return parts


def rates(
    measured: Mapping[str, Mapping[str, float]], quoted: Mapping[str, float], card: str, unit: str, title: str
) -> Picture:
    """Bars of what was measured, with and without DPX, and published values as hollow diamonds.

    Parameters
    ----------
    measured
        For each series, such as "fused", values by name.
    quoted
        Published values by name.
    card
        The card that gave the measured values.
    unit
        Of all values.
    """
    import plotly.graph_objects as go

    colors = (LIGHT["measured"], LIGHT["waiting"])
    patterns = ("", "/")
    series = [
        go.Bar(
            x=list(values),
            y=[float(f"{value:.4g}") for value in values.values()],
            name=f"{name} (measured, {card})",
            marker={"color": colors[number], "pattern": {"shape": patterns[number]}},
        )
        for number, (name, values) in enumerate(measured.items())
    ]
    if quoted:
        marker = {"symbol": "diamond-open", "size": 12, "color": LIGHT["quoted"], "line": {"width": 2}}
        series.append(
            go.Scatter(
                x=list(quoted),
                y=list(quoted.values()),
                mode="markers",
                name="published (quoted)",
                marker=marker,
            )
        )
    layout = plain_layout(title, y=unit, height=480)
    layout |= {"barmode": "group"}
    layout["legend"] |= {"y": -0.42, "yanchor": "top"}
    layout["margin"] |= {"b": 180, "t": 60}
    layout["xaxis"] |= {"tickangle": -30}
    names = list(dict.fromkeys([*(name for values in measured.values() for name in values), *quoted]))
    heads = [*measured, "quoted"]
    lines = [f"{unit}, {card}", f"{'':>22}  " + "  ".join(f"{head:>12}" for head in heads)]
    for name in names:
        cells = [values.get(name) for values in measured.values()] + [quoted.get(name)]
        lines.append(
            f"{name:>22}  "
            + "  ".join(f"{cell:12.4g}" if cell is not None else f"{'-':>12}" for cell in cells)
        )
    return Picture(title, "\n".join(lines), figure=go.Figure(series, layout))
