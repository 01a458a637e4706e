"""How many bytes come a second: by footprint, and by what is in flight."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from hopperlab.models.memory import Streams
from hopperlab.views.axes import plain_layout
from hopperlab.views.memory.latency import DIAMOND, MIB, size
from hopperlab.views.palette import LIGHT
from hopperlab.views.picture import Picture

FULL = (16, 2, 264)  # width, loads and blocks of the kernel that is measured by footprint
MIXED_TO = 2.1  # times the L2 cache: up to there hits and misses mix
LINE = {"color": LIGHT["modelled"], "width": 3}


@dataclass(frozen=True)
class Rate:
    """A published bandwidth: its claim id, where it is drawn in bytes, GB/s, and the card that gave it."""

    source: str
    at: float
    gb_per_s: float
    device: str

    def words(self) -> str:
        """Say its source, its card and its value."""
        return f"{self.source}, {self.device}, {self.gb_per_s:g} GB/s"


@dataclass(frozen=True)
class Kernel:
    """A way to read: bytes of a load, loads of a thread in flight, threads of a block."""

    width: int
    in_flight: int
    threads: int = 512

    def nbytes(self, blocks: int) -> int:
        """Bytes that so many blocks have in flight."""
        return blocks * self.threads * self.width * self.in_flight

    def words(self) -> str:
        """Say it."""
        return f"{self.in_flight} {'load' if self.in_flight == 1 else 'loads'} of {self.width} bytes"


def by_footprint(
    points: Sequence[tuple[float, float]],
    published: Sequence[Rate],
    *,
    how: str,
    l2_bytes: int,
    card: str,
    modelled: bool = True,
) -> Picture:
    """Bandwidth by how many bytes are visited over and over.

    Parameters
    ----------
    points
        Footprints in bytes and measured GB/s.
    published
        Published rates, at their footprints.
    how
        What is done, in words.
    l2_bytes
        The size of the L2 cache.
    card
        The card that gave the points.
    modelled
        Whether the model of streams that read tells of this.
    """
    import plotly.graph_objects as go

    top = max(points, key=lambda point: point[1])
    title = f"{how}: {top[1] / 1000:.3g} TB/s at {size(top[0])}, {points[-1][1] / 1000:.3g} at {size(points[-1][0])}"
    traces: list[dict[str, Any]] = []
    lines = []
    if modelled:
        l2, memory = (Streams().bandwidth(level, *FULL) / 1e9 for level in ("L2", "HBM"))
        ends = (points[0][0], l2_bytes, None, MIXED_TO * l2_bytes, points[-1][0])
        traces.append(_line(ends, (l2, l2, None, memory, memory), "modelled, of one level"))
        lines.append(
            f"modelled: L2 cache {l2:.0f} GB/s, device memory {memory:.0f}; between, both answer: no line."
        )
    else:
        lines.append("No model here: it tells of reads past the L1 cache.")
    traces.append(_dots(points, f"measured, {card}", "measured"))
    if published:
        traces.append(_diamonds(published))
    layout = plain_layout(title, x="footprint", y="GB/s", height=480)
    ticks = [2**power for power in range(11, 31, 3)]
    layout["xaxis"] |= {"type": "log", "tickvals": ticks, "ticktext": [size(at) for at in ticks]}
    layout["yaxis"] |= {"rangemode": "tozero"}
    layout["shapes"] = [upright(l2_bytes)]
    layout["showlegend"] = True  # of a lone kind of mark as well
    lines.append(f"The L2 cache is {size(l2_bytes)}. Measured on {card}, GB/s by footprint:")
    lines += [f"{size(at):>9}  {rate:8.0f}" for at, rate in points]
    lines += [f"quoted: {one.words()}" for one in published]
    return Picture(title, "\n".join(lines), figure=go.Figure(traces, layout))


def by_what_is_in_flight(
    measured: Mapping[Kernel, Mapping[int, float]],
    published: Sequence[Rate],
    *,
    level: str,
    chosen: Kernel,
    blocks: int,
    axis: str,
    card: str,
) -> Picture:
    """Bandwidth of one kernel by its bytes in flight or its blocks, among the others.

    Parameters
    ----------
    measured
        GB/s of each kernel by its blocks.
    published
        Published rates, at their bytes in flight.
    level
        "L2" or "HBM".
    chosen, blocks
        The kernel that is drawn in full, and how many of its blocks are told of.
    axis
        "bytes in flight" or "blocks".
    card
        The card that gave the rates.
    """
    import plotly.graph_objects as go

    model = Streams()

    def place(kernel: Kernel, count: int) -> float:
        return kernel.nbytes(count) if axis == "bytes in flight" else count

    def rate(count: int) -> float:
        return model.bandwidth(level, chosen.width, chosen.in_flight, count) / 1e9

    own, fill = measured[chosen], model.bytes_to_fill(level)
    others = [
        (place(kernel, count), each)
        for kernel, rates in measured.items()
        if kernel != chosen
        for count, each in rates.items()
    ]
    counts = sorted({*own, *(round(2 ** (n / 4)) for n in range(37))})
    title = f"{blocks} blocks with {chosen.words()} read {rate(blocks) / 1000:.3g} TB/s (modelled)"
    traces = [
        _dots(others, "measured, other kernels", "idle", 6),
        _line([place(chosen, n) for n in counts], [round(rate(n), 1) for n in counts], "modelled"),
        _dots([(place(chosen, n), each) for n, each in own.items()], f"measured, {card}", "measured"),
        _cross(place(chosen, blocks), rate(blocks)),
    ]
    shown = published if axis == "bytes in flight" else ()
    if shown:
        traces.append(_diamonds(shown))
    layout = plain_layout(title, x=f"{axis} on the card", y="GB/s", height=500)
    layout["xaxis"] |= {"type": "log", "tickvals": [1, 2, 4, 8, 16, 32, 66, 132, 264, 528]}
    layout["yaxis"] |= {
        "type": "log",
        "tickvals": [scale * 10**n for n in range(1, 5) for scale in (1, 2, 5)],
    }
    if axis == "bytes in flight":
        ticks = [2**power for power in range(11, 26, 2)]
        layout["xaxis"] |= {"tickvals": ticks, "ticktext": [size(at) for at in ticks]}
        layout["shapes"] = [upright(fill)]
    here = chosen.nbytes(blocks)
    lines = [
        f"In flight: {size(here)}, {here / fill:.0%} of the {fill / MIB:.2f} MiB that rate times latency asks for, "
        f"from {'the L2 cache' if level == 'L2' else 'device memory'} (modelled).",
        f"Blocks, bytes in flight, GB/s modelled, GB/s measured on {card}:",
    ]
    lines += [f"{n:>4}  {size(chosen.nbytes(n)):>9}  {rate(n):8.1f}  {each:8.1f}" for n, each in own.items()]
    lines += [f"quoted: {one.words()}" for one in shown]
    return Picture(title, "\n".join(lines), figure=go.Figure(traces, layout))


def _line(x: Sequence[float | None], y: Sequence[float | None], name: str) -> dict[str, Any]:
    return {"type": "scatter", "x": list(x), "y": list(y), "mode": "lines", "name": name, "line": LINE}


def _dots(points: Sequence[tuple[float, float]], name: str, role: str, large: int = 9) -> dict[str, Any]:
    x, y = [at for at, _ in points], [rate for _, rate in points]
    marker = {"symbol": "circle", "size": large, "color": LIGHT[role]}
    return {"type": "scatter", "x": x, "y": y, "mode": "markers", "name": name, "marker": marker}


def _diamonds(published: Sequence[Rate]) -> dict[str, Any]:
    return {
        "type": "scatter",
        "x": [one.at for one in published],
        "y": [one.gb_per_s for one in published],
        "mode": "markers",
        "name": "quoted",
        "marker": DIAMOND,
        "text": [one.words() for one in published],
        "hovertemplate": "%{text}<extra></extra>",
    }


def _cross(x: float, y: float) -> dict[str, Any]:
    marker = {"symbol": "x-thin", "size": 15, "line": {"width": 3, "color": LIGHT["finding"]}}
    return {
        "type": "scatter",
        "x": [x],
        "y": [y],
        "mode": "markers",
        "name": "the chosen blocks",
        "marker": marker,
    }


def upright(x: float) -> dict[str, Any]:
    """A dotted line across a figure, from bottom to top."""
    look = {"color": LIGHT["idle"], "width": 2, "dash": "dot"}
    return {"type": "line", "x0": x, "x1": x, "y0": 0, "y1": 1, "yref": "paper", "line": look}
