"""Three functions to write: what fits on an SM, how fast a wgmma is fed, and which tile balances."""

from hopperlab.course.exercises import Exercise
from hopperlab.course.misconceptions import Misconception
from hopperlab.course.sm import mutants


def blocks(threads, registers, shared_kib):
    """Blocks of a kernel that fit on an SM of an H100.

    threads: of a block, a multiple of 128. registers: of a thread, a multiple of 8.
    shared_kib: shared memory of a block, in KiB.
    An SM has 32 block slots, 64 warp slots, 65,536 registers and 228 KiB of shared memory.
    1 KiB of it is kept for each block.
    """
    # your part: what runs out first?
    warps = threads // 32
    return min(32, 64 // warps, 65536 // (threads * registers), 228 // (shared_kib + 1))
    # end of your part


OCCUPY = Exercise(
    "occupy",
    "Write `blocks`. First work out three kernels by hand: 256 threads of 32 registers without shared memory; "
    "128 threads of 128 registers with 56 KiB; 1,024 threads of 64 registers with 113 KiB.",
    solution=blocks,
    inputs=lambda draw: (
        draw.choice([128, 256, 384, 512, 1024]),
        draw.choice([16, 24, 32, 40, 64]),
        draw.choice([0, 1, 3, 6, 16, 27, 38, 56, 57, 75, 113, 114, 227]),
    ),
    examples=[
        (256, 32, 0),
        (128, 128, 56),
        (1024, 64, 113),
        (128, 32, 16),
        (128, 16, 6),
        (128, 32, 57),
        (256, 24, 114),
    ],
    hints=[
        "Four things can run out: block slots, warp slots, registers, shared memory. Count the blocks by each.",
        "A block takes threads x registers of the registers, and its shared memory and 1 KiB of the 228 KiB.",
        "Round each count down, and take the least.",
    ],
    misconceptions=[
        Misconception(
            "registers are free",
            mutants.registers_free,
            "65,536 registers are all there are: 1,024 threads of 64 take every one.",
        ),
        Misconception(
            "a block pays for what it asks only",
            mutants.nothing_kept,
            "The system keeps 1 KiB for every block: two of 113 KiB fit, two of 114 do not.",
        ),
        Misconception(
            "256 KB is all shared memory",
            mutants.all_shared,
            "The L1 cache keeps its part: 228 KiB is the most that is shared memory.",
        ),
        Misconception(
            "occupancy counts blocks",
            mutants.counts_warps,
            "Asked are blocks. Occupancy is in warps: blocks times warps of a block, over 64.",
        ),
    ],
    because="The calculator of this lesson also rounds registers up to 256 for a warp, and shared memory to 128 bytes.",
)


def cycles(columns, a_in_registers):
    """Cycles of a BF16 wgmma m64nNk16 among many in a row.

    columns: N. The arithmetic takes N / 2 cycles.
    a_in_registers: whether A (64 rows) lies in registers; B (N columns) never does.
    A row of A and a column of B have 32 bytes; shared memory gives 128 bytes a clock.
    """
    # your part: what is the slower of the two?
    rows = columns if a_in_registers else columns + 64
    return max(columns / 2, rows * 32 / 128)
    # end of your part


FEED = Exercise(
    "feed",
    "Write `cycles`: how long a wgmma takes when shared memory has to feed it.",
    solution=cycles,
    inputs=lambda draw: (8 * draw.integer(1, 32), draw.boolean()),
    examples=[(8, False), (32, False), (64, False), (256, False), (256, True), (8, True)],
    hints=[
        "Count the bytes that are read from shared memory, with A and without.",
        "Bytes over 128 are cycles of shared memory.",
        "Reading for the next product goes on while this one computes: the longer decides.",
    ],
    misconceptions=[
        Misconception(
            "tensor cores hold both matrices in registers",
            mutants.only_arithmetic,
            "B is read from shared memory, and below 64 columns A alone takes 16 cycles: longer than the arithmetic.",
        ),
        Misconception(
            "tensor cores read from global memory",
            mutants.from_the_l2,
            "They read shared memory, at 128 bytes a clock. Copies have brought the tiles before.",
        ),
        Misconception(
            "each warp reads B for itself",
            mutants.b_for_each_warp,
            "Four warps share one reading of B.",
        ),
        Misconception(
            "A is always read",
            mutants.a_is_always_read,
            "In registers it costs shared memory nothing.",
        ),
        Misconception(
            "bytes first, then arithmetic",
            mutants.one_after_the_other,
            "With many in a row both go on at once. Take the longer.",
        ),
    ],
    because="Silicon sets this rule beside the card, width by width.",
)


def best_tile(tiles, stages):
    """The tile (m, n) of D that needs the fewest bytes for each FLOP, or None if none fits.

    tiles: pairs (m, n). Two warpgroups, 256 threads, keep the m x n sums: at most 192 in a thread.
    stages: how many stages are in shared memory at once. A stage is 64 deep in BF16: (m + n) x 128 bytes.
    A block has at most 227 KiB. Of equals take the first.
    """
    # your part: which tiles fit, and which of them needs the fewest bytes?
    fitting = [(m, n) for m, n in tiles if stages * (m + n) * 128 <= 227 * 1024 and m * n <= 256 * 192]
    return max(fitting, key=lambda tile: tile[0] * tile[1] / sum(tile), default=None)
    # end of your part


SHAPES = [
    (64, 64),
    (64, 128),
    (64, 256),
    (128, 128),
    (128, 192),
    (128, 256),
    (192, 192),
    (256, 192),
    (256, 256),
]
LONG = [(64, 512), (128, 192), (192, 192), (64, 640)]

TILES = Exercise(
    "tiles",
    "Write `best_tile`: choose the tile that balances registers, shared memory and traffic.",
    solution=best_tile,
    inputs=lambda draw: (draw.choice([SHAPES, SHAPES[:6], SHAPES[3:], LONG]), draw.integer(1, 8)),
    examples=[(SHAPES, 2), (SHAPES, 4), (SHAPES, 5), (SHAPES, 8), (LONG, 2), (SHAPES[6:], 8)],
    hints=[
        "Leave out tiles whose stages exceed 227 KiB, and those with more than 192 sums in a thread.",
        "A tile makes m x n products for m + n rows and columns that are brought.",
        "The fewest bytes for each FLOP: the largest m x n / (m + n).",
    ],
    misconceptions=[
        Misconception(
            "registers are free",
            mutants.registers_hold_anything,
            "256 x 256 sums are 256 in each of 256 threads: more than a thread has registers.",
        ),
        Misconception(
            "256 KB is all shared memory",
            mutants.whole_256,
            "227 KiB is the most of a block: at eight stages that decides.",
        ),
        Misconception(
            "the largest tile is the best",
            mutants.largest,
            "64 x 640 has more sums than 192 x 192, and needs more bytes for each: it is long.",
        ),
        Misconception(
            "more occupancy is always faster",
            mutants.smallest,
            "Small tiles leave room for more blocks, and each FLOP then needs more bytes.",
        ),
        Misconception(
            "stages are free",
            mutants.one_stage,
            "Every stage is another copy of both operands in shared memory.",
        ),
    ],
    because="Lesson 11 has this trade in its last rungs.",
)
