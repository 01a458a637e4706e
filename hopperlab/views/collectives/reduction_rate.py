"""All-reduce bandwidth against SMs: where adding is the limit, and what the switch frees."""

from hopperlab.models.collectives import reduction_limit
from hopperlab.views.axes import plain_layout
from hopperlab.views.palette import LIGHT
from hopperlab.views.picture import Picture

SMS = (1, 2, 4, 6, 8, 12, 16, 24, 32, 48, 64)
NAMES = {"ring": "ring: SMs add", "in-network": "in the switch: SMs only ask and store"}


def reduction_rate(ranks: int, link_gb_per_s: float, gb_per_s_per_sm: float) -> Picture:
    """Algorithm bandwidth by SMs given to the all-reduce; both limits, links and SMs, modelled.

    Parameters
    ----------
    ranks
        GPUs.
    link_gb_per_s
        One direction of one GPU.
    gb_per_s_per_sm
        What one SM moves between links and memory while adding: an assumption.
    """
    import plotly.graph_objects as go

    lines = {
        way: [reduction_limit(way, ranks, link_gb_per_s * 1e9, n, gb_per_s_per_sm * 1e9) / 1e9 for n in SMS]
        for way in NAMES
    }
    needed = {
        way: next((n for n, v in zip(SMS, values, strict=True) if v >= values[-1] * 0.999), SMS[-1])
        for way, values in lines.items()
    }
    title = f"Full speed takes {needed['ring']} SMs by ring, {needed['in-network']} with the switch"
    curves = []
    for dash, (way, values) in zip(("solid", "dash"), lines.items(), strict=True):
        line = {"color": LIGHT["modelled"], "width": 3, "dash": dash}
        curves.append(
            go.Scatter(
                x=list(SMS), y=[round(v, 2) for v in values], name=NAMES[way], mode="lines+markers", line=line
            )
        )
    layout = plain_layout(title, x="SMs given to the all-reduce", y="algbw, GB/s (modelled)", height=400)
    layout["yaxis"]["rangemode"] = "tozero"
    figure = go.Figure(curves, layout)
    rows = [f"{'SMs':>4} {'ring':>8} {'switch':>8}   algbw in GB/s, modelled"]
    rows += [f"{n:4} {a:8.1f} {b:8.1f}" for n, a, b in zip(SMS, *lines.values(), strict=True)]
    return Picture(title, "\n".join(rows), figure=figure)
