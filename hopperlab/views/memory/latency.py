"""The latency staircase: model line, measured points, published diamonds, and the level's name on each tread."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import log10
from statistics import median
from typing import Any

from hopperlab.views.axes import plain_layout
from hopperlab.views.memory.chase import Chase
from hopperlab.views.palette import LIGHT
from hopperlab.views.picture import Picture

KIB, MIB, GIB = 2**10, 2**20, 2**30
TICKS = tuple(2**power for power in range(10, 35, 4))
DIAMOND = {"symbol": "diamond-open", "size": 12, "color": LIGHT["quoted"], "line": {"width": 2}}
BESIDE = {"whole L2": {"xanchor": "right", "xshift": -14}, "memory": {"xanchor": "right", "yshift": 22}}
"""Where a tread's name stands if not above its middle: these treads rise."""

ALIKE = 0.01
"""Points of which the twin makes one row: closer than this, as a share."""


@dataclass(frozen=True)
class Point:
    """One measured footprint of a chase: bytes, and the median, least and most cycles of a load."""

    footprint: float
    cycles: float
    low: float
    high: float


@dataclass(frozen=True)
class Published:
    """A published latency, in the picture's unit.

    Attributes
    ----------
    source
        Its claim id.
    footprint
        Where it is drawn: a footprint of its tread, in bytes.
    low, high
        Its bounds; equal where one number was published.
    device
        The card that gave it.
    """

    source: str
    footprint: float
    low: float
    high: float
    device: str

    def words(self, unit: str) -> str:
        """Say its source, its card and its value."""
        value = f"{self.low:g}" if self.low == self.high else f"{self.low:g} to {self.high:g}"
        return f"{self.source}, {self.device}, {value} {unit}"


def size(nbytes: float) -> str:
    """Say a number of bytes in the unit that suits it."""
    for unit, name in ((GIB, "GiB"), (MIB, "MiB"), (KIB, "KiB")):
        if nbytes >= 0.9995 * unit:
            return f"{nbytes / unit:.3g} {name}"
    return f"{nbytes:.0f} B"


def staircase(
    points: Sequence[Point],
    published: Sequence[Published],
    *,
    chase: Chase,
    footprint: float,
    card: str,
    clock_mhz: float | None = None,
) -> Picture:
    """The latency of a chase by its footprint: modelled, measured, and published for other cards.

    Parameters
    ----------
    points
        What was measured for this chase, by footprint; empty if nothing was.
    published
        Published latencies, in the picture's unit.
    chase
        Stride, carve-out and caches.
    footprint
        The footprint that is told in words, in bytes.
    card
        The card that gave the points.
    clock_mhz
        Its clock, for a picture in nanoseconds; in cycles if None.
    """
    import plotly.graph_objects as go

    scale, unit = (1.0, "cycles") if clock_mhz is None else (1000 / clock_mhz, "ns")
    here = chase.latency(footprint) * scale
    title = f"A footprint of {size(footprint)} is {here:.3g} {unit} away (modelled)"
    traces = [
        _line(chase, scale),
        _measured(points, scale, card),
        _diamonds(published, unit),
        {
            "type": "scatter",
            "x": [footprint],
            "y": [round(here, 2)],
            "mode": "markers",
            "name": "the chosen footprint",
            "marker": {"symbol": "x-thin", "size": 15, "line": {"width": 3, "color": LIGHT["finding"]}},
        },
    ]
    shares = ", ".join(f"{name} {100 * share:.0f} %" for name, share in chase.answers(footprint).items())
    lines = [f"Who answers there (modelled): {shares}.", *_errors(points, chase)]
    if points:
        lines.append(f"Footprints, modelled, measured on {card}, in {unit}; a row holds points within 1 %:")
        lines += [_row(some, chase, scale) for some in _alike(points, chase)]
    lines += [f"quoted: {one.words(unit)}" for one in published]
    figure = go.Figure(traces, _layout(title, unit, chase, scale))
    return Picture(title, "\n".join(lines), figure=figure)


