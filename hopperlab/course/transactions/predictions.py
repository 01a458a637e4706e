"""What the learner commits before the state machine of lesson 09 is shown."""

from hopperlab.course.guesses import Choice, Number, Numbers
from hopperlab.course.misconceptions import Misconception
from hopperlab.course.predictions import Prediction
from hopperlab.models.barriers import Mbarrier

EVENTS = (
    ("arrive", 1),
    ("complete_tx", 32),
    ("expect_tx", 48),
    ("arrive_expect_tx", 16),
    ("complete_tx", 32),
    ("complete_tx", 8),
    ("arrive", 1),
    ("expect_tx", 24),
)
COUNT = 2


def _after_eight() -> Mbarrier:
    barrier = Mbarrier(COUNT)
    for operation, number in EVENTS:
        getattr(barrier, operation)(number)
    return barrier


def _eight() -> dict[str, int]:
    barrier = _after_eight()
    return {
        "phase": barrier.phase,
        "arrivals missing": barrier.pending_arrivals,
        "bytes missing": barrier.pending_tx,
    }


def _eight_in_words(_: dict[str, int]) -> str:
    barrier, turned = Mbarrier(COUNT), 0
    for number, (operation, amount) in enumerate(EVENTS, 1):
        before = barrier.phase
        getattr(barrier, operation)(amount)
        if barrier.phase != before:
            turned = number
    return (
        f"Phase 0 needs two arrivals and 64 bytes; event {turned} brings the last of them. The 8 bytes after it "
        f"count in phase 1, before anybody expects them. {barrier.explain()}"
    )


EIGHT_EVENTS = Prediction(
    "eight-events",
    "A fresh barrier, init(2). Eight events: 1 arrive; 2 32 bytes land; 3 expect_tx(48); 4 arrive_expect_tx(16); "
    "5 32 bytes land; 6 8 bytes land; 7 arrive; 8 expect_tx(24). What does it hold then?",
    Numbers(
        {
            "phase": Number("", low=0, high=8),
            "arrivals missing": Number("", low=0, high=2),
            "bytes missing": Number("bytes", low=-96, high=96),
        }
    ),
    answer=_eight,
    because=_eight_in_words,
    misconceptions=[
        Misconception(
            "early bytes are lost",
            {"bytes missing": 24},
            "The count is signed: 8 bytes that nobody expected yet take it to -8, and expect_tx(24) to 16.",
        ),
        Misconception(
            "bytes count as arrivals",
            {"phase": 2},
            "Bytes never take the place of an arrival. Phase 1 has one arrival of its two.",
        ),
        Misconception(
            "nothing turns before the end",
            {"phase": 0},
            "The phase turns by itself, in the event that brings the last arrival or the last byte.",
        ),
    ],
)


def _bytes_first() -> str:
    barrier = Mbarrier(1)
    barrier.complete_tx(96)
    if barrier.phase:
        return "bytes"
    barrier.arrive_expect_tx(96)
    return "arrive" if barrier.phase == 1 else "never"


BYTES_FIRST = Prediction(
    "bytes-first",
    "A fresh barrier, init(1). The copy is quick: all 96 bytes land before the consumer has said "
    "arrive_expect_tx(96). When does the phase end?",
    Choice(
        {
            "bytes": "when the bytes land: nothing was expected, so nothing is missing",
            "arrive": "with arrive_expect_tx",
            "error": "never: bytes that are not expected are an error",
            "never": "never: the barrier forgets them, and waits for 96 more",
        }
    ),
    answer=_bytes_first,
    because=lambda _: (
        "The bytes take the count to -96; the arrival is still missing. arrive_expect_tx adds 96 and arrives, "
        "in that order and at once (lit-027), and both counts are zero."
    ),
    misconceptions=[
        Misconception(
            "bytes alone end a phase",
            "bytes",
            "Both must be zero: the count of bytes is -96, and one arrival is missing.",
        ),
        Misconception(
            "complete before expect is an error",
            "error",
            "It is allowed, within one phase: the count is signed (lit-024). A fast copy must not be a bug.",
        ),
        Misconception(
            "the count stops at zero",
            "never",
            "A simulator that clamped it there stalled for ever. The count goes below zero and comes back.",
        ),
    ],
)


def _outcome(expected: int, sent: int) -> str:
    """What a consumer of one phase sees when words of 4 bytes land one by one after its arrival."""
    barrier = Mbarrier(1)
    barrier.arrive_expect_tx(expected)
    landed = 0
    while landed < sent and not barrier.test_wait(0):
        barrier.complete_tx(4)
        landed += 4
    if not barrier.test_wait(0):
        return "hangs"
    return "early" if landed < sent else "right"


def _four_short() -> str:
    return f"{_outcome(96, 92)}, {_outcome(92, 96)}"


FOUR_SHORT = Prediction(
    "four-short",
    "Two bugs, each off by one word. A: 96 bytes are expected, and 92 come. B: 92 bytes are expected, and 96 come, "
    "word by word, after the consumer has arrived. What does the consumer see?",
    Choice(
        {
            "right, right": "both go on: 4 bytes of 96 are nearly nothing",
            "hangs, hangs": "both hang: the numbers must agree",
            "hangs, early": "A hangs; B goes on while its last word is still under way",
            "early, hangs": "A goes on without its last word; B hangs",
        }
    ),
    answer=_four_short,
    because=lambda _: (
        "A: 4 bytes stay missing, and nobody is left to bring them. B: the count is zero after 92 bytes, the phase "
        "ends, and the last word counts in the next one, which now starts at -4: it hangs, or ends early too. A copy "
        "that is counted in one piece jumps past zero, and then B hangs as well."
    ),
    misconceptions=[
        Misconception(
            "4 bytes short is nearly done",
            "right, right",
            "A barrier has no tolerance. It compares with zero, exactly.",
        ),
        Misconception(
            "both bugs are the same",
            "hangs, hangs",
            "Too few bytes sent always hang this phase. Too few expected may end it early, and upset a later one.",
        ),
        Misconception(
            "the barrier ends when enough has come",
            "early, hangs",
            "Enough is when expected minus landed is zero: after 92 of 92 in B, and never in A.",
        ),
    ],
)
