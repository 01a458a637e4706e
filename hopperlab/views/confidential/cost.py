"""What confidentiality costs, drawn: published slowdowns on one axis, and rates of copies by size."""

from collections.abc import Mapping, Sequence
from math import sqrt

from hopperlab.models.confidential import PUBLISHED, Path, PublishedOverhead, copy_seconds
from hopperlab.views.axes import plain_layout
from hopperlab.views.evidence import Evidence, evidence
from hopperlab.views.palette import LIGHT
from hopperlab.views.picture import Picture

DASHES = ("solid", "dash", "dot", "dashdot")


def published_overheads(rows: Sequence[PublishedOverhead] = PUBLISHED) -> Picture:
    """Published overheads as factors of time, so that losses of throughput and added time compare.

    A row that is a range is drawn at the geometric mean of its ends, which its label names; a bound is drawn as one.
    """
    shown = [
        Evidence(
            _overhead_label(row),
            quoted=sqrt(row.slowdown[0] * row.slowdown[1]),
            source=row.claim,
            relation="<" if row.at_most else "=",
        )
        for row in rows
    ]
    return evidence(
        shown,
        title="Published slowdowns differ as crossings do",
        unit="slowdown: time with over time without",
        logarithmic=True,
        note="A loss of throughput of p % is a slowdown of 1 / (1 - p / 100).",
    )


def _overhead_label(row: PublishedOverhead) -> str:
    low, high = row.slowdown
    span = "" if low == high else f", {low:.2f} to {high:.2f}"
    return f"{row.workload}, {row.quantity} ({row.device}{span})"


def copy_rates(paths: Mapping[str, Path], sizes: Sequence[int]) -> Picture:
    """Modelled rate of a copy against its size, a line a path: what chunks, encryption and pipelining do.

    Parameters
    ----------
    paths
        By the name that the line gets; four at most.
    sizes
        Bytes of a copy, rising.

    Raises
    ------
    ValueError
        If there is no path or more than four, or no size.
    """
    if not 1 <= len(paths) <= len(DASHES):
        raise ValueError(f"paths has {len(paths)} lines; one to {len(DASHES)} can be told apart")
    if not sizes:
        raise ValueError("sizes is empty: at least one size is needed")
    import plotly.graph_objects as go

    title = "How fast a copy crosses, by its size"
    rates = {name: [size / copy_seconds(size, path) / 1e9 for size in sizes] for name, path in paths.items()}
    traces = [
        {
            "type": "scatter",
            "x": list(sizes),
            "y": values,
            "name": name,
            "mode": "lines",
            "line": {"color": LIGHT["modelled"], "width": 3, "dash": dash},
        }
        for dash, (name, values) in zip(DASHES, rates.items(), strict=False)
    ]
    layout = plain_layout(title, x="bytes of the copy", y="GB/s, one direction (modelled)")
    for axis in ("xaxis", "yaxis"):
        layout[axis] |= {"type": "log", "dtick": 1}
    figure = go.Figure(traces, layout)
    lines = ["GB/s, one direction, modelled"]
    lines.append(f"{'bytes':>12}  " + "  ".join(f"{name:>16}" for name in rates))
    for place, size in enumerate(sizes):
        lines.append(f"{size:12}  " + "  ".join(f"{values[place]:16.3g}" for values in rates.values()))
    return Picture(title, "\n".join(lines), figure=figure)
