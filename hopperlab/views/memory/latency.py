"""The latency staircase: model line, measured points, published diamonds, and the level's name on each tread."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from hopperlab.views.line_chart import Axis, line_chart
from hopperlab.views.memory.chase import Chase
from hopperlab.views.palette import LIGHT
from hopperlab.views.picture import Picture

KIB, MIB, GIB = 2**10, 2**20, 2**30
TICKS = tuple(2**power for power in range(10, 35, 4))
DIAMOND = {"symbol": "diamond-open", "size": 12, "color": LIGHT["quoted"], "line": {"width": 2}}
"""The mark of what is quoted, for plotly."""
BESIDE = {"whole L2": 1 / 8}
"""Where a tread's name stands if not above its middle, as a share of that footprint: this tread rises."""

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
    scale, unit = (1.0, "cycles") if clock_mhz is None else (1000 / clock_mhz, "ns")
    here = chase.latency(footprint) * scale
    title = f"A footprint of {size(footprint)} is {here:.3g} {unit} away (modelled)"
    shares = ", ".join(f"{name} {100 * share:.0f} %" for name, share in chase.answers(footprint).items())
    rows = [f"Who answers there (modelled): {shares}.", *_errors(points, chase)]
    if points:
        rows.append(f"Footprints, modelled, measured on {card}, in {unit}; a row holds points within 1 %:")
        rows += [_row(some, chase, scale) for some in _alike(points, chase)]
    rows += [f"quoted: {one.words(unit)}" for one in published]
    line = [(at, cycles * scale) for at, cycles in chase.line(tuple(point.footprint for point in points))]
    measured = [(point.footprint, point.cycles * scale) for point in points]
    quoted = [(one.footprint, (one.low + one.high) / 2) for one in published]
    widths = [at for at, _ in (*line, *measured, *quoted, (footprint, here))]
    most = 1.15 * max(up for _, up in (*line, *measured, *quoted))
    low, high = min(*widths, TICKS[0]), max(*widths, TICKS[-1])
    return line_chart(
        title,
        "\n".join(rows),
        Axis("footprint", low, high, {at: size(at) for at in TICKS}, logarithmic=True),
        Axis(f"{unit} a load", 0, most, {at: f"{at:g}" for at in _steps(most)}),
        {"modelled": line},
        [(footprint, here)],
        measured=(f"measured, {card}", measured) if points else None,
        quoted=("quoted, other cards", quoted) if quoted else None,
        labels=[
            (middle * BESIDE.get(level, 1), chase.latency(middle) * scale, level)
            for level, middle in chase.treads().items()
        ],
        spreads=[(one.footprint, one.low * scale, one.high * scale) for one in points],
    )


def _steps(most: float) -> list[float]:
    step = 200 if most > 500 else 100 if most > 250 else 50
    return [step * n for n in range(int(most / step) + 1)]


def _errors(points: Sequence[Point], chase: Chase) -> list[str]:
    """Say how far the model is off."""
    if not points:
        return ["Nothing was measured for this chase: the line is the model alone."]
    off = [abs(chase.latency(point.footprint) / point.cycles - 1) for point in points]
    return [
        f"Model against measured: median error {median(off):.1%}, worst {max(off):.1%} of {len(off)} points."
    ]


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
