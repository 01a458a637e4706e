"""Pictures of lesson 21: eight throughputs to judge, rates by warps, an SM against its chip, width against clock."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from hopperlab.views import svg
from hopperlab.views.axes import plain_layout
from hopperlab.views.line_chart import Axis, line_chart
from hopperlab.views.palette import LIGHT
from hopperlab.views.picture import Picture

WIDTH = 1010
MARGIN = 20
ROW = 46
BAR = 150.0  # px of a rate that just reaches its ceiling
STAGES = ("printed", "ceilings", "machine code", "repaired")
FAMILY = ("#0072B2", "#009E73", "#CC79A7")
DASHES = ("solid", "dash", "dot")
MARKERS = ("circle", "square", "diamond")


@dataclass(frozen=True)
class Suspect:
    """One printed throughput.

    Attributes
    ----------
    program
        What is said to have been timed.
    printed
        The rate, what it counts, and where it is from.
    unit
        The lanes that do it, and what each gives: all that a reader needs to work the ceiling out.
    ceiling
        The most that it may be, in words.
    share
        The rate over its ceiling.
    possible
        Whether an SM can reach it.
    code
        What the timed code is, in words.
    repaired
        The rate once the work is really done, in words.
    """

    program: str
    printed: str
    unit: str
    ceiling: str
    share: float
    possible: bool
    code: str
    repaired: str


def spot(suspects: Sequence[Suspect], stage: str, marked: Collection[int]) -> Picture:
    """Throughputs in a column, the learner's marks beside them, and as much of the truth as the stage allows.

    Parameters
    ----------
    stage
        One of `STAGES`; nothing but the first hides which are impossible.
    marked
        The numbers, from 0, that the learner calls impossible.
    """
    if stage not in STAGES:
        raise ValueError(f"stage is {stage!r}; it must be one of: {', '.join(STAGES)}")
    title = _verdict(suspects, stage, marked)
    body = [svg.text(MARGIN, 34, title, bold=True, size=17)]
    words = []
    for number, suspect in enumerate(suspects):
        y = 62 + ROW * number
        body += _suspect(y, number, suspect, stage, number in marked)
        words.append(_told(number, suspect, stage, number in marked))
    text = "\n".join(words)
    height = 62 + ROW * len(suspects) + 8
    return Picture(title, text, svg=svg.document(WIDTH, height, title, text, body))


def _verdict(suspects: Sequence[Suspect], stage: str, marked: Collection[int]) -> str:
    if stage == STAGES[0]:
        hidden = "the machine code is hidden"
        return f"{len(suspects)} throughputs of one SM, {len(marked)} marked as impossible; {hidden}"
    cheats = {number for number, suspect in enumerate(suspects) if not suspect.possible}
    found, accused = len(cheats & set(marked)), len(set(marked) - cheats)
    return f"{found} of {len(cheats)} impossible ones found, {accused} wrongly accused"


def _suspect(y: float, number: int, suspect: Suspect, stage: str, marked: bool) -> list[str]:
    shown = stage != STAGES[0]
    role = "f-finding" if shown and not suspect.possible else "f-ink"
    parts = [
        svg.rect(MARGIN, y, WIDTH - 2 * MARGIN, ROW - 6, "f-none s-line"),
        svg.text(MARGIN + 10, y + 17, f"{number + 1}. {suspect.program}", bold=True),
        svg.text(MARGIN + 10, y + 35, suspect.printed, role),
    ]
    if marked:
        parts.append(svg.text(470, y + 25, "you: impossible", "f-quiet", anchor="middle"))
    if not shown:
        parts.append(svg.text(560, y + 25, f"unit: {suspect.unit}", "f-quiet"))
        return parts
    if stage == "ceilings":
        return parts + _bar(560, y, suspect)
    role = "f-ink" if stage == "repaired" else role
    return [*parts, svg.text(560, y + 25, _detail(suspect, stage), role)]


def _bar(x: float, y: float, suspect: Suspect) -> list[str]:
    """A bar that ends at its ceiling, or breaks through it."""
    length = BAR * min(suspect.share, 1.0)
    parts = [svg.rect(x, y + 8, length, ROW - 22, "f-compute")]
    if not suspect.possible:
        parts.append(svg.rect(x + BAR, y + 8, 20, ROW - 22, "f-finding"))
    parts.append(svg.rect(x + BAR, y + 3, 3, ROW - 12, "f-ink"))
    parts.append(
        svg.text(x + BAR + 30, y + 25, _share(suspect), "f-ink" if suspect.possible else "f-finding", size=14)
    )
    return parts


def _share(suspect: Suspect) -> str:
    if suspect.share < 10:
        return f"{100 * suspect.share:.0f} % of {suspect.ceiling}"
    return f"{suspect.share:,.0f} times {suspect.ceiling}"


def _detail(suspect: Suspect, stage: str) -> str:
    return suspect.code if stage == "machine code" else suspect.repaired


def _told(number: int, suspect: Suspect, stage: str, marked: bool) -> str:
    line = f"{number + 1}. {suspect.program}: {suspect.printed}; unit: {suspect.unit}"
    line += "; you: impossible" if marked else ""
    if stage == STAGES[0]:
        return line
    line += f"; {_share(suspect)}; {'possible' if suspect.possible else 'impossible'}"
    return line if stage == "ceilings" else f"{line}; {stage}: {_detail(suspect, stage)}"


def filling(
    name: str,
    lanes: int,
    modelled: Mapping[int, Mapping[int, float]],
    measured: Mapping[int, Mapping[int, float]],
    chosen: tuple[int, int],
    card: str,
) -> Picture:
    """How a unit fills up with warps and chains: lines are modelled, points measured.

    Parameters
    ----------
    name, lanes
        The operation, and the lanes of its unit.
    modelled, measured
        Lane results a clock and SM: for each number of chains, by warps.
    chosen
        Chains and warps of the reader's choice, in both mappings.
    """
    chains, warps = chosen
    at = modelled[chains][warps]
    who = f"{_count(warps, 'warp')} of {_count(chains, 'chain')}"
    title = f"{name}, {who}: {at:.1f} of {lanes} lane results a clock (modelled)"
    rows = [f"{name}, lane results a clock and SM, of {lanes} lanes", "chains, warps, modelled, measured"]
    rows += [
        f"{count}, {at}, {modelled[count][at]:.2f}, {value:.2f}"
        for count, points in measured.items()
        for at, value in points.items()
    ]
    most = max(at for line in modelled.values() for at in line)
    return line_chart(
        title,
        "\n".join(rows),
        Axis("warps of the SM", 0, most, {at: str(at) for at in range(0, most + 1, 8)}),
        Axis("lane results a clock and SM", 0, 1.1 * lanes, {at: f"{at:g}" for at in _quarters(lanes)}),
        {f"{_count(count, 'chain')} (modelled)": list(line.items()) for count, line in modelled.items()},
        [(warps, at)],
        measured=(f"measured, {card}", [point for points in measured.values() for point in points.items()]),
    )


def _quarters(lanes: int) -> list[float]:
    return [lanes * share / 4 for share in range(5)]


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def levels(ratios: Mapping[str, Mapping[str, float]], base: str) -> Picture:
    """Bars of the same ratio at several levels: of an SM in a clock, and of chips in a second.

    Parameters
    ----------
    ratios
        For each level, times by instruction.
    base
        What all are compared with.
    """
    import plotly.graph_objects as go

    title = "The ratio of two SMs is not the ratio of their chips (modelled)"
    bars = [
        go.Bar(
            x=list(values),
            y=[round(value, 3) for value in values.values()],
            name=level,
            marker={"color": FAMILY[place], "pattern": {"shape": ("", "/", "x")[place]}},
        )
        for place, (level, values) in enumerate(ratios.items())
    ]
    layout = plain_layout(title, y=f"times {base}", height=420) | {"barmode": "group"}
    layout["legend"] |= {"y": -0.12, "yanchor": "top"}
    layout["margin"] |= {"b": 110, "t": 60}
    lines = [f"Times {base} (modelled)", "instruction, " + ", ".join(ratios)]
    lines += [
        f"{name}, " + ", ".join(f"{values[name]:.2f}" for values in ratios.values())
        for name in next(iter(ratios.values()))
    ]
    return Picture(title, "\n".join(lines), figure=go.Figure(bars, layout))


BESIDE = {"H100 SXM5": "middle right", "H100 PCIe, under load": "middle left"}
"""On which side of its mark a chip's name does not meet a line."""


