"""Quoted, modelled, measured: one row a question, three kinds of marker on one axis."""

from collections.abc import Sequence
from dataclasses import dataclass
from textwrap import wrap

from hopperlab.views.axes import plain_layout
from hopperlab.views.palette import LIGHT
from hopperlab.views.picture import Picture

# Leg: its marker, the lane within a row that it is drawn in, and the field that says where it is from.
LEGS = {
    "quoted": ("diamond-open", -0.24, "source"),
    "modelled": ("line-ns-open", 0.0, ""),
    "measured": ("circle", 0.24, "card"),
}

# Quoted values that are bounds, by the claim's relation: the marker points to where the quantity may lie, and the
# words stand at the axis.
BOUNDS = {
    "<": ("triangle-left-open", "less than"),
    "<=": ("triangle-left-open", "at most"),
    ">": ("triangle-right-open", "more than"),
    ">=": ("triangle-right-open", "at least"),
}

LABEL_COLUMNS = 36  # longer labels take two lines, so that the axis keeps its room


@dataclass(frozen=True)
class Evidence:
    """What is known about one quantity, each leg with where it comes from.

    Parameters
    ----------
    label
        What is asked, short.
    quoted, modelled, measured
        Values in the picture's unit, or None where that leg is missing.
    spread
        Lowest and highest measured sample, or None.
    source
        The quoted value's source: a claim id.
    relation
        How the quantity stands to the quoted value: "=", or one of ``BOUNDS``.
    card
        The card that gave the measured value.
    """

    label: str
    quoted: float | None = None
    modelled: float | None = None
    measured: float | None = None
    spread: tuple[float, float] | None = None
    source: str = ""
    card: str = ""
    relation: str = "="

    def told(self, leg: str, digits: int) -> str:
        """A leg's value to so many digits, with its relation if it is a bound; "-" where the leg is missing."""
        value = getattr(self, leg)
        bound = self.relation if leg == "quoted" and self.relation in BOUNDS else ""
        return "-" if value is None else f"{bound} {value:.{digits}g}".strip()


def evidence(
    rows: Sequence[Evidence],
    *,
    title: str,
    unit: str,
    logarithmic: bool = False,
    note: str = "",
    digits: int = 4,
) -> Picture:
    """Draw what is quoted, modelled and measured, a row a quantity.

    Quoted is a hollow diamond, or a triangle where it is a bound, modelled a short bar, measured a filled circle
    with its spread.

    Parameters
    ----------
    rows
        At least one quantity; all in ``unit``.
    title, unit, note
        The statement on top, the axis label, and a last line for the twin.
    logarithmic
        Draw the axis in powers of ten; all values must then be positive.
    digits
        Significant digits of every value in words.

    Raises
    ------
    ValueError
        If there are no rows, or a value is not positive on a logarithmic axis.
    """
    if not rows:
        raise ValueError("rows is empty: at least one quantity is needed")
    for row in rows:
        for leg in LEGS:
            value = getattr(row, leg)
            if logarithmic and value is not None and value <= 0:
                raise ValueError(f"{leg} of {row.label!r} is {value}; a logarithmic axis needs it above 0")
    return Picture(
        title=title,
        text=_twin(rows, unit, note, digits),
        figure=_figure(rows, title, unit, logarithmic, digits),
    )


def _figure(rows: Sequence[Evidence], title: str, unit: str, logarithmic: bool, digits: int):
    import plotly.graph_objects as go

    figure = go.Figure([_markers(rows, leg, digits) for leg in LEGS])
    figure.update_layout(plain_layout(title, x=unit, height=190 + 54 * len(rows)))
    figure.update_xaxes(**({"type": "log", "dtick": "D2"} if logarithmic else {"rangemode": "tozero"}))
    figure.update_yaxes(
        range=[len(rows) - 0.5, -0.5],
        tickvals=list(range(len(rows))),
        ticktext=["<br>".join(wrap(_at_the_axis(row), LABEL_COLUMNS)) for row in rows],
        showgrid=False,
    )
    return figure


def _at_the_axis(row: Evidence) -> str:
    return f"{row.label}, quoted {BOUNDS[row.relation][1]}" if row.relation in BOUNDS else row.label


def _markers(rows: Sequence[Evidence], leg: str, digits: int) -> dict:
    """One leg of every row that has it, in a lane of its own, so that equal values do not hide each other."""
    symbol, lane, detail = LEGS[leg]
    color = LIGHT[leg]
    shown = [(place, row) for place, row in enumerate(rows) if getattr(row, leg) is not None]
    trace = {
        "type": "scatter",
        "mode": "markers",
        "name": leg,
        "x": [getattr(row, leg) for _, row in shown],
        "y": [place + lane for place, _ in shown],
        "text": [
            f"{row.label}: {row.told(leg, digits)} {getattr(row, detail) if detail else ''}".strip()
            for _, row in shown
        ],
        "hovertemplate": "%{text}<extra>" + leg + "</extra>",
        "marker": {"symbol": symbol, "size": 13, "color": color, "line": {"width": 3, "color": color}},
    }
    if leg == "quoted" and any(row.relation in BOUNDS for _, row in shown):
        trace["marker"]["symbol"] = [
            BOUNDS[row.relation][0] if row.relation in BOUNDS else symbol for _, row in shown
        ]
    if leg == "measured":
        spreads = [(row.measured, row.spread or (row.measured, row.measured)) for _, row in shown]
        trace["error_x"] = {
            "type": "data",
            "symmetric": False,
            "array": [high - value for value, (_, high) in spreads],
            "arrayminus": [value - low for value, (low, _) in spreads],
            "thickness": 2,
        }
    return trace


def _twin(rows: Sequence[Evidence], unit: str, note: str, digits: int) -> str:
    width = max(len(row.label) for row in rows)
    lines = [f"{'':{width}}  {'quoted':>9}  {'modelled':>9}  {'measured':>9}  ({unit})"]
    for row in rows:
        legs = "  ".join(f"{row.told(leg, digits):>9}" for leg in LEGS)
        sources = ", ".join(part for part in (row.source, row.card) if part)
        lines.append(f"{row.label:{width}}  {legs}  {sources}".rstrip())
    return "\n".join([*lines, note] if note else lines)
