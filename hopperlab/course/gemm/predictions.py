"""What the learner commits before a rung of lesson 11 is shown."""

from hopperlab.course.gemm import recorded
from hopperlab.course.guesses import Choice, Number
from hopperlab.course.misconceptions import Misconception
from hopperlab.course.predictions import Prediction
from hopperlab.models.gemm import (
    BF16_TILE,
    Rounds,
    copy_latency,
    producer_registers,
    stages_needed,
    step_work,
)

CONSUMERS, RICH = 2, 232


def _largest() -> str:
    gains = recorded.gains()
    return max(gains, key=gains.get)


def _largest_in_words(answer: str) -> str:
    gains, speeds = recorded.gains(), recorded.speeds()
    names = list(gains)
    tensor = names.index("tensor cores")
    rise = (speeds["tensor cores"] - speeds[names[tensor - 1]]) / 1e12
    return (
        f"Measured on an H200, 4096 cubed: {answer} makes it {gains[answer]:.1f} times faster, since the rung below "
        f"fetches every operand each time. Tensor cores come next with {gains['tensor cores']:.1f} times, and add the "
        f"most TFLOP/s of all, {rise:.0f}. No other step doubles the speed."
    )


LARGEST_GAIN = Prediction(
    "largest-gain",
    "Nine kernels compute one matrix product, 4096 x 4096 x 4096, each with one mechanism more. Which step makes it "
    "the most times faster than the rung below?",
    Choice(
        {
            "shared tiles": "shared tiles: a block fetches each operand once",
            "copies ahead": "copies ahead: cp.async fills the next buffers meanwhile",
            "tensor copies": "tensor copies: TMA brings the tiles",
            "tensor cores": "tensor cores: wgmma on BF16",
            "specialized": "a warpgroup of its own for the copies",
            "multicast": "clusters of two, which share a tile",
            "persistent": "blocks that stay and take the next tile",
            "FP8": "operands of one byte",
        }
    ),
    answer=_largest,
    because=_largest_in_words,
    misconceptions=[
        Misconception(
            "the tensor core alone gives the speed",
            "tensor cores",
            "It is the largest step in TFLOP/s, but it stands on tiles that come in time: fed as the first rung feeds "
            "its lanes, it would wait nearly always.",
        ),
        Misconception(
            "hiding latency is the whole story",
            lambda guess: guess in ("copies ahead", "tensor copies", "specialized", "persistent"),
            "It pays once the work is fast. On the ordinary lanes other blocks and warps hide most of it already.",
            example="copies ahead",
        ),
        Misconception(
            "clusters help every shape",
            "multicast",
            "Quoted are two to three times (talk-042). Here the L2 keeps up without them, and waiting for each other "
            "costs: measured, it is slower until blocks stay.",
        ),
        Misconception(
            "half the bytes, twice the speed",
            "FP8",
            "Twice the peak, not twice the speed: what is not multiplication takes as long as before.",
        ),
    ],
)


def _stages() -> int:
    return stages_needed(copy_latency(BF16_TILE.stage_bytes), step_work(BF16_TILE))


STAGES = Prediction(
    "stages",
    "One step along K brings tiles of 128 x 64 and 256 x 64 in BF16. They take 860 + 12 cycles/KiB to land (lit-123.a, "
    "lit-123.b): 1,436 cycles. The tensor cores work on them for 1,024 (lit-051.b). With how many stages, at least, do "
    "they never wait once they have begun?",
    Number("stages", low=1, high=8),
    answer=_stages,
    because=lambda answer: (
        f"One stage is worked on; the others must cover 1,436 cycles, 1,024 each: 1 + 2 = {answer}. Measured, the "
        f"fourth adds {100 * (recorded.by_stages()[4] / recorded.by_stages()[3] - 1):.0f} %."
    ),
    misconceptions=[
        Misconception(
            "one copy ahead is enough",
            2,
            "The next tiles are asked for when the last ones are done with, and take 1,436 cycles. Work lasts 1,024.",
        ),
        Misconception(
            "a ring of one is a ring",
            1,
            "Copy and work take turns: the tensor cores rest for 1,436 cycles of every 2,460.",
        ),
        Misconception(
            "more stages always help",
            lambda guess: guess >= 4,
            "Once nothing waits, further stages only hold shared memory: 48 KiB each.",
            example=6,
        ),
    ],
)

