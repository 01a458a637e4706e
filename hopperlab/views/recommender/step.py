"""A step of a recommender on three machines: compute and communication, as shares of the first one's time."""

from hopperlab.models.recommender import communication_speedups, step_speedup
from hopperlab.views.axes import plain_layout
from hopperlab.views.palette import LIGHT
from hopperlab.views.picture import Picture


def step_times(communication_share: float, compute_speedup: float) -> Picture:
    """Bars for A100 with HDR, H100 with NDR, H100 with the NVLink Network; the first one's step is 1."""
    import plotly.graph_objects as go

    fabrics = communication_speedups()
    compute = {
        name: (1 - communication_share) / (1 if name.startswith("A100") else compute_speedup)
        for name in fabrics
    }
    exchange = {name: communication_share / factor for name, factor in fabrics.items()}
    speedups = {
        name: step_speedup(communication_share, 1 if name.startswith("A100") else compute_speedup, factor)
        for name, factor in fabrics.items()
    }
    slow, fast = list(speedups.values())[1:]
    title = (
        f"{100 * communication_share:.3g} % exchange: {slow:.2f} times faster on NDR, {fast:.2f} on NVLink"
    )
    bars = []
    for name, values, role, pattern in (
        ("compute", compute, "compute", ""),
        ("all-to-all", exchange, "waiting", "/"),
    ):
        bars.append(
            go.Bar(
                x=[round(value, 4) for value in values.values()],
                y=list(values),
                name=name,
                orientation="h",
                marker={"color": LIGHT[role], "pattern": {"shape": pattern}},
            )
        )
    layout = plain_layout(title, x="time of one step (A100 with HDR = 1, modelled)", height=330)
    layout["yaxis"]["autorange"] = "reversed"
    layout["xaxis"]["range"] = [0, 1.02]
    # Margins are given, not searched for: each search draws the figure once more.
    layout["margin"]["l"] = 250
    for axis in ("xaxis", "yaxis"):
        layout[axis]["automargin"] = False
    figure = go.Figure(bars, layout | {"barmode": "stack"})
    rows = [f"{'machine':24} {'compute':>8} {'all-to-all':>10} {'step':>6} {'speed-up':>9}"]
    for name in fabrics:
        total = compute[name] + exchange[name]
        rows.append(
            f"{name:24} {compute[name]:8.3f} {exchange[name]:10.3f} {total:6.3f} {speedups[name]:9.2f}"
        )
    rows.append(
        f"Modelled: all-to-all gets 1, 2 and 9 times faster, compute {compute_speedup:.3g} times on H100."
    )
    return Picture(title, "\n".join(rows), figure=figure)
