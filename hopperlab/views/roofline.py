"""The roofline with programs on it: FLOP a second against FLOP a byte, both in powers of ten."""

from collections.abc import Sequence
from dataclasses import dataclass

from hopperlab.models.roofline import Roofline
from hopperlab.views.axes import plain_layout
from hopperlab.views.palette import LIGHT, SYMBOLS
from hopperlab.views.picture import Picture

DASHES = ("solid", "dash", "dot", "dashdot")
TERA = 1e12
CLOSE = 1.6  # times: marks whose labels would overlap


@dataclass(frozen=True)
class Program:
    """A program on the roofline.

    Parameters
    ----------
    name
        What it is called.
    intensity
        FLOP a byte.
    flop_per_s
        FLOP a second.
    leg
        "measured", "modelled" or "quoted".
    label
        What stands beside its mark; programs that lie close together share a line of labels.
    """

    name: str
    intensity: float
    flop_per_s: float
    leg: str = "measured"
    label: str = ""


def roofline(
    roofs: Sequence[Roofline], programs: Sequence[Program] = (), *, title: str = "", note: str = ""
) -> Picture:
    """Draw roofs as lines, and programs as marks below them.

    Parameters
    ----------
    roofs
        At least one.
    programs
        Each as measured, modelled or quoted.
    title, note
        The statement on top, and a last line for the twin.

    Raises
    ------
    ValueError
        If there is no roof.
    """
    if not roofs:
        raise ValueError("roofs is empty: give at least one")
    import plotly.graph_objects as go

    least = min([0.5, *(p.intensity / 2 for p in programs)])
    most = max([4000.0, *(p.intensity * 2 for p in programs)])
    traces = []
    for roof, dash in zip(roofs, DASHES * len(roofs), strict=False):
        corners = [least, roof.ridge, most]
        traces.append(
            go.Scatter(
                x=corners,
                y=[round(roof.attainable(x) / TERA, 3) for x in corners],
                mode="lines",
                name=roof.name,
                line={"color": LIGHT["modelled"], "width": 3, "dash": dash},
            )
        )
    for leg in dict.fromkeys(p.leg for p in programs):
        shown = [p for p in programs if p.leg == leg]
        traces.append(
            go.Scatter(
                x=[p.intensity for p in shown],
                y=[round(p.flop_per_s / TERA, 3) for p in shown],
                mode="markers",
                name=leg,
                text=[p.name for p in shown],
                hovertemplate="%{text}: %{y:.4g} TFLOP/s at %{x:.4g} FLOP/byte<extra></extra>",
                marker={"symbol": SYMBOLS[leg], "size": 12, "color": LIGHT[leg], "line": {"width": 2}},
            )
        )
    if any(p.label for p in programs):
        traces.append(
            go.Scatter(
                x=[p.intensity for p in programs],
                y=[round(p.flop_per_s / TERA, 3) for p in programs],
                mode="markers+text",
                marker={
                    "size": 12,
                    "opacity": 0,
                },  # so that the text keeps clear of the mark that is drawn already
                text=_labels(programs),
                textposition="bottom center",
                hoverinfo="skip",
                showlegend=False,
            )
        )
    title = title or f"{roofs[0].name}: memory is the limit below {roofs[0].ridge:.0f} FLOP a byte"
    layout = plain_layout(title, x="FLOP/byte", y="TFLOP/s", height=480)
    # Margins and ticks are given, not searched for: each search draws the figure once more.
    layout["margin"]["l"] = 80
    for axis in ("xaxis", "yaxis"):
        layout[axis] |= {"type": "log", "dtick": 1, "automargin": False}
    return Picture(title, _twin(roofs, programs, note), figure=go.Figure(traces, layout))


def _labels(programs: Sequence[Program]) -> list[str]:
    """Each program's label, but for a heap of close ones: the lowest of them carries all labels."""
    found = [p.label for p in programs]
    heaps: list[list[int]] = []
    for place in sorted(range(len(programs)), key=lambda n: (programs[n].intensity, programs[n].flop_per_s)):
        one = programs[place]
        below = programs[heaps[-1][-1]] if heaps else None
        close = (
            below and one.intensity < CLOSE * below.intensity and one.flop_per_s < CLOSE * below.flop_per_s
        )
        heaps[-1].append(place) if close else heaps.append([place])
    for lowest, *others in heaps:
        found[lowest] = ", ".join(sorted(found[place] for place in (lowest, *others) if found[place]))
        for place in others:
            found[place] = ""
    return found


def _twin(roofs: Sequence[Roofline], programs: Sequence[Program], note: str) -> str:
    rows = [
        f"{roof.name}: at most {roof.peak_flop_per_s / TERA:.4g} TFLOP/s, memory {roof.bytes_per_s / TERA:.3g} TB/s, "
        f"ridge at {roof.ridge:.0f} FLOP/byte (modelled)"
        for roof in roofs
    ]
    for p in programs:
        rows.append(f"{p.name}: {p.flop_per_s / TERA:.4g} TFLOP/s at {p.intensity:.4g} FLOP/byte ({p.leg})")
    return "\n".join([*rows, note] if note else rows)
