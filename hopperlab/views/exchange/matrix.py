"""The latency matrix: every reader against every owner, and what two parts, added up, leave of it."""

from collections.abc import Sequence

from hopperlab.models.exchange import fit, left_over, pairs_of, rms
from hopperlab.views.axes import plain_layout
from hopperlab.views.picture import Picture


def latency_matrix(matrix: Sequence[Sequence[float]], card: str) -> Picture:
    """Draw the cycles until a block has a word of another's shared memory, for every pair of a cluster.

    Parameters
    ----------
    matrix
        A row a reader, a column an owner, by rank: measured cycles. At least three blocks.
    card
        What was measured.
    """
    import plotly.graph_objects as go

    size = len(matrix)
    pairs = pairs_of(matrix)
    parts = fit(pairs)
    rest = rms(left_over(parts, pairs))
    low, high = min(p[2] for p in pairs), max(p[2] for p in pairs)
    own = sum(matrix[rank][rank] for rank in range(size)) / size
    title = f"Remote {low:.0f} to {high:.0f} cycles, own {own:.0f}: measured, {card}"
    shown = [
        [None if reader == owner else round(matrix[reader][owner], 1) for owner in range(size)]
        for reader in range(size)
    ]
    heat = {
        "type": "heatmap",
        "z": shown,
        "colorscale": "Viridis",
        "colorbar": {"title": {"text": "cycles"}},
        "hovertemplate": "reader %{y}, owner %{x}: %{z} cycles<extra>measured</extra>",
        "xgap": 1,
        "ygap": 1,
    }
    layout = plain_layout(title, x="owner's rank", y="reader's rank", height=520)
    layout["xaxis"] |= {"dtick": 1, "constrain": "domain", "showgrid": False}
    layout["yaxis"] |= {"dtick": 1, "autorange": "reversed", "scaleanchor": "x", "showgrid": False}
    rows = [
        f"Cluster of {size}, cycles by rank; part is d of lat(i, j) = d_i + d_j, fitted.",
        "rank  part  mean as owner",
    ]
    for rank in range(size):
        column = [matrix[reader][rank] for reader in range(size) if reader != rank]
        rows.append(f"{rank:4}  {parts[rank]:5.1f}  {sum(column) / len(column):5.1f}")
    rows.append(f"The two parts leave {rest:.2f} cycles rms of the {len(pairs)} pairs they were fitted to.")
    return Picture(title, "\n".join(rows), figure=go.Figure({"data": [heat], "layout": layout}))
