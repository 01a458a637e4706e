"""Questions on what a latency is, and which chip is nearer to its bytes."""

from hopperlab.course.quizzes import Option, Question, Quiz

BELIEFS = Quiz(
    "beliefs",
    [
        Question(
            "The near L2 took 203 cycles on an A100 [lit-065.a] and 280 on a GH200 [lit-066.a]. Which is nearer?",
            [
                Option(
                    "The GH200's, by a little",
                    "141.6 ns [lit-066.b] against 145.4 [lit-065.b]. Its cycles are shorter; time is what you wait.",
                    right=True,
                ),
                Option(
                    "The A100's: fewer cycles",
                    "Fewer, and longer: 145.4 ns [lit-065.b] against 141.6 [lit-066.b].",
                    misconception="latency in ns and cycles rank chips alike",
                ),
                Option(
                    "Nobody can say",
                    "Both logs give the time as well.",
                    misconception="a cycle is no time",
                ),
            ],
        ),
        Question(
            "Why does the chase visit its lines in no order?",
            [
                Option(
                    "So that nothing fetches a line before it is asked for",
                    "A line that comes early hides its latency, and in order several words share a line.",
                    right=True,
                ),
                Option(
                    "So that every load misses",
                    "What fits in a cache hits there in any order: the flat treads are hits.",
                    misconception="a chase must miss",
                ),
                Option(
                    "It does not matter: each load waits for the last one anyway",
                    "The load waits; but a neighbor's line, or the rest of its own, may be there already.",
                    misconception="a prefetch-friendly chase measures latency",
                ),
            ],
        ),
        Question(
            'The article\'s chart of "local memory" shows less latency than the L1. What is it?',
            [
                Option(
                    "Shared memory: the word is OpenCL's",
                    "23 cycles against 32 (measured): there are no tags to check [article-020].",
                    right=True,
                ),
                Option(
                    "CUDA's local memory: registers that were spilled",
                    "That lies in device memory and comes through the caches: never nearer than the L1.",
                    misconception="local means spilled",
                ),
                Option(
                    "The registers",
                    "They have no addresses that a chase could follow.",
                    misconception="local means registers",
                ),
            ],
        ),
        Question(
            "Between 30 and 60 MiB the curve rises from 281 to about 400 cycles (measured). How late is one load?",
            [
                Option(
                    "Near or far: the curve is a mean of both",
                    "A share of the lines is in the near half; the rest comes from farther. No load takes the mean.",
                    right=True,
                ),
                Option(
                    "About as the curve says: the L2 gets slower as it fills",
                    "A line in the near half comes as soon as ever. There are only fewer of them.",
                    misconception="a cache slows down as it fills",
                ),
                Option(
                    "281 cycles: all of the L2 is equally near",
                    "Then the curve would be flat to 60 MiB.",
                    misconception="50 MB are equally near",
                ),
            ],
        ),
    ],
)
