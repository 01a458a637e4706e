"""What each change to a product brought, shape by shape: its speed as a share of the library's."""

from collections.abc import Mapping

from hopperlab.views.axes import plain_layout
from hopperlab.views.palette import BLACK, LIGHT, WHITE
from hopperlab.views.picture import Picture

MEAN = "geometric mean"
LOWEST, HIGHEST = 0.8, 1.02
"""Shares between which the shade goes from white to full: most of them lie here."""


def changes(
    shares: Mapping[str, Mapping[str, float]],
    means: Mapping[str, float],
    remarks: Mapping[str, str],
    *,
    title: str,
    card: str,
) -> Picture:
    """Draw a table of shares, shaded: a row a shape, a column a change, the mean below.

    Parameters
    ----------
    shares
        By shape, the share of the library's speed by change, in the order in which they were made.
    means
        The geometric mean over the shapes, by change.
    remarks
        By shape, a remark on the last column, for the twin and the pointer.
    title, card
        The statement on top, and the card that was measured.

    Raises
    ------
    ValueError
        If a shape lacks a change that there is a mean of.
    """
    import plotly.graph_objects as go

    rows = {**shares, MEAN: means}
    for shape, row in rows.items():
        if list(row) != list(means):
            raise ValueError(f"shares[{shape!r}] has {list(row)}; the means are of {list(means)}")
    names = list(means)
    z = [[round(row[name], 3) for name in names] for row in rows.values()]
    told = [[remarks.get(shape, "") if name == names[-1] else "" for name in names] for shape in rows]
    heat = {
        "type": "heatmap",
        "z": z,
        "x": [_broken(name) for name in names],
        "y": list(rows),
        "text": [[f"{share:.3f}" for share in row] for row in z],
        "texttemplate": "%{text}",
        "customdata": told,
        "hovertemplate": "%{y}: %{z:.3f} %{customdata}<extra>measured</extra>",
        "zmin": LOWEST,
        "zmax": HIGHEST,
        "colorscale": [[0, WHITE], [1, LIGHT["memory"]]],
        "textfont": {"color": BLACK},
        "showscale": False,
        "xgap": 2,
        "ygap": 2,
    }
    layout = plain_layout(title, height=180 + 36 * len(rows))
    layout["xaxis"] |= {"showgrid": False, "ticks": "", "tickangle": 0}
    layout["yaxis"] |= {"showgrid": False, "ticks": "", "autorange": "reversed"}
    return Picture(
        title, _twin(rows, names, remarks, card), figure=go.Figure({"data": [heat], "layout": layout})
    )


def _broken(name: str) -> str:
    """Break a name into lines of about two words."""
    words = name.split()
    return "<br>".join(" ".join(words[at : at + 2]) for at in range(0, len(words), 2))


def _twin(
    rows: Mapping[str, Mapping[str, float]], names: list[str], remarks: Mapping[str, str], card: str
) -> str:
    told = [f"Share of cuBLASLt's speed, measured on {card}. Columns, each a change more:"]
    told += [f"({number}) {name}" for number, name in enumerate(names, 1)]
    wide = max(map(len, rows))
    told.append(" " * wide + "".join(f"  {f'({number})':>5}" for number in range(1, len(names) + 1)))
    for shape, row in rows.items():
        cells = "".join(f"  {row[name]:5.3f}" for name in names)
        told.append(f"{shape:{wide}}{cells}  {remarks.get(shape, '')}".rstrip())
    return "\n".join(told)
