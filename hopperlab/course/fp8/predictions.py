"""What the learner commits before the number line and the accumulator of lesson 04 are shown."""

from hopperlab.course.fp8.sums import all_ones, ones_on, uniform_bias
from hopperlab.course.guesses import Choice, Number
from hopperlab.course.misconceptions import Misconception
from hopperlab.course.predictions import Prediction
from hopperlab.models import fp8

SENT = (464.0, 465.0, float("inf"))
LONG = 16_384


def _casts() -> str:
    """The three results in words, as the guesses have them."""
    return ", ".join(f"{fp8.explain(value, 'e4m3').result.value:g}" for value in SENT)


CASTS = Prediction(
    "casts",
    "The card casts 464, 465 and infinity to E4M3, by its one instruction for it, cvt.rn.satfinite. What comes out? "
    "The largest value below them is 448; one step more would be 480.",
    Choice(
        {
            "448, nan, nan": "448, NaN, NaN: what is too large is no number",
            "480, 480, 480": "480, 480, 480: the last code that there is",
            "448, 448, 448": "448, 448, 448: the largest value, whatever was asked",
            "448, 448, inf": "448, 448, infinity: only infinity stays infinite",
            "240, 240, 240": "240, 240, 240: the largest value of four exponent bits and three mantissa bits",
        }
    ),
    answer=_casts,
    because=(
        "464 lies halfway between 448 and 480, and 448 has the even mantissa. 465 would round to 480, which is NaN's "
        "place, so it saturates. Infinity saturates too: E4M3 has none to keep it."
    ),
    misconceptions=[
        Misconception(
            "overflow gives NaN on the card",
            "448, nan, nan",
            "So does ml_dtypes, and so did torch. The card's cast saturates: it has no other form than satfinite.",
        ),
        Misconception(
            "E4M3 ends at 480",
            "480, 480, 480",
            "The code that would be 480 is NaN. 448 is the largest value, and 464 is a tie that goes to it.",
        ),
        Misconception(
            "E4M3 has infinity",
            "448, 448, inf",
            "E4M3 gave infinity's place to numbers: 0x7F is NaN, and everything below it is finite.",
        ),
        Misconception(
            "E4M3 is IEEE's",
            "240, 240, 240",
            "IEEE style would give the whole last exponent to infinity and NaN and end at 240. E4M3 gives away one "
            "mantissa only.",
        ),
    ],
)

ONES = Prediction(
    "ones",
    "A tensor core (wgmma, E4M3, FP32 accumulator) holds 16384 in an accumulator, and adds one block of 32 "
    "products 1 x 1. What stands in the accumulator then?",
    Number(low=0, high=40_000),
    answer=lambda: float(ones_on(16384.0).result),
    because=(
        "All terms are aligned to the largest exponent, 14, and 13 bits below it are kept: steps of 2. Each one is "
        "half a step, and is cut off before anything is added. So a sum of ones stalls at 16384 for ever."
    ),
    misconceptions=[
        Misconception(
            "the FP32 accumulator keeps 24 bits",
            16416,
            "16416 has 10 significant bits: FP32 would hold it, and so would 13 bits, were only the sum cut to them. "
            "But each term is cut to 13 bits below the largest before anything is added.",
        ),
        Misconception(
            "the accumulator overflows",
            lambda guess: guess < 16384,
            "Nothing overflows: FP8 products are added as wider numbers, and the largest term is kept whole.",
            example=448,
        ),
    ],
)


BIAS = Prediction(
    "bias",
    "Numbers uniform in [0, 1) are multiplied and summed, K = 16384 terms, with fast accumulation: one chain, "
    "never promoted. By how much is the tensor core's sum too small, against the exact sum of the same products?",
    Choice(
        {
            "none": "less than 0.01 %: that is what FP32 is for",
            "little": "about 0.1 %: errors average out as K grows",
            "some": "about 2 %",
            "much": "about a quarter",
        }
    ),
    answer=lambda: _size(-uniform_bias(LONG)),
    because=lambda _: (
        f"Modelled: {100 * uniform_bias(LONG):.0f} %. All terms have one sign, and cutting always takes the same way, "
        f"so nothing averages out: the longer the sum, the larger the steps that later terms are cut to. Promoted "
        f"every 128 terms it is {100 * uniform_bias(LONG, 128):.2f} %. With {2 * LONG} ones the sum is "
        f"{all_ones(2 * LONG):.0f}."
    ),
    misconceptions=[
        Misconception(
            "the sum is kept in FP32",
            "none",
            "It is written to an FP32 register, with 13 fraction bits of its own; the other ten are zero.",
        ),
        Misconception(
            "total FP8 error shrinks with K for positive sums",
            "little",
            "The error of rounding the inputs does: it has both signs. Cutting has one sign, and adds up.",
        ),
        Misconception(
            "2 % is the bound",
            "some",
            "That is near what is told of K = 4096 and values of both signs. Positive sums lose far more.",
        ),
    ],
)


def _size(loss: float) -> str:
    limits = (("none", 1e-4), ("little", 5e-3), ("some", 0.1), ("much", 1.0))
    return next(name for name, limit in limits if loss < limit)
