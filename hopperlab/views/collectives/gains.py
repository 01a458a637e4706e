"""SHARP's gain by number of GPUs: as the talk counts it, corrected, as NCCL's model has it, and as users ran it."""

from collections.abc import Mapping

from hopperlab.models.collectives import corrected_gain, estimate, spoken_gain
from hopperlab.views.axes import plain_layout
from hopperlab.views.palette import LIGHT
from hopperlab.views.picture import Picture

RANKS = (2, 4, 8, 16, 32, 64, 128, 256)
LARGE = 8 * 2**30


def sharp_gains(published: Mapping[int, tuple[float, str]], ranks: int = 8) -> Picture:
    """The lines on one axis, and what each says for a number of GPUs.

    Parameters
    ----------
    published
        By number of GPUs: the gain of users' runs, and the claim it comes from.
    ranks
        The number that the title speaks of; one of 2, 4, ... 256.
    """
    if ranks not in RANKS:
        raise ValueError(f"ranks={ranks} must be one of {', '.join(map(str, RANKS))}")
    import plotly.graph_objects as go

    spoken, corrected = ([f(n) for n in RANKS] for f in (spoken_gain, corrected_gain))
    modelled = {n: _tuned(n) for n in (4, 8)}
    title = f"{ranks} GPUs: {spoken_gain(ranks):.2f} as spoken, {corrected_gain(ranks):.2f} corrected"
    if ranks in published:
        title += f", {published[ranks][0]:.2f} in users' runs"
    figure = go.Figure()
    lines = (
        ("as the talk counts, 4N / (2N + 2)", spoken, "dash"),
        ("corrected, 2(N - 1) / (N + 1)", corrected, "solid"),
    )
    for name, values, dash in lines:
        line = {"color": LIGHT["modelled"], "width": 3, "dash": dash}
        figure.add_trace(
            go.Scatter(x=list(RANKS), y=[round(v, 4) for v in values], name=name, mode="lines", line=line)
        )
    figure.add_trace(
        go.Scatter(
            x=list(modelled),
            y=[round(v, 4) for v in modelled.values()],
            name="NCCL's model, 8 GiB",
            mode="markers",
            marker={"symbol": "x-thin-open", "size": 12, "color": LIGHT["modelled"], "line": {"width": 3}},
        )
    )
    figure.add_trace(
        go.Scatter(
            x=list(published),
            y=[value for value, _ in published.values()],
            name="users' runs (quoted)",
            mode="markers",
            marker={"symbol": "diamond-open", "size": 13, "color": LIGHT["quoted"], "line": {"width": 3}},
        )
    )
    figure.update_layout(
        plain_layout(title, x="GPUs on one switch", y="times faster (1: no gain)", height=480)
    )
    figure.update_xaxes(type="log", tickvals=list(RANKS), ticktext=list(map(str, RANKS)))
    figure.update_yaxes(range=[0.5, 2.1])
    figure.update_layout(legend={"y": -0.28, "yanchor": "top"}, margin={"b": 150, "t": 60})
    rows = [f"{'GPUs':>5} {'spoken':>7} {'corrected':>9} {'NCCL':>6} {'users':>6}"]
    for n, s, c in zip(RANKS, spoken, corrected, strict=True):
        found = f"{published[n][0]:.2f} {published[n][1]}" if n in published else "-"
        tuned = f"{modelled[n]:.2f}" if n in modelled else "-"
        rows.append(f"{n:5} {s:7.3f} {c:9.3f} {tuned:>6} {found:>6}")
    rows.append("Below 1 SHARP loses: two GPUs send more through the switch than to each other.")
    return Picture(title, "\n".join(rows), figure=figure)


def _tuned(ranks: int) -> float:
    return estimate("ring", ranks, LARGE).seconds / estimate("NVLS", ranks, LARGE).seconds
