"""Three functions to write: what compare-and-swap does, how fast two players are, and what one hot word costs."""

from hopperlab.course.atomics import mutants
from hopperlab.course.exercises import Exercise
from hopperlab.course.misconceptions import Misconception


def compare_and_swap(word, expected, new):
    """What compare-and-swap answers, and what it leaves in the word: give both, in this order.

    word: what is there. expected: what the caller believes is there. new: what it wants to be there.
    """
    # your part: tell what is answered, and what is left
    return word, new if word == expected else word
    # end of your part


SWAP = Exercise(
    "swap",
    "Write `compare_and_swap`, the atomic that every other can be made of.",
    solution=compare_and_swap,
    inputs=lambda draw: (draw.integer(0, 5), draw.integer(0, 5), draw.integer(0, 5)),
    examples=[(3, 3, 4), (3, 2, 4), (0, 0, 1), (5, 4, 5)],
    hints=[
        "It writes only if the word is as the caller believes.",
        "The answer is what was there before, whether it wrote or not.",
        "A caller knows by the answer: it is what was expected, or it is not.",
    ],
    misconceptions=[
        Misconception(
            "it answers yes or no",
            mutants.says_whether,
            "It answers what was there, so that the next try may start from that.",
        ),
        Misconception(
            "it always writes",
            mutants.always_writes,
            "Then two who saw the same word would both write, and one count would be lost.",
        ),
        Misconception(
            "it answers what is there now",
            mutants.gives_what_is_left,
            "What is there now may be another's, or yours. Only what was there tells which.",
        ),
        Misconception(
            "it swaps where they differ",
            mutants.swaps_when_different,
            "A word that differs has been changed by another: leave it.",
        ),
    ],
    because="`lesson.source()` shows a loop around it: try, look at the answer, try again.",
)


def hand_off_ns(first, second, clock_mhz):
    """Nanoseconds of a hand-off, one way, between two players who try over and over.

    first, second: cycles of each player's trip to the word in the L2 cache and back.
    Between an answer and the next try a player takes 100 cycles. clock_mhz: the clock.
    Between two tries of the slower player, the faster one has always tried.
    """
    # your part: count how often the word is raised
    return 1000 * (max(first, second) + 100) / 2 / clock_mhz
    # end of your part


PACE = Exercise(
    "pace",
    "Write `hand_off_ns`: what a hand-off costs by how far the two are from the word.",
    solution=hand_off_ns,
    inputs=lambda draw: (
        draw.choice([321, 518, 290, 400, 560]),
        draw.choice([518, 321, 290, 400, 560]),
        draw.choice([1000, 1410, 1755, 1980]),
    ),
    examples=[(321, 321, 1980), (321, 518, 1980), (518, 321, 1755), (290, 290, 1410)],
    hints=[
        "How many cycles pass between two tries of one player?",
        "Each try of the slower player succeeds, and the faster one succeeds once in between.",
        "So the word is raised twice in max(first, second) + 100 cycles; a cycle is 1000 / clock_mhz ns.",
    ],
    misconceptions=[
        Misconception(
            "the nearer player wins time",
            mutants.nearer_decides,
            "It only tries in vain more often: the other one's turn has to come.",
        ),
        Misconception(
            "trips are shared fairly",
            mutants.mean_decides,
            "The faster player waits for the slower one. The slower trip decides.",
        ),
        Misconception(
            "there and back is one way",
            mutants.whole_round,
            "In a round the word changes hands twice.",
        ),
        Misconception(
            "only the trip takes time",
            mutants.no_pause,
            "Compare the answer, count, branch, send again: 100 cycles.",
        ),
        Misconception("cycles and nanoseconds are one", mutants.in_cycles, "They are only at 1 GHz."),
        Misconception(
            "a faster clock waits longer",
            mutants.clock_multiplies,
            "The more cycles a second, the shorter is each.",
        ),
    ],
    because="`hopperlab.models.atomics` does so; its pause is fitted to pairs of near SMs and tested on all others. "
    "Words of shared memory have a longer one.",
)


def cycles(hot, spread, sms):
    """Cycles of additions in global memory, of which some go to one word.

    hot: additions to one word, which makes 0.69 a clock, whoever adds.
    spread: additions to words of one's own: 5.9 a clock for each SM, at most 241 for the card.
    Both go on at once. sms: how many SMs add.
    """
    # your part: take the one of the two that is done last
    return max(hot / 0.69, spread / min(5.9 * sms, 241))
    # end of your part


HOT = Exercise(
    "hot",
    "Write `cycles`: what one hot word costs a program that adds to many.",
    solution=cycles,
    inputs=lambda draw: (
        draw.choice([0, 100, 1000, 10_000]),
        draw.choice([0, 10_000, 1_000_000]),
        draw.choice([1, 8, 33, 132]),
    ),
    examples=[(0, 1_000_000, 132), (10_000, 1_000_000, 132), (10_000, 1_000_000, 1), (1000, 0, 132)],
    hints=[
        "Find the time of each part as if it were alone.",
        "The spread part goes at 5.9 a clock and SM, as long as that is not above 241.",
        "Both go on at once: the longer one decides.",
    ],
    misconceptions=[
        Misconception(
            "contention is free in L2",
            mutants.contention_is_free,
            "The hot word makes 0.69 a clock; other words do not help it.",
        ),
        Misconception(
            "atomics are slow everywhere",
            mutants.slow_everywhere,
            "Only additions to the same word wait for each other.",
        ),
        Misconception(
            "one after the other",
            mutants.one_after_the_other,
            "Both go on at once, in different places. Take the longer, not the sum.",
        ),
        Misconception(
            "more SMs help a hot word",
            mutants.more_sms_help,
            "Two SMs keep it busy. More of them only wait longer.",
        ),
        Misconception(
            "every SM adds at its own rate",
            mutants.no_limit,
            "The card as a whole makes 241 a clock at most.",
        ),
    ],
    because="One addition in a hundred to one word is enough to slow all others down.",
)
