"""Three functions to write: a ring that is one, a mean of near and far, and what the L1 has left."""

from hopperlab.course.exercises import Exercise
from hopperlab.course.memory.latency import mutants
from hopperlab.course.misconceptions import Misconception


def ring(order):
    """Where each line leads, so that a chase visits all lines in this order, over and over.

    order: the numbers of all lines, 0 to n - 1, each once.
    Give a list: at place i, the line that follows line i.
    """
    # your part: each line leads to the one that comes after it in the order
    following = [0] * len(order)
    for place, line in enumerate(order):
        following[line] = order[(place + 1) % len(order)]
    return following
    # end of your part


RING = Exercise(
    "ring",
    "Write `ring`, the chain that a chase follows.",
    solution=ring,
    inputs=lambda draw: (draw.shuffled(range(draw.integer(3, 9))),),
    examples=[([0, 2, 1, 3],), ([2, 0, 3, 1, 4],), ([0, 3, 1, 4, 2],)],
    hints=[
        "A chase that stands on a line must read there which one is next.",
        "The line at place p of the order leads to the one at place p + 1.",
        "following[order[p]] = order[p + 1], and the last leads to the first.",
    ],
    misconceptions=[
        Misconception(
            "a prefetch-friendly chase measures latency",
            mutants.in_order,
            "From neighbor to neighbor, a line may be there before it is asked for. Follow the given order.",
        ),
        Misconception(
            "the order has an end",
            mutants.open_end,
            "Then the chase stays on its last line, a hit forever. The last leads back to the first.",
        ),
        Misconception(
            "a place is a line",
            mutants.by_position,
            "What follows belongs into the line that is left, order[p], not into line p.",
        ),
        Misconception(
            "any shuffle is a ring",
            mutants.any_shuffle,
            "A shuffle falls into several short rings: the chase sees one of them, and a smaller footprint.",
        ),
    ],
    because="`hopperlab.kernels.memory.link_up` does the same on a card, with addresses.",
)


def mean_cycles(footprint_mib, l2_mib):
    """Mean cycles of a load, of a footprint beyond the L1 cache and within the L2.

    The L2 cache is two halves of l2_mib / 2. The near half answers in 281 cycles and holds any
    lines, as many as fit. What it does not hold takes 570 cycles. Lines are visited alike often.
    """
    # your part: which share of the lines is not in the near half?
    missing = max(0, 1 - l2_mib / 2 / footprint_mib)
    return 281 + missing * (570 - 281)
    # end of your part


HALVES = Exercise(
    "halves",
    "Write `mean_cycles`, the step from the near half of the L2 to all of it.",
    solution=mean_cycles,
    inputs=lambda draw: (draw.integer(2, 40), draw.choice([60, 50, 40])),
    examples=[(10, 60), (30, 60), (40, 60), (60, 60), (50, 50), (32, 40)],
    hints=[
        "A footprint of half the cache or less is all near.",
        "Of a larger one, the near half holds half the cache over the footprint, as a share.",
        "Add to 281 the missing share of the step, 570 - 281.",
    ],
    misconceptions=[
        Misconception(
            "50 MB are equally near",
            mutants.equally_near,
            "The L2 is not one cache: only what its near half holds comes in 281 cycles.",
        ),
        Misconception(
            "half of the lines are always far",
            mutants.half_is_far,
            "Of loads they are not: the near half keeps copies of the other's lines while it has room.",
        ),
        Misconception(
            "all or nothing",
            mutants.all_or_nothing,
            "In no order, a share of the lines is still there. The curve has no cliff.",
        ),
        Misconception(
            "a miss adds a whole latency",
            mutants.near_and_far,
            "570 cycles already hold the way to the near half. Only the step is added.",
        ),
    ],
    because="`hopperlab.models.memory.Staircase` does so for every level; its numbers are fitted to four curves.",
)


def l1_left(shared_kib, cycles, clock_mhz):
    """How much L1 cache a block leaves, and how far away it is: KiB, and nanoseconds.

    shared_kib: the shared memory that the SM is asked for. It takes 8 KiB at the least.
    cycles: of a load from the L1. clock_mhz: the clock. Of an SM's 256 KiB, 7 are nobody's.
    """
    # your part: what shared memory leaves; and cycles as time
    return 256 - max(8, shared_kib) - 7, 1000 * cycles / clock_mhz
    # end of your part


NEAREST = Exercise(
    "nearest",
    "Write `l1_left`: the size of the L1 cache beside shared memory, and its latency in time.",
    solution=l1_left,
    inputs=lambda draw: (
        draw.choice([0, 8, 16, 32, 64, 100, 132, 164, 196, 228]),
        draw.choice([32.0, 32.7]),
        draw.choice([1000, 1395, 1755, 1980]),
    ),
    examples=[(0, 32.0, 1980), (64, 32.0, 1755), (100, 32.7, 1395), (228, 32.0, 1980)],
    hints=[
        "Three have a part of the 256 KiB: shared memory, what nobody may use, and the L1.",
        "Shared memory takes 8 KiB even where none was asked for.",
        "A MHz is a million cycles a second: a cycle is 1000 / clock_mhz nanoseconds.",
    ],
    misconceptions=[
        Misconception(
            "the L1 is 256 KiB", mutants.whole_sm, "Shared memory and what nobody may use come off."
        ),
        Misconception(
            "nothing asked, nothing taken",
            mutants.nothing_asked,
            "Every block keeps 1 KiB, so that an SM with a block has the next size, 8 KiB.",
        ),
        Misconception(
            "all that is not shared is L1",
            mutants.nothing_kept,
            "The curve ends 7 KiB before that (modelled, fitted).",
        ),
        Misconception(
            "cycles and nanoseconds are one",
            mutants.in_cycles,
            "They are only at 1 GHz. Divide by the clock.",
        ),
        Misconception(
            "a faster clock waits longer",
            mutants.clock_multiplies,
            "The more cycles a second, the shorter is each.",
        ),
    ],
    because="`lesson.carve_outs()` sets this rule beside what was measured in steps of 8 or 4 KiB.",
)
