"""The one layout of every plotly figure: quiet, legible from the back row, at home on light and dark."""

from typing import Any

from hopperlab.views.palette import FONT, FONT_SIZE, NEUTRAL_INK, NEUTRAL_LINE


def plain_layout(title: str, *, x: str = "", y: str = "", height: int = 420) -> dict[str, Any]:
    """A plotly layout with a title, axis labels with units, and a transparent background.

    Parameters
    ----------
    title
        The statement on top.
    x, y
        Axis labels, units included.
    height
        In pixels; fixed, so that nothing jumps when a figure is redrawn.
    """
    axis = {"gridcolor": NEUTRAL_LINE, "zeroline": False, "automargin": True, "ticks": "outside"}
    return {
        "template": "none",
        "title": {
            "text": title,
            "x": 0,
            "xanchor": "left",
            "xref": "paper",
            "y": 0.97,
            "yanchor": "top",
            "font": {"size": FONT_SIZE + 3},
        },
        "font": {"family": FONT, "size": FONT_SIZE, "color": NEUTRAL_INK},
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "xaxis": axis | {"title": {"text": x}},
        "yaxis": axis | {"title": {"text": y}},
        "legend": {"orientation": "h", "x": 0, "y": 1, "yanchor": "bottom"},
        "height": height,
        "margin": {"l": 60, "r": 20, "t": 90, "b": 60},
    }
