"""Three functions to write: what bits that change draw, how long cycles take at a limit, and what NVML tells."""

from hopperlab.course.exercises import Exercise
from hopperlab.course.misconceptions import Misconception
from hopperlab.course.power import mutants


def busy_watts(numbers):
    """Watts that products of these numbers add to a card at rest, at 1830 MHz.

    numbers: bytes, 2 or more, in the order in which they pass by.
    Products of a number that never changes add 149 W.
    If every bit changed each time, it would be 1353 W more.
    """
    # your part: find the share of the bits that changes from each number to the next
    changed = sum((numbers[at] ^ numbers[at - 1]).bit_count() for at in range(1, len(numbers)))
    return 149 + 1353 * changed / (8 * (len(numbers) - 1))
    # end of your part


BITS = Exercise(
    "bits",
    "Write `busy_watts`: what the same products draw on other numbers.",
    solution=busy_watts,
    inputs=lambda draw: (draw.several(lambda: draw.integer(0, 255), 2, 12),),
    examples=[([0, 0, 0],), ([56, 56, 56, 56],), ([0, 255, 0, 255],), ([1, 2, 3, 4],)],
    hints=[
        "Of two numbers, which bits differ? Python's ^ tells.",
        "An int counts its bits by .bit_count().",
        "There is one change fewer than there are numbers, of 8 bits each.",
    ],
    misconceptions=[
        Misconception(
            "the same kernel draws the same power on zeros",
            mutants.same_on_zeros,
            "273 W on zeros, 689 on mixed numbers (measured). The numbers must come in.",
        ),
        Misconception(
            "bits that are set draw power",
            mutants.by_set_bits,
            "A wire that stays at 1 is as quiet as one that stays at 0: 275 W on ones, 273 on zeros (measured).",
        ),
        Misconception(
            "any change is a whole change",
            mutants.by_different_numbers,
            "From 2 to 3 one bit changes, from 3 to 4 three. Count bits.",
        ),
        Misconception(
            "zeros cost nothing", mutants.quiet_is_free, "149 W are added though no bit of a number changes."
        ),
    ],
    because="`hopperlab.models.power` does so. Its two ends are fitted, to zeros and to a mix. Sorted numbers lie "
    "between: it gives them 2 % too many watts (modelled over measured).",
)


def nanoseconds(cycles, busy, limit, celsius):
    """How long cycles take while a limit in watts holds.

    A card at rest draws 124 W. At its boost clock of 1980 MHz the kernel adds busy watts (1 or more);
    these go by the third power of the clock. limit: watts of the card, above 124.
    celsius: how warm the die is, at most 85; its own limit is 90.
    """
    # your part: find the clock, then the time
    mhz = 1980 * min(1, (limit - 124) / busy) ** (1 / 3)
    return 1000 * cycles / mhz
    # end of your part


TIME = Exercise(
    "time",
    "Write `nanoseconds`: from cycles to time, through the clock that a limit leaves.",
    solution=nanoseconds,
    inputs=lambda draw: (
        draw.integer(100, 5000),
        draw.integer(50, 1500),
        draw.choice([350, 400, 700]),
        draw.integer(35, 85),
    ),
    examples=[(1980, 100, 700, 40), (1980, 522, 350, 50), (1000, 522, 700, 80), (281, 1200, 350, 60)],
    hints=[
        "How many watts does the limit leave to the kernel?",
        "If they are fewer than it wants, the clock falls by the third root of their ratio. It never rises above 1980.",
        "A cycle is 1000 / mhz nanoseconds.",
    ],
    misconceptions=[
        Misconception(
            "cycles and nanoseconds are interchangeable", mutants.in_cycles, "They are only at 1 GHz."
        ),
        Misconception(
            "boost clock is the clock", mutants.at_boost, "It is, until the card would draw more than it may."
        ),
        Misconception(
            "temperature is the limit",
            mutants.by_temperature,
            "A die below its own limit holds nothing back, however warm. Watts do.",
        ),
        Misconception(
            "power goes by the clock alone",
            mutants.by_clock_alone,
            "The voltage falls with the clock, and counts twice: a third power.",
        ),
        Misconception(
            "all power goes by the clock",
            mutants.all_by_clock,
            "What a card draws at rest is not saved by a lower clock.",
        ),
        Misconception(
            "watts that are left raise the clock",
            mutants.always_at_the_limit,
            "Not above the boost clock.",
        ),
    ],
    because="That the third power holds is assumed; `lesson.burst()` shows how little the recording tells of it.",
)


def reading(rest, busy, seconds):
    """What NVML tells, some seconds after a card went from rest to busy watts.

    It is the mean over the last second. seconds: 0 or more.
    """
    # your part: find the part of the last second that was busy
    return rest + (busy - rest) * min(seconds, 1)
    # end of your part


READING = Exercise(
    "reading",
    "Write `reading`: what a meter that trails behind tells.",
    solution=reading,
    inputs=lambda draw: (
        draw.integer(50, 150),
        draw.integer(200, 700),
        draw.choice([0, 0.1, 0.25, 0.5, 0.9, 1, 1.5, 3]),
    ),
    examples=[(124, 689, 0), (124, 689, 0.5), (124, 689, 1), (124, 689, 3)],
    hints=[
        "After a quarter of a second, three quarters of the window are still at rest.",
        "After a second and more, the whole window is busy.",
        "rest plus the busy part of the window times the difference.",
    ],
    misconceptions=[
        Misconception("a reading is of now", mutants.of_now, "It is the mean of the last second."),
        Misconception(
            "at rest nothing is drawn", mutants.from_nothing, "A card at rest draws 124 W (measured)."
        ),
        Misconception(
            "it rises on and on",
            mutants.without_end,
            "After a second the whole window is busy: it is settled.",
        ),
        Misconception(
            "power comes slowly",
            mutants.as_it_warms,
            "Power is there at once, and the mean rises in a straight line.",
        ),
    ],
    because="`hopperlab.models.power.readings` does so for any course of power, 0.055 s late.",
)
