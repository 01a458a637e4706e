"""Questions on what a rate counts, and on what is timed at all."""

from hopperlab.course.quizzes import Option, Question, Quiz

BELIEFS = Quiz(
    "beliefs",
    [
        Question(
            "An SM is printed with 128 FP32 multiply-adds a clock, its chip with 67 TFLOP/s. What is a FLOP here?",
            [
                Option(
                    "One addition or multiplication",
                    "A fused multiply-add of one lane is two. 132 SMs x 128 lanes x 2 FLOP x 1.98 GHz are 66.9 "
                    "TFLOP/s (modelled).",
                    right=True,
                ),
                Option(
                    "One instruction of one lane",
                    "Then the peak would be half of what is printed. Additions alone do reach only half of it.",
                    misconception="FMA counts once",
                ),
                Option(
                    "One instruction of a warp",
                    "That is up to 64 FLOP: 32 lanes, two each. Ask of every rate which of the three it counts.",
                    misconception="a warp instruction is a FLOP",
                ),
            ],
        ),
        Question(
            "A loop of 4,096 additions is timed, and its sum is stored. Why may the rate still be impossible?",
            [
                Option(
                    "Adding the same number 4,096 times is a multiplication, and the compiler knows it",
                    "A stored result saves the result, not the loop. Let every addition need the one before, and "
                    "add a number that changes.",
                    right=True,
                ),
                Option(
                    "It may not: what is stored must have been computed, so the loop has run",
                    "The sum was computed, by a shift. Look at the machine code.",
                    misconception="the compiler keeps my loop",
                ),
                Option(
                    "The clock of the SM is too coarse",
                    "It counts single cycles. The 4,096 additions were not made.",
                    misconception="the clock is wrong",
                ),
            ],
        ),
        Question(
            "An H100's SM multiplies integers at the rate of an A100's SM. What of the chips?",
            [
                Option(
                    "The H100 is faster, by SMs and clock",
                    "A rate of a clock and SM says nothing of how many SMs there are, and how long a clock is.",
                    right=True,
                ),
                Option(
                    "They are equally fast, as their SMs are",
                    "That is the ratio of two SMs in one clock.",
                    misconception="GPU and SM ratios are equal",
                ),
                Option(
                    "The H100 is twice as fast, as in FP32",
                    "FP32 lanes doubled; integer lanes stayed at 64 [lit-157.d, lit-157.g].",
                    misconception="all units doubled",
                ),
            ],
        ),
    ],
)