def _layout(title: str, unit: str, chase: Chase, scale: float) -> dict[str, Any]:
    """The axes, the level's name above each tread, and the footprints of which the model knows least, shaded."""
    layout = plain_layout(title, x="footprint", y=f"{unit} a load", height=520)
    layout["xaxis"] |= {"type": "log", "tickvals": list(TICKS), "ticktext": [size(at) for at in TICKS]}
    layout["yaxis"] |= {"rangemode": "tozero"}
    layout["margin"] |= {"t": 110}
    layout["annotations"] = [
        {
            "x": log10(middle),
            "y": chase.latency(middle) * scale,
            "text": f"<b>{level}</b>",
            "showarrow": False,
            **BESIDE.get(level, {"xanchor": "center", "yshift": 22}),
        }
        for level, middle in chase.treads().items()
    ]
    if chase.guessed():
        low, high = chase.guessed()
        ends = {"x0": low, "x1": high, "xref": "x", "y0": 0, "y1": 1, "yref": "paper"}
        look = {"fillcolor": LIGHT["idle"], "opacity": 0.25, "line": {"width": 0}, "layer": "below"}
        layout["shapes"] = [{"type": "rect"} | ends | look]
    return layout


def _line(chase: Chase, scale: float) -> dict[str, Any]:
    footprints = chase.footprints(160)
    return {
        "type": "scatter",
        "x": [round(at) for at in footprints],
        "y": [round(chase.latency(at) * scale, 2) for at in footprints],
        "mode": "lines",
        "name": "modelled",
        "line": {"color": LIGHT["modelled"], "width": 3},
    }


def _measured(points: Sequence[Point], scale: float, card: str) -> dict[str, Any]:
    return {
        "type": "scatter",
        "x": [point.footprint for point in points],
        "y": [round(point.cycles * scale, 2) for point in points],
        "mode": "markers",
        "name": f"measured, {card}",
        "marker": {"symbol": "circle", "size": 8, "color": LIGHT["measured"]},
        "error_y": {
            "type": "data",
            "symmetric": False,
            "array": [round((point.high - point.cycles) * scale, 2) for point in points],
            "arrayminus": [round((point.cycles - point.low) * scale, 2) for point in points],
        },
    }


def _diamonds(published: Sequence[Published], unit: str) -> dict[str, Any]:
    return {
        "type": "scatter",
        "x": [one.footprint for one in published],
        "y": [(one.low + one.high) / 2 for one in published],
        "mode": "markers",
        "name": "quoted, other cards",
        "marker": DIAMOND,
        "text": [one.words(unit) for one in published],
        "hovertemplate": "%{text}<extra></extra>",
        "error_y": {"type": "data", "array": [(one.high - one.low) / 2 for one in published]},
    }


def _errors(points: Sequence[Point], chase: Chase) -> list[str]:
    """Say how far the model is off, and apart from that how far where it only guesses."""
    if not points:
        return ["Nothing was measured for this chase: the line is the model alone."]
    low, high = chase.guessed() or (0.0, 0.0)
    settled, guessed = [], []
    for point in points:
        off = abs(chase.latency(point.footprint) / point.cycles - 1)
        (guessed if low <= point.footprint <= high else settled).append(off)
    told = []
    if settled:
        told.append(
            f"Model against measured: median error {median(settled):.1%}, worst {max(settled):.1%} of "
            f"{len(settled)} points."
        )
    if guessed:
        told.append(
            f"Shaded, {size(low)} to {size(high)}, the L1's step, where the model only guesses: worst "
            f"{max(guessed):.1%} of {len(guessed)} points."
        )
    return told


def _alike(points: Sequence[Point], chase: Chase) -> list[list[Point]]:
    """Points in a row that are like the first of them, in the model and on the card."""

    def alike(one: float, other: float) -> bool:
        return abs(one / other - 1) < ALIKE

    groups: list[list[Point]] = []
    for point in points:
        first = groups[-1][0] if groups else None
        if (
            first
            and alike(point.cycles, first.cycles)
            and alike(chase.latency(point.footprint), chase.latency(first.footprint))
        ):
            groups[-1].append(point)
        else:
            groups.append([point])
    return groups


def _row(points: Sequence[Point], chase: Chase, scale: float) -> str:
    low, high = size(points[0].footprint), size(points[-1].footprint)
    span = low if low == high else f"{low} to {high}"
    modelled = chase.latency(points[0].footprint) * scale
    measured = median(point.cycles for point in points) * scale
    return f"{span:>22}  {modelled:7.1f}  {measured:7.1f}"
