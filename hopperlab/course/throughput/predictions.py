"""What the learner commits before the rates of lesson 21 are shown; all count lane results."""

from hopperlab.course.guesses import Number
from hopperlab.course.misconceptions import Misconception
from hopperlab.course.predictions import Prediction
from hopperlab.course.throughput.recorded import by_warps, lane_results

DOUBLE = Prediction(
    "double",
    "One SM of an H200 is kept full of fused multiply-adds, once in FP64 and once in FP32. How many times the lane "
    "results of FP32 does FP64 give in a clock?",
    Number("times", low=0, high=4, relative_tolerance=0.08),
    answer=lambda: round(lane_results("fp64 fma") / lane_results("fp32 fma"), 3),
    because=lambda answer: (
        f"Measured: {answer:.2f}. An SM has 64 FP64 lanes [lit-157.c] beside 128 FP32 lanes [lit-157.b]: each "
        "sub-partition starts an FP64 warp instruction every second clock [article-033.a]."
    ),
    misconceptions=[
        Misconception(
            "FP64 is what a graphics card has",
            lambda guess: guess <= 0.1,
            "Chips for games keep few FP64 lanes. This one is made for simulations, too.",
            example=0.03,
        ),
        Misconception(
            "FP64 is what an A100 had",
            0.25,
            "An A100's sub-partition takes four clocks [article-033.b], but its FP32 has half of the lanes as well: "
            "the ratio was 0.5 there, too (modelled).",
        ),
        Misconception(
            "a lane does any type",
            1,
            "Each type has lanes of its own; how many is a choice of the chip's makers.",
        ),
    ],
)

MULTIPLY = Prediction(
    "multiply",
    "The same SM multiplies 32-bit integers and keeps the low half. How many lane results does it give in a clock?",
    Number("lane results a clock", low=0, high=1024, relative_tolerance=0.1),
    answer=lambda: lane_results("int32 multiply"),
    because=lambda answer: (
        f"Measured: {answer:.1f}, half of the FP32 rate, as the article found [article-034]: two warp instructions a "
        "clock. The high half of a product takes two passes and has half of that: "
        f"{lane_results('int32 multiply high'):.1f} (measured)."
    ),
    misconceptions=[
        Misconception(
            "32 lanes need 32 clocks",
            4,
            "Lanes work side by side. A sub-partition's 16 integer lanes take a warp in two clocks, not in 32.",
        ),
        Misconception(
            "integers run on every FP32 lane",
            128,
            "Half of the lanes multiply integers.",
        ),
        Misconception(
            "a product takes several passes",
            32,
            "The low half does not. The high half does, and so do products on other makers' chips, at a quarter of "
            "the FP32 rate [article-034].",
        ),
    ],
)

ONE_WARP = Prediction(
    "one-warp",
    "One warp, alone on the SM, does FP32 multiply-adds, each of which needs the result of the one before. How many "
    "lane results does it give in a clock?",
    Number("lane results a clock", low=0, high=1024, relative_tolerance=0.15),
    answer=lambda: by_warps("fp32 fma")[1][1],
    because=lambda answer: (
        f"Measured: {answer:.2f} of 128. A result comes about 4.2 cycles after its operands (measured), and until then "
        "nothing of this warp can start: 32 lane results every 4.2 cycles. A chain shows latency, never throughput."
    ),
    misconceptions=[
        Misconception(
            "dependent chains show throughput",
            128,
            "16 warps of one chain come near it, and so do four warps of four (measured): each lane needs something to "
            "start in every clock.",
        ),
        Misconception(
            "one warp, one instruction a clock",
            32,
            "A sub-partition could start one, but this warp's next operand is not there yet.",
        ),
        Misconception(
            "32 lanes need 32 clocks",
            1,
            "The 32 lanes of a sub-partition take the whole warp at once.",
        ),
    ],
)
