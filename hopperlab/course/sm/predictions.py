"""What the learner commits before the bytes and the warps of lesson 02 are shown."""

from math import ceil

from hopperlab.course.guesses import Number
from hopperlab.course.misconceptions import Misconception
from hopperlab.course.predictions import Prediction
from hopperlab.models.sm import Operands, warps_to_hide

WIDE = 256
LOAD_CYCLES = 30

IN_SHARED = Prediction(
    "in-shared",
    "One wgmma m64n256k16 in BF16 takes 128 clocks [lit-132.a]. A (64 x 16) and B (16 x 256) lie in shared memory. How "
    "many bytes must shared memory give in a clock?",
    Number("bytes a clock", low=0, high=2000, tolerance=1),
    answer=lambda: Operands(WIDE).bytes_per_clock,
    because="2,048 bytes of A and 8,192 of B in 128 clocks: 80 of the 128 that shared memory gives (modelled).",
    misconceptions=[
        Misconception(
            "tensor cores hold both matrices in registers",
            0,
            "On Hopper wgmma reads B from shared memory, and A as well unless it lies in registers [article-046].",
        ),
        Misconception(
            "each warp reads B for itself",
            Operands(WIDE).bytes_per_clock + 3 * Operands(WIDE, True).bytes_per_clock,
            "The four warps of a wgmma share B: it is read once for all of them.",
        ),
        Misconception(
            "elements are bytes",
            40,
            "A BF16 element has two bytes.",
        ),
    ],
)

IN_REGISTERS = Prediction(
    "in-registers",
    "The same with A in registers: how many bytes a clock must shared memory give now?",
    Number("bytes a clock", low=0, high=2000, tolerance=1),
    answer=lambda: Operands(WIDE, True).bytes_per_clock,
    because="Only B is left: 8,192 bytes in 128 clocks. It is 64 for every width, since both shrink alike (modelled).",
    misconceptions=[
        Misconception(
            "tensor cores hold both matrices in registers",
            0,
            "Only A may lie there. B is always read from shared memory [article-046].",
        ),
        Misconception(
            "A is half of it",
            40,
            "A has 64 rows, B 256 columns: A is a fifth of the bytes.",
        ),
    ],
)

WARPS = Prediction(
    "warps",
    "A load from shared memory takes 30 cycles [lit-094.b], and an SM starts one such load of a warp in a clock. Each "
    "warp waits for its load before its next. How many warps keep shared memory busy?",
    Number("warps", low=1, high=64),
    answer=lambda: warps_to_hide(LOAD_CYCLES, 1),
    because="Little's law: 30 cycles x 1 load a clock = 30 loads under way, one of each warp (modelled).",
    misconceptions=[
        Misconception(
            "one warp can fill an SM",
            1,
            "A warp alone starts a load, and then nothing for the other 29 clocks.",
        ),
        Misconception(
            "one warp for each sub-partition",
            4,
            "Four schedulers need something to choose from: four waiting warps issue nothing.",
        ),
        Misconception(
            "more occupancy is always faster",
            64,
            "All 64 do it, too, but 30 suffice: the other 34 only wait longer.",
        ),
        Misconception(
            "four schedulers divide the wait",
            ceil(LOAD_CYCLES / 4),
            "No scheduler shortens a load, and one shared memory serves all four: the SM needs 30 warps, 8 for each.",
        ),
    ],
)
