"""Speed against the depth K: what a product costs once, however deep it is, is shared by more and more work."""

from collections.abc import Mapping

from hopperlab.views.axes import plain_layout
from hopperlab.views.palette import LIGHT
from hopperlab.views.picture import Picture

TERA = 1e12
SYMBOLS = ("circle", "square-open", "diamond", "x")


def depths(series: Mapping[str, Mapping[int, float]], *, title: str, card: str, note: str = "") -> Picture:
    """Draw FLOP a second of each way by depth.

    Parameters
    ----------
    series
        By way, FLOP a second by depth.
    title, card, note
        The statement on top, the card, and a last line for the twin.
    """
    import plotly.graph_objects as go

    figure = go.Figure()
    for (name, points), symbol in zip(series.items(), SYMBOLS * len(series), strict=False):
        at = sorted(points)
        ours = "cuBLAS" not in name
        color = LIGHT["measured"] if ours else "#6B7785"
        figure.add_scatter(
            x=at,
            y=[round(points[k] / TERA, 2) for k in at],
            mode="markers+lines",
            name=name,
            line={"color": color, "width": 1, "dash": "solid" if ours else "dot"},
            marker={"symbol": symbol, "size": 11, "color": color, "line": {"width": 2, "color": color}},
        )
    figure.update_layout(plain_layout(title, x="depth K, elements", y="TFLOP/s"))
    depths_shown = sorted({k for points in series.values() for k in points})
    figure.update_xaxes(type="log", tickvals=depths_shown, ticktext=[f"{k:,}" for k in depths_shown])
    figure.update_yaxes(rangemode="tozero")
    rows = [
        f"{name}: " + ", ".join(f"K={k} {points[k] / TERA:.4g}" for k in sorted(points))
        for name, points in series.items()
    ]
    text = "\n".join(["TFLOP/s, measured on " + card, *rows, *([note] if note else [])])
    return Picture(title, text, figure=figure)
