"""Pictures of lesson 17: bits that change, a clock curve drawn and recorded, and a reading that trails."""

from collections.abc import Mapping, Sequence
from itertools import pairwise

import numpy as np

from hopperlab.views import svg
from hopperlab.views.axes import plain_layout
from hopperlab.views.palette import LIGHT
from hopperlab.views.picture import Picture

WIDTH = 1010
SHOWN = 32
CELL = 20
LEFT, TOP = 150, 100
PLOT_LEFT, PLOT_RIGHT, PLOT_FOOT, PLOT_TALL = 110.0, 980.0, 400.0, 310.0
BAR_LEFT, BAR_WIDE, BAR_HIGH, BAR_STEP = 150, 480, 18, 52
STRIPS = {"W, as read": (100, 700), "degrees C": (30, 70)}
"""What is drawn below the clock, and from where to where."""

STRIP_TALL, STRIP_GAP = 90.0, 34.0


def bits(
    numbers: np.ndarray,
    rows: Mapping[str, tuple[float, float, float]],
    measured: Mapping[str, tuple[float, float]],
    *,
    chosen: str,
    title: str,
    note: str,
) -> Picture:
    """The bits of numbers that follow each other, those that change marked, above watts and clock of each filling.

    Parameters
    ----------
    numbers
        uint8, 32 of them or more: the first 32 are shown.
    rows
        For each filling: the share of bits that changes, watts, and the clock in MHz, all modelled.
    measured
        For each of these fillings: watts, and the clock in MHz.
    chosen
        The filling that is shown; one of the rows.
    title, note
        The statement on top, and a sentence at the foot.
    """
    changed = np.unpackbits((numbers[1:SHOWN] ^ numbers[: SHOWN - 1])[:, None], axis=1)
    values = np.unpackbits(numbers[:SHOWN, None], axis=1)
    body = [svg.text(20, 34, title, bold=True, size=17)]
    body.append(
        svg.text(20, 62, "32 numbers after each other, a column each. Filled: a bit that changed.", "f-quiet")
    )
    for bit in range(8):
        y = TOP + CELL * bit
        body.append(
            svg.text(20, y + 15, "sign" if bit == 0 else "exponent" if bit < 5 else "mantissa", size=14)
        )
        for place in range(SHOWN):
            x = LEFT + CELL * place
            flips = place and changed[place - 1, bit]
            role = "f-compute" if flips else "f-none s-line"
            body.append(svg.rect(x, y, CELL - 3, CELL - 3, role))
            if not flips:
                body.append(
                    svg.text(x + 8, y + 13, str(values[place, bit]), "f-quiet", size=12, anchor="middle")
                )
    top = TOP + 8 * CELL + 50
    body.append(svg.text(20, top - 16, "Watts of the card, and the clock that it keeps", "f-quiet"))
    most = max(watts for watts, _ in [row[1:] for row in rows.values()] + [*measured.values()])
    for number, (name, (share, watts, mhz)) in enumerate(rows.items()):
        y = top + BAR_STEP * number
        body.append(svg.text(20, y + 14, name, bold=name == chosen))
        body.append(svg.text(20, y + 14 + BAR_HIGH, f"{share:.0%} change", "f-quiet", size=14))
        for role, drawn, clock, down in (
            ("modelled", watts, mhz, 0),
            ("measured", *measured[name], BAR_HIGH + 2),
        ):
            long = BAR_WIDE * drawn / most
            body.append(svg.rect(BAR_LEFT, y + down, long, BAR_HIGH, f"f-{role}"))
            told = f"{drawn:.0f} W, {clock:.0f} MHz, {role}"
            body.append(svg.text(BAR_LEFT + long + 10, y + down + 14, told, bold=name == chosen))
    text = "\n".join(
        [
            f"bits that change within the first {SHOWN} numbers of {chosen}: {int(changed.sum())} of {changed.size}",
            *(
                f"{name}: {share:.1%} of bits change, {watts:.0f} W, {mhz:.0f} MHz (modelled); "
                f"{measured[name][0]:.0f} W, {measured[name][1]:.0f} MHz (measured)"
                for name, (share, watts, mhz) in rows.items()
            ),
            note,
        ]
    )
    foot = top + BAR_STEP * len(rows) + 18
    body.append(svg.text(20, foot, note, "f-quiet"))
    return Picture(title, text, svg=svg.document(WIDTH, foot + 16, title, text, body))


