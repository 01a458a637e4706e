"""The wheel of 256 codes: every byte of a format in its place, by what it stands for, with one byte open."""

import math
from collections.abc import Iterator
from functools import cache

from hopperlab.models import fp8
from hopperlab.models.fp8 import Number
from hopperlab.views import svg
from hopperlab.views.fp8.byte_drawing import byte_boxes
from hopperlab.views.fp8.number_line import plain
from hopperlab.views.picture import Picture
from hopperlab.views.svg import path, rect, text

WIDTH, HEIGHT = 1010, 462
CENTER, OUTER, INNER = (225, 260), 168, 118
KINDS = {"zero": "quiet", "subnormal": "waiting", "normal": "memory", "infinity": "finding", "nan": "barrier"}
NAMES = {"nan": "NaN"}
LENGTHS = {"zero": 1.0, "subnormal": 0.55, "normal": 0.8, "infinity": 1.0, "nan": 1.0}


def code_wheel(code: int, fmt: str) -> Picture:
    """All codes of a format as spokes, counted clockwise from the top, and one of them taken apart.

    Parameters
    ----------
    code, fmt
        As for `hopperlab.models.fp8.unpack`.
    """
    number = fp8.unpack(code, fmt)
    title = f"{number.fmt.title}: code 0x{code:02X} is {_said(number)}"
    body = [text(20, 36, title, size=21, bold=True), *_spokes(number)]
    x = 470
    body += byte_boxes(number, x, 78)
    rows = [
        f"Kind: {NAMES.get(number.kind, number.kind)}",
        f"Value: {_said(number)}",
        *_formula(number),
        *_beside(number),
    ]
    body += [text(x, 172 + 26 * place, row) for place, row in enumerate(rows)]
    body += _legend(x, 380, number)
    drawing = svg.document(WIDTH, HEIGHT, title, rows[0], body)
    counts = ", ".join(f"{count} {NAMES.get(kind, kind)}" for kind, count in _counts(fmt).items() if count)
    words = [f"Bits {number.bits}: sign, exponent, mantissa.", *rows, f"The 256 codes are {counts}."]
    return Picture(title, "\n".join(words), svg=drawing)


def _said(number: Number) -> str:
    return "NaN" if number.kind == "nan" else plain(number.value)


def _formula(number: Number) -> list[str]:
    if number.kind in ("nan", "infinity"):
        return [f"No number stands here: {_why_no_number(number)}"]
    significand = plain(float(number.significand))
    what = "no hidden bit" if number.exponent_field == 0 else "with the hidden bit"
    return [
        f"Significand: {significand}, {what}",
        f"Exponent: {max(number.exponent_field, 1)} - {number.fmt.bias} = {number.exponent}",
    ]


def _why_no_number(number: Number) -> str:
    if not number.fmt.has_negative_zero:
        return "-0 gave its place to NaN"
    return "the exponent is all ones" if number.fmt.has_infinity else "exponent and mantissa are all ones"


def _beside(number: Number) -> list[str]:
    """The values of the codes next to this one, by magnitude."""
    magnitude, sign = number.code & 0x7F, number.code & 0x80
    shown = [
        f"0x{sign | near:02X} = {_said(fp8.unpack(sign | near, number.fmt.name))}"
        for near in (magnitude - 1, magnitude + 1)
        if 0 <= near <= 0x7F
    ]
    return [f"Codes beside it: {', '.join(shown)}"]


@cache
def _kinds(fmt: str) -> tuple[str, ...]:
    """What each of the 256 codes stands for."""
    return tuple(fp8.unpack(code, fmt).kind for code in range(256))


def _counts(fmt: str) -> dict[str, int]:
    return {kind: _kinds(fmt).count(kind) for kind in KINDS}


@cache
def _ring(fmt: str) -> str:
    """All codes, a path for each kind: drawn once, and kept while the sliders move."""
    drawn = []
    for kind, role in KINDS.items():
        outer = INNER + (OUTER - INNER) * LENGTHS[kind]
        marks = [_spoke(code, INNER, outer) for code, its_kind in enumerate(_kinds(fmt)) if its_kind == kind]
        drawn.append(path("".join(marks), f"f-none s-{role}", 'stroke-width="3"'))
    return "".join(drawn)


def _spokes(number: Number) -> Iterator[str]:
    yield _ring(number.fmt.name)
    yield path(_spoke(number.code, 30, OUTER + 10), "f-none s-ink", 'stroke-width="3"')
    for code in range(0, 256, 32):
        x, y = _at(code, OUTER + 24)
        yield text(x, y + 5, f"{code:02X}", "f-quiet", size=14, anchor="middle")
    yield text(*CENTER, f"0x{number.code:02X}", size=20, anchor="middle", bold=True)


def _spoke(code: int, inner: float, outer: float) -> str:
    (x0, y0), (x1, y1) = _at(code, inner), _at(code, outer)
    return f"M{x0:.1f} {y0:.1f}L{x1:.1f} {y1:.1f}"


def _at(code: int, radius: float) -> tuple[float, float]:
    angle = 2 * math.pi * code / 256
    return CENTER[0] + radius * math.sin(angle), CENTER[1] - radius * math.cos(angle)


def _legend(x: float, y: float, number: Number) -> Iterator[str]:
    counts = _counts(number.fmt.name)
    for place, (kind, role) in enumerate(k for k in KINDS.items() if counts[k[0]]):
        left = x + 170 * (place % 3)
        top = y + 30 * (place // 3)
        yield rect(left, top - 13, 16, 16, f"f-{role}")
        yield text(left + 24, top, f"{counts[kind]} {NAMES.get(kind, kind)}")
