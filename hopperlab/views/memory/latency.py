"""How far away a byte is: the latency staircase, the L2 cache's two halves by SM, the memories within an SM."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median

import numpy as np

from hopperlab.models.memory import LEVELS, Staircase
from hopperlab.views import svg
from hopperlab.views.axes import plain_layout
from hopperlab.views.palette import LIGHT
from hopperlab.views.picture import Picture

KIB, MIB, GIB = 2**10, 2**20, 2**30
TICKS = tuple(2**power for power in range(10, 35, 4))
DIAMOND = {"symbol": "diamond-open", "size": 12, "color": LIGHT["quoted"], "line": {"width": 2}}


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


@dataclass(frozen=True)
class Chase:
    """How the lines of a chase lie, and what the L1 cache has left of its SM."""

    stride: int
    shared_kib: int = 0
    through_l1: bool = True


def size(nbytes: float) -> str:
    """Say a number of bytes in the unit that suits it."""
    for unit, name in ((GIB, "GiB"), (MIB, "MiB"), (KIB, "KiB")):
        if nbytes >= 0.9995 * unit:
            return f"{nbytes / unit:.3g} {name}"
    return f"{nbytes:.0f} B"


def answers(model: Staircase, footprint: float, chase: Chase, l2_bytes: int) -> dict[str, float]:
    """Give the share of loads that each level answers, by the level's name."""
    beyond = model.shares(
        footprint,
        chase.stride,
        shared_kib=chase.shared_kib,
        through_l1=chase.through_l1,
        l2_bytes=l2_bytes,
    )
    shares = -np.diff([1.0, *beyond, 0.0]) + 0.0  # no share is -0
    return dict(zip(LEVELS, shares.tolist(), strict=True))


def staircase(
    points: Sequence[Point],
    published: Sequence[Published],
    *,
    chase: Chase,
    footprint: float,
    card: str,
    l2_bytes: int,
    clock_mhz: float | None = None,
    model: Staircase | None = None,
) -> Picture:
    """The latency of a chase by its footprint: model line, measured points, published diamonds.

    Parameters
    ----------
    points
        What was measured for this chase; empty if nothing was.
    published
        Published latencies, in the picture's unit.
    chase
        Stride, carve-out, and whether loads look into the L1 cache.
    footprint
        The footprint that is told in words, in bytes.
    card, l2_bytes
        The card that gave the points, and the size of its L2 cache.
    clock_mhz
        Its clock, for a picture in nanoseconds; in cycles if None.
    """
    model = model or Staircase()
    scale, unit = (1.0, "cycles") if clock_mhz is None else (1000 / clock_mhz, "ns")

    def latency(at: float) -> float:
        return model.latency(
            at, chase.stride, shared_kib=chase.shared_kib, through_l1=chase.through_l1, l2_bytes=l2_bytes
        )

    here = latency(footprint) * scale
    title = f"A footprint of {size(footprint)} is {here:.3g} {unit} away (modelled)"
    figure = _staircase_figure(points, published, chase, latency, (footprint, here), scale, unit, card)
    layout = plain_layout(title, x="footprint", y=f"{unit} a load", height=520)
    layout["xaxis"] |= {"type": "log", "tickvals": list(TICKS), "ticktext": [size(at) for at in TICKS]}
    layout["yaxis"] |= {"rangemode": "tozero"}
    layout["margin"] |= {"t": 110}
    figure.update_layout(layout)
    _name_treads(figure, model, chase, l2_bytes, scale)
    guess = _guessed(model, chase)
    if guess:
        figure.add_vrect(*guess, fillcolor=LIGHT["idle"], opacity=0.25, line_width=0, layer="below")
    shares = answers(model, footprint, chase, l2_bytes)
    told = ", ".join(f"{name} {100 * share:.0f} %" for name, share in shares.items())
    lines = [f"Who answers there (modelled): {told}.", *_errors(points, latency, guess)]
    if points:
        lines.append(f"Footprints, modelled, measured on {card}, in {unit}; a row holds points within 1 %:")
        lines += [_row(some, latency, scale) for some in _alike(points, latency)]
    lines += [f"quoted: {one.source}, {one.device}, {_bounds(one)} {unit}" for one in published]
    return Picture(title, "\n".join(lines), figure=figure)


