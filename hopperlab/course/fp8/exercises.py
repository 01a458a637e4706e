"""Three functions to write: the cast, a product that vanishes, and how often to promote."""

import math

from hopperlab.course.draws import Draw
from hopperlab.course.exercises import Exercise
from hopperlab.course.fp8 import mutants
from hopperlab.course.fp8.sums import UNIT
from hopperlab.course.misconceptions import Misconception
from hopperlab.models import fp8, tensorcore


def round_to_e4m3(x):
    """The value that the card's saturating cast to E4M3 makes of a number.

    Three mantissa bits; exponents from -6 to 8; below 2 ** -6 steps of 2 ** -9; the
    largest value is 448. Ties go to the even neighbor. NaN stays NaN.
    """
    if math.isnan(x):
        return x
    # your part: saturate, find the step between neighbors there, round to a whole number of steps
    magnitude = min(abs(x), 448.0)
    exponent = max(math.frexp(magnitude)[1] - 1, -6)
    step = 2.0 ** (exponent - 3)
    magnitude = round(magnitude / step) * step
    # end of your part
    return math.copysign(magnitude, x)


def _right_cast(x: float) -> float:
    return fp8.explain(x, "e4m3").result.value


def _loses_a_sign(cast) -> str | None:
    """What is wrong with a cast that is right by value: -0 and 0 are equal, and two codes."""
    for x in (-0.0, -(2.0**-11)):
        if math.copysign(1.0, cast(x)) > 0:
            return f"{x!r} becomes 0.0, and the card makes it -0.0"
    return None


def _cast_inputs(draw: Draw) -> tuple:
    """A value near a tie more often than not, of any size that matters."""
    exponent = draw.integer(0, 20) - 11
    significand = 1 + draw.integer(0, 15) / 16
    nudge = draw.choice([0.0, 2.0**-13, -(2.0**-13), 2.0**-40, -(2.0**-40)])
    sign = draw.choice([1.0, -1.0])
    return (sign * (significand + nudge) * 2.0**exponent,)


CAST = Exercise(
    "cast",
    "Write the card's cast to E4M3: nearest, ties to even, saturating.",
    solution=round_to_e4m3,
    inputs=_cast_inputs,
    right=_right_cast,
    examine=_loses_a_sign,
    preamble="import math",
    examples=[(0.3,), (464.0,), (465.0,), (math.inf,), (1.0625 + 2**-13,), (2.0**-10,), (-0.0,), (-500.0,)],
    hints=[
        "Between 2 ** e and 2 ** (e + 1) lie eight equal steps. `math.frexp(x)[1] - 1` is e.",
        "Below 2 ** -6 the step stops shrinking: use e = -6 there. Zero needs no case of its own.",
        "Python's `round` takes ties to even. Saturate before you round, so that infinity is dealt with too.",
    ],
    misconceptions=[
        Misconception(
            "overflow gives NaN on the card",
            mutants.nan_above_464,
            "The card saturates: everything too large, infinity too, becomes 448.",
        ),
        Misconception(
            "E4M3 has infinity",
            mutants.infinity_above_464,
            "E4M3 has no infinity to give. Everything too large becomes 448.",
        ),
        Misconception(
            "ties go up",
            mutants.ties_up,
            "A tie goes to the even neighbor: with ties going up, sums of rounded values drift.",
        ),
        Misconception(
            "casting through FP16 is harmless",
            mutants.through_half,
            "Rounded twice: a narrower type on the way, FP16 or FP32, moved the value onto a tie, and the tie went the "
            "other way.",
        ),
        Misconception(
            "zero has no sign",
            mutants.unsigned_zero,
            "-0 and +0 are two codes, 0x80 and 0x00, and a cast keeps the sign, that of a tiny value too.",
        ),
        Misconception(
            "nothing below the smallest normal",
            mutants.no_subnormals,
            "Below 2 ** -6 there are seven more values, the subnormals, in steps of 2 ** -9.",
        ),
        Misconception(
            "what is not needed is cut off",
            mutants.toward_zero,
            "That is how the tensor core treats terms of a sum. A cast rounds to the nearest.",
        ),
    ],
    because="The model is `hopperlab.models.fp8.encode`, and `explain` says it step by step.",
)


