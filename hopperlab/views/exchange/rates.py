"""Bytes a clock that an SM reads when all blocks of a cluster read all others: measured, and the shared port."""

from collections.abc import Mapping

from hopperlab.views.axes import plain_layout
from hopperlab.views.palette import HUES_LIGHT
from hopperlab.views.picture import Picture

SHAPES = ("circle", "square", "triangle-up", "cross")


def rates(
    measured: Mapping[str, Mapping[int, float]], modelled: Mapping[str, Mapping[int, float]], title: str
) -> Picture:
    """Draw for each way of reading the rate of an SM over the cluster's size.

    Parameters
    ----------
    measured, modelled
        By the way of reading, bytes a clock and SM by the size of the cluster. Markers and lines.
    title
        The statement on top.
    """
    import plotly.graph_objects as go

    traces = []
    for place, (way, by_size) in enumerate(measured.items()):
        color = HUES_LIGHT[place % len(HUES_LIGHT)]
        traces.append(
            {
                "type": "scatter",
                "mode": "markers",
                "name": f"{way}, measured",
                "x": list(by_size),
                "y": list(by_size.values()),
                "marker": {"size": 11, "symbol": SHAPES[place % len(SHAPES)], "color": color},
            }
        )
        if way in modelled:
            traces.append(
                {
                    "type": "scatter",
                    "mode": "lines",
                    "name": f"{way}, modelled",
                    "x": list(modelled[way]),
                    "y": list(modelled[way].values()),
                    "line": {"width": 2, "color": color},
                }
            )
    layout = plain_layout(title, x="blocks of the cluster", y="bytes a clock and SM", height=500)
    sizes = sorted({size for by_size in measured.values() for size in by_size})
    layout["xaxis"] |= {"type": "log", "tickvals": sizes, "ticktext": [str(size) for size in sizes]}
    layout["yaxis"] |= {"type": "log", "tickvals": [0.2, 0.5, 1, 2, 5, 10, 20]}
    layout["margin"] |= {"t": 150}
    rows = ["Bytes a clock and SM, by blocks of the cluster: measured (modelled)"]
    for way, by_size in measured.items():
        cells = [
            f"{size}: {rate:.2f}" + (f" ({modelled[way][size]:.2f})" if size in modelled.get(way, {}) else "")
            for size, rate in by_size.items()
        ]
        rows.append(f"{way}: {'; '.join(cells)}")
    return Picture(title, "\n".join(rows), figure=go.Figure({"data": traces, "layout": layout}))