def width_and_clock(
    chips: Mapping[str, tuple[float, int]], peaks: Sequence[float], client_ghz: float, source: str
) -> Picture:
    """Chips by their clock and width, lines of equal FP32 peak, and as an overlay where client chips run.

    Parameters
    ----------
    chips
        For each label: clock in GHz, FP32 lanes of the whole chip.
    peaks
        TFLOP/s of the lines: two FLOP for each lane and clock.
    client_ghz
        The clock above which client chips run.
    source
        The claim that says so.
    """
    import plotly.graph_objects as go

    title = "Wide and slow: the same peak, from many lanes or from a high clock"
    clocks = [0.8 + step / 20 for step in range(45)]
    traces = [
        go.Scatter(
            x=clocks,
            y=[round(peak * 1e3 / 2 / clock) for clock in clocks],
            mode="lines",
            line={"color": LIGHT["idle"], "width": 1.5},
            name=f"{peak:g} TFLOP/s (modelled)",
            showlegend=False,
            hovertemplate=f"{peak:g} TFLOP/s<extra></extra>",
        )
        for peak in peaks
    ]
    labels = [
        {
            "x": 2.97,
            "y": peak * 1e3 / 2 / 2.97,
            "text": f"{peak:g} TFLOP/s",
            "showarrow": False,
            "yshift": 11,
            "xanchor": "right",
        }
        for peak in peaks
    ]
    traces.append(
        go.Scatter(
            x=[clock for clock, _ in chips.values()],
            y=[lanes for _, lanes in chips.values()],
            mode="markers+text",
            text=[f"{name} ".replace(", ", ",<br>") for name in chips],
            textposition=[BESIDE.get(name, "bottom center") for name in chips],
            marker={"symbol": "diamond-open", "color": LIGHT["quoted"], "size": 13, "line": {"width": 2}},
            name="lanes and clock (quoted)",
            showlegend=True,
        )
    )
    layout = plain_layout(title, x="clock (GHz)", y="FP32 lanes of the chip", height=460)
    layout["xaxis"] |= {"range": [0.8, 3.0]}
    layout["legend"] |= {"y": -0.2, "yanchor": "top"}
    layout["yaxis"] |= {"range": [0, 24000]}
    layout["margin"] |= {"t": 60, "b": 100}
    layout["shapes"] = [
        {
            "type": "rect",
            "x0": client_ghz,
            "x1": 3.0,
            "y0": 0,
            "y1": 1,
            "yref": "paper",
            "fillcolor": LIGHT["quoted"],
            "opacity": 0.15,
            "line": {"width": 0},
        }
    ]
    overlay = f"client chips run above {client_ghz:g} GHz (quoted, {source})"
    layout["annotations"] = [
        *labels,
        {
            "x": client_ghz + 0.02,
            "y": 0.99,
            "yref": "paper",
            "text": overlay.replace(" (", "<br>("),
            "showarrow": False,
            "xanchor": "left",
            "align": "left",
        },
    ]
    lines = [f"Overlay: {overlay}.", "chip, clock in GHz, FP32 lanes, TFLOP/s (modelled)"]
    lines += [
        f"{name}, {clock:g}, {lanes:,}, {2 * lanes * clock / 1e3:.1f}"
        for name, (clock, lanes) in chips.items()
    ]
    return Picture(title, "\n".join(lines), figure=go.Figure(traces, layout))
