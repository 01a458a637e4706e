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
) -> Picture:
    """Draw up to three modelled lines, each with its dashes and its name, and marks on them.

    Parameters
    ----------
    title, text
        The statement on top, and the twin.
    lines
        Points by name, in order.
    marks
        Points that are ringed.
    """

    def place(point: tuple[float, float]) -> tuple[float, float]:
        across = LEFT + x.share(point[0]) * (WIDTH - LEFT - RIGHT)
        return across, HEIGHT - BOTTOM - y.share(point[1]) * (HEIGHT - TOP - BOTTOM)

    body = [svg.text(20, 34, title, bold=True, size=17), *_ruled(x, y, place)]
    for number, (name, points) in enumerate(lines.items()):
        dash = DASHES[number % len(DASHES)]
        looks = f'stroke-width="3" stroke-dasharray="{dash}"'
        body.append(svg.path(_through([place(point) for point in points]), "f-none s-modelled", looks))
        left = LEFT + 300 * number
        body.append(svg.path(f"M{left} 62h36", "f-none s-modelled", looks))
        body.append(svg.text(left + 46, 67, name))
    for across, up in map(place, marks):
        body.append(f'<circle class="f-none s-ink" cx="{across:.1f}" cy="{up:.1f}" r="8" stroke-width="3"/>')
    return Picture(title, text, svg=svg.document(WIDTH, HEIGHT, title, text, body))


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