def _staircase_figure(points, published, chase, latency, here, scale, unit, card):
    import plotly.graph_objects as go

    footprints = np.geomspace(max(TICKS[0], chase.stride), TICKS[-1], 160)
    figure = go.Figure()
    figure.add_scatter(
        x=footprints.round().tolist(),
        y=[round(latency(at) * scale, 2) for at in footprints],
        mode="lines",
        name="modelled",
        line={"color": LIGHT["modelled"], "width": 3},
    )
    figure.add_scatter(
        x=[point.footprint for point in points],
        y=[round(point.cycles * scale, 2) for point in points],
        mode="markers",
        name=f"measured, {card}",
        marker={"symbol": "circle", "size": 8, "color": LIGHT["measured"]},
        error_y={
            "type": "data",
            "symmetric": False,
            "array": [round((point.high - point.cycles) * scale, 2) for point in points],
            "arrayminus": [round((point.cycles - point.low) * scale, 2) for point in points],
        },
    )
    figure.add_scatter(
        x=[one.footprint for one in published],
        y=[(one.low + one.high) / 2 for one in published],
        mode="markers",
        name="quoted, other cards",
        marker=DIAMOND,
        text=[f"{one.source}, {one.device}: {_bounds(one)} {unit}" for one in published],
        hovertemplate="%{text}<extra></extra>",
        error_y={"type": "data", "array": [(one.high - one.low) / 2 for one in published]},
    )
    figure.add_scatter(
        x=[here[0]],
        y=[round(here[1], 2)],
        mode="markers",
        name="the chosen footprint",
        marker={"symbol": "x-thin", "size": 15, "line": {"width": 3, "color": LIGHT["finding"]}},
    )
    return figure


def _name_treads(figure, model: Staircase, chase: Chase, l2_bytes: int, scale: float) -> None:
    """Write each level's name where it answers most of the loads, or would."""
    grid = np.geomspace(max(TICKS[0], chase.stride), TICKS[-1], 400)
    shares = [answers(model, at, chase, l2_bytes) for at in grid]
    for name in LEVELS:
        most = [at for at, share in zip(grid, shares, strict=True) if share[name] > 0.5]
        most = most or [max(zip(grid, shares, strict=True), key=lambda pair: pair[1][name])[0]]
        middle = float(np.sqrt(most[0] * most[-1]))
        if answers(model, middle, chase, l2_bytes)[name] < 0.05:
            continue
        cycles = model.latency(
            middle,
            chase.stride,
            shared_kib=chase.shared_kib,
            through_l1=chase.through_l1,
            l2_bytes=l2_bytes,
        )
        figure.add_annotation(
            x=np.log10(middle),
            y=cycles * scale,
            text=f"<b>{name}</b>",
            showarrow=False,
            yshift=24,
            xshift=-30 if name in LEVELS[2:] else 0,
        )


def _guessed(model: Staircase, chase: Chase) -> tuple[float, float] | None:
    """Give the footprints between which the model only guesses, or None where loads pass the L1 by."""
    if not chase.through_l1:
        return None
    grid = np.geomspace(TICKS[0], TICKS[-1], 2000)
    inside = [at for at in grid if model.on_the_l1_step(at, chase.stride, shared_kib=chase.shared_kib)]
    return (float(inside[0]), float(inside[-1])) if inside else None


def _errors(points: Sequence[Point], latency, guess: tuple[float, float] | None) -> list[str]:
    if not points:
        return ["Nothing was measured for this chase: the line is the model alone."]
    low, high = guess or (0.0, 0.0)
    settled = [p for p in points if not low <= p.footprint <= high]
    within = [p for p in points if low <= p.footprint <= high]
    off = {
        name: [abs(latency(p.footprint) / p.cycles - 1) for p in chosen]
        for name, chosen in (("settled", settled), ("within", within))
    }
    told = [
        f"Model against measured: median error {median(off['settled']):.1%}, worst {max(off['settled']):.1%}"
        f" of {len(settled)} points."
    ]
    if within:
        told.append(
            f"Shaded, {size(low)} to {size(high)}, the L1's step, where the model only guesses: worst "
            f"{max(off['within']):.1%} of {len(within)} points."
        )
    return told


def _alike(points: Sequence[Point], latency) -> list[list[Point]]:
    """Points in a row that are within 1 % of the first of them, in the model and on the card."""
    groups: list[list[Point]] = []
    for point in points:
        first = groups[-1][0] if groups else None
        if first and all(
            abs(one / other - 1) < 0.01
            for one, other in (
                (point.cycles, first.cycles),
                (latency(point.footprint), latency(first.footprint)),
            )
        ):
            groups[-1].append(point)
        else:
            groups.append([point])
    return groups


def _row(points: Sequence[Point], latency, scale: float) -> str:
    low, high = size(points[0].footprint), size(points[-1].footprint)
    span = low if low == high else f"{low} to {high}"
    modelled = latency(points[0].footprint) * scale
    measured = median(point.cycles for point in points) * scale
    return f"{span:>22}  {modelled:7.1f}  {measured:7.1f}"


def _bounds(one: Published) -> str:
    return f"{one.low:g}" if one.low == one.high else f"{one.low:g} to {one.high:g}"


BOX, ROW, LEFT, TOP = 48, 32, 130, 104


