"""The memories that an SM has to itself: constants, the L1 cache, shared memory."""

from collections.abc import Mapping, Sequence

from hopperlab.views.axes import plain_layout
from hopperlab.views.memory.latency import DIAMOND, Published, size
from hopperlab.views.palette import LIGHT
from hopperlab.views.picture import Picture

SYMBOLS = ("circle", "square", "triangle-up")


def within_an_sm(
    measured: Mapping[str, Sequence[Sequence[float]]], published: Sequence[Published], *, card: str
) -> Picture:
    """The memories that an SM has to itself, by how much of each a chase visits.

    Parameters
    ----------
    measured
        For each memory, pairs of bytes and cycles.
    published
        Published latencies in cycles, or sizes up to which one was flat.
    card
        The card that was measured.
    """
    import plotly.graph_objects as go

    roles = ("measured", "waiting", "engine")
    figure = go.Figure()
    for number, (name, rows) in enumerate(measured.items()):
        figure.add_scatter(
            x=[at for at, _ in rows],
            y=[cycles for _, cycles in rows],
            mode="markers",
            name=f"{name} (measured, {card})",
            marker={"symbol": SYMBOLS[number], "size": 9, "color": LIGHT[roles[number]]},
        )
    figure.add_scatter(
        x=[one.footprint for one in published],
        y=[one.low for one in published],
        mode="markers",
        name="quoted, other cards",
        marker=DIAMOND,
        text=[f"{one.source}, {one.device}" for one in published],
    )
    title = "Constants have a cache of their own, and it is small"
    layout = plain_layout(title, x="bytes visited", y="cycles a load", height=480)
    ticks = [2**power for power in range(8, 17, 2)]
    layout["xaxis"] |= {"type": "log", "tickvals": ticks, "ticktext": [size(at) for at in ticks]}
    layout["yaxis"] |= {"rangemode": "tozero"}
    layout["legend"] |= {"y": -0.3, "yanchor": "top"}
    layout["margin"] |= {"t": 60, "b": 150}
    figure.update_layout(layout)
    lines = []
    for name, rows in measured.items():
        told = ", ".join(f"{size(at)} {cycles:.1f}" for at, cycles in rows)
        lines.append(f"{name}, cycles by bytes visited (measured, {card}): {told}")
    lines += [f"quoted: {one.words('cycles')}" for one in published]
    return Picture(title, "\n".join(lines), figure=figure)
