"""Three functions to write: a recurrence that fuses, the cells that can be filled together, and room in 16 bits."""

import re

from numba import int32

from hopperlab.course.compiled import compiled
from hopperlab.course.dpx import mutants
from hopperlab.course.draws import Draw
from hopperlab.course.exercises import Exercise
from hopperlab.course.misconceptions import Misconception


def cell(diagonal, above, left, score, gap):
    """One cell of Needleman and Wunsch's table: the best global alignment of two prefixes.

    diagonal, above, left: the neighbors' scores, int32.
    score: what the two letters earn, or cost if it is negative; int32.
    gap: what a letter against a gap costs; int32, not below 0.
    Write it so that each of its two maxima takes a sum along: two fused instructions, all in 32 bits.
    """
    # your part: the best of three ways into this cell
    best = max(int32(diagonal + score), int32(above - gap))
    return max(best, int32(left - gap))
    # end of your part


NAME = r'%(?:"[^"]+"|[\w.$-]+)'
WIDE = re.compile(r"= (?:add|sub|icmp) [^\n]*\bi64\b|llvm\.smax\.i64")
CONDITION = re.compile(r"= icmp [^\n]*\bi32\b")
SUM = re.compile(rf"(?P<sum>{NAME}) = (?:add|sub) (?:nuw |nsw )*i32\b")
MAXIMUM = re.compile(rf"@llvm\.smax\.i32\(i32 (?P<one>{NAME}|-?\d+), i32 (?P<other>{NAME}|-?\d+)\)")


def what_keeps_it_apart(function: object) -> str | None:
    """What in a cell's code keeps sums and maxima from being fused, as numba types it; None if nothing does."""
    code, returns, refused = compiled(function, *[int32] * 5)
    if refused:
        return refused
    if WIDE.search(code) or returns != int32:
        return "numba computes it in 64 bits, which have no fused instruction"
    if "fadd" in code or "double" in code:
        return "it computes in floats, which have no fused instruction"
    return _not_taken_along(code)


def _not_taken_along(code: str) -> str | None:
    """What keeps its two maxima from taking a sum each; None if both do."""
    sums = {found["sum"] for found in SUM.finditer(code)}
    maxima = [{found["one"], found["other"]} for found in MAXIMUM.finditer(code)]
    if not sums or not maxima:
        return "it has no sum that a maximum takes: there is nothing to fuse"
    if CONDITION.search(code):
        return "a condition in it is more than the larger of two, and stays a comparison of its own"
    taking = sum(bool(operands & sums) for operands in maxima)
    if (taking, len(maxima)) != (2, 2):
        return f"it makes {len(sums)} sums, and {taking} of its {len(maxima)} maxima take one along; two of two can"
    return None


def _neighbors(draw: Draw) -> tuple:
    return (*(draw.integer(-20, 20) for _ in range(3)), draw.choice([-3, -1, 1, 2, 5]), draw.integer(0, 7))


CELL = Exercise(
    "cell",
    "Write `cell`, the recurrence of Needleman and Wunsch, so that numba keeps it in 32 bits and it fuses.",
    solution=cell,
    inputs=_neighbors,
    preamble="from numba import int32",
    examine=what_keeps_it_apart,
    examples=[(0, 0, 0, 2, 1), (-5, -9, -9, -1, 2), (3, 9, 1, 1, 2), (1, 1, 8, -3, 2)],
    hints=[
        "Three ways lead into a cell: both letters against each other, or one of them against a gap.",
        "A gap costs; the letters' score may be negative and is added. A global alignment may score below 0.",
        "`int32(diagonal + score)` keeps a sum narrow. Take the larger of two, and then of that and the third.",
    ],
    misconceptions=[
        Misconception(
            "a sum of int32 is an int32",
            mutants.widened,
            "In numba it is an int64. Say int32(a + b), and the assembler can fuse it.",
        ),
        Misconception(
            "a sum saved is an instruction saved",
            mutants.gap_once,
            "There are three instructions either way. But the gap's sum now comes after its maximum, and stands alone.",
        ),
        Misconception(
            "one condition for all",
            mutants.one_condition,
            "Compare two, keep the larger, and compare that with the third: such a condition becomes a maximum.",
        ),
        Misconception(
            "alignments never score below 0",
            mutants.local,
            "Local ones do not. A global alignment must take every letter, whatever it costs.",
        ),
        Misconception(
            "gaps are free",
            mutants.free_gaps,
            "Then a gap would always win over a mismatch. Subtract its cost.",
        ),
        Misconception(
            "every step pays for a gap",
            mutants.gap_on_every_way,
            "The diagonal sets two letters against each other; no gap is opened there.",
        ),
        Misconception(
            "the best neighbor is best",
            mutants.maximum_first,
            "The score belongs to the diagonal alone. Add first, then compare: and that order is what fuses.",
        ),
    ],
    because="`lesson.machine_code(cell)` shows what the assembler makes of yours.",
)