def vanishing_factors(c):
    """Two powers of two, both values of E4M3, whose product leaves no trace beside C.

    c: what the accumulator holds, above 0.
    The unit is wgmma with E4M3 operands: all terms of a block are aligned to the
    largest exponent, and 13 bits below it are kept. Give the two factors of the largest
    product, a power of two, that vanishes. E4M3 has the powers 2 ** -9 to 2 ** 8.
    """
    # your part: the exponent of the largest product that is cut off, shared between two factors
    exponent = math.floor(math.log2(c)) - 14
    first = max(-9, min(8, exponent // 2))
    return 2.0**first, 2.0 ** (exponent - first)
    # end of your part


def _vanishing_inputs(draw: Draw) -> tuple:
    return ((1 + draw.integer(0, 7) / 8) * 2.0 ** (draw.integer(0, 30) - 2),)


def _judge_vanishing(result, c) -> str | None:
    """What is wrong with two factors; several pairs are right."""
    try:
        a, b = (float(factor) for factor in result)
    except (TypeError, ValueError):
        return "it is not a pair of numbers"
    for factor in (a, b):
        if fp8.explain(factor, "e4m3").result.value != factor:
            return f"{factor!r} is no value of E4M3"
        if math.frexp(factor)[0] != 0.5:
            return f"{factor!r} is no power of two"
    dtype = tensorcore.UNITS[UNIT].a.dtype
    left = tensorcore.explain_block([dtype.type(a)], [dtype.type(b)], c, UNIT).result
    if float(left) != c:
        return f"{a!r} x {b!r} leaves a trace: {c!r} becomes {float(left)!r}"
    largest = 2.0 ** (math.floor(math.log2(c)) - 14)
    if abs(a * b) < largest:
        return f"{a * b!r} vanishes, but so does {largest!r}"
    return None


VANISHING = Exercise(
    "vanishing",
    "Find two numbers whose product vanishes: the largest power of two that leaves no trace beside C.",
    solution=vanishing_factors,
    inputs=_vanishing_inputs,
    judge=_judge_vanishing,
    preamble="import math",
    examples=[(16384.0,), (1.0,), (448.0,), (2.0**28,)],
    hints=[
        "Which is the exponent of C? That is the exponent to which the product is aligned.",
        "The last bit kept is worth 2 ** (exponent - 13). What is the largest power of two below it?",
        "Split the exponent between two factors of which neither leaves -9 to 8.",
    ],
    misconceptions=[
        Misconception(
            "the FP32 accumulator keeps 24 bits",
            mutants.vanishes_below_fp32,
            "Far larger products vanish too: 13 bits below the largest exponent are kept, not 23.",
        ),
        Misconception(
            "the last kept bit vanishes",
            mutants.last_kept_bit,
            "That one is kept: the grid's own step is 2 ** (exponent - 13).",
        ),
        Misconception(
            "terms are rounded to nearest",
            mutants.half_of_half,
            "Half a step would be a tie if terms were rounded. They are cut: anything below a whole step goes.",
        ),
        Misconception(
            "any exponent is a value of E4M3",
            mutants.one_factor,
            "One factor has left E4M3's range. Share the exponent between both.",
        ),
    ],
    because="`lesson.panel('accumulator')` draws it; `hopperlab.models.tensorcore.explain_block` computes it.",
)


def promotion_interval(biases, allowed):
    """The longest promotion interval whose bias is allowed.

    biases: relative errors of a long sum by promotion interval, such as {32: -0.0002}.
    allowed: largest magnitude of the error, such as 0.001 for 0.1 %.
    Longer intervals cost fewer additions on ordinary lanes. Give None if none will do.
    """
    # your part: of the intervals whose bias is small enough, the longest
    fine = [interval for interval, bias in biases.items() if abs(bias) <= allowed]
    return max(fine, default=None)
    # end of your part


def _promotion_inputs(draw: Draw) -> tuple:
    """Biases that grow with the interval, as the model's do."""
    strength = draw.integer(1, 40) / 1e6
    sign = draw.choice([-1, 1])
    intervals = draw.shuffled([32 * 2**n for n in range(draw.integer(1, 7))])
    biases = {n: sign * strength * n * (1 + draw.integer(0, 3) / 8) / 32 for n in intervals}
    return biases, draw.choice([1e-3, 1e-4, 1e-2])


PROMOTION = Exercise(
    "promotion",
    "Choose the promotion interval: how many elements of K before the sum so far moves to FP32?",
    solution=promotion_interval,
    inputs=_promotion_inputs,
    examples=[
        ({32: -0.0002, 64: -0.0003, 128: -0.0006, 256: -0.0012, 512: -0.0024}, 0.001),
        ({32: 0.0002, 64: 0.0005, 128: 0.001, 256: 0.002}, 0.001),
        ({32: -0.002, 64: -0.004}, 0.001),
    ],
    hints=[
        "Cutting makes positive sums too small: what sign does their error have?",
        "Compare magnitudes.",
        "Of all intervals that will do, the longest costs least.",
    ],
    misconceptions=[
        Misconception(
            "a negative error is small",
            mutants.signed_bias,
            "-25 % is below every limit, and a quarter is lost. Compare magnitudes.",
        ),
        Misconception(
            "the shorter the better",
            mutants.shortest,
            "The shortest is the most exact, and the slowest: each promotion is an addition for every output.",
        ),
        Misconception(
            "the last in the list is the longest",
            mutants.last_listed,
            "Nothing says that the intervals come in order.",
        ),
        Misconception(
            "the limit itself is too much",
            mutants.strictly_below,
            "An error as large as allowed is allowed: the limit is the largest magnitude that will do.",
        ),
        Misconception(
            "some interval will always do",
            mutants.always_some,
            "If the bias of the shortest is too large already, none will do: give None.",
        ),
    ],
    because="On the sums of this lesson, 128 keeps the bias below 0.1 % (modelled); DeepGEMM and CUTLASS take 128.",
)
