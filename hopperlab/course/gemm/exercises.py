"""Three functions to write: a ring's times with any number of stages, its bubbles, and a tile that fits."""

from hopperlab.course.draws import Draw
from hopperlab.course.exercises import Exercise
from hopperlab.course.gemm import mutants
from hopperlab.course.misconceptions import Misconception
from hopperlab.models.gemm import Step, Tile, Timeline, pipeline


def cycles_of_ring(stages, steps, latency, compute):
    """Cycles from the first copy's start to the end of the last step's work.

    A stage is asked for as soon as it is free: at cycle 0, or when the work on what it held
    is done. It lands `latency` cycles later. Work on a step takes `compute` cycles, and
    begins when its stage has landed and the work before it is done.
    The loop that this replaces knows only two stages: step k waits for step k - 2.
    """
    done = []
    for step in range(steps):
        # your part: when its stage is asked for, when the work on it begins, and when that is done
        asked = done[step - stages] if step >= stages else 0
        begun = max(asked + latency, done[-1] if done else 0)
        done.append(begun + compute)
        # end of your part
    return done[-1]


def _right_cycles(stages, steps, latency, compute):
    return pipeline(stages, steps, latency, compute).cycles


STAGE = Exercise(
    "stage",
    "Add a stage: write the ring's time for any number of them, not just two. Here a stage is free as soon as its own "
    "work is done, and copies do not queue. The pictures above let them queue, and give a stage back one step late, as "
    "the sixth rung does: 2 stages and 8 steps take 12,100 cycles there, and 10,864 by the rule here (modelled).",
    solution=cycles_of_ring,
    inputs=lambda draw: (
        draw.integer(1, 6),
        draw.integer(1, 20),
        100 * draw.integer(0, 30),
        100 * draw.integer(1, 20),
    ),
    right=_right_cycles,
    examples=[(2, 6, 1400, 1000), (3, 6, 1400, 1000), (1, 4, 500, 300), (4, 2, 900, 100)],
    hints=[
        "Keep when each step was done. Everything else follows from two of these.",
        "Step k lies where step k - stages lay. Before the first lap is over, a stage is free from the start.",
        "Work begins at the later of two times: the landing, and the end of the step before.",
    ],
    misconceptions=[
        Misconception(
            "one copy ahead is enough",
            mutants.two_stages,
            "That is the ring of two. With more stages, step k waits for step k - stages.",
        ),
        Misconception(
            "more stages always help",
            mutants.never_waits,
            "Only the first landing is seen here. A ring too short for its latency waits in every lap.",
        ),
        Misconception(
            "a stage is free when it has landed",
            mutants.free_when_landed,
            "It is free when the work on it is done: until then the copy would overwrite what is read.",
        ),
        Misconception(
            "copies wait for each other",
            mutants.one_copy_at_a_time,
            "All free stages are asked for at once: copies overlap.",
        ),
        Misconception(
            "work overlaps with work",
            mutants.work_overlaps,
            "The tensor cores take one step after the other: work begins when the step before is done.",
        ),
    ],
    because="The model is `hopperlab.models.gemm.pipeline`, which also lets copies queue at the engine, and stages be "
    "given back late.",
)


def longest_bubble(landed, done):
    """The longest bubble of a timeline, once work has begun, and why it is there.

    landed, done: for each step the cycle in which its tiles had landed, and in which the
    work on it was done. Work begins as soon as tiles are there and the step before is done.

    Give (step, cycles): the first step that was waited for longest, and for how long.
    Waiting for step 0 fills the ring, and does not count. Without a bubble, give (0, 0).
    """
    worst, longest = 0, 0
    for step in range(1, len(landed)):
        # your part: for how long nothing happened before this step, and whether that is the worst
        waited = landed[step] - done[step - 1]
        if waited > longest:
            worst, longest = step, waited
        # end of your part
    return worst, longest


def _right_bubble(landed, done):
    begun = [max(there, before) for there, before in zip(landed, [0, *done], strict=False)]
    line = Timeline(tuple(Step(k, k, 0, landed[k], begun[k], done[k]) for k in range(len(done))))
    bubbles = line.bubbles[1:]  # the first one fills the ring
    if not bubbles:
        return 0, 0
    start, end = max(bubbles, key=lambda bubble: bubble[1] - bubble[0])
    return done.index(start) + 1, end - start