def cells_together(rows, columns, step):
    """The cells (i, j) of a table that can be filled in this step, all at once.

    A cell needs the one above, the one to its left, and the one above that. In step 0 only
    (0, 0) is ready; every step takes all that became ready in the one before. Order them by i.
    """
    # your part: all cells that wait for nothing but earlier steps
    first, last = max(0, step - columns + 1), min(rows - 1, step)
    return [(i, step - i) for i in range(first, last + 1)]
    # end of your part


TOGETHER = Exercise(
    "together",
    "Write `cells_together`: which cells of the table can be filled in the same step?",
    solution=cells_together,
    inputs=lambda draw: (draw.integer(1, 9), draw.integer(1, 9), draw.integer(0, 18)),
    examples=[(3, 4, 0), (3, 4, 2), (3, 4, 5), (3, 4, 6), (1, 5, 3)],
    hints=[
        "After (0, 0), which two cells have all their neighbors? And after those?",
        "All cells of one step have the same i + j.",
        "i runs from max(0, step - columns + 1) to min(rows - 1, step); j is step - i.",
    ],
    misconceptions=[
        Misconception(
            "a row can be filled at once",
            mutants.row_by_row,
            "A cell needs its left neighbor of the same row. Cells that need nothing of each other lie on an "
            "anti-diagonal.",
        ),
        Misconception(
            "the anti-diagonal never ends",
            mutants.past_the_edge,
            "The table has an edge: i stays below rows, and j below columns.",
        ),
        Misconception(
            "one cell after another",
            mutants.one_a_step,
            "That is one thread's way. A warp has 32 lanes, and more than one cell is ready.",
        ),
    ],
    because="The kernel does this with 32 lanes of sixteen columns each; see `lesson.kernel`.",
)


def fits_16_bits(query, target, match):
    """Whether signed 16-bit numbers hold every score of a local alignment.

    query, target: how many letters the two sequences have.
    match: what two equal letters earn; everything else costs.
    """
    # your part: compare the highest score that these two can reach
    return min(query, target) * match <= 32767
    # end of your part


SIXTEEN_BITS = Exercise(
    "sixteen",
    "Write `fits_16_bits`: may this alignment use pairs of 16-bit numbers?",
    solution=fits_16_bits,
    inputs=lambda draw: (
        draw.choice([100, 512, 8191, 16383, 16384, 32767, 32768, 60000]),
        draw.choice([100, 512, 8191, 16383, 16384, 32767, 32768, 60000]),
        draw.choice([1, 2, 4, 64]),
    ),
    examples=[
        (512, 512, 2),
        (16384, 16384, 2),
        (16383, 60000, 2),
        (32767, 60000, 1),
        (32768, 32768, 1),
        (512, 512, 64),
        (512, 511, 64),
    ],
    hints=[
        "The best two sequences can do is to match letter by letter.",
        "The shorter one runs out first.",
        "A signed 16-bit number ends at 32,767; the sum then wraps around and the alignment is lost.",
    ],
    misconceptions=[
        Misconception(
            "16 bits count to 65,535",
            mutants.unsigned,
            "Unsigned ones do. Scores are compared with costs below 0, so that they are signed.",
        ),
        Misconception(
            "the last number does not count",
            mutants.below_the_last,
            "32,767 is the largest that fits. The next one wraps.",
        ),
        Misconception(
            "the longer sequence decides",
            mutants.longer_decides,
            "Only as many letters can match as the shorter one has.",
        ),
        Misconception(
            "both lengths add up",
            mutants.both_lengths,
            "A match takes a letter of each. The shorter sequence bounds them.",
        ),
        Misconception(
            "a letter is a point",
            mutants.letters_alone,
            "What a match earns multiplies it: 512 letters at 64 each are 32,768, one too many (modelled).",
        ),
    ],
)
