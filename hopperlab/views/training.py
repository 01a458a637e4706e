"""Training drawn: losses over steps, how far recipes end from FP32, tensors against formats, and who is exposed."""

from collections.abc import Callable, Mapping, Sequence
from math import ceil, floor, log10
from statistics import fmean, stdev

import numpy as np

from hopperlab.measure.training import Runs
from hopperlab.models import fp8
from hopperlab.views import svg
from hopperlab.views.axes import plain_layout
from hopperlab.views.palette import LIGHT, NEUTRAL_INK
from hopperlab.views.picture import Picture

COLORS = ("compute", "engine", "waiting", "barrier", "memory", "finding")
DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot")


def curves(runs: Sequence[Runs], live: tuple[str, Sequence[int], Sequence[float]] | None = None) -> Picture:
    """Held-out loss over steps: mean of the seeds, bars of one standard deviation; and one live run as markers.

    Parameters
    ----------
    runs
        Six recipes at most.
    live
        Name, checkpoints and losses of one run made now; its losses are shown to two decimals, which every
        machine gives alike.
    """
    if not 1 <= len(runs) <= len(COLORS):
        raise ValueError(f"runs has {len(runs)} recipes; one to {len(COLORS)} can be told apart")
    import plotly.graph_objects as go

    seeds = len(runs[0].losses)
    title = f"Held-out loss of {len(runs)} recipe{'s' * (len(runs) > 1)}, {seeds} seeds each"
    figure = go.Figure()
    lines = [f"Mean held-out loss, nats a character, {seeds} seeds each, with standard deviation; modelled."]
    lines.append(f"{'step':>24}" + "".join(f"{step:>16}" for step in runs[0].checkpoints))
    for run, color, dash in zip(runs, COLORS, DASHES, strict=False):
        columns = list(zip(*run.losses.values(), strict=True))
        means, spreads = [fmean(c) for c in columns], [stdev(c) for c in columns]
        figure.add_scatter(
            x=list(run.checkpoints),
            y=[round(m, 4) for m in means],
            error_y={"type": "data", "array": [round(s, 4) for s in spreads], "thickness": 1.5},
            mode="lines",
            line={"width": 3, "dash": dash, "color": LIGHT[color]},
            name=run.recipe,
        )
        lines.append(
            f"{run.recipe:>24}" + "".join(f"{m:9.4f}±{s:6.4f}" for m, s in zip(means, spreads, strict=True))
        )
    if live is not None:
        name, checkpoints, losses = live
        shown = [round(loss, 2) for loss in losses]
        marker = {"size": 11, "symbol": "x", "color": NEUTRAL_INK}
        figure.add_scatter(
            x=list(checkpoints), y=shown, mode="markers", marker=marker, name=f"this run: {name}"
        )
        lines.append(f"{'this run':>24}" + "".join(f"{loss:16.2f}" for loss in shown) + f"  {name}")
    figure.update_layout(plain_layout(title, x="step", y="held-out loss (nats a character)", height=480))
    figure.update_layout(margin={"t": 130})
    return Picture(title, "\n".join(lines), figure=figure)


def gaps(runs: Mapping[str, Runs], against: str = "FP32") -> Picture:
    """Loss at the end above another recipe's: mean over paired seeds, bars of two standard errors."""
    import plotly.graph_objects as go

    others = {name: run.gap(runs[against]) for name, run in runs.items() if name != against}
    shown = {name: gap for name, gap in others.items() if abs(gap[0]) < 1}
    broken = {name: gap for name, gap in others.items() if name not in shown}
    seeds = len(runs[against].losses)
    apart = [name for name, (mean, error) in shown.items() if abs(mean) > 2 * error]
    title = f"Above {against} by more than two standard errors: {', '.join(apart) or 'none'}"
    names = list(shown)
    figure = go.Figure()
    figure.add_scatter(
        x=[round(shown[name][0], 5) for name in names],
        y=names,
        error_x={"type": "data", "array": [round(2 * shown[name][1], 5) for name in names], "thickness": 2},
        mode="markers",
        marker={"size": 11, "color": LIGHT["modelled"]},
        name=f"mean of {seeds} paired seeds, two standard errors",
    )
    figure.add_vline(x=0, line={"color": NEUTRAL_INK, "dash": "dash"})
    axis = f"held-out loss above {against} (nats a character)"
    figure.update_layout(plain_layout(title, x=axis, height=170 + 44 * len(names)))
    figure.update_layout(showlegend=True)
    figure.update_yaxes(autorange="reversed")
    lines = [
        f"Held-out loss at the end above {against}, mean and standard error of {seeds} paired seeds; modelled."
    ]
    lines += [f"{name:>24}  {mean:+8.4f} ± {error:.4f}" for name, (mean, error) in others.items()]
    if broken:
        lines.append(f"Off the figure: {', '.join(broken)}.")
    return Picture(title, "\n".join(lines), figure=figure)


WIDTH, LEFT, RIGHT = 1010, 110, 970
TOP, ROW, BAR = 118, 30, 12
EDGES = {"e4m3": "10 6", "e5m2": "3 5"}  # formats, and the dashes of their edges


