"""Questions on the formats, the casts, and what runs inside the tensor core."""

from hopperlab.course.quizzes import Option, Question, Quiz

BELIEFS = Quiz(
    "beliefs",
    [
        Question(
            "Which of these hold for FP8 on Hopper?",
            [
                Option(
                    "E4M3 has an infinity",
                    "It has none: 0x7F and 0xFF are NaN, and everything below them is a number.",
                    misconception="E4M3 has infinity",
                ),
                Option(
                    "Libraries differ on what 465 becomes in E4M3",
                    "The card gives 448, ml_dtypes NaN, and torch changed its answer between releases.",
                    right=True,
                ),
                Option(
                    "A cast through FP16 is harmless, FP16 having more bits",
                    "It rounds twice. 1.0625 + 2^-13 is above a tie; FP16 puts it on the tie, and E4M3 then on 1.",
                    misconception="casting through FP16 is harmless",
                ),
                Option(
                    "E5M2 is only a worse E4M3",
                    "It trades one bit of precision for 14 more powers of two, which gradients can need.",
                    misconception="E5M2 is only worse E4M3",
                ),
                Option(
                    "E5M2 holds a thousandth of its largest value, and a millionth, and a billionth",
                    "From 57344 down to 2^-16: 32 powers of two. E4M3 has 18, with twice the precision.",
                    right=True,
                ),
                Option(
                    "Overflow gives NaN on the card",
                    "The card's cast saturates, infinity included. NaN is what some libraries give.",
                    misconception="overflow gives NaN on the card",
                ),
                Option(
                    "-0 and +0 are two codes",
                    "0x80 and 0x00, in both formats.",
                    right=True,
                ),
                Option(
                    "PyTorch, ml_dtypes and the card agree on every value",
                    "They agree on what is in range and comes from FP32. On overflow, NaN codes and FP64 they do not.",
                    misconception="PyTorch, ml_dtypes and the card agree",
                ),
            ],
            several=True,
        ),
    ],
)

WHERE_IT_RUNS = Quiz(
    "where-it-runs",
    [
        Question(
            "y = gelu(scale * (A x B) + bias) in FP8. What happens inside the tensor core?",
            [
                Option(
                    "All of it",
                    "The talk's picture shows bias and activation behind the multiplication; they are ordinary "
                    "instructions of the kernel, the epilogue.",
                    misconception="bias and activation run inside the tensor core",
                ),
                Option(
                    "A x B only",
                    "Products and their sum. The rest is done on ordinary lanes, in FP32, by the same kernel.",
                    right=True,
                ),
                Option(
                    "A x B and the scale",
                    "A tensor core of Hopper knows no scales: they are multiplied with afterwards.",
                    misconception="the tensor core scales",
                ),
            ],
        ),
        Question(
            "Two FP8 arrays are to be added element by element. How?",
            [
                Option(
                    "By an FP8 add",
                    "There is no such instruction.",
                    misconception="Hopper adds in FP8",
                ),
                Option(
                    "By adding their codes as whole numbers",
                    "Codes do not add as values do: 0x38 is 1 in E4M3, and 0x38 + 0x38 is 0x70, which is 128.",
                    misconception="codes add as values do",
                ),
                Option(
                    "Convert to FP16 or FP32, add, convert back",
                    "Hopper has casts to and from FP8, and no other FP8 arithmetic outside the tensor core.",
                    right=True,
                ),
            ],
        ),
        Question(
            "mma.sync and wgmma both take E4M3. Do they give the same bits on Hopper?",
            [
                Option(
                    "Yes, it is one tensor core",
                    "There is one tensor core, but the compiler turns FP8 mma.sync into FP16 instructions.",
                    misconception="mma.sync shows the FP8 tensor core",
                ),
                Option(
                    "Yes, up to the order in which they add",
                    "They keep different bits: 128 ones on 16384 give 16384 by wgmma and 16512 by mma.sync.",
                    misconception="only the order of the sum differs",
                ),
                Option(
                    "No: mma.sync of FP8 runs as FP16",
                    "So NVIDIA says: the FP16 tensor core does it. It keeps 25 bits and loses less, at half the "
                    "rate. Ada's mma.sync is another one.",
                    right=True,
                ),
            ],
        ),
    ],
)
