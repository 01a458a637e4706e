"""What a card showed of waiting: the time that arriving early saves, and what waiting warps cost the others."""

from collections.abc import Mapping, Sequence
from typing import Any

from hopperlab.views.axes import plain_layout
from hopperlab.views.palette import HUES_LIGHT, LIGHT, NEUTRAL_INK
from hopperlab.views.picture import Picture

SHAPES = ("circle", "square", "triangle-up", "cross", "diamond", "x")


def saving(rounds: Sequence[tuple[int, float, float]], modelled: float, card: str) -> Picture:
    """Draw the time of a round with arriving and waiting apart, as a share of the time with syncthreads.

    Parameters
    ----------
    rounds
        For each length of a unit of work: its steps, cycles of a round apart, cycles with syncthreads.
    modelled
        The share without the barriers' own cost.
    card
        What was measured.
    """
    import plotly.graph_objects as go

    steps = [str(row[0]) for row in rounds]
    shares = [apart / joint for _, apart, joint in rounds]
    title = (
        f"Apart takes {shares[-1]:.3f} of the time where work is long, {shares[0]:.3f} where there is none"
    )
    measured = {
        "type": "scatter",
        "mode": "markers",
        "name": f"measured, {card}",
        "x": steps,
        "y": shares,
        "marker": {"size": 11, "symbol": "circle", "color": LIGHT["measured"]},
    }
    model = {
        "type": "scatter",
        "mode": "lines",
        "name": "modelled, the barrier free",
        "x": steps,
        "y": [modelled] * len(steps),
        "line": {"width": 3, "color": LIGHT["modelled"]},
    }
    layout = plain_layout(title, x="multiply-adds in a unit of work", y="time over that with syncthreads")
    layout["xaxis"] |= {"type": "category"}
    layout["yaxis"] |= {"range": [0.75, 1.1]}
    layout["shapes"] = [_level(1.0)]
    rows = ["steps of a unit  apart, cycles  syncthreads, cycles   share  (measured)"]
    rows += [
        f"{step:15}  {apart:13,.0f}  {joint:19,.0f}  {apart / joint:6.3f}" for step, apart, joint in rounds
    ]
    rows.append(f"modelled, with barriers that cost nothing: {modelled:.4f}")
    return Picture(title, "\n".join(rows), figure=go.Figure({"data": [measured, model], "layout": layout}))


def slowdown(
    slower: Mapping[str, Mapping[int, float]], looks: Mapping[str, float | None], card: str
) -> Picture:
    """Draw how much longer warps compute beside others that wait in some way, over the number of those.

    Parameters
    ----------
    slower
        By the way of waiting: by the number of waiting warps, the time over that of the workers alone.
    looks
        By the way of waiting, the cycles of one question that was told no; None where nobody asks.
    card
        What was measured.
    """
    import plotly.graph_objects as go

    most = max(slower, key=lambda way: max(slower[way].values()))
    worst = 100 * (max(slower[most].values()) - 1)
    title = f"Warps that {most} slow the others by up to {worst:.0f} %: measured, {card}"
    traces = [
        {
            "type": "scatter",
            "mode": "lines+markers",
            "name": way,
            "x": list(by_count),
            "y": [100 * (times - 1) for times in by_count.values()],
            "line": {"width": 2, "color": HUES_LIGHT[place % len(HUES_LIGHT)]},
            "marker": {"size": 10, "symbol": SHAPES[place % len(SHAPES)]},
        }
        for place, (way, by_count) in enumerate(slower.items())
    ]
    layout = plain_layout(title, x="warps that wait beside 16 that compute", y="longer than alone, %")
    layout["yaxis"] |= {"rangemode": "tozero"}
    counts = sorted({count for by_count in slower.values() for count in by_count})
    layout["xaxis"] |= {"tickvals": counts}
    width = max(map(len, slower))
    rows = [
        f"{'longer than alone, %':{max(width, 20)}}"
        + "".join(f"{count:>7}" for count in counts)
        + "  a look, cycles"
    ]
    for way, by_count in slower.items():
        cells = "".join(f"{100 * (by_count[count] - 1):7.1f}" for count in counts)
        each = looks.get(way)
        rows.append(f"{way:{max(width, 20)}}{cells}  {'-' if each is None else f'{each:,.0f}'}")
    return Picture(title, "\n".join(rows), figure=go.Figure({"data": traces, "layout": layout}))


def _level(value: float) -> dict[str, Any]:
    line = {"color": NEUTRAL_INK, "width": 2, "dash": "dash"}
    return {"type": "line", "xref": "paper", "x0": 0, "x1": 1, "y0": value, "y1": value, "line": line}
