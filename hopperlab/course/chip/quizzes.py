"""Questions on the chip's announced numbers."""

from hopperlab.course.quizzes import Option, Question, Quiz

BELIEFS = Quiz(
    "beliefs",
    [
        Question(
            "The talk says 2 to 30 times as fast as an A100 [talk-001]. What is 30?",
            [
                Option(
                    "The best of whole systems on large models",
                    "It is the top of a bracket. The chip's peaks grew about 6 times. What lies above comes from "
                    "larger systems, networks and new software.",
                    right=True,
                ),
                Option(
                    "The chip's peak over the A100's peak",
                    "The peaks grew 6.35 times (modelled), and only where all factors apply.",
                    misconception='"up to 30x" is the chip alone',
                ),
                Option(
                    "What any program for inference will gain",
                    "A bracket promises nothing for your program. Its lower end is 2.",
                    misconception="30x is a promise",
                ),
            ],
        ),
        Question(
            "Which of these rates can a program have in one direction alone?",
            [
                Option(
                    "HBM3's 3.35 TB/s",
                    "It can be all reads, or all writes, or both mixed.",
                    right=True,
                ),
                Option(
                    "NVLink's 900 GB/s",
                    "450 each way: 18 links of 25 GB/s [talk-046.a, with both directions added].",
                    misconception="900 GB/s is one direction",
                ),
                Option(
                    "PCIe Gen5's 128 GB/s",
                    "64 each way [lit-155, with both directions added].",
                    misconception="128 GB/s is one direction",
                ),
            ],
        ),
        Question(
            "256 H100 give more than an exaflop of AI [talk-003]. Of what kind?",
            [
                Option(
                    "FP8, with two zeros in every four",
                    "256 times 3,958 TFLOP/s are 1.01 exaflop (modelled). Dense FP8 gives half.",
                    right=True,
                ),
                Option(
                    "FP8, on any matrix, zeros or not",
                    "Dense FP8 is 1,978.9 TFLOP/s a chip [lit-054.b], and 256 chips half an exaflop.",
                    misconception="sparse FLOPS are dense FLOPS",
                ),
                Option(
                    "FP64, as supercomputers are ranked",
                    "67 TFLOP/s a chip on tensor cores: 256 are 0.017 exaflop (modelled).",
                    misconception="an exaflop is FP64",
                ),
            ],
        ),
        Question(
            "Which memory does the H100 PCIe with 80 GB have?",
            [
                Option(
                    "HBM2e, at 2.04 TB/s",
                    "2 x 1,593 MHz x 5,120 bit / 8 [article-007.c]: the A100 80 GB's rate.",
                    right=True,
                ),
                Option(
                    "HBM3, at 3.35 TB/s",
                    "That is the SXM5 card. The talk's HBM3 is not on every H100.",
                    misconception="the H100 PCIe 80 GB has HBM3",
                ),
                Option(
                    "HBM3, at 2.04 TB/s",
                    "The rate is right, the memory is not: it is HBM2e, as on the A100 80 GB.",
                    misconception="the H100 PCIe 80 GB has HBM3",
                ),
            ],
        ),
        Question(
            "How many SMs does an H100 have?",
            [
                Option(
                    "132 or 114, by the product",
                    "The die has 144; some are switched off, so that chips with a defect can be sold.",
                    right=True,
                ),
                Option(
                    "144, as many as the die has",
                    "The die has them [article-002.a]. No product has all of them switched on.",
                    misconception="144 SMs on every H100",
                ),
                Option(
                    "132, whichever the product",
                    "The PCIe card has 114 [article-003.a].",
                    misconception="132 SMs on every H100",
                ),
            ],
        ),
    ],
)
