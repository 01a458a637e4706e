"""Lines and marks on two axes as an SVG: for panels whose picture must follow a slider at once."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log10

from hopperlab.views import svg
from hopperlab.views.picture import Picture

WIDTH, HEIGHT = 1010, 450
LEFT, RIGHT, TOP, BOTTOM = 100, 50, 116, 70
DASHES = ("", "10 6", "3 5")


@dataclass(frozen=True)
class Axis:
    """One axis: its label with its unit, its ends, its ticks with their words, and whether it goes in powers of ten."""

    label: str
    low: float
    high: float
    ticks: Mapping[float, str]
    logarithmic: bool = False

    def share(self, value: float) -> float:
        """Where a value lies between the ends, from 0 to 1."""
        if self.logarithmic:
            return log10(value / self.low) / log10(self.high / self.low)
        return (value - self.low) / (self.high - self.low)


def powers_of_ten(low: int, high: int) -> dict[float, str]:
    """Ticks at every power of ten from ``10 ** low`` to ``10 ** high``."""
    return {10.0**power: f"{10.0**power:,g}" for power in range(low, high + 1)}


def line_chart(
    title: str,
    text: str,
    x: Axis,
    y: Axis,
    lines: Mapping[str, Sequence[tuple[float, float]]],
    marks: Sequence[tuple[float, float]] = (),
    *,
    measured: tuple[str, Sequence[tuple[float, float]]] | None = None,
    quoted: tuple[str, Sequence[tuple[float, float]]] | None = None,
    labels: Sequence[tuple[float, float, str]] = (),
    spreads: Sequence[tuple[float, float, float]] = (),
) -> Picture:
    """Draw up to three modelled lines, each with its dashes and its name, points beside them, and marks on them.

    Parameters
    ----------
    title, text
        The statement on top, and the twin.
    lines
        Points by name, in order.
    marks
        Points that are ringed.
    measured, quoted
        A name and its points: filled circles, and hollow diamonds.
    labels
        Words above a point.
    spreads
        For a measured point, its x, and the lowest and highest y.
    """

    def place(point: tuple[float, float]) -> tuple[float, float]:
        across = LEFT + x.share(point[0]) * (WIDTH - LEFT - RIGHT)
        return across, HEIGHT - BOTTOM - y.share(point[1]) * (HEIGHT - TOP - BOTTOM)

    body = [svg.text(20, 34, title, bold=True, size=17)]
    body += _ruled(x, y, place)
    spacing = (WIDTH - LEFT - RIGHT) / max(3, len(lines) + bool(measured) + bool(quoted))
    names = [*lines, *(kind[0] for kind in (measured, quoted) if kind)]
    body += [svg.text(LEFT + spacing * n + 46, 67, name) for n, name in enumerate(names)]
    for number, points in enumerate(lines.values()):
        looks = f'stroke-width="3" stroke-dasharray="{DASHES[number % len(DASHES)]}"'
        body.append(svg.path(_through([place(point) for point in points]), "f-none s-modelled", looks))
        body.append(svg.path(f"M{LEFT + spacing * number:g} 62h36", "f-none s-modelled", looks))
    for at, low, high in spreads:
        (across, bottom), (_, top) = place((at, low)), place((at, high))
        body.append(
            svg.path(f"M{across:.1f} {bottom:.1f}V{top:.1f}", "f-none s-measured", 'stroke-width="2"')
        )
    number = len(lines)
    for kind, draw in ((measured, _circle), (quoted, _diamond)):
        if kind:
            body += [draw(*place(point)) for point in kind[1]] + [draw(LEFT + spacing * number + 18, 62)]
            number += 1
    for across, up, words in labels:
        over, level = place((across, up))
        body.append(svg.text(over, level - 14, words, size=14, anchor="middle", bold=True))
    for across, up in map(place, marks):
        body.append(f'<circle class="f-none s-ink" cx="{across:.1f}" cy="{up:.1f}" r="8" stroke-width="3"/>')
    return Picture(title, text, svg=svg.document(WIDTH, HEIGHT, title, text, body))


def _circle(x: float, y: float) -> str:
    return f'<circle class="f-measured" cx="{x:.1f}" cy="{y:.1f}" r="4.5"/>'


def _diamond(x: float, y: float) -> str:
    return svg.path(f"M{x:.1f} {y - 7:.1f}l7 7l-7 7l-7 -7z", "f-none s-quoted", 'stroke-width="2"')


def _ruled(x: Axis, y: Axis, place) -> list[str]:
    parts = []
    for at, words in x.ticks.items():
        across, _ = place((at, y.low))
        parts.append(svg.path(f"M{across:.1f} {TOP}V{HEIGHT - BOTTOM}", "f-none s-line"))
        parts.append(svg.text(across, HEIGHT - BOTTOM + 22, words, "f-quiet", anchor="middle"))
    for at, words in y.ticks.items():
        _, up = place((x.low, at))
        parts.append(svg.path(f"M{LEFT} {up:.1f}H{WIDTH - RIGHT}", "f-none s-line"))
        parts.append(svg.text(LEFT - 10, up + 5, words, "f-quiet", anchor="end"))
    parts.append(svg.text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 18, x.label, "f-quiet", anchor="middle"))
    parts.append(svg.text(20, TOP - 16, y.label, "f-quiet"))
    return parts


def _through(places: Sequence[tuple[float, float]]) -> str:
    return "M" + "L".join(f"{across:.1f} {up:.1f}" for across, up in places)
