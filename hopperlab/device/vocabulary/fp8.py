"""fp8: conversions into and out of the two 8-bit formats, two numbers at a time.

Hopper computes nothing in FP8 outside the tensor cores: it converts. Into FP8, conversion rounds to nearest
even and saturates; there is no other. Out of FP8 it is exact. `models.fp8` is the same on whole arrays.
"""

from hopperlab.device.vocabulary.kinds import Choice, Scalar
from hopperlab.device.vocabulary.word import word

Format = Choice(("e4m3", "e5m2"))
Pair = Scalar("uint16", unit="pair of FP8 codes")
Half = Scalar("float16")
Single = Scalar("float32")

PTX = "PTX ISA, Data Movement and Conversion Instructions: cvt"


@word(ptx="cvt.rn.satfinite.{format}x2.f32 {result}, {high}, {low};", effect="none", source=PTX)
def encode(low: Single, high: Single, format: Format) -> Pair:
    """Convert two float32 to FP8, with one rounding each; `low` goes to the low byte.

    What is too large, infinity too, becomes the largest finite number of its sign; every NaN becomes 0x7F.
    """


@word(ptx="cvt.rn.satfinite.relu.{format}x2.f32 {result}, {high}, {low};", effect="none", source=PTX)
def encode_relu(low: Single, high: Single, format: Format) -> Pair:
    """Convert two float32 to FP8; what is negative becomes 0."""


@word(
    ptx="""
    {
    .reg .b32 halves;
    mov.b32 halves, {{low}, {high}};
    cvt.rn.satfinite.{format}x2.f16x2 {result}, halves;
    }
    """,
    effect="none",
    source=PTX,
)
def encode_halves(low: Half, high: Half, format: Format) -> Pair:
    """Convert two float16 to FP8, with one rounding each; `low` goes to the low byte."""


@word(
    ptx="""
    {
    .reg .b32 halves;
    mov.b32 halves, {{low}, {high}};
    cvt.rn.satfinite.relu.{format}x2.f16x2 {result}, halves;
    }
    """,
    effect="none",
    source=PTX,
)
def encode_halves_relu(low: Half, high: Half, format: Format) -> Pair:
    """Convert two float16 to FP8; what is negative becomes 0."""


@word(
    ptx="""
    {
    .reg .b32 halves;
    cvt.rn.f16x2.{format}x2 halves, {pair};
    mov.b32 {{result.0}, {result.1}}, halves;
    }
    """,
    effect="none",
    source=PTX,
)
def decode(pair: Pair, format: Format) -> (Half, Half):
    """Give the two numbers of a pair, low byte first, as float16: exactly, for float16 has them all."""