def halves(
    gpcs: Sequence[Sequence[int]], cycles: Sequence[float], *, far_from: float, line: int, how: str, card: str
) -> Picture:
    """How far one line of the L2 cache is from each SM; SMs in rows by GPC.

    Parameters
    ----------
    gpcs
        The SMs of each group that shares a GPC.
    cycles
        Of a visit from each SM, by its number.
    far_from
        The cycles from which a visit counts as far.
    line, how, card
        The line's number; "loads" or "atomics"; the card that was measured.
    """
    near = [sm for sm in range(len(cycles)) if cycles[sm] < far_from]
    far = [sm for sm in range(len(cycles)) if cycles[sm] >= far_from]
    counts = [_group("near", near, cycles), _group("far", far, cycles)]
    title = f"Line {line}, {how}: {'; '.join(count for count in counts if count)} (measured, {card})"
    body = [svg.text(20, 34, title, bold=True, size=17)]
    body += [svg.rect(20, 52, BOX - 4, 24, "f-hue3"), svg.text(74, 70, "near")]
    body += [svg.rect(140, 52, BOX - 4, 24, "f-none s-ink"), svg.text(194, 70, "far")]
    body.append(
        svg.text(
            250,
            70,
            "A box is an SM, with the cycles of a visit; the SMs of a row were seen to share a GPC.",
            "f-quiet",
        )
    )
    rows = []
    for row, sms in enumerate(gpcs):
        y = TOP + ROW * row
        body.append(svg.text(20, y + 18, f"{len(sms)} SMs"))
        for place, sm in enumerate(sms):
            body.append(_sm(LEFT + BOX * place, y, sm, cycles[sm], sm in set(near)))
        inside = [sm for sm in sms if sm in set(near)]
        mean = sum(cycles[sm] for sm in sms) / len(sms)
        kind = "near" if len(inside) == len(sms) else "far" if not inside else f"{len(inside)} near"
        rows.append(f"SMs {', '.join(map(str, sms))}: {kind}, {mean:.0f} cycles on the mean")
    height = TOP + ROW * len(gpcs) + 12
    text = "\n".join(rows)
    return Picture(title, text, svg=svg.document(1010, height, title, text, body))


def _group(name: str, sms: Sequence[int], cycles: Sequence[float]) -> str:
    if not sms:
        return ""
    return f"{name} for {len(sms)} SMs, {sum(cycles[sm] for sm in sms) / len(sms):.0f} cycles"


def _sm(x: float, y: float, sm: int, cycles: float, near: bool) -> str:
    box = svg.rect(x, y, BOX - 4, ROW - 6, "f-hue3" if near else "f-none s-ink")
    ink = "on-hue3" if near else "f-ink"
    number = svg.text(x + BOX / 2 - 2, y + 18, f"{cycles:.0f}", ink, size=14, anchor="middle")
    return svg.group([box, number], "", f"SM {sm}: {cycles:.0f} cycles")


SYMBOLS = ("circle", "square", "triangle-up")


def within_an_sm(
    measured: Mapping[str, Sequence[Sequence[float]]], published: Sequence[Published], *, card: str
) -> Picture:
    """The memories that an SM has to itself, by how much of each a chase visits.

    Parameters
    ----------
    measured
        For each memory, pairs of bytes and cycles.
    published
        Published latencies in cycles, or sizes up to which one was flat.
    card
        The card that was measured.
    """
    import plotly.graph_objects as go

    roles = ("measured", "waiting", "engine")
    figure = go.Figure()
    for number, (name, rows) in enumerate(measured.items()):
        figure.add_scatter(
            x=[at for at, _ in rows],
            y=[cycles for _, cycles in rows],
            mode="markers",
            name=f"{name} (measured, {card})",
            marker={"symbol": SYMBOLS[number], "size": 9, "color": LIGHT[roles[number]]},
        )
    figure.add_scatter(
        x=[one.footprint for one in published],
        y=[one.low for one in published],
        mode="markers",
        name="quoted, other cards",
        marker=DIAMOND,
        text=[f"{one.source}, {one.device}" for one in published],
    )
    title = "Constants have a cache of their own, and it is small"
    layout = plain_layout(title, x="bytes visited", y="cycles a load", height=480)
    ticks = [2**power for power in range(8, 17, 2)]
    layout["xaxis"] |= {"type": "log", "tickvals": ticks, "ticktext": [size(at) for at in ticks]}
    layout["yaxis"] |= {"rangemode": "tozero"}
    layout["legend"] |= {"y": -0.3, "yanchor": "top"}
    layout["margin"] |= {"t": 60, "b": 150}
    figure.update_layout(layout)
    lines = []
    for name, rows in measured.items():
        told = ", ".join(f"{size(at)} {cycles:.1f}" for at, cycles in rows)
        lines.append(f"{name}, cycles by bytes visited (measured, {card}): {told}")
    lines += [f"quoted: {one.source}, {one.device}, {_bounds(one)} cycles" for one in published]
    return Picture(title, "\n".join(lines), figure=figure)
