"""What the learner commits before any factor is spent."""

from hopperlab.chip import chip
from hopperlab.course.guesses import Choice, Number
from hopperlab.course.misconceptions import Misconception
from hopperlab.course.predictions import Prediction
from hopperlab.models.chip import FACTORS, WORKLOADS, gain
from hopperlab.models.roofline import roofline

NAMES = {workload.name: workload.name for workload in WORKLOADS}
LLM, VISION, CHAT, LINEAR, STENCIL, BODIES, ALIGNMENT, POINTERS = NAMES


def _by_gain() -> list[str]:
    """Workloads from the smallest gain to the largest, all factors spent."""
    return [one.name for one in sorted(WORKLOADS, key=lambda one: gain(one, FACTORS).times)]


LEAST = Prediction(
    "least",
    "Eight kinds of work move from an A100 to an H100. Which gains least?",
    Choice(NAMES),
    answer=lambda: _by_gain()[0],
    because="Every step of the chain waits for the one before. Nothing that grew makes one step shorter.",
    misconceptions=[
        Misconception(
            "memory-bound work gains nothing",
            STENCIL,
            "It gains the memory's step, 2.16 times by clock and width (modelled): more than integers gain.",
        ),
        Misconception(
            "FP64 was left behind",
            LINEAR,
            "Its tensor rate doubled as well; more SMs and the clock come on top.",
        ),
        Misconception(
            "integers gained as floats did",
            ALIGNMENT,
            "They gained little: an SM has as many integer lanes as before. But more SMs and the clock count.",
        ),
        Misconception(
            "small batches gain nothing",
            CHAT,
            "One user at a time waits for memory, and memory is 2.16 times as fast (modelled).",
        ),
        Misconception(
            "only training gains", VISION, "It waits for memory at this intensity, and gains its step."
        ),
        Misconception(
            "forces are memory-bound", BODIES, "Every position is used many times: arithmetic is the limit."
        ),
        Misconception(
            "language models gain least", LLM, "They are what the chip was made for: they gain most."
        ),
    ],
)

MOST = Prediction(
    "most",
    "And which reaches six times?",
    Choice(NAMES),
    answer=lambda: _by_gain()[-1],
    because=(
        "It is limited by arithmetic, its products run on tensor cores, and eight bits are enough for them: only then "
        "do all four factors of the arithmetic count, 6.35 times together (modelled)."
    ),
    misconceptions=[
        Misconception(
            "all tensor work gains six times",
            VISION,
            "At 100 FLOP a byte it meets the memory first: 2.16 times (modelled), whatever the tensor cores could do.",
        ),
        Misconception(
            "inference gains most",
            CHAT,
            "One user at a time reads every weight for one product: memory is the limit. Large batches differ.",
        ),
        Misconception(
            "FP64 gains six times", LINEAR, "It cannot spend the factor of eight bits: half is left."
        ),
        Misconception(
            "six times applies to any program", STENCIL, "It waits for memory, and gains what memory gained."
        ),
        Misconception(
            "lanes gain as tensor cores", BODIES, "They have no eight bits to spend: 3.4 times (modelled)."
        ),
        Misconception(
            "DPX makes it six times",
            ALIGNMENT,
            "Integers on the lanes have neither tensor cores nor eight bits to spend. What DPX adds, lesson 03 asks.",
        ),
        Misconception(
            "latency shrinks with the clock", POINTERS, "Nothing that grew makes one access shorter."
        ),
    ],
)

RIDGE = Prediction(
    "ridge",
    "At which intensity, in FLOP a byte, does the H100 SXM5's memory stop being the limit of FP16 products? Below it, "
    "FP8 arithmetic gains nothing as long as the bytes stay the same.",
    Number("FLOP/byte", low=0, high=10000, relative_tolerance=0.1),
    answer=lambda: roofline(chip("H100 SXM5"), "fp16").ridge,
    because=lambda answer: (
        f"989.4 TFLOP/s [lit-054.a] over 3.35 TB/s [lit-055.a] is {answer:.0f} FLOP a byte (modelled). A matrix "
        "product of 1,000 by 1,000 by 1,000 in FP16 has 250 (modelled): it is not there yet."
    ),
    misconceptions=[
        Misconception(
            "sparse FLOPS are dense FLOPS",
            2 * 989.4 / 3.352,
            "That peak is for matrices in which two of every four numbers are zero.",
        ),
        Misconception(
            "FP8's peak counts",
            1978.9 / 3.352 * 1.15,
            "FP8 only counts where FP16 is the limit; the question is where that begins.",
            example=680,
        ),
        Misconception(
            "the A100's ridge",
            312 / 1.555,
            "The A100's was 201 (modelled). Arithmetic grew faster than memory, and the ridge moved right.",
        ),
        Misconception(
            "lanes instead of tensor cores",
            67 / 3.35,
            "That is the ridge of FP32 outside tensor cores.",
        ),
    ],
)
