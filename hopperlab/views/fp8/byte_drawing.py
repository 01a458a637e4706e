"""The eight bits of a code as boxes, field by field."""

from collections.abc import Iterator

from hopperlab.models.fp8 import Number
from hopperlab.views.svg import SMALLEST_TEXT, rect, text

BIT = 34
FIELD_GAP = 14
HUES = (4, 1, 3)  # sign, exponent, mantissa


def byte_width(number: Number) -> float:
    """Width of the boxes."""
    return 8 * BIT + 2 * FIELD_GAP


def byte_boxes(number: Number, x: float, y: float) -> Iterator[str]:
    """The boxes with their bits, and below them the fields' names."""
    names = ("sign", f"exponent {number.exponent_field}", f"mantissa {number.mantissa_field}")
    for name, bits, hue in zip(names, number.bits.split(), HUES, strict=True):
        width = BIT * len(bits)
        for place, bit in enumerate(bits):
            left = x + place * BIT
            yield rect(left + 1, y, BIT - 2, 38, f"f-hue{hue}", 'rx="3"')
            yield text(left + BIT / 2, y + 26, bit, f"on-hue{hue}", size=20, anchor="middle", bold=True)
        yield text(x + width / 2, y + 58, name, "f-quiet", size=SMALLEST_TEXT, anchor="middle")
        x += width + FIELD_GAP
