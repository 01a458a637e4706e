"""What the learner commits before the ladder of lesson 07 is shown."""

from hopperlab.chip import chip
from hopperlab.course.exchange.measured import histogram_gains, round_trip
from hopperlab.course.guesses import Choice, Number, Numbers
from hopperlab.course.misconceptions import Misconception
from hopperlab.course.predictions import Prediction
from hopperlab.models.exchange import FLAG, ONE_SIDED, STORE, TAGGED, crossings

THROUGH_MEMORY, ACROSS = "through global memory", "through the cluster's shared memory"
NEAR = 0.25  # of what was measured


def _round_trips() -> dict[str, float]:
    return {THROUGH_MEMORY: round(round_trip(FLAG)), ACROSS: round(round_trip(ONE_SIDED))}


ROUND_TRIP = Prediction(
    "round-trip",
    "A word goes from one block to another and back, by the two kernels shown above. A load from the near half of the "
    "L2 takes 264 to 280 cycles (lit-063.a, lit-066.a), one from another block's shared memory about 196 (lit-089.e). "
    "How many cycles does the word take, to and fro?",
    Numbers(
        {
            THROUGH_MEMORY: Number("cycles", low=0, high=20_000, relative_tolerance=NEAR),
            ACROSS: Number("cycles", low=0, high=20_000, relative_tolerance=NEAR),
        }
    ),
    answer=_round_trips,
    because=lambda answer: (
        f"Measured on an H200 SXM: {answer[THROUGH_MEMORY]:,} and {answer[ACROSS]:,} cycles, "
        f"{answer[THROUGH_MEMORY] / answer[ACROSS]:.1f} times. Each way through memory is a write, a fence, a flag, "
        "a poll and a fetch, one after the other. Each way across is one crossing, and a waiter that wakes."
    ),
    misconceptions=[
        Misconception(
            "to memory and back is all",
            {THROUGH_MEMORY: 2 * 272},
            "The flag must not overtake the word, and the consumer must ask, then fetch: three to four round trips "
            "each way (talk-033).",
        ),
        Misconception(
            "seven times is a law",
            {THROUGH_MEMORY: 4_000},
            "The talk's 7 (talk-032) is of some protocol that it does not show. This one is another.",
        ),
        Misconception(
            "remote shared memory costs like local",
            {ACROSS: 2 * 33},
            "33 cycles are a block's own (lit-088). The network to the other SM costs six times that.",
        ),
        Misconception(
            "who waits is there at once",
            {ACROSS: 2 * 150},
            "The word crosses in about 100 cycles. Its bytes are counted, and the waiter wakes: that takes longer.",
        ),
    ],
)


def _fewest() -> dict[str, int]:
    return {protocol: crossings(protocol)[0] for protocol in (FLAG, TAGGED, STORE, ONE_SIDED)}


FOUR_WAYS = Prediction(
    "four-ways",
    "Four protocols hand over a word. Flag: write, fence, write a flag; the other polls, then reads. Tagged word: "
    "write a word that says which round it is of; the other polls it. Store and arrive: store into the other's shared "
    "memory, then arrive on its barrier, in this order. st.async: one message that counts its own bytes. How many "
    "crossings at least, one after the other, until the other has the word? To memory and back are two.",
    Numbers({protocol: Number("crossings", low=0, high=12) for protocol in (FLAG, TAGGED, STORE, ONE_SIDED)}),
    answer=_fewest,
    because=lambda answer: (
        f"Flag {answer[FLAG]}: word, acknowledgment, flag, answer to a lucky poll, and two to fetch. Tagged word "
        f"{answer[TAGGED]}: word, and answer. Store and arrive {answer[STORE]}: word, acknowledgment, arrival. "
        f"st.async {answer[ONE_SIDED]}. An unlucky poll adds two where there is one."
    ),
    misconceptions=[
        Misconception(
            "a fence waits for nothing",
            {STORE: 1},
            "It holds the arrival back until the word is known to be there: an acknowledgment must come.",
        ),
        Misconception(
            "two messages, two crossings",
            {STORE: 2},
            "They may not fly together: the second could overtake. Between them lies the acknowledgment.",
        ),
        Misconception(
            "with the flag comes the word",
            {FLAG: 4},
            "The flag says that it is there. To fetch it takes another round trip.",
        ),
        Misconception(
            "every message is a round trip",
            {ONE_SIDED: 2},
            "Nobody answers a one-sided write. The consumer's barrier is on its own side.",
        ),
    ],
)

BLOCK_BINS = chip("H100 SXM5").max_shared_bytes_per_block // 4


def _where_it_gains(draw: str) -> str:
    """Which of the options the recording says of evenly drawn values."""
    gains = histogram_gains(draw)
    gained = {bins for bins, gain in gains.items() if gain > 1}
    beyond = {bins for bins in gains if bins > BLOCK_BINS}
    if not gained:
        return "none"
    if gained == set(gains):
        return "all"
    if gained == beyond:
        return "beyond"
    return "first" if gained == {min(beyond)} else "few"


STOPS_GAINING = Prediction(
    "stops-gaining",
    "A histogram of 33,554,432 values, evenly spread over its bins of 4 bytes; the bins double from 1,024 to 524,288. "
    f"One block holds up to {BLOCK_BINS:,} of them (lit-020.b). Three ways: bins in each block's own memory, bins "
    "shared by a cluster, bins in global memory. At which numbers of bins is the cluster the fastest?",
    Choice(
        {
            "all": "at all of them: more shared memory, more bins at full speed",
            "few": "up to 32,768: few bins are hot, and a cluster has more of them",
            "first": "at 65,536 only: too many for one block, few enough for two",
            "beyond": "from 65,536 on: wherever one block is too small",
            "none": "at none: global memory has become fast enough",
        }
    ),
    answer=lambda: _where_it_gains("uniform"),
    because=lambda _: (
        f"Measured gains on an H200 SXM: {_gains_told('uniform')}. Where a block holds all bins, its own atomics are "
        "many times faster than any across. Where it does not, half of the adds stay at home in a cluster of two, but "
        "only a quarter in one of four, and then the L2 keeps up. With skewed values hot bins collide in global "
        f"memory, and the cluster gains longer: {_gains_told('skewed')}."
    ),
    misconceptions=[
        Misconception(
            "more shared memory is more speed",
            "all",
            "An add across the network costs many times one at home. Where a block holds all bins, none should cross.",
        ),
        Misconception(
            "few bins gain most",
            "few",
            "Few bins fit in every block: count there, and add up once at the end.",
        ),
        Misconception(
            "a cluster gains wherever a block is too small",
            "beyond",
            "The larger the cluster, the fewer adds stay at home. Evenly spread adds are what the L2 does best.",
        ),
        Misconception(
            "clusters gain nothing",
            "none",
            "Two blocks hold what one cannot, and every second add stays at home.",
        ),
    ],
)


def _gains_told(draw: str) -> str:
    return ", ".join(
        f"{gain:.2f} times at {bins:,} bins"
        for bins, gain in histogram_gains(draw).items()
        if bins > BLOCK_BINS // 2
    )
