"""The ladder: what each rung reaches, what bounds it, and what the library reaches beside it."""

from collections.abc import Mapping, Sequence

from hopperlab.views.axes import plain_layout
from hopperlab.views.palette import LIGHT
from hopperlab.views.picture import Picture

TERA = 1e12


def rungs(
    names: Sequence[str],
    measured: Mapping[str, float],
    modelled: Mapping[str, float],
    library: Mapping[str, float],
    *,
    title: str,
    card: str,
) -> Picture:
    """Draw each rung as measured, its bound, and the library's product of the same format.

    Parameters
    ----------
    names
        The rungs, from the bottom up.
    measured, modelled, library
        FLOP a second by rung; what is left out is not drawn.
    title, card
        The statement on top, and the card that was measured.
    """
    import plotly.graph_objects as go

    legs = (
        ("measured", measured, {"symbol": "circle", "color": LIGHT["measured"]}),
        ("modelled, at most", modelled, {"symbol": "line-ns-open", "color": LIGHT["modelled"]}),
        ("cuBLASLt, measured", library, {"symbol": "square-open", "color": LIGHT["ink"]}),
    )
    figure = go.Figure()
    for label, values, look in legs:
        shown = [name for name in names if name in values]
        color = "#6B7785" if label.startswith("cuBLASLt") else look["color"]
        figure.add_scatter(
            x=[round(values[name] / TERA, 3) for name in shown],
            y=[names.index(name) for name in shown],
            mode="markers",
            name=label,
            text=shown,
            hovertemplate="%{text}: %{x:.4g} TFLOP/s<extra>" + label + "</extra>",
            marker={
                "symbol": look["symbol"],
                "size": 14,
                "color": color,
                "line": {"width": 3, "color": color},
            },
        )
    figure.update_layout(plain_layout(title, x="TFLOP/s", height=200 + 40 * len(names)))
    figure.update_xaxes(type="log", dtick="D2")
    figure.update_yaxes(
        range=[-0.5, len(names) - 0.5],
        tickvals=list(range(len(names))),
        ticktext=[f"{number}. {name}" for number, name in enumerate(names, 1)],
    )
    return Picture(title, _twin(names, measured, modelled, library, card), figure=figure)


def _twin(
    names: Sequence[str],
    measured: Mapping[str, float],
    modelled: Mapping[str, float],
    library: Mapping[str, float],
    card: str,
) -> str:
    def cell(values: Mapping[str, float], name: str) -> str:
        return f"{values[name] / TERA:.4g}" if name in values else "-"

    width = max(map(len, names)) + 3
    rows = [f"{'TFLOP/s':{width}}  {'measured':>9}  {'modelled, at most':>17}  {'cuBLASLt':>9}  gain"]
    before = None
    for number, name in enumerate(names, 1):
        gain = f"{measured[name] / before:.2f}" if before and name in measured else ""
        before = measured.get(name, before)
        rows.append(
            f"{f'{number}. {name}':{width}}  {cell(measured, name):>9}  {cell(modelled, name):>17}  "
            f"{cell(library, name):>9}  {gain}".rstrip()
        )
    return "\n".join([*rows, f"Measured on {card}; gain is over the rung below."])
