"""FP8: the formats, the casts into and out of them, and casts that explain themselves."""

from hopperlab.models.fp8.cast import decode, encode
from hopperlab.models.fp8.explain import Explanation, Number, explain, unpack
from hopperlab.models.fp8.formats import FORMATS, Format, format_named
from hopperlab.models.fp8.rounding import ROUNDINGS

__all__ = [
    "FORMATS",
    "ROUNDINGS",
    "Explanation",
    "Format",
    "Number",
    "decode",
    "encode",
    "explain",
    "format_named",
    "unpack",
]
