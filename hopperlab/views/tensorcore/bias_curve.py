"""How far long sums end from the exact ones: relative bias against K, a line a way of adding."""

from collections.abc import Sequence
from dataclasses import dataclass

from hopperlab.views.axes import plain_layout
from hopperlab.views.palette import LIGHT, NEUTRAL_INK
from hopperlab.views.picture import Picture

DASHES = ("solid", "dash", "dot", "dashdot")


@dataclass(frozen=True)
class Curve:
    """One way of adding: its name, and for each K the mean of (sum - exact) / exact."""

    name: str
    biases: tuple[float, ...]


def bias_curve(terms: Sequence[int], curves: Sequence[Curve], data: str) -> Picture:
    """Bias of sums against their length.

    Parameters
    ----------
    terms
        Lengths K, rising.
    curves
        Four at most; each with a bias for every K.
    data
        What is summed, in words.
    """
    if not 1 <= len(curves) <= len(DASHES):
        raise ValueError(f"curves has {len(curves)} lines; one to {len(DASHES)} can be told apart")
    import plotly.graph_objects as go

    worst = min(curves, key=lambda curve: curve.biases[-1])
    title = f"{worst.name}: {100 * worst.biases[-1]:.2g} % at K = {terms[-1]}"
    colors = (LIGHT["finding"], LIGHT["modelled"], LIGHT["compute"], NEUTRAL_INK)
    figure = go.Figure()
    for curve, dash, color in zip(curves, DASHES, colors, strict=False):
        figure.add_trace(
            go.Scatter(
                x=list(terms),
                y=[round(100 * bias, 5) for bias in curve.biases],
                name=curve.name,
                mode="lines+markers",
                line={"dash": dash, "width": 3, "color": color},
            )
        )
    figure.update_layout(
        plain_layout(title, x=f"K, terms of a sum of {data}", y="bias of the sum (%), modelled")
    )
    figure.update_xaxes(type="log", tickvals=list(terms), ticktext=[str(k) for k in terms])
    lines = [f"Mean error of sums of {data}, in % of the exact sum, modelled."]
    lines.append(f"{'K':>8}" + "".join(f"  {curve.name:>24}" for curve in curves))
    for place, k in enumerate(terms):
        lines.append(f"{k:8}" + "".join(f"  {100 * curve.biases[place]:24.4f}" for curve in curves))
    return Picture(title, "\n".join(lines), figure=figure)
