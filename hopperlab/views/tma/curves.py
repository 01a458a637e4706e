"""Bandwidth against the bytes under way: the model's line, the card's points, and one choice on them."""

from collections.abc import Sequence

from hopperlab.models.tma import Stream
from hopperlab.views.axes import plain_layout
from hopperlab.views.palette import LIGHT
from hopperlab.views.picture import Picture

KIB, TERA = 1024, 1e12
HUES = ("compute", "waiting", "engine", "barrier", "memory")
SYMBOLS = ("circle", "square", "triangle-up", "diamond", "pentagon")
PACE = {
    "latency": "latency: too little is under way",
    "asking": "the thread that asks for one box after another",
    "memory": "memory itself",
}


def curves(
    points: Sequence[tuple[int, int, float]],
    stream: Stream,
    blocks: int,
    fitted: Sequence[int],
    chosen: tuple[int, int],
    card: str,
) -> Picture:
    """Draw a curve for each number of boxes under way, modelled as a line, measured as points.

    Parameters
    ----------
    points
        Measured: (bytes of a box, boxes under way, bytes per second).
    stream, blocks
        The model, and the blocks that ran.
    fitted
        The numbers of boxes under way whose curves the model was fitted to.
    chosen
        Bytes of a box and boxes under way of the choice that is marked.
    card
        That was measured.
    """
    limits = stream.limits(*chosen, blocks)
    rate, pace = min(limits.values()), min(limits, key=limits.get)
    nbytes, stages = chosen
    title = f"{stages} x {nbytes // KIB} KiB under way: {rate / TERA:.2f} TB/s, held back by {PACE[pace].split(':')[0]}"
    return Picture(
        title,
        _twin(points, stream, blocks, fitted, limits, card),
        figure=_figure(points, stream, blocks, fitted, chosen, title),
    )


def _figure(points, stream, blocks, fitted, chosen, title):
    import plotly.graph_objects as go

    figure = go.Figure()
    for number, stages in enumerate(sorted({stages for _, stages, _ in points})):
        color, own = LIGHT[HUES[number]], [point for point in points if point[1] == stages]
        name = f"{stages} under way" + (", fitted" if stages in fitted else "")
        under_way = [nbytes * stages / KIB for nbytes, *_ in own]
        figure.add_scatter(
            x=under_way,
            y=[round(stream.bandwidth(nbytes, stages, blocks) / TERA, 3) for nbytes, *_ in own],
            mode="lines",
            line={"color": color, "width": 2},
            name=f"modelled, {name}",
            showlegend=False,
        )
        figure.add_scatter(
            x=under_way,
            y=[round(rate / TERA, 3) for *_, rate in own],
            mode="markers",
            marker={"color": color, "size": 11, "symbol": SYMBOLS[number]},
            text=[f"boxes of {nbytes // KIB} KiB" for nbytes, *_ in own],
            hovertemplate="%{text}, %{x} KiB under way: %{y} TB/s<extra>measured, " + name + "</extra>",
            name=name,
        )
    nbytes, stages = chosen
    figure.add_scatter(
        x=[nbytes * stages / KIB],
        y=[round(stream.bandwidth(nbytes, stages, blocks) / TERA, 3)],
        mode="markers",
        marker={"symbol": "cross-thin", "size": 26, "line": {"width": 4, "color": LIGHT["finding"]}},
        name="your choice, modelled",
    )
    figure.update_layout(
        plain_layout(title, x="KiB under way in a block, one block an SM", y="TB/s read", height=480)
    )
    figure.update_layout(margin={"t": 120}, legend={"y": 1.02})
    figure.update_xaxes(type="log", dtick="D2", range=[-0.2, 2.3])
    figure.update_yaxes(rangemode="tozero")
    return figure


def _twin(points, stream, blocks, fitted, limits, card) -> str:
    held_out = [
        abs(stream.bandwidth(nbytes, stages, blocks) / rate - 1)
        for nbytes, stages, rate in points
        if stages not in fitted
    ]
    rows = ["; ".join(f"{PACE[name]}: {rate / TERA:.2f} TB/s" for name, rate in limits.items())]
    for stages in sorted({stages for _, stages, _ in points}):
        own = [point for point in points if point[1] == stages]
        told = ", ".join(
            f"{nbytes // KIB} KiB {stream.bandwidth(nbytes, stages, blocks) / TERA:.2f} {rate / TERA:.2f}"
            for nbytes, _, rate in own
        )
        rows.append(
            f"{stages} under way{', fitted' if stages in fitted else ''} (box modelled measured): {told}"
        )
    rows.append(
        f"on the curves held out the model is off by {max(held_out):.1%} at most, "
        f"{sum(held_out) / len(held_out):.1%} in the mean; TB/s; measured: {card}"
    )
    return "\n".join(rows)
