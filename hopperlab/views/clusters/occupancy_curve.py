"""The occupancy curve: clusters at once and SMs used against cluster size; divided, modelled, measured."""

from collections.abc import Mapping, Sequence
from typing import Any

from hopperlab.models.clusters import ClusterOccupancy, cluster_occupancy
from hopperlab.views.axes import plain_layout
from hopperlab.views.palette import LIGHT, NEUTRAL_INK
from hopperlab.views.picture import Picture

SIZES = range(1, 17)
LOWEST = 0.7  # of the logarithmic axis, below one cluster


def occupancy_curve(
    gpc_sm_counts: Sequence[int],
    blocks_per_sm: int = 1,
    measured: Mapping[int, int] | None = None,
    chip_name: str = "this map",
    policy: str = "default",
) -> Picture:
    """Clusters that run at once, and SMs that they use, for every cluster size from 1 to 16.

    Parameters
    ----------
    gpc_sm_counts, blocks_per_sm, policy
        As for ``hopperlab.models.clusters.max_active_clusters``.
    measured
        Clusters at once that a card reported, by cluster size.
    chip_name
        Whose GPCs these are; where ``measured`` is given, the card that reported.

    Returns
    -------
    Picture
        A plotly figure of two panels, and a table. The dashed line divides the card's places by the cluster
        size, the full line is the model, filled markers are the card.

    Raises
    ------
    ValueError
        For GPC sizes or blocks an SM out of range, and for a measured cluster size that is not 1 to 16.
    """
    for size in measured or {}:
        if size not in SIZES:
            raise ValueError(f"measured has cluster size {size!r}; allowed 1 to 16")
    full = [cluster_occupancy(gpc_sm_counts, size, blocks_per_sm, policy) for size in SIZES]
    worst = max(full, key=lambda at: (at.naive - at.clusters) / max(at.naive, 1))
    title = f"{chip_name}: {_lesson(worst)}"
    return Picture(title, _table(full, measured), figure=_figure(full, measured, title))


def _lesson(worst: ClusterOccupancy) -> str:
    """The size at which dividing misleads most."""
    if worst.naive == worst.clusters:
        return "clusters of every size use every place"
    return f"{worst.clusters or 'no'} clusters of {worst.cluster_size} at once, where dividing promises {worst.naive}"


def _table(full: Sequence[ClusterOccupancy], measured: Mapping[int, int] | None) -> str:
    sms = sum(full[0].gpc_sm_counts)
    lines = [
        f"Clusters at once, and SMs used of {sms}, by cluster size; "
        f"{full[0].blocks_per_sm} block{'s' * (full[0].blocks_per_sm != 1)} an SM.",
        "size  divided  modelled" + ("  measured" if measured else "") + "  SMs used",
    ]
    for at in full:
        card = f"{measured.get(at.cluster_size, '-'):>10}" if measured else ""
        lines.append(f"{at.cluster_size:4}  {at.naive:7}  {at.clusters:8}{card}  {at.sms_used:8}")
    if measured:
        asked = [at for at in full if at.cluster_size in measured]
        agree = sum(measured[at.cluster_size] == at.clusters for at in asked)
        lines.append(f"The model agrees with the card at {agree} of {len(asked)} sizes.")
    return "\n".join(lines)


def _figure(full: Sequence[ClusterOccupancy], measured: Mapping[int, int] | None, title: str) -> Any:
    import plotly.graph_objects as go

    sizes, sms = list(SIZES), sum(full[0].gpc_sm_counts)
    most = full[0].clusters
    divided = {"dash": "dash", "width": 2, "color": NEUTRAL_INK}
    model = {"width": 3, "color": LIGHT["modelled"]}
    card = {"size": 10, "color": LIGHT["measured"], "symbol": "circle"}
    naive = f"{'SMs' if full[0].blocks_per_sm == 1 else 'places'} divided by size"
    used_if_divided = [min(sms, at.naive * at.cluster_size) for at in full]
    above, below = {"yaxis": "y"}, {"yaxis": "y2", "showlegend": False}
    traces = [
        _line(naive, sizes, [at.naive or None for at in full], divided) | above,
        _line("modelled", sizes, [at.clusters or None for at in full], model) | above,
        _line(naive, sizes, used_if_divided, divided) | below,
        _line("modelled", sizes, [at.sms_used for at in full], model) | below,
    ]
    if measured:
        asked = sorted(measured)
        traces.append(_dots("measured", asked, [measured[size] or None for size in asked], card) | above)
        if full[0].blocks_per_sm == 1:
            used = [measured[size] * size for size in asked]
            traces.append(_dots("measured", asked, used, card) | below)
    layout = plain_layout(title, x="cluster size (blocks)", y="clusters at once", height=520)
    layout["xaxis"] |= {"range": [0.5, 16.5], "dtick": 1, "anchor": "y2"}
    layout["yaxis2"] = layout["yaxis"] | {
        "domain": [0, 0.4],
        "range": [0, 1.08 * sms],
        "title": {"text": "SMs used"},
    }
    ticks = [tick for tick in (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000) if tick <= 1.3 * most]
    layout["yaxis"] |= {
        "domain": [0.5, 1],
        "type": "log",
        "range": [-0.16, _exponent(1.3 * max(most, 1))],
        "tickvals": ticks,
    }
    layout["annotations"] = [_none_at(at.cluster_size) for at in full if at.clusters == 0]
    layout["legend"] = {"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0}
    layout["margin"] |= {"t": 90}
    return go.Figure({"data": traces, "layout": layout})


def _line(name: str, x: list, y: list, line: dict) -> dict:
    return {"type": "scatter", "mode": "lines", "name": name, "x": x, "y": y, "line": line}


def _dots(name: str, x: list, y: list, marker: dict) -> dict:
    return {"type": "scatter", "mode": "markers", "name": name, "x": x, "y": y, "marker": marker}


def _exponent(value: float) -> float:
    from math import log10

    return round(log10(value), 3)


def _none_at(size: int) -> dict[str, Any]:
    """A zero at the foot of the logarithmic axis, which has no place for it."""
    return {"x": size, "y": -0.08, "xref": "x", "yref": "y", "text": "<b>0</b>", "showarrow": False}
