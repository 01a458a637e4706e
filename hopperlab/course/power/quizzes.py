"""Questions on clock, power, temperature and time."""

from hopperlab.course.quizzes import Option, Question, Quiz

BELIEFS = Quiz(
    "beliefs",
    [
        Question(
            "Products of mixed numbers ran at 1710 MHz and 63 degrees C, with the reason 'power cap' (measured). What "
            "held the clock back?",
            [
                Option(
                    "The limit in watts", "Readings settle at 689 W; 700 are allowed [chip-038].", right=True
                ),
                Option(
                    "Its temperature",
                    "NVML names reasons, and it named power only. 63 degrees is cool.",
                    misconception="temperature is the limit",
                ),
                Option(
                    "Nothing: it is the clock of this card",
                    "1980 MHz is [lit-053], and at rest it was there (measured).",
                    misconception="boost clock is the clock",
                ),
            ],
        ),
        Question(
            "A kernel takes 1980 cycles. How long is that?",
            [
                Option(
                    "That depends on the clock that was held",
                    "1.00 us at 1980 MHz, 1.16 at 1710. Ask for cycles or for time, and write the clock beside it.",
                    right=True,
                ),
                Option(
                    "1.00 us on an H200, as it boosts to 1980 MHz",
                    "Only while nothing holds it back.",
                    misconception="boost clock is the clock",
                ),
                Option(
                    "1980 ns, more or less",
                    "Only at 1 GHz is a cycle a nanosecond.",
                    misconception="cycles and nanoseconds are interchangeable",
                ),
            ],
        ),
        Question(
            "A benchmark fills its matrices by zeros. What is wrong with its TFLOP/s?",
            [
                Option(
                    "They are of a clock that real numbers would not keep",
                    "1755 against 1632 TFLOP/s; per clock they are within 2 % (measured).",
                    right=True,
                ),
                Option(
                    "Nothing: a product takes as long, whatever its numbers",
                    "As many cycles. The numbers decide how long a cycle is.",
                    misconception="the same kernel draws the same power on zeros",
                ),
                Option(
                    "The hardware skips products with zero",
                    "It does not: zeros took as many cycles as mixed numbers, within 2 % (measured).",
                    misconception="zeros are skipped",
                ),
            ],
        ),
    ],
)