def _timeline(draw: Draw) -> tuple:
    """A run in which copies come when they come, and work takes what it takes."""
    landed, done = [], []
    at = draw.integer(1, 9)
    for _ in range(draw.integer(1, 10)):
        at += draw.integer(0, 9)
        landed.append(at)
        done.append(max(at, done[-1] if done else 0) + draw.integer(1, 6))
    return landed, done


BUBBLE = Exercise(
    "bubble",
    "Find the bubble: which step did the tensor cores wait for longest?",
    solution=longest_bubble,
    inputs=_timeline,
    right=_right_bubble,
    examples=[
        ([5, 7, 20, 21], [9, 13, 24, 28]),
        ([3, 4, 5], [8, 13, 18]),
        ([30, 34, 50, 66], [32, 40, 56, 70]),
        ([4], [9]),
    ],
    hints=[
        "A bubble before step k lasts from the end of step k - 1 to the landing of step k.",
        "If the tiles had landed before that end, there is none: the difference is negative.",
        "Of equal bubbles the first one counts; `>` keeps it.",
    ],
    misconceptions=[
        Misconception(
            "filling the ring is a bubble",
            mutants.counts_the_fill,
            "The first landing is waited for once, whatever the ring. Look from step 1 on.",
        ),
        Misconception(
            "latency is the bubble",
            mutants.between_landings,
            "Copies that land far apart do no harm while there is work. Compare a landing with the end of the work.",
        ),
        Misconception(
            "a late step is a long step",
            mutants.longest_work,
            "How long the work on a step takes is no waiting.",
        ),
        Misconception(
            "the last of equals",
            mutants.last_of_equals,
            "Asked is the first: where the trouble begins.",
        ),
    ],
    because="The picture of the pipeline hatches what this finds: `Timeline.bubbles`.",
)


def most_stages(rows, columns, step, operand_bytes):
    """The most stages that fit into a block's shared memory, or 0.

    A stage holds a tile of A, rows x step, and one of B, columns x step, of operand_bytes
    an element. Keep 1,024 bytes for the barriers, so that tiles stay on their alignment.
    A block gets 227 KiB.
    """
    # your part: bytes of a stage, and how many fit
    stage = (rows + columns) * step * operand_bytes
    return (227 * 1024 - 1024) // stage
    # end of your part


TILE = Exercise(
    "tile",
    "Size a tile: how many stages of it fit into 227 KiB?",
    solution=most_stages,
    inputs=lambda draw: (
        64 * draw.integer(1, 6),
        8 * draw.integer(8, 40),
        draw.choice([32, 64, 128, 256]),
        draw.choice([1, 2, 4]),
    ),
    right=lambda rows, columns, step, operand_bytes: Tile(rows, columns, step, operand_bytes).most_stages(),
    examples=[
        (128, 256, 64, 2),
        (128, 256, 128, 1),
        (256, 256, 64, 4),
        (64, 8, 32, 4),
        (384, 320, 128, 4),
        (192, 248, 24, 2),  # eleven stages are 128 bytes less than 227 KiB
    ],
    hints=[
        "D is not in shared memory: its sums are registers.",
        "A tile of A has rows x step elements, one of B columns x step. Both count in bytes.",
        "Take 1,024 bytes off the 227 KiB before you divide, and drop the rest of the division.",
    ],
    misconceptions=[
        Misconception(
            "256 KB is all shared memory",
            mutants.all_of_it,
            "L1 and shared memory are 256 KB together; a block gets 227 KiB at most (lit-020.b).",
        ),
        Misconception(
            "the sums lie there too",
            mutants.sums_too,
            "A wgmma adds up in registers. Only its operands lie in shared memory.",
        ),
        Misconception(
            "only one operand lies there",
            mutants.only_b,
            "A from shared memory needs its tile as well as B.",
        ),
        Misconception(
            "barriers take no room",
            mutants.no_barriers,
            "Two barriers a stage lie in shared memory too; with the tiles' alignment they take 1,024 bytes.",
        ),
        Misconception("elements are bytes", mutants.elements, "BF16 takes two bytes an element, FP8 one."),
        Misconception(
            "KiB are kB",
            mutants.decimal,
            "227 KiB are 227 x 1,024 bytes.",
        ),
    ],
    because="The model is `hopperlab.models.gemm.Tile.most_stages`.",
)
