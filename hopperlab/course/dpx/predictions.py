"""What the learner commits before the machine code and the rates of lesson 03 are shown."""

from hopperlab import ledger
from hopperlab.course.guesses import Number
from hopperlab.course.misconceptions import Misconception
from hopperlab.course.predictions import Prediction
from hopperlab.kernels.dpx.listing import recorded
from hopperlab.models.dpx import fused

CARD = "H200 SXM"
FIVE = (
    "Called by name",
    "Written out, in 32 bits",
    "With a condition",
    "A difference",
    "The sum as numba types it",
)


def one_fused_instruction(name: str) -> bool:
    """Whether a way to write the line becomes one fused instruction and nothing else."""
    code = recorded()[name]
    return len(code) == 1 and fused(code[0])


FUSES = Prediction(
    "fuses",
    "Five ways to write the line for int32 a, b and c in numba: `dpx.viaddmax_s32(a, b, c)`; `max(int32(a + b), c)`; "
    "the same with `if`; `max(int32(a - b), c)`; and `max(a + b, c)`. How many become one fused instruction?",
    Number("ways", low=0, high=5),
    answer=lambda: sum(one_fused_instruction(name) for name in FIVE),
    because=(
        "The assembler fuses a sum or a difference with the maximum that takes it, whoever wrote them. numba makes an "
        "int64 of the sum of two int32, and 64 bits have no fused instruction: `int32(a + b)` brings it back."
    ),
    misconceptions=[
        Misconception(
            "it must be called by name",
            1,
            "The name is a promise, not a key: `max(int32(a + b), c)` becomes the same instruction.",
        ),
        Misconception(
            "a condition is a branch",
            3,
            "The compiler sees that both sides are ready and makes a maximum of it.",
        ),
        Misconception(
            "only the exact formula fuses",
            2,
            "One operand may be negated for nothing, so that a difference fuses; and a condition becomes a maximum.",
        ),
        Misconception(
            "a sum of int32 is an int32",
            5,
            "Not in numba: it widens to int64, and the machine code then has seven instructions (modelled, from SASS).",
        ),
    ],
)


def times_faster(function: str) -> float:
    """How many times the results a clock of its unfused twin a function gives, as recorded."""
    (recording,) = ledger.recordings("dpx_rates", card=CARD)
    return recording.results["times_faster_than_apart"][function]


PAIRS = Prediction(
    "pairs",
    "viaddmax_s16x2_relu adds two pairs of 16-bit numbers, takes the larger of each and c, and nothing below 0. How "
    "many times the results a clock does it give, beside the same line with nothing fused on the same card?",
    Number("times", low=0, high=100, relative_tolerance=0.35),
    answer=lambda: times_faster("viaddmax_s16x2_relu"),
    because=lambda answer: (
        f"Measured: {answer:.1f} times. Without it the pairs are taken apart, added, compared twice, and put together "
        "again; on the A100 a published log shows a similar step [lit-143.a, lit-143.b]."
    ),
    misconceptions=[
        Misconception(
            "7 times is the instruction",
            7,
            "The announced 7 times are an application on an H100 against an A100 [lit-148], not an instruction.",
        ),
        Misconception(
            "two numbers a word make it two times",
            2,
            "The halves are the smaller part: unfused code must also unpack, compare and repack them.",
        ),
        Misconception(
            "it is one instruction for three",
            3,
            "Sum, maximum and floor of a pair are far more than three instructions where nothing knows of halves.",
        ),
    ],
)

WORDS = Prediction(
    "words",
    "The same question for plain 32-bit numbers: viaddmax_s32 beside a sum and a maximum that are kept apart.",
    Number("times", low=0, high=100, relative_tolerance=0.2),
    answer=lambda: times_faster("viaddmax_s32"),
    because=lambda answer: (
        f"Measured: {answer:.2f} times. A sum may run on the pipe of the multiply-adds, beside the maximum on the "
        "integer pipe: two instructions on two pipes. A published log shows no gain either [lit-144.a, lit-144.b]."
    ),
    misconceptions=[
        Misconception(
            "one instruction for two is twice as fast",
            2,
            "Only where both wanted the same pipe. The sum has another one to run on.",
        ),
        Misconception(
            "7 times is the instruction",
            7,
            "That is whole alignments on an H100 against an A100 [lit-148]. Here it is one line on one card.",
        ),
    ],
)
