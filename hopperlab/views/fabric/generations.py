"""A100 on HDR against H100 on NDR: bisection by number of GPUs, and the tiers of switches that each takes."""

from hopperlab.models.fabric import GENERATIONS, tiers_needed
from hopperlab.views.axes import plain_layout
from hopperlab.views.palette import LIGHT, NEUTRAL_INK
from hopperlab.views.picture import Picture

COUNTS = (32, 64, 128, 256, 512, 1024, 2048, 4096)
DASHES = {"A100": "dot", "H100": "solid"}
SYMBOLS = ("circle-open", "square-open", "diamond-open", "star-open")  # by tiers, 1 to 4


def two_generations(gpus: int) -> Picture:
    """Bisection of fat trees without taper, both directions; each point's symbol tells its tiers.

    Parameters
    ----------
    gpus
        The count that the title speaks of, one of 32, 64, ... 4096.
    """
    if gpus not in COUNTS:
        raise ValueError(f"gpus={gpus} must be one of {', '.join(map(str, COUNTS))}")
    import plotly.graph_objects as go

    curves = []
    for name, one in GENERATIONS.items():
        tiers = [tiers_needed(one.radix, count) for count in COUNTS]
        line = {"color": LIGHT["modelled"], "width": 3, "dash": DASHES[name]}
        marker = {"symbol": [SYMBOLS[number - 1] for number in tiers], "size": 13, "line": {"width": 2}}
        curves.append(
            go.Scatter(
                x=list(COUNTS),
                y=[one.bisection_of(count) / 1e12 for count in COUNTS],
                name=one.name,
                mode="lines+markers",
                line=line,
                marker=marker,
                text=[f"{number} tiers" for number in tiers],
            )
        )
    tiers = {name: tiers_needed(one.radix, gpus) for name, one in GENERATIONS.items()}
    bisection = {name: one.bisection_of(gpus) / 1e12 for name, one in GENERATIONS.items()}
    words = {name: f"{bisection[name]:.3g} TB/s in {tiers[name]} tiers" for name in GENERATIONS}
    title = f"{gpus:,} GPUs: A100 {words['A100']}, H100 {words['H100']}"
    layout = plain_layout(title, x="GPUs, one adapter each", y="bisection, TB/s, both directions", height=430)
    counts = [f"{count:,}" for count in COUNTS]
    layout["xaxis"] |= {"type": "log", "tickvals": list(COUNTS), "ticktext": counts}
    layout["yaxis"] |= {"type": "log", "dtick": "D2"}
    line = {"color": NEUTRAL_INK, "width": 2, "dash": "dash"}
    layout["shapes"] = [
        {"type": "line", "x0": gpus, "x1": gpus, "y0": 0, "y1": 1, "yref": "paper", "line": line}
    ]
    figure = go.Figure(curves, layout)
    rows = [
        f"{'GPUs':>6}  {'A100, HDR':>10} {'tiers':>5}  {'H100, NDR':>10} {'tiers':>5}   TB/s, both directions"
    ]
    old, new = GENERATIONS.values()
    rows += [
        f"{count:6,}  {old.bisection_of(count) / 1e12:10.4g} {tiers_needed(old.radix, count):5}  "
        f"{new.bisection_of(count) / 1e12:10.4g} {tiers_needed(new.radix, count):5}"
        for count in COUNTS
    ]
    rows.append(
        f"Modelled: switches of {old.radix} and {new.radix} ports, no taper. Circle, square, diamond: 1, 2, 3 tiers."
    )
    return Picture(title, "\n".join(rows), figure=figure)
