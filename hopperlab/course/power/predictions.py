"""What the learner commits before any watt is shown."""

from hopperlab import ledger
from hopperlab.course.guesses import Number, Numbers
from hopperlab.course.misconceptions import Misconception
from hopperlab.course.power import recorded
from hopperlab.course.predictions import Prediction

CLOCK = Prediction(
    "clock",
    "The article's H100 PCIe may boost to 1755 MHz [article-005.a], and draw 350 W [article-003.d]. What is the lowest "
    "clock that the article saw while a kernel read the L2 cache?",
    Number("MHz", low=200, high=2000, relative_tolerance=0.05),
    answer=lambda: ledger.claim("article-005.b").number,
    because=(
        "1395 MHz [article-005.b], under 80 % of the boost clock [article-005.c]: the card had reached its 350 W "
        "[article-003.d]. An A100 beside it kept its 1410 MHz [article-041] below its 400 W [article-006.b]."
    ),
    misconceptions=[
        Misconception(
            "boost clock is the clock", 1755, "It is the highest clock. Power decides what is kept."
        ),
        Misconception(
            "a limit takes the card back to rest",
            345,
            "That is its idle clock [article-007.a]. A limit is met by a small step down: power falls faster than "
            "the clock.",
        ),
        Misconception(
            "power goes by the clock alone",
            900,
            "A lower clock also allows a lower voltage, so far less has to be given up.",
        ),
    ],
)

ZEROS, MIXED = "on zeros", "on mixed numbers"


def _watts() -> dict[str, float]:
    return {
        ZEROS: recorded.result(recorded.ZEROS)["power_w"],
        MIXED: recorded.result(recorded.MIXED)["power_w"],
    }


WATTS = Prediction(
    "watts",
    "All 132 SMs of an H200 SXM, sold with 700 W [chip-038], multiply FP8 matrices: the same kernel on zeros, then on "
    "mixed numbers. What does the card draw?",
    Numbers({part: Number("W", low=50, high=1000, relative_tolerance=0.12) for part in (ZEROS, MIXED)}),
    answer=_watts,
    because=(
        "273 W on zeros, 689 W on mixed numbers (measured). A wire that stays as it is costs next to nothing; energy "
        "goes where bits change. Ones are as quiet as zeros: 275 W (measured). On an H800 PCIe: under 200 W and 350 W "
        "[lit-138.b, lit-138.a]."
    ),
    misconceptions=[
        Misconception(
            "the same kernel draws the same power on zeros",
            {ZEROS: 689},
            "The instructions are the same. The bits that change are not.",
        ),
        Misconception(
            "zeros cost nothing",
            {ZEROS: 124},
            "Instructions are still fetched, registers still clocked: 149 W above a card at rest (measured).",
        ),
        Misconception(
            "numbers matter a little", {MIXED: 300}, "They decide most of it: 416 W of 689 (measured)."
        ),
    ],
)

READING = Prediction(
    "reading",
    "A heavy kernel begins. After how many seconds has the power that NVML tells come to nine tenths of what it will "
    "settle at?",
    Number("s", low=0.001, high=60, relative_tolerance=0.25),
    answer=lambda: recorded.seconds_to_reading(recorded.MIXED),
    because=lambda answer: (
        f"After {answer:.2f} s (measured). The card draws it at once; what NVML tells is a mean over the last second. "
        f"The clock was seen lower after {recorded.seconds_to_slower(recorded.MIXED):.2f} s already (measured)."
    ),
    misconceptions=[
        Misconception("a reading is of now", 0.02, "It is a mean over about a second (measured)."),
        Misconception(
            "power follows temperature",
            20,
            "Temperature follows power: 38 degrees at first, 61 after two seconds, never above 64 (measured). Power is "
            "there with the first launch; its reading a second later.",
        ),
        Misconception(
            "throttling begins after two seconds",
            2,
            "By then all has long happened. Two seconds is when people look.",
        ),
    ],
)
