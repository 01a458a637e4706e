"""Questions on units, tenants and spines."""

from hopperlab.course.quizzes import Option, Question, Quiz

BELIEFS = Quiz(
    "beliefs",
    [
        Question(
            "Which of these hold?",
            [
                Option("400 Gb/s is 50 GB/s", "Eight bits a byte; one direction.", right=True),
                Option(
                    "Under SHARPv2 a second job on a leaf falls back to a ring",
                    "One streaming tree a switch.",
                    right=True,
                ),
                Option(
                    "A switch of 64 ports connects 1,024 GPUs in two tiers",
                    "64 x 32 = 2,048 without a taper; with 40 ports it is 800, and takes three.",
                    right=True,
                ),
                Option(
                    "400 Gb/s is 400 GB/s",
                    "A small b is a bit.",
                    misconception="400 Gb/s is 400 GB/s",
                ),
                Option(
                    "Every job of a shared cluster gets SHARP",
                    "Only those whose switches, or ports, are free.",
                    misconception="every job gets SHARP",
                ),
                Option(
                    "32 times means any 32 jobs, anywhere",
                    "It counts resources of one switch. Jobs must still not share a port.",
                    misconception="32x means 32 jobs anywhere",
                ),
                Option(
                    "Adding a spine always adds bisection",
                    "Without free ports on the leaves it adds none; and cables must spread evenly.",
                    misconception="adding a spine adds bisection always",
                ),
                Option(
                    "The talk's 4 times for all-to-all is the faster link",
                    "The link gives 2; the rest is quoted of the adapter.",
                    misconception="all-to-all 4x is the link",
                ),
            ],
            several=True,
        ),
    ],
)
