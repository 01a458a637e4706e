"""Where a cluster gains: time without over time with it, over bins or words."""

from collections.abc import Mapping, Sequence
from typing import Any

from hopperlab.views.axes import plain_layout
from hopperlab.views.palette import HUES_LIGHT, LIGHT, NEUTRAL_INK
from hopperlab.views.picture import Picture

DASHES = ("solid", "dash", "dot", "dashdot")
SHAPES = ("circle", "square", "triangle-up", "cross")

Curve = Mapping[int, float]
"""What was measured, by the size of the problem."""


def gains(
    curves: Mapping[str, Curve],
    *,
    title: str,
    x: str,
    quoted: tuple[float, float, str] | None = None,
    limits: Mapping[int, str] | None = None,
) -> Picture:
    """Draw how many times faster a program is in a cluster, over its size; 1 is no gain.

    Parameters
    ----------
    curves
        For each kind of the program, the gain at each size: measured.
    title, x
        The statement on top, and the axis of sizes with its unit.
    quoted
        A quoted range of gains and its claim, drawn as a band.
    limits
        Sizes worth a line, with what happens there.
    """
    import plotly.graph_objects as go

    sizes = sorted({size for curve in curves.values() for size in curve})
    if not sizes:
        raise ValueError("curves has no sizes: at least one measurement is needed")
    traces = [
        {
            "type": "scatter",
            "mode": "lines+markers",
            "name": name,
            "x": list(curve),
            "y": list(curve.values()),
            "line": {
                "dash": DASHES[place % len(DASHES)],
                "color": HUES_LIGHT[place % len(HUES_LIGHT)],
                "width": 2,
            },
            "marker": {"size": 10, "symbol": SHAPES[place % len(SHAPES)]},
        }
        for place, (name, curve) in enumerate(curves.items())
    ]
    layout = plain_layout(title, x=x, y="times faster", height=460)
    layout["xaxis"] |= {"type": "log", "tickvals": sizes, "ticktext": [_short(size) for size in sizes]}
    layout["yaxis"] |= {"type": "log", "tickvals": [0.1, 0.2, 0.5, 1, 2, 3, 5]}
    layout["shapes"] = [_line("y", 1, {"color": NEUTRAL_INK, "width": 2})]
    layout["annotations"] = []
    if quoted:
        low, high, claim = quoted
        layout["shapes"].append(
            {
                "type": "rect",
                "xref": "paper",
                "x0": 0,
                "x1": 1,
                "y0": low,
                "y1": high,
                "fillcolor": LIGHT["quoted"],
                "opacity": 0.15,
                "line": {"width": 0},
            }
        )
        layout["annotations"].append(
            _note(0.01, (low * high) ** 0.5, f"quoted {low:g} to {high:g} ({claim})", "paper")
        )
    for size, words in (limits or {}).items():
        layout["shapes"].append(_line("x", size, {"color": NEUTRAL_INK, "width": 2, "dash": "dash"}))
        layout["annotations"].append(
            {"x": _exponent(size), "y": 0, "xref": "x", "yref": "paper", "text": words, "showarrow": False}
            | {"xanchor": "right", "yanchor": "bottom"}
        )
    return Picture(
        title,
        _twin(curves, sizes, quoted, limits or {}),
        figure=go.Figure({"data": traces, "layout": layout}),
    )


def _line(axis: str, value: float, line: dict) -> dict[str, Any]:
    other = "x" if axis == "y" else "y"
    return {
        "type": "line",
        f"{other}ref": "paper",
        f"{other}0": 0,
        f"{other}1": 1,
        f"{axis}0": value,
        f"{axis}1": value,
        "line": line,
    }


def _note(x: float, y: float, words: str, xref: str) -> dict[str, Any]:
    return {"x": x, "y": _exponent(y), "xref": xref, "text": words, "showarrow": False, "xanchor": "left"}


def _exponent(value: float) -> float:
    from math import log10

    return log10(value)


def _short(size: int) -> str:
    return f"{size // 1024}K" if size >= 1024 and size % 1024 == 0 else str(size)


def _twin(
    curves: Mapping[str, Curve],
    sizes: Sequence[int],
    quoted: tuple[float, float, str] | None,
    limits: Mapping[int, str],
) -> str:
    width = max(len(name) for name in curves)
    rows = [f"{'times faster, measured':{width}}" + "".join(f"{_short(size):>7}" for size in sizes)]
    for name, curve in curves.items():
        cells = "".join(f"{curve[size]:7.2f}" if size in curve else f"{'-':>7}" for size in sizes)
        rows.append(f"{name:{width}}{cells}")
    rows += [f"{size}: {words}" for size, words in limits.items()]
    if quoted:
        rows.append(f"quoted: {quoted[0]:g} to {quoted[1]:g} ({quoted[2]})")
    return "\n".join(rows)
