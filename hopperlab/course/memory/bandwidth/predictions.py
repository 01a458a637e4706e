"""What the learner commits before any rate is shown."""

from hopperlab.course.guesses import Number, Numbers
from hopperlab.course.memory.bandwidth import recorded
from hopperlab.course.misconceptions import Misconception
from hopperlab.course.predictions import Prediction
from hopperlab.models.memory import Streams

FILLED_SM = 528


def _modelled_blocks() -> int:
    """The fewest blocks of the kernel shown that reach 90 % of the most that was measured, by the model."""
    wanted = 0.9e9 * recorded.most("HBM")
    model = Streams()
    return next(n for n in range(1, FILLED_SM + 1) if model.bandwidth("HBM", *recorded.SHOWN, n) >= wanted)


BLOCKS = Prediction(
    "blocks",
    "The kernel shown runs on an H200, 132 SMs. How many of its blocks read device memory at 90 % of the most that "
    "any kernel of this lesson reached?",
    Number("blocks", low=1, high=10_000, relative_tolerance=0.2),
    answer=lambda: recorded.blocks_for(0.9),
    because=lambda answer: (
        f"Measured: {recorded.shape('HBM', *recorded.SHOWN)[132]:.0f} GB/s with 132 blocks and "
        f"{recorded.shape('HBM', *recorded.SHOWN)[198]:.0f} with 198; {answer} lies between. Modelled by Little's law: "
        f"{_modelled_blocks()}. A block keeps 512 x 2 x 16 bytes in flight, 16 KiB."
    ),
    misconceptions=[
        Misconception(
            "a full grid is enough",
            132,
            "A block on every SM is a full grid, and 16 KiB of each are in flight: 78 % of the most (measured).",
        ),
        Misconception(
            "every SM must be full",
            FILLED_SM,
            "528 blocks fill all threads of the card. What must be full is the way to memory; that is sooner.",
        ),
        Misconception(
            "bandwidth is a property of memory alone",
            1,
            "One block gets 35 GB/s (measured): its bytes in flight, once every latency.",
        ),
    ],
)

AT_42, AT_107, AT_268 = "42 MB", "107 MB", "268 MB"

FOOTPRINT = Prediction(
    "footprint",
    "All blocks read the same bytes, over and over, past the L1 cache. At 8 MB the L2 cache of an H200 gives 10.3 "
    "TB/s [lit-079.a]. What does a larger footprint give, in percent of that? The L2 cache is 60 MiB.",
    Numbers({part: Number("%", low=0, high=300, tolerance=6) for part in (AT_42, AT_107, AT_268)}),
    answer=lambda: {
        AT_42: recorded.of_8_mb(42),
        AT_107: recorded.of_8_mb(107),
        AT_268: recorded.of_8_mb(268),
    },
    because=(
        "Within the L2 cache little is lost: from 17 to 53 MB footprints give 87 to 98 % (measured), and how their "
        "lines fall on its parts counts as much as their size. Beyond, a share still hits, up to about twice the "
        "cache. Then device memory is left (measured)."
    ),
    misconceptions=[
        Misconception(
            "L2 bandwidth is one number",
            {AT_42: 100},
            "It is 8 % less at 42 MB, and 13 % less at 27 (measured).",
        ),
        Misconception(
            "another card's fabric",
            {AT_42: 69},
            "The article's 3.8 TB/s [article-027.a] of 5.5 [article-025] are of another card, by another kernel.",
        ),
        Misconception(
            "the A100's collapse",
            {AT_42: 45},
            "An A100 fell to 45 % [derived-015.b]. This chip's halves are joined by more.",
        ),
        Misconception(
            "all or nothing",
            {AT_107: 43},
            "A footprint that does not fit is not all gone: blocks meet lines that others just brought.",
        ),
    ],
)

HBM, L2 = "of device memory", "of the L2 cache"

HALF = Prediction(
    "half",
    "66 blocks of 512 threads, one on each of 66 SMs, half of the chip. Each thread has four loads of 16 bytes in "
    "flight. What do they reach, in percent of the most that the whole chip reached in any way?",
    Numbers({part: Number("%", low=0, high=100, tolerance=6) for part in (HBM, L2)}),
    answer=lambda: {HBM: recorded.half("HBM"), L2: recorded.half("L2")},
    because=(
        "What counts is bytes in flight, until something is full. 66 blocks have 2.2 MB in flight, enough by Little's "
        "law to fill device memory (modelled); but the nearer to its ceiling, the longer each load takes."
    ),
    misconceptions=[
        Misconception(
            "half the chip gives half the HBM bandwidth",
            {HBM: 50},
            "That would need a ceiling for each SM. The ceiling is memory's, and half the SMs come close to it.",
        ),
        Misconception(
            "half the chip gives half the L2 bandwidth",
            {L2: 50},
            "An SM can take more than its share of the L2 cache's rate. It does when enough is in flight.",
        ),
        Misconception(
            "bandwidth is a property of memory alone",
            {HBM: 100, L2: 100},
            "It is the ceiling that is memory's. What is reached below it is what you keep in flight.",
        ),
    ],
)
