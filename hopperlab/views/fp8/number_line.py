"""One value dropped on both number lines: its neighbors in each format, the rounding, and the byte that results."""

import math
from collections.abc import Iterator

from hopperlab.models import fp8
from hopperlab.models.fp8 import Explanation, Format
from hopperlab.views import svg
from hopperlab.views.fp8.byte_drawing import byte_boxes
from hopperlab.views.picture import Picture
from hopperlab.views.svg import SMALLEST_TEXT, path, text

WIDTH = 1010
LEFT, RIGHT = 110, 930
LOWEST, HIGHEST = -18, 18  # powers of two on the axis
ROW = 262
TOP = 96
SHOWN = ("e4m3", "e5m2")


def number_line(x: float, saturate: bool = True, rounding: str = "nearest_even") -> Picture:
    """Cast one value to E4M3 and to E5M2 and show both casts.

    Each line has a tick for every positive code of its format, on an axis of powers of two; zero stands at the
    left end, infinity and NaN at the right. Below it the stretch between the two neighbors, drawn to scale.

    Parameters
    ----------
    x, saturate, rounding
        As for `hopperlab.models.fp8.explain`.
    """
    casts = [fp8.explain(x, fmt, saturate, rounding) for fmt in SHOWN]
    became = " and ".join(f"{plain(cast.result.value)} in {cast.fmt.title}" for cast in casts)
    title = f"{plain(x)} becomes {became}"
    mode = f"{rounding.replace('_', ' ')}, {'saturating' if saturate else 'not saturating'}"
    body = [
        text(20, 36, title, size=21, bold=True),
        text(20, 62, f"Cast from FP64 with one rounding: {mode}.", "f-quiet"),
    ]
    for row, cast in enumerate(casts):
        body += _row(cast, TOP + row * ROW)
    drawing = svg.document(WIDTH, TOP + len(casts) * ROW + 14, title, mode, body)
    return Picture(title, "\n".join([f"Rounding: {mode}.", *(_words(cast) for cast in casts)]), svg=drawing)


def plain(value: float) -> str:
    """A number as short as it is exact, powers of two for tiny ones."""
    if math.isfinite(value) and value and abs(value) < 2**-6 and math.frexp(value)[0] in (0.5, -0.5):
        return f"{'-' if value < 0 else ''}2^{math.frexp(value)[1] - 1}"
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "infinity" if value > 0 else "-infinity"
    shown = f"{value:.12g}"
    return shown if float(shown) == value else repr(float(value))


def _place(magnitude: float) -> float:
    """Where a magnitude stands on the axis."""
    if magnitude == 0:
        return LEFT - 34
    power = math.log2(magnitude) if math.isfinite(magnitude) else HIGHEST + 1
    share = (min(max(power, LOWEST), HIGHEST + 1) - LOWEST) / (HIGHEST - LOWEST)
    return LEFT + share * (RIGHT - LEFT)


def _row(cast: Explanation, y: float) -> Iterator[str]:
    fmt, line = cast.fmt, y + 44
    yield text(20, y + 14, fmt.title, size=19, bold=True)
    yield text(
        110,
        y + 14,
        f"{plain(fmt.smallest_subnormal)} to {plain(fmt.largest)}, then {_beyond(fmt)}",
        "f-quiet",
    )
    yield path(f"M{LEFT} {line}H{RIGHT + 20}", "f-none s-line", 'stroke-width="2"')
    yield from _ticks(fmt, line)
    for power in range(LOWEST + 2, HIGHEST, 4):
        yield text(
            _place(2.0**power), line + 30, f"2^{power}", "f-quiet", size=SMALLEST_TEXT, anchor="middle"
        )
    yield text(_place(0), line + 30, "0", "f-quiet", size=SMALLEST_TEXT, anchor="middle")
    if not math.isnan(cast.source):
        at = _place(abs(cast.source))
        yield path(f"M{at - 7:g} {line - 24}h14l-7 14z", "f-compute")
    yield from _neighbors(cast, y + 128)
    yield from byte_boxes(cast.result, 600, y + 108)
    value = str(cast.result).split(" = ", 1)[1]
    yield text(600, y + 196, f"= {value}", bold=True)


