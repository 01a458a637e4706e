"""One run of nccl-tests in every unit: the switch that redraws each number."""

from hopperlab.models.collectives import Rate, algorithm_bandwidth, bus_bandwidth, wire_bandwidth
from hopperlab.views.axes import plain_layout
from hopperlab.views.palette import LIGHT
from hopperlab.views.picture import Picture

LINK = Rate(450e9, "wire")  # 18 NVLink 4 links, one direction (talk-046.a)
SAID = {"one": "one direction", "both": "both directions added"}


def one_run(
    op: str,
    algorithm: str,
    ranks: int,
    nbytes: float,
    seconds: float,
    unit: str = "GB/s",
    directions: str = "one",
) -> Picture:
    """Algorithm, bus and wire bandwidth of one run beside the link's, in a unit and in one direction or both.

    Parameters
    ----------
    op, algorithm, ranks, nbytes, seconds
        The run; the wire depends on the algorithm, the other two do not.
    unit
        GB/s, GiB/s or Gb/s.
    directions
        "one" or "both". An algorithm's bandwidth has no direction: it is never doubled.
    """
    import plotly.graph_objects as go

    algbw = algorithm_bandwidth(op, ranks, nbytes, seconds)
    wire = wire_bandwidth(op, ranks, nbytes, seconds, algorithm).in_directions(directions)
    busbw = bus_bandwidth(op, ranks, nbytes, seconds).in_directions(directions)
    shown = {
        "algbw: size over time": (algbw.in_unit(unit), "modelled"),
        "busbw: as nccl-tests prints": (busbw.in_unit(unit), "modelled"),
        "wire: what the link carries": (wire.in_unit(unit), "modelled"),
        "the link's speed": (LINK.in_directions(directions).in_unit(unit), "quoted"),
    }
    numbers = {name: round(value, 1) for name, (value, _) in shown.items()}
    way = "in the switch" if algorithm == "in-network" else algorithm
    title = f"{op} of {nbytes / 2**30:g} GiB, {ranks} GPUs, {way}: {seconds * 1e3:.4g} ms"
    bars = go.Bar(
        x=list(numbers.values()),
        y=list(numbers),
        orientation="h",
        text=[f"{value:,.1f}" for value in numbers.values()],
        textposition="outside",
        marker={
            "color": [LIGHT[role] for _, role in shown.values()],
            "pattern": {"shape": ["/" if role == "quoted" else "" for _, role in shown.values()]},
        },
    )
    layout = plain_layout(title, x=f"{unit}, {SAID[directions]} (algbw has none)", height=340)
    layout["margin"]["t"] = 50
    layout["yaxis"]["autorange"] = "reversed"
    layout["xaxis"]["range"] = [0, round(1.2 * max(numbers.values()), 1)]
    figure = go.Figure(bars, layout)
    rows = [f"{name:30} {value:9,.1f} {unit}" for name, value in numbers.items()]
    over = busbw.bytes_per_second > LINK.in_directions(directions).bytes_per_second
    why = (
        "busbw is above the link's speed because its factor assumes that every GPU sends each byte as a ring "
        "would; the switch sends fewer."
        if over
        else "busbw stays below the link's speed."
    )
    head = f"{unit}, {SAID[directions]}; algbw has no direction. Link quoted (talk-046.a), the rest modelled."
    return Picture(title, "\n".join([head, *rows, why]), figure=figure)
