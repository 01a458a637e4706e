"""Three functions to write: the factors a program can spend, the roofline, and the clock behind a peak."""

from hopperlab.course.chip import mutants
from hopperlab.course.draws import Draw
from hopperlab.course.exercises import Exercise
from hopperlab.course.misconceptions import Misconception


def times_faster(uses_tensor_cores, fits_eight_bits, memory_is_the_limit):
    """How many times an A100 an H100 is, for one program; three answers of yes or no.

    Factors: 1.22 more SMs, 2 for a faster SM, 1.3 for the clock, 2 for eight bits in place
    of sixteen, which only tensor cores have; and 2.16 for memory.
    """
    # your part: which factors can this program spend?
    if memory_is_the_limit:
        return 2.16
    arithmetic = 1.22 * 2 * 1.3
    return arithmetic * 2 if uses_tensor_cores and fits_eight_bits else arithmetic
    # end of your part


SPEND = Exercise(
    "spend",
    "Write `times_faster`: spend the factors that a program can spend, and no other.",
    solution=times_faster,
    inputs=lambda draw: tuple(draw.choice([False, True]) for _ in range(3)),
    examples=[
        (tensor, eight, memory)
        for tensor in (False, True)
        for eight in (False, True)
        for memory in (False, True)
    ],
    inputs_tried=4,
    hints=[
        "A program is as fast as its slowest part. What do faster units change for one that waits for memory?",
        "Where memory is the limit, memory's factor is all; else the arithmetic's factors multiply.",
        "Eight bits need two things: tensor cores, and results that bear it.",
    ],
    misconceptions=[
        Misconception(
            "FP8 runs anywhere",
            mutants.eight_bits_on_lanes,
            "Hopper has FP8 arithmetic in its tensor cores and nowhere else.",
        ),
        Misconception(
            "six times applies to any program",
            mutants.all_to_everybody,
            "Each factor has a condition. A program that waits for memory spends none of these four.",
        ),
        Misconception(
            "memory multiplies",
            mutants.memory_on_top,
            "Arithmetic and memory do not multiply: the slower one decides.",
        ),
        Misconception(
            "memory-bound work gains nothing",
            mutants.nothing_for_memory,
            "Memory itself is 2.16 times as fast (modelled).",
        ),
    ],
    because="`hopperlab.models.chip.gain` does the same with the chips' sheets and a program's intensity.",
)


def attainable(peak, bandwidth, intensity):
    """FLOP a second that a program can reach, at best.

    peak: FLOP a second of the arithmetic that it uses, dense.
    bandwidth: bytes a second of the memory.
    intensity: FLOP that it does for each byte.
    """
    # your part: two limits; which one counts?
    return min(peak, bandwidth * intensity)
    # end of your part


ATTAINABLE = Exercise(
    "attainable",
    "Write `attainable`, the roofline itself.",
    solution=attainable,
    inputs=lambda draw: (
        draw.choice([989.4e12, 66.9e12, 312e12]),
        draw.choice([3.352e12, 2.039e12, 1.555e12]),
        draw.choice([0.25, 1, 10, 100, 400, 2000]),
    ),
    examples=[(989.4e12, 3.352e12, 1), (989.4e12, 3.352e12, 2000), (66.9e12, 3.352e12, 20)],
    hints=[
        "Bytes a second times FLOP a byte is FLOP a second.",
        "The arithmetic has a ceiling that no memory lifts.",
        "The smaller of the two is what can be reached.",
    ],
    misconceptions=[
        Misconception(
            "peak is what you get", mutants.always_the_peak, "Only where enough is done with every byte."
        ),
        Misconception(
            "there is no ceiling", mutants.always_memory, "From the ridge on, the arithmetic is the limit."
        ),
        Misconception(
            "intensity divides",
            mutants.upside_down,
            "The more is done with a byte, the fewer bytes are needed for a FLOP: it multiplies.",
        ),
        Misconception(
            "sparse FLOPS are dense FLOPS",
            mutants.sparse_peak,
            "The doubled peak is for matrices in which two of every four numbers are zero.",
        ),
    ],
)


def clock_mhz(flop_per_s, sms, multiply_adds):
    """The clock in MHz that a peak assumes.

    flop_per_s: the peak that a sheet prints.
    sms: SMs of the product.
    multiply_adds: multiply-adds of one SM in a clock.
    """
    # your part: how many FLOP does the chip do in one clock?
    return flop_per_s / (sms * 2 * multiply_adds) / 1e6
    # end of your part


def _sheets(draw: Draw) -> tuple:
    sms, rate, clock = (
        draw.choice([132, 114, 108]),
        draw.choice([2048, 1024, 128, 64]),
        draw.choice([1410, 1620, 1830]),
    )
    return sms * 2 * rate * clock * 1e6, sms, rate


CLOCK = Exercise(
    "clock",
    "Write `clock_mhz`: which clock does a sheet's peak assume?",
    solution=clock_mhz,
    inputs=_sheets,
    examples=[(989.4e12, 132, 2048), (756.5e12, 114, 2048), (312e12, 108, 1024)],
    hints=[
        "A peak is SMs times FLOP of an SM in a clock times clocks in a second.",
        "A multiply-add is two FLOP.",
        "Divide, and turn Hz into MHz.",
    ],
    misconceptions=[
        Misconception(
            "a multiply-add counts once", mutants.without_the_two, "It multiplies and it adds: two FLOP."
        ),
        Misconception(
            "144 SMs on every H100", mutants.whole_die, "Only those that are switched on can compute."
        ),
        Misconception(
            "the unit does not matter", mutants.in_gigahertz, "MHz were asked for: a million a second."
        ),
    ],
    because=(
        "The H100 SXM5's 989.4 TFLOP/s assume 1,830 MHz [lit-052.a], and its boost clock is 1,980 MHz [lit-052.b]. "
        "Against the A100's 1,410 MHz [chip-020] the first gives the talk's 1.3 [talk-022]."
    ),
)