def clock_curve(
    drawn: Sequence[tuple[float, float]],
    recorded: Sequence[tuple[float, float]] | None,
    *,
    beside: Mapping[str, Sequence[tuple[float, float]]],
    title: str,
    card: str,
) -> Picture:
    """A clock curve as somebody drew it, and the recorded one over it, above what else was read meanwhile.

    Parameters
    ----------
    drawn, recorded
        Pairs of seconds since the load began and MHz, 1000 to 2000; recorded None leaves it out.
    beside
        Pairs of seconds and a value, for any of `STRIPS`; none leaves a strip empty.
    title, card
        The statement on top; the card that was measured.
    """
    last = max(at for at, _ in [*drawn, *(recorded or ())])
    across = (PLOT_RIGHT - PLOT_LEFT) / last

    def place(at: float, mhz: float) -> tuple[float, float]:
        return PLOT_LEFT + across * at, PLOT_FOOT - PLOT_TALL * (mhz - 1000) / 1000

    body = [svg.text(20, 34, title, bold=True, size=17)]
    for mhz in range(1000, 2001, 200):
        _, y = place(0, mhz)
        body.append(svg.path(f"M{PLOT_LEFT:g} {y:g}H{PLOT_RIGHT:g}", "f-none s-line"))
        body.append(svg.text(PLOT_LEFT - 10, y + 5, f"{mhz} MHz", "f-quiet", anchor="end", size=14))
    for second in range(int(last) + 1):
        x, _ = place(second, 1000)
        body.append(svg.text(x, PLOT_FOOT + 22, f"{second} s", "f-quiet", anchor="middle", size=14))
    lines = ["yours: " + ", ".join(f"{mhz:g} MHz at {at:g} s" for at, mhz in drawn)]
    if recorded:
        held = [(at, before) for (_, before), (at, _) in pairwise(recorded)]
        steps = [recorded[0], *(point for pair in zip(held, recorded[1:], strict=True) for point in pair)]
        body.append(
            svg.path(_line([place(*point) for point in steps]), "f-none s-measured", 'stroke-width="2"')
        )
        clocks = [mhz for _, mhz in recorded]
        lines.append(
            f"measured, {card}: {clocks[0]} MHz at first, least {min(clocks)}, "
            f"median {np.median(clocks):.0f}, {clocks[-1]} in the end"
        )
    else:
        lines.append("the recorded curve is hidden: draw yours first, then show it")
    dashes = 'stroke-width="3" stroke-dasharray="10 6"'
    body.append(svg.path(_line([place(*point) for point in drawn]), "f-none s-modelled", dashes))
    legend = f"SM clock since the load began. Dashed: yours. Solid: measured, {card}."
    body.append(svg.text(20, 62, legend, "f-quiet"))
    foot = PLOT_FOOT + 40
    for name, points in beside.items():
        foot += STRIP_TALL + STRIP_GAP
        body += _strip(name, [(PLOT_LEFT + across * at, value) for at, value in points], foot - STRIP_GAP / 2)
        values = [value for _, value in points]
        if not values:
            continue
        lines.append(
            f"{name}, measured: {values[0]:.0f} at first, at most {max(values):.0f}, {values[-1]:.0f} in the end"
        )
    text = "\n".join(lines)
    return Picture(title, text, svg=svg.document(WIDTH, foot, title, text, body))


def _strip(name: str, points: Sequence[tuple[float, float]], foot: float) -> list[str]:
    """A small plot of points that have their x already."""
    low, high = STRIPS[name]
    scale = STRIP_TALL / (high - low)
    body = [svg.text(PLOT_LEFT, foot - STRIP_TALL - 8, f"{name} (measured)", "f-quiet", size=14)]
    for mark in (low, high):
        y = foot - scale * (mark - low)
        body.append(svg.path(f"M{PLOT_LEFT:g} {y:g}H{PLOT_RIGHT:g}", "f-none s-line"))
        body.append(svg.text(PLOT_LEFT - 10, y + 5, f"{mark}", "f-quiet", anchor="end", size=14))
    if not points:
        return body
    drawn = _line([(x, foot - scale * (value - low)) for x, value in points])
    return [*body, svg.path(drawn, "f-none s-measured", 'stroke-width="2"')]


def _line(points: Sequence[tuple[float, float]]) -> str:
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points)


def trailing(
    seconds: Sequence[float],
    measured: Sequence[float],
    modelled: Sequence[float],
    schedule: Sequence[tuple[float, float]],
    phases: Sequence[str],
    *,
    card: str,
) -> Picture:
    """What NVML told of power, what the model of its mean says, and what the card is taken to have drawn.

    Parameters
    ----------
    seconds, measured, modelled
        The time of each sample, and watts.
    schedule, phases
        Pairs of a start in seconds and the watts from then on, and the name of each.
    card
        The card that was measured.
    """
    import plotly.graph_objects as go

    figure = go.Figure()
    starts, watts = zip(*schedule, strict=True)
    figure.add_scatter(
        x=[*starts, seconds[-1]],
        y=[*watts, watts[-1]],
        mode="lines",
        name="drawn (assumed: each phase as it settles)",
        line={"color": LIGHT["waiting"], "width": 2, "shape": "hv", "dash": "dot"},
    )
    for name, values, every, look in (
        (
            f"reading, measured, {card}",
            measured,
            slice(None, None, 6),
            {"mode": "markers", "marker": {"color": LIGHT["measured"], "size": 6}},
        ),
        (
            "reading, modelled",
            modelled,
            slice(None, None, 3),
            {"mode": "lines", "line": {"color": LIGHT["modelled"], "width": 2}},
        ),
    ):
        figure.add_scatter(
            x=list(seconds[every]),
            y=[round(float(value), 1) for value in values[every]],
            name=name,
            **look,
        )
    title = "A reading is the mean of the last second"
    layout = plain_layout(title, x="seconds", y="W", height=460)
    layout["legend"] |= {"y": -0.25, "yanchor": "top"}
    layout["margin"] |= {"t": 60, "b": 150}
    figure.update_layout(layout)
    told = [
        f"{name}: from {start:.1f} s, settles at {power:.0f} W"
        for name, (start, power) in zip(phases, schedule, strict=True)
    ]
    return Picture(
        title, "\n".join([f"readings of power, measured, {card}, and modelled:", *told]), figure=figure
    )