REGISTERS = Prediction(
    "registers",
    "A block of three warpgroups, 384 threads, has an SM's 65,536 registers (lit-021.d) to itself. The launch gives "
    "every thread the same number: 65,536 / 384, rounded down to a multiple of 8. From then on setmaxnreg only moves "
    "registers within the block. Two warpgroups multiply, and it gives each of their threads 232. How many are left "
    "for each thread of the one that copies?",
    Number("registers a thread", low=0, high=255),
    answer=lambda: producer_registers(CONSUMERS, RICH),
    because=lambda answer: (
        f"The launch gave each thread 168: 65,536 / 384, rounded down to a multiple of 8. Three warpgroups bring 168 "
        f"each and two take 232: 3 x 168 - 2 x 232 = {answer} are left. One thread of the third works, and needs few."
    ),
    misconceptions=[
        Misconception(
            "setmaxnreg draws on the whole file",
            48,
            "(65,536 - 2 x 128 x 232) / 128 is 48. But setmaxnreg moves only what the launch gave the block: 168 x "
            "384, or 64,512. The 1,024 that rounding left over belong to nobody.",
        ),
        Misconception(
            "producers need registers",
            lambda guess: guess >= 168,
            "A producer holds addresses and a few counters. The sums, 128 a thread, are the consumers'.",
            example=168,
        ),
        Misconception(
            "a warpgroup can do without",
            lambda guess: guess < 24,
            "setmaxnreg takes 24 to 256, and all four warps of the warpgroup keep theirs, idle or not.",
            example=0,
        ),
    ],
)

SIDE, DEPTH = 5120, 20_480
WIDTHS = (256, 224, 192, 160, 128, 64)


def rounds(columns: int) -> Rounds:
    """The rounds of the result that is asked about, with blocks in pairs."""
    return Rounds(SIDE, SIDE, columns, together=2)


def _fastest_width() -> str:
    return str(min(WIDTHS, key=lambda columns: rounds(columns).time))


def _width_in_words(answer: str) -> str:
    wide, chosen = rounds(256), rounds(int(answer))
    shares = recorded.shares()[SIDE, SIDE, DEPTH]
    before, after = shares["in clusters of two"], shares["as chosen"]
    return (
        f"256 columns make {wide.tiles} tiles: {wide.count - 1} rounds of 132, and {wide.last} tiles are left. "
        f"They take a round as long as the others, with {wide.idle} SMs idle. {answer} columns make {chosen.tiles} "
        f"tiles, which fill {chosen.count} shorter rounds but for {chosen.idle} SMs. Measured on an H200, {answer} "
        f"columns are {after / before:.2f} times as fast as 256."
    )


WIDTH = Prediction(
    "width",
    "The result is 5120 x 5120 and very deep. A tile has 128 rows, and each of 132 SMs works on one tile at a time, "
    "then on the next: a round, which takes as long as the tile is wide, and a little more. How many columns should a "
    "tile have, so that the last SM is done first?",
    Choice({str(columns): f"{columns} columns" for columns in WIDTHS}),
    answer=_fastest_width,
    because=_width_in_words,
    misconceptions=[
        Misconception(
            "the widest tile is the fastest",
            "256",
            "It asks for the fewest bytes for each product. But 800 tiles on 132 SMs are 6 rounds and 8 tiles, and "
            "the seventh round is as long as the others.",
        ),
        Misconception(
            "small tiles waste nothing",
            lambda guess: guess in ("64", "128"),
            "The last round is short, so that its idle SMs cost little. But each tile has a seam, where one ends and "
            "the next begins, and a narrow one asks for more bytes for each product.",
            example="64",
        ),
        Misconception(
            "a width that divides the result fits best",
            lambda guess: guess in ("160", "192"),
            "What has to come out even is the number of tiles by the number of SMs. 160 divides 5120 and leaves 40 "
            "SMs idle in a tenth round; 224 does not divide it, and 4 are idle.",
            example="160",
        ),
    ],
)
