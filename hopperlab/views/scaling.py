"""The amax timeline: a tensor's size against the range that its scale reaches, and what is clipped or flushed."""

from collections.abc import Mapping, Sequence
from math import isfinite

from hopperlab.models.scaling.timeline import Moment
from hopperlab.views.axes import plain_layout
from hopperlab.views.palette import LIGHT
from hopperlab.views.picture import Picture

DIGITS = 6  # significant digits of what is drawn


def timeline(moments: Sequence[Moment], window: int, events: Mapping[int, str], fmt: str = "E4M3") -> Picture:
    """Draw one tensor's steps.

    Above, on an axis of powers of two: the band that FP8 reaches at the scale of each step, the tensor's amax as
    markers, and the history window of the last step. Below: shares clipped and flushed.

    Parameters
    ----------
    moments
        From `hopperlab.models.scaling.timeline`.
    window
        Steps that the recipe remembers.
    events
        What befell the tensor, by step.
    """
    if not moments:
        raise ValueError("moments is empty: at least one step is needed")
    import plotly.graph_objects as go

    title = _title(moments, events)
    steps = [m.step for m in moments]
    largest = [_round(m.largest) for m in moments]
    smallest = [_round(m.smallest) for m in moments]
    shown = [m for m in moments if isfinite(m.amax) and m.amax > 0]
    band = {"color": LIGHT["memory"], "width": 2, "shape": "hvh"}
    marks = {"size": 8, "color": LIGHT["compute"]}
    figure = go.Figure()
    figure.add_scatter(x=steps, y=smallest, mode="lines", line=band, showlegend=False)
    figure.add_scatter(
        x=steps, y=largest, mode="lines", line=band, fill="tonexty", name=f"what {fmt} reaches at this scale"
    )
    figure.add_scatter(
        x=[m.step for m in shown],
        y=[_round(m.amax) for m in shown],
        mode="markers",
        marker=marks,
        name="amax of the tensor",
    )
    for name, role, dash in (("clipped", "finding", "solid"), ("flushed", "waiting", "dot")):
        shares = [_round(100 * getattr(m, name)) for m in moments]
        line = {"color": LIGHT[role], "width": 3, "dash": dash}
        figure.add_scatter(x=steps, y=shares, mode="lines", line=line, name=f"{name} (%)", yaxis="y2")
    layout = plain_layout(title, x="step", y="magnitude", height=540)
    layout["yaxis"] |= {"type": "log", "domain": [0.36, 1], "dtick": 2, "exponentformat": "power"}
    layout["yaxis2"] = plain_layout("", y="elements (%)")["yaxis"] | {
        "domain": [0, 0.26],
        "rangemode": "tozero",
    }
    layout["xaxis"] |= {"anchor": "y2"}
    layout["shapes"] = [_window(steps[-1], window)]
    layout["annotations"] = [_note(step, name) for step, name in events.items()]
    layout["margin"] |= {"t": 110}
    figure.update_layout(layout)
    return Picture(title, _twin(moments, window, events), figure=figure)


def _round(value: float) -> float:
    return float(f"{value:.{DIGITS}g}")


def _title(moments: Sequence[Moment], events: Mapping[int, str]) -> str:
    worst = max(moments, key=lambda m: m.clipped)
    if worst.clipped > 0.05:
        return f"Step {worst.step} is clipped: {100 * worst.clipped:.0f} % of its elements are too large"
    if events:
        return f"{', '.join(f'{name} at step {step}' for step, name in events.items())}: hardly anything is clipped"
    return "The tensor drifts, and its scale follows: hardly anything is clipped"


def _window(last: int, window: int) -> dict:
    """The steps whose magnitudes decide the scale after the last step."""
    return {
        "type": "rect",
        "x0": max(-0.5, last - window + 0.5),
        "x1": last + 0.5,
        "yref": "paper",
        "y0": 0.36,
        "y1": 1,
        "fillcolor": LIGHT["barrier"],
        "opacity": 0.15,
        "line": {"width": 0},
    }


def _note(step: int, name: str) -> dict:
    """The event's name at the foot of the upper panel, to the right of its step."""
    place = {"x": step, "xref": "x", "xanchor": "left", "y": 0.37, "yref": "paper", "yanchor": "bottom"}
    return place | {"text": f"\u2190 {name}", "showarrow": False}


def _twin(moments: Sequence[Moment], window: int, events: Mapping[int, str]) -> str:
    lines = [
        f"The scale of a step comes from the {window} steps before it; shaded, the last {window}.",
        f"{'step':>4}  {'amax':>9}  {'scale':>9}  {'reaches':>9}  {'clipped %':>9}  {'flushed %':>9}  {'error %':>8}",
    ]
    for m in moments:
        lines.append(
            f"{m.step:4}  {m.amax:9.4g}  {m.scale:9.4g}  {m.largest:9.4g}  {100 * m.clipped:9.2f}  "
            f"{100 * m.flushed:9.2f}  {100 * m.error:8.2f}  {events.get(m.step, '')}".rstrip()
        )
    return "\n".join(lines)


def undone(values: Sequence[float], restored: Mapping[str, Sequence[float]], title: str) -> Picture:
    """Values against what casts gave back of them, a marker a value: on the line is right.

    Parameters
    ----------
    values
        What was cast.
    restored
        By name, what was given back; two at most.
    title
        The statement on top.
    """
    import plotly.graph_objects as go

    looks = (("compute", "circle"), ("finding", "x"))
    if not 1 <= len(restored) <= len(looks):
        raise ValueError(f"restored has {len(restored)} series; one or two can be told apart")
    figure = go.Figure()
    ends = [_round(min(values)), _round(max(values))]
    figure.add_scatter(
        x=ends, y=ends, mode="lines", name="right", line={"color": LIGHT["modelled"], "width": 2}
    )
    lines = [f"{'value':>10}" + "".join(f"  {name:>28}" for name in restored)]
    for (name, back), (role, symbol) in zip(restored.items(), looks, strict=False):
        marker = {"color": LIGHT[role], "size": 9, "symbol": symbol}
        figure.add_scatter(
            x=[_round(v) for v in values],
            y=[_round(v) for v in back],
            mode="markers",
            name=name,
            marker=marker,
        )
    for place, value in enumerate(values[:8]):
        lines.append(f"{value:10.4g}" + "".join(f"  {back[place]:28.4g}" for back in restored.values()))
    if len(values) > 8:
        lines.append(f"and {len(values) - 8} more")
    figure.update_layout(plain_layout(title, x="value", y="given back"))
    return Picture(title, "\n".join(lines), figure=figure)