def _beyond(fmt: Format) -> str:
    return "infinity and NaN" if fmt.has_infinity else "NaN only: no infinity"


def _ticks(fmt: Format, line: float) -> Iterator[str]:
    """Every positive code: subnormals short and apart in color, powers of two long."""
    short, long, sub = [], [], []
    for code in range(1, fmt.largest_code + 1):
        number = fp8.unpack(code, fmt.name)
        at = _place(number.value)
        if number.kind == "subnormal":
            sub.append(f"M{at:.1f} {line}v-9")
        elif number.mantissa_field == 0:
            long.append(f"M{at:.1f} {line + 5}v-14")
        else:
            short.append(f"M{at:.1f} {line}v-7")
    yield path("".join(short), "f-none s-memory", 'stroke-width="1"')
    yield path("".join(long), "f-none s-compute", 'stroke-width="1.6"')
    yield path("".join(sub), "f-none s-waiting", 'stroke-width="2"')


def _neighbors(cast: Explanation, y: float) -> Iterator[str]:
    """The stretch between the neighbors to scale, with midpoint, value and where it goes."""
    yield from svg.lines(LEFT - 74, y + 84, f"{cast.reason[0].upper()}{cast.reason[1:]}.", 58)
    if cast.lower is None or not all(map(math.isfinite, (cast.lower, cast.upper))):
        return
    low, high, line = LEFT - 40, 520, y + 22
    yield path(f"M{low} {line}H{high}", "f-none s-line", 'stroke-width="2"')
    if cast.lower == cast.upper:
        middle = (low + high) / 2
        yield path(f"M{middle} {line - 9}v18", "f-none s-compute", 'stroke-width="3"')
        yield text(middle, line + 32, plain(cast.lower), anchor="middle", bold=True)
        yield path(f"M{middle - 7:g} {line - 26}h14l-7 14z", "f-compute")
        return
    for at, value, anchor in ((low, cast.lower, "start"), (high, cast.upper, "end")):
        chosen = value == cast.result.value
        yield path(f"M{at} {line - 9}v18", "f-none s-compute", f'stroke-width="{5 if chosen else 2}"')
        yield text(at, line + 32, plain(value), anchor=anchor, bold=chosen)
    middle = (low + high) / 2
    yield path(f"M{middle} {line - 6}v12", "f-none s-quiet", 'stroke-dasharray="3 2"')
    yield text(
        middle, line + 32, f"midpoint {plain(cast.midpoint)}", "f-quiet", size=SMALLEST_TEXT, anchor="middle"
    )
    share = (cast.source - cast.lower) / (cast.upper - cast.lower)
    at = low + share * (high - low)
    yield path(f"M{at - 7:g} {line - 26}h14l-7 14z", "f-compute")
    end = low if cast.result.value == cast.lower else high if cast.result.value == cast.upper else None
    if end is not None and abs(end - at) > 12:
        tip = 6 if end < at else -6
        yield path(
            f"M{at:g} {line - 19}H{end + tip:g}m{tip:g} -5l{-tip:g} 5l{tip:g} 5",
            "f-none s-engine",
            'stroke-width="2"',
        )


def _words(cast: Explanation) -> str:
    where = ""
    if cast.lower is not None and cast.lower != cast.upper:
        middle = "" if cast.midpoint is None else f", midpoint {plain(cast.midpoint)}"
        where = f"between {plain(cast.lower)} and {plain(cast.upper)}{middle}; "
    fmt = cast.fmt
    return (
        f"{fmt.title} ({plain(fmt.smallest_subnormal)} to {plain(fmt.largest)}, then {_beyond(fmt)}): {where}"
        f"{cast.reason}. Byte {cast.result}."
    )
