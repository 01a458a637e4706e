"""What the learner commits before any curve is shown."""

from hopperlab.chip import chip
from hopperlab.course.guesses import Choice, Number, Numbers
from hopperlab.course.memory.latency import recorded
from hopperlab.course.misconceptions import Misconception
from hopperlab.course.predictions import Prediction

L1, NEAR = "last KiB at the L1's latency", "last MiB at the L2's first latency"
WHOLE_L2_MIB = chip(recorded.CARD).l2_bytes / 2**20

KNEES = Prediction(
    "knees",
    "One thread follows lines of 128 bytes in no order, on an H200 with as much L1 cache as an SM can have. Where are "
    "the first two knees of its latency?",
    Numbers(
        {
            L1: Number("KiB", low=1, high=10_000, tolerance=12),
            NEAR: Number("MiB", low=1, high=10_000, tolerance=4),
        }
    ),
    answer=lambda: {L1: recorded.l1_kib(0), NEAR: recorded.near_l2_mib()},
    because=(
        "Of an SM's 256 KiB, 8 go to shared memory and 7 to what nobody may use (modelled, fitted). The L2 cache is "
        "two halves: what lies in the other one is copied into the near one, until that is full."
    ),
    misconceptions=[
        Misconception(
            "the L1 is 256 KiB",
            {L1: 256},
            "That is the memory of the SM. Shared memory takes at least 8 KiB of it as soon as a block is there.",
        ),
        Misconception(
            "a test's step is the cache's end",
            {L1: 208},
            "208 was the last step of one test, not the end [article-009]; another saw 215 [lit-060.a].",
        ),
        Misconception(
            "the L2 is one cache",
            {NEAR: WHOLE_L2_MIB},
            "Its bytes are not equally near: beyond one half, lines start to come from farther away.",
        ),
        Misconception(
            "an L2 of 50 MiB",
            {NEAR: 50},
            "That is the H100's, whole [article-003.b]; and only half of a cache is near to an SM.",
        ),
    ],
)

CONSTANTS = Prediction(
    "constants",
    "The article saw constant memory flat over 64 KiB, about as late as the L1 cache, and guessed that it has no "
    "cache of its own [article-018, article-019]. What does a chase through constants show?",
    Choice(
        {
            "own": "A cache of its own: early while little is visited, then later",
            "l1": "One latency over all 64 KiB: the L1's",
            "l2": "One latency: constants come from the L2 cache",
            "registers": "No latency: constants are part of the instruction",
        }
    ),
    answer=lambda: "own" if recorded.constants_kib() < 64 else "l1",
    because=lambda answer: (
        f"Up to {recorded.constants_kib():g} KiB a constant comes after {recorded.constant_cycles(2):.0f} cycles, at 4 "
        f"after {recorded.constant_cycles(4):.0f}, and so to 64 (measured): a small cache, and a larger one behind it."
    ),
    misconceptions=[
        Misconception(
            "no cache of its own", "l1", "The L1 cache has no step at 2 KiB, and constants do (measured)."
        ),
        Misconception(
            "constants are far", "l2", "The farthest comes after 98 cycles; the L2 takes 281 (measured)."
        ),
        Misconception(
            "constants are literals",
            "registers",
            "One whose address is known when compiling may be. A chase finds its address while it runs.",
        ),
    ],
)

FAR = Prediction(
    "far",
    "An SM adds 0 to a line of the L2 cache, atomically, so that no copy can answer. How many times the cycles of a "
    "near line does a line in the far half take?",
    Number("times", low=0.1, high=100, relative_tolerance=0.1),
    answer=recorded.far_over_near,
    because=lambda answer: (
        f"Measured: {answer:.2f} times, {recorded.sides()[1]:.0f} cycles against {recorded.sides()[0]:.0f}. A load of "
        "a line that was loaded before is always near, because the near half keeps a copy."
    ),
    misconceptions=[
        Misconception(
            "the L2 is one cache", 1, "It is two, one on each side of the chip, with a link between."
        ),
        Misconception(
            "far is twice near",
            2,
            "The article says nearly that, of loads on another card [article-014]. Here the way across adds 197 "
            "cycles to 321 (measured): the rest of the visit does not double.",
        ),
        Misconception(
            "far is device memory", 2.4, "Memory is farther still: 658 cycles at 512 MiB (measured)."
        ),
    ],
)
