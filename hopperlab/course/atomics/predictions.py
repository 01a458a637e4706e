"""What the learner commits before any hand-off is shown."""

from hopperlab import ledger
from hopperlab.course.atomics import recorded
from hopperlab.course.guesses import Number, Numbers
from hopperlab.course.misconceptions import Misconception
from hopperlab.course.predictions import Prediction

SHARED, CLUSTER, GLOBAL = "in shared memory", "in the shared memory of a cluster", "in global memory"


def _places() -> dict[str, float]:
    return {
        SHARED: recorded.nanoseconds(recorded.TWO_WARPS),
        CLUSTER: recorded.nanoseconds(recorded.CLUSTER),
        GLOBAL: recorded.nanoseconds(recorded.GLOBAL),
    }


PLACES = Prediction(
    "places",
    "Two threads hand a word over by compare-and-swap: each waits until the word has reached its number, and raises "
    "it by one. What does a hand-off cost, one way, on an H200 at 1980 MHz: between two warps of a block, between two "
    "blocks of a cluster, and between two SMs through global memory?",
    Numbers(
        {part: Number("ns", low=1, high=10_000, relative_tolerance=0.3) for part in (SHARED, CLUSTER, GLOBAL)}
    ),
    answer=_places,
    because=(
        "Each try is a trip to the word and back. Shared memory is in the SM; a cluster's words are an SM away; a word "
        "of global memory is in the L2 cache, across the chip (measured). The article's H100 took 36.47 ns "
        "[article-021.a] and 161.14 ns [article-022.a]."
    ),
    misconceptions=[
        Misconception(
            "atomics are slow everywhere",
            {SHARED: 160},
            "In shared memory a word is handed over in a third of the time that it takes through the L2 (measured).",
        ),
        Misconception(
            "shared and global differ a little",
            {GLOBAL: 60},
            "They differ three times here (measured), and four times in the article [article-021.a, article-022.a].",
        ),
        Misconception(
            "a cluster's shared memory is as near as one's own",
            {CLUSTER: 51},
            "It is on another SM. A trip there takes 202 cycles, and 40 in one's own (measured).",
        ),
        Misconception(
            "whatever leaves the SM goes to the L2",
            {CLUSTER: 155},
            "Blocks of a cluster have a network of their own, and it is nearer.",
        ),
        Misconception(
            "global memory is device memory",
            {GLOBAL: 400},
            "Atomics are made in the L2 cache; the word need not come from device memory again.",
        ),
    ],
)

CONTENTION = Prediction(
    "contention",
    "The 1,024 threads of one SM add to one word of global memory, over and over. Then all 132 SMs do. How many "
    "times the additions a clock are made, all together?",
    Number("times", low=0.001, high=1000, relative_tolerance=0.2),
    answer=recorded.gain_on_one_word,
    because=lambda answer: (
        f"Measured: {answer:.2f} times, from {recorded.additions()['one word'][0][1]} additions a clock to "
        f"{recorded.additions()['one word'][-1][1]}. One place in the L2 makes them, one after the other; two SMs "
        "keep it busy, and all others only wait longer."
    ),
    misconceptions=[
        Misconception(
            "contention is free in L2",
            132,
            "Only where words differ. A word lies in one place, and that place adds in turn.",
        ),
        Misconception(
            "a line in parts",
            32,
            "A line's words can be added to together. One word cannot.",
        ),
        Misconception(
            "contention is collapse",
            1 / 132,
            "Nobody tries in vain: an addition is sent once, and done where the word is. Compare-and-swap may fail; "
            "this can't.",
        ),
    ],
)


def _a100_over_h100() -> float:
    return ledger.claim("article-022.b").number / ledger.claim("article-022.a").number


CLOCK = Prediction(
    "clock",
    "The article's A100 runs at 1410 MHz [article-006.a], its H100 at up to 1755 [article-005.a]. How many times the "
    "H100's time does a hand-off through global memory take on the A100, by the article's chart?",
    Number("times", low=0.1, high=10, tolerance=0.04),
    answer=_a100_over_h100,
    because=lambda answer: (
        f"{answer:.2f} times: 165.55 ns [article-022.b] against 161.14 ns [article-022.a]. Fewer cycles, each of them "
        "longer. In shared memory the clock does tell: 43.97 ns [article-021.b] against 36.47 [article-021.a]."
    ),
    misconceptions=[
        Misconception(
            "lower clock means slower atomics",
            1755 / 1410,
            "If both took as many cycles. Through the A100's L2 they are fewer, by the same chart.",
        ),
        Misconception(
            "the newer chip is twice as fast",
            2,
            "In arithmetic. A way across a chip does not get shorter with more units.",
        ),
        Misconception(
            "the older chip is nearer",
            1410 / 1755,
            "Cycles and nanoseconds are mixed up: in cycles it is.",
        ),
    ],
)