def tensor_ranges(tensors: Mapping[str, np.ndarray]) -> Picture:
    """Where the magnitudes of a step's tensors lie, beside what both formats reach at scale 1.

    A bar goes from the 1st to the 99th percentile of the magnitudes that are not zero; the dot is amax.
    """
    magnitudes = {name: np.abs(tensor[tensor != 0]) for name, tensor in tensors.items()}
    ranges = {name: _range(values) for name, values in magnitudes.items()}
    lost = {name: [_flushed(values, fmt) for fmt in EDGES] for name, values in magnitudes.items()}
    worst = max(lost, key=lambda name: lost[name][0])
    title = f"Unscaled, E4M3 flushes {lost[worst][0]:.0f} % of {worst}"
    edges = {fmt: (fp8.format_named(fmt).smallest_subnormal, fp8.format_named(fmt).largest) for fmt in EDGES}
    ends = [end for pair in (*edges.values(), *ranges.values()) for end in pair]
    low, high = floor(log10(min(ends))), ceil(log10(max(ends)))

    def x(value: float) -> float:
        return LEFT + (RIGHT - LEFT) * (log10(value) - low) / (high - low)

    bottom = TOP + ROW * len(tensors)
    body = [svg.text(20, 34, title, bold=True, size=17), *_ticks(low, high, x, bottom)]
    for place, (fmt, pair) in enumerate(edges.items()):
        looks = f'stroke-width="2" stroke-dasharray="{EDGES[fmt]}"'
        for edge in pair:
            body.append(svg.path(f"M{x(edge):.1f} {TOP - 12}V{bottom}", "f-none s-finding", looks))
        left = LEFT + 290 * place
        body.append(svg.path(f"M{left} 66h40", "f-none s-finding", looks))
        body.append(svg.text(left + 50, 71, f"the ends of {fp8.format_named(fmt).title}"))
    for place, (name, (least, most, top)) in enumerate(ranges.items()):
        y = TOP + ROW * place
        parts = [
            svg.rect(x(least), y, max(x(most) - x(least), 1), BAR, "f-memory", 'rx="3"'),
            f'<circle class="f-compute" cx="{x(top):.1f}" cy="{y + BAR / 2:g}" r="6"/>',
        ]
        body.append(svg.group(parts, "tensor", f"{name}: {least:.3g} to {most:.3g}, amax {top:.3g}"))
        body.append(svg.text(20, y + 12, name))
    label = "magnitude; a bar holds 98 % of a tensor, a dot is its amax"
    body.append(svg.text((LEFT + RIGHT) / 2, bottom + 52, label, "f-quiet", anchor="middle"))
    lines = [
        f"{'tensor':>8}  {'1st percentile':>15}  {'amax':>10}  {'lost in E4M3 %':>15}  {'lost in E5M2 %':>15}"
    ]
    lines += [
        f"{name:>8}  {least:15.3g}  {top:10.3g}  {lost[name][0]:15.1f}  {lost[name][1]:15.1f}"
        for name, (least, _, top) in ranges.items()
    ]
    drawing = svg.document(WIDTH, bottom + 68, title, label, body)
    return Picture(title, "\n".join(lines), svg=drawing)


def _range(magnitudes: np.ndarray) -> tuple[float, float, float]:
    """1st and 99th percentile and the largest, to three digits, which every machine gives alike."""
    ends = (*np.quantile(magnitudes, [0.01, 0.99]), magnitudes.max())
    return tuple(float(f"{end:.3g}") for end in ends)


def _flushed(magnitudes: np.ndarray, fmt: str) -> float:
    """The share, in %, that becomes zero."""
    return 100 * float(np.mean(fp8.decode(fp8.encode(magnitudes, fmt), fmt) == 0))


def _ticks(low: int, high: int, x: Callable[[float], float], bottom: float) -> list[str]:
    drawn = []
    for power in range(low, high + 1):
        drawn.append(svg.path(f"M{x(10.0**power):.1f} {TOP - 12}V{bottom}", "f-none s-line"))
        if power % 2 == 0:
            words = f"10^{power}" if power else "1"
            drawn.append(svg.text(x(10.0**power), bottom + 24, words, "f-quiet", anchor="middle"))
    return drawn


def exposure(terms: Sequence[int], errors: Mapping[str, Sequence[float]]) -> Picture:
    """Error of dot products in FP8 against their length, a line a kind of data."""
    import plotly.graph_objects as go

    title = (
        f"Sums of {terms[0]} terms average nothing out; sums of {terms[-1]} do, if their terms agree in sign"
    )
    figure = go.Figure()
    lines = ["Error of a dot product of E4M3 operands, % of the products' root mean square; modelled."]
    lines.append(f"{'terms':>8}" + "".join(f"  {name:>16}" for name in errors))
    for (name, values), color, dash in zip(errors.items(), COLORS, DASHES, strict=False):
        line = {"width": 3, "dash": dash, "color": LIGHT[color]}
        figure.add_scatter(
            x=list(terms), y=[round(100 * v, 3) for v in values], mode="lines+markers", line=line, name=name
        )
    for place, count in enumerate(terms):
        lines.append(f"{count:8}" + "".join(f"  {100 * values[place]:16.2f}" for values in errors.values()))
    figure.update_layout(plain_layout(title, x="terms of a sum", y="error (%)"))
    figure.update_xaxes(type="log", tickvals=list(terms), ticktext=[str(k) for k in terms])
    figure.update_yaxes(type="log", tickvals=[0.1, 0.3, 1, 3])
    return Picture(title, "\n".join(lines), figure=figure)
