"""Three functions to write: a loop that no compiler leaves out, the ceiling of a rate, and two levels of a ratio."""

from hopperlab.course.draws import Draw
from hopperlab.course.exercises import Exercise
from hopperlab.course.misconceptions import Misconception
from hopperlab.course.throughput import mutants
from hopperlab.course.throughput.surviving import what_is_left_out


def additions(a, b, rounds):
    """Make so many additions that no compiler can leave out, and give a number that needs them all.

    a, b, rounds: integers that the compiler does not know. Nothing but additions: exactly
    one in each round.
    """
    # your part: a loop whose every addition the result needs, and that has no shortcut
    for _ in range(rounds):
        a, b = b, a + b
    return b
    # end of your part


def _no_number(result: object, *_: int) -> str | None:
    return None if isinstance(result, int) else "it gives no integer; what nobody gets is left out"


KEPT = Exercise(
    "kept",
    "Repair the benchmark: write `additions`, a loop that is still there when the compiler is done.",
    solution=additions,
    inputs=lambda draw: (draw.integer(1, 9), draw.integer(1, 9), draw.integer(2, 40)),
    judge=_no_number,
    examine=what_is_left_out,
    examples=[(1, 1, 12)],
    hints=[
        "Two rules remove work: what no result needs is dead, and a sum with a shortcut is not added up.",
        "Adding the same number `rounds` times is one multiplication. Add something that the loop itself changes.",
        "Two numbers in turn: the sum becomes one of them, and the next addition needs both.",
    ],
    misconceptions=[
        Misconception(
            "the compiler keeps my loop",
            mutants.forgotten,
            "It keeps what a result needs. Give back what the additions made.",
        ),
        Misconception(
            "a stored sum keeps the loop",
            mutants.added_up,
            "It keeps the sum. The same number added again and again is a product.",
        ),
        Misconception(
            "one result keeps its neighbors",
            mutants.half_kept,
            "Each chain must reach a result of its own: the other one's additions are dead.",
        ),
        Misconception(
            "doubling is adding",
            mutants.doubled,
            "A number added to itself is shifted by one bit, and eight such rounds are one shift by eight.",
        ),
        Misconception(
            "two additions a round in half the rounds",
            mutants.two_at_a_time,
            "One is missing where the rounds are an odd number.",
        ),
    ],
    because="The timed kernel does this with four pairs of numbers: `chains` in `hopperlab.kernels.throughput`.",
)


def ceiling(lanes, results, flop, counted):
    """The most that one SM can give in a clock.

    lanes: threads that the unit serves in a clock, at most 128.
    results: results of one thread's instruction; 2 for a packed pair.
    flop: FLOP of one result; 2 for a fused multiply-add.
    counted: "lane results", "warp instructions" or "FLOP". A warp has 32 threads.
    """
    # your part: what a clock holds, in each way to count
    if counted == "warp instructions":
        return lanes / 32
    if counted == "lane results":
        return lanes * results
    return lanes * results * flop
    # end of your part


def _rates(draw: Draw) -> tuple:
    return (
        draw.choice([128, 64, 32, 16]),
        draw.choice([1, 2]),
        draw.choice([1, 2]),
        draw.choice(["lane results", "warp instructions", "FLOP"]),
    )


CEILING = Exercise(
    "ceiling",
    "Write `ceiling`: how high may a printed rate be, by what it counts?",
    solution=ceiling,
    inputs=_rates,
    examples=[
        (128, 1, 2, "FLOP"),
        (128, 2, 2, "FLOP"),
        (128, 2, 1, "lane results"),
        (128, 2, 1, "warp instructions"),
        (64, 1, 1, "lane results"),
        (16, 1, 1, "warp instructions"),
    ],
    hints=[
        "Every lane takes a thread's instruction in every clock; they work side by side.",
        "A warp instruction is 32 threads' worth of lanes, whatever each of them gives.",
        "Lane results: lanes x results. FLOP: that x flop. Warp instructions: lanes / 32.",
    ],
    misconceptions=[
        Misconception(
            "32 lanes need 32 clocks",
            mutants.lanes_one_by_one,
            "The lanes of a unit work side by side: 32 of them take a warp in one clock.",
        ),
        Misconception(
            "FMA counts once",
            mutants.one_flop,
            "Peaks count the product and the sum: two FLOP a lane.",
        ),
        Misconception(
            "a pair is one result",
            mutants.unpaired,
            "Both halves are results. Published rates of FP16 count them so [recalled-013].",
        ),
        Misconception(
            "pairs are two instructions",
            mutants.pairs_in_warps,
            "One instruction makes the pair; only results and FLOP are doubled.",
        ),
        Misconception(
            "a warp instruction is a lane's result",
            mutants.threads_for_warps,
            "It is 32 of them. An SM issues at most four a clock.",
        ),
    ],
    because="`hopperlab.models.throughput.ceiling` is the same, with its arguments checked.",
)


def ratios(here, there):
    """How many times as fast one chip is as another: of an SM in a clock, and of the chip in a second.

    here, there: each (lanes of an SM, SMs, clock in MHz) for one instruction.
    Give both ratios, here over there: (of an SM, of the chip).
    """
    # your part: what an SM does in a clock, and a chip in a second
    of_an_sm = here[0] / there[0]
    of_the_chip = here[0] * here[1] * here[2] / (there[0] * there[1] * there[2])
    return of_an_sm, of_the_chip
    # end of your part


def _chip(draw: Draw) -> tuple[int, int, int]:
    return draw.choice([64, 128, 32]), draw.choice([108, 114, 132]), draw.choice([1410, 1755, 1980])


LEVELS = Exercise(
    "levels",
    "Write `ratios`: the ratio of two SMs in a clock, and of their chips in a second.",
    solution=ratios,
    inputs=lambda draw: (_chip(draw), _chip(draw)),
    examples=[
        ((128, 132, 1980), (64, 108, 1410)),
        ((64, 114, 1755), (64, 108, 1410)),
        ((128, 114, 1755), (64, 108, 1410)),
        ((64, 132, 1980), (32, 108, 1410)),
    ],
    hints=[
        "In one clock, only the lanes of the SM count.",
        "A chip has all its SMs, and so many clocks in a second.",
        "of the chip: lanes x SMs x clock here, over the same there.",
    ],
    misconceptions=[
        Misconception(
            "GPU and SM ratios are equal",
            mutants.all_alike,
            "Chips differ in SMs and in clock, too.",
        ),
        Misconception(
            "more SMs are all that a chip adds",
            mutants.no_clock,
            "A second holds more clocks on the one than on the other.",
        ),
        Misconception(
            "an SM's rate has the clock in it",
            mutants.clock_in_both,
            "Of an SM in a clock: the length of the clock is left out on purpose.",
        ),
        Misconception(
            "times as fast, the other way round",
            mutants.upside_down,
            "Here over there: above 1 if here is faster.",
        ),
    ],
)
