"""Bus bandwidth against size: NCCL's model of each algorithm as lines, a recording's points over them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from hopperlab.models.collectives import best, estimate
from hopperlab.views.axes import plain_layout
from hopperlab.views.palette import LIGHT
from hopperlab.views.picture import Picture

SIZES = tuple(2**power for power in range(3, 34))
DASHES = {"ring": "solid", "tree": "dot", "NVLS": "dash"}
TICKS = {8: "8 B", 2**10: "1 KiB", 2**15: "32 KiB", 2**20: "1 MiB", 2**25: "32 MiB", 2**30: "1 GiB"}
ROWS = tuple(2**power for power in range(3, 34, 3))


@dataclass(frozen=True)
class Measured:
    """Measured bus bandwidth of one card.

    Attributes
    ----------
    name
        What the points are called.
    busbw
        GB/s by size in bytes.
    provenance
        Card, software and day.
    """

    name: str
    busbw: Mapping[int, float]
    provenance: str


def busbw_curves(ranks: int, multicast: bool = True, measured: Sequence[Measured] = ()) -> Picture:
    """Ring, tree and NVLS over sizes, each by its best protocol, and what was measured.

    Parameters
    ----------
    ranks
        GPUs of one HGX, 2 to 8.
    multicast
        Whether the switch may multicast: without it there is no NVLS.
    """
    import plotly.graph_objects as go

    names = [name for name in DASHES if multicast or name != "NVLS"]
    lines = {name: [_best_of(name, ranks, size) for size in SIZES] for name in names}
    title = f"{ranks} GPUs: {_choice(ranks, multicast)}"
    curves = []
    for name, values in lines.items():
        line = {"color": LIGHT["modelled"], "width": 3, "dash": DASHES[name]}
        rounded = [float(f"{value:.4g}") for value in values]
        curves.append(
            go.Scatter(x=list(SIZES), y=rounded, name=f"{name} (modelled)", mode="lines", line=line)
        )
    for number, one in enumerate(measured):
        symbol = ("circle", "square", "triangle-up", "star")[number % 4]
        marker = {"symbol": symbol, "size": 9, "color": LIGHT["measured"]}
        curves.append(
            go.Scatter(
                x=list(one.busbw),
                y=list(one.busbw.values()),
                name=f"{one.name} (measured)",
                mode="markers",
                marker=marker,
            )
        )
    layout = plain_layout(title, x="size of the all-reduce", y="busbw, GB/s, one direction", height=480)
    layout["xaxis"] |= {"type": "log", "tickvals": list(TICKS), "ticktext": list(TICKS.values())}
    layout["yaxis"]["range"] = [0, 500]
    layout["legend"] |= {"y": -0.26, "yanchor": "top"}
    layout["margin"] |= {"b": 140, "t": 60}
    figure = go.Figure(curves, layout)
    return Picture(title, _twin(lines, measured), figure=figure)


def _best_of(name: str, ranks: int, size: int) -> float:
    protocols = ("Simple",) if name == "NVLS" else ("LL", "LL128", "Simple")
    return max(estimate(name, ranks, size, protocol).bus_gb_per_s for protocol in protocols)


def _choice(ranks: int, multicast: bool) -> str:
    """What NCCL's model chooses for large messages, and from which size on."""
    algorithm, size = best(ranks, SIZES[-1], multicast).algorithm, _first_large(ranks, multicast)
    if size == SIZES[0]:
        return f"NCCL's model takes the {algorithm} at every size"
    return f"NCCL's model goes over to {algorithm} at {_words(size)}"


def _first_large(ranks: int, multicast: bool) -> int:
    """The smallest size from which on the largest size's algorithm is chosen."""
    last = best(ranks, SIZES[-1], multicast).algorithm
    kept = SIZES[-1]
    for size in reversed(SIZES):
        if best(ranks, size, multicast).algorithm != last:
            break
        kept = size
    return kept


def _words(size: int) -> str:
    for name, unit in (("GiB", 2**30), ("MiB", 2**20), ("KiB", 2**10)):
        if size >= unit:
            return f"{size // unit} {name}"
    return f"{size} B"


def _twin(lines: Mapping[str, Sequence[float]], measured: Sequence[Measured]) -> str:
    heads = [*lines, *(one.name for one in measured)]
    rows = ["busbw in GB/s, one direction", f"{'size':>8}  " + "  ".join(f"{name:>10}" for name in heads)]
    for place, size in enumerate(SIZES):
        if size in ROWS:
            cells = [f"{values[place]:10.4g}" for values in lines.values()]
            cells += [f"{one.busbw[size]:10.4g}" if size in one.busbw else f"{'-':>10}" for one in measured]
            rows.append(f"{_words(size):>8}  " + "  ".join(cells))
    rows += [f"{one.name}: measured on {one.provenance}" for one in measured]
    return "\n".join(rows if measured else [*rows, "Modelled; nothing measured is shown."])
