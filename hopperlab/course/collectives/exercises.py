"""Three functions to write: bytes through a switch, the wire from a printed line, and where tree and ring meet."""

from math import ceil, log2

from hopperlab.course.collectives import mutants
from hopperlab.course.draws import Draw
from hopperlab.course.exercises import Exercise
from hopperlab.course.misconceptions import Misconception
from hopperlab.models.collectives import crossover_bytes, traffic


def bytes_sent(ranks, nbytes, in_switch):
    """Bytes that one GPU sends in an all-reduce of `nbytes`.

    ranks: GPUs on the switch, 2 or more.
    in_switch: whether the switch adds and multicasts (True), or a ring is used.
    """
    # your part: count the shards that leave this GPU
    shard = nbytes / ranks
    if in_switch:
        return (ranks + 1) * shard
    return 2 * (ranks - 1) * shard
    # end of your part


def _right_bytes(ranks, nbytes, in_switch):
    return traffic("all-reduce", "in-network" if in_switch else "ring", ranks, nbytes).sent


SWITCH_BYTES = Exercise(
    "switch-bytes",
    "Write the count: how many bytes does one GPU send, with and without a switch that adds?",
    solution=bytes_sent,
    inputs=lambda draw: (draw.integer(2, 64), draw.integer(1, 2**20) * 1024.0, draw.boolean()),
    right=_right_bytes,
    examples=[(8, 8.0, True), (8, 8.0, False), (2, 2.0, True)],
    hints=[
        "Cut the buffer into as many shards as there are GPUs, and follow what leaves one of them.",
        "By ring: each of the 2(N - 1) steps hands on one shard.",
        "In the switch: all N shards go up to be added, the own one too. Then the one sum that came back goes up "
        "again, to be multicast.",
    ],
    misconceptions=[
        Misconception(
            "4N over 2N + 2 is the speed-up",
            mutants.as_spoken,
            "These are the talk's counts, both directions together, with a shard that a GPU sends to itself.",
        ),
        Misconception(
            "SHARP halves the traffic",
            mutants.halved,
            "The switch saves handing partial sums on, but the sum goes out once more: N + 1, not N - 1.",
        ),
        Misconception(
            "one's own shard stays at home",
            mutants.own_stays,
            "The switch adds what comes over links, so a GPU's own shard goes there too.",
        ),
        Misconception(
            "a ring sends everything twice",
            mutants.ring_of_all,
            "In a ring nothing is sent to oneself: 2(N - 1) shards, not 2N.",
        ),
    ],
    because="The model is `hopperlab.models.collectives.traffic`; a test counts its messages one by one.",
)


def wire_gb_per_s(operation, ranks, busbw, in_switch):
    """GB/s that the links of one GPU carry, in the busier direction.

    operation: "all-reduce" or "all-gather".
    busbw: GB/s, as nccl-tests printed it.
    in_switch: whether the switch added (all-reduce) or multicast (all-gather).
    """
    factor = 2 * (ranks - 1) / ranks if operation == "all-reduce" else (ranks - 1) / ranks
    # your part: go back to size over time, then count what the links carry
    algbw = busbw / factor
    if not in_switch:
        return algbw * factor
    return algbw * (ranks + 1) / ranks if operation == "all-reduce" else algbw
    # end of your part


def _right_wire(operation, ranks, busbw, in_switch):
    algorithm = "in-network" if in_switch else "ring"
    factor = 2 * (ranks - 1) / ranks if operation == "all-reduce" else (ranks - 1) / ranks
    return busbw / factor * traffic(operation, algorithm, ranks, 1).busier


def _wire_inputs(draw: Draw) -> tuple:
    operation = draw.choice(("all-reduce", "all-gather"))
    return operation, draw.integer(2, 16), float(draw.integer(1, 500)), draw.boolean()


WIRE = Exercise(
    "wire",
    "Three lines of nccl-tests, and what the links really carried. Write the conversion.",
    solution=wire_gb_per_s,
    inputs=_wire_inputs,
    right=_right_wire,
    examples=[
        ("all-reduce", 8, 476.0, True),
        ("all-reduce", 8, 365.0, False),
        ("all-gather", 8, 300.0, True),
    ],
    hints=[
        "Without the switch, busbw is made to be the wire: nothing is to be done.",
        "With it: divide by the factor to get algbw, size over time.",
        "All-reduce: a direction carries (N + 1)/N of the size. All-gather: one direction carries all of it.",
    ],
    misconceptions=[
        Misconception(
            "busbw is always what a wire carries",
            mutants.printed_is_wire,
            "Through the switch it is not: the printed factor is the ring's.",
        ),
        Misconception(
            "algbw is what the wire carries",
            mutants.algbw_is_wire,
            "algbw is size over time; the wire carries more or less of it than once, by operation and algorithm.",
        ),
        Misconception(
            "directions are added",
            mutants.both_directions,
            "A link's direction is counted by itself.",
        ),
        Misconception(
            "SHARP raises all-gather's bandwidth",
            mutants.gather_like_reduce,
            "An all-gather has nothing to add. One direction carries all of S, since the own shard comes back too.",
        ),
    ],
    because="476 GB/s printed are 306 on the wire: below the 450 of a link, where they belong.",
)


def crossing(ranks, bytes_per_second, latency):
    """The size in bytes at which a ring and a binomial tree take equally long in an all-reduce.

    ranks: 4 to 64. bytes_per_second: of one GPU's links, one direction.
    latency: seconds of one step. A ring takes 2(N - 1) steps, each of a shard; a tree
    2 ceil(log2 N) steps, each of the whole buffer.
    """
    # your part: set the two times equal and solve for the size
    ring_steps, tree_steps = 2 * (ranks - 1), 2 * ceil(log2(ranks))
    seconds_saved = (ring_steps - tree_steps) * latency
    return seconds_saved * bytes_per_second / (tree_steps - ring_steps / ranks)
    # end of your part


CROSSOVER = Exercise(
    "crossover",
    "Below some size a tree wins, above it a ring. Write where they meet.",
    solution=crossing,
    inputs=lambda draw: (
        draw.integer(4, 64),
        draw.integer(1, 90) * 5e9,
        draw.integer(1, 40) * 5e-7,
    ),
    right=lambda ranks, rate, latency: crossover_bytes("all-reduce", "ring", "tree", ranks, rate, latency),
    examples=[(8, 450e9, 1e-6), (64, 50e9, 5e-6)],
    preamble="from math import ceil, log2",
    hints=[
        "Write both times as steps x latency + bytes / bandwidth.",
        "The ring moves 2(N - 1)/N of the size, the tree 2 ceil(log2 N) times the size.",
        "size = (ring's steps - tree's steps) x latency x bandwidth / (tree's bytes - ring's bytes, per byte of size).",
    ],
    misconceptions=[
        Misconception(
            "the ring's bytes cost nothing",
            mutants.ring_without_bytes,
            "A ring moves 2(N - 1)/N of the size through each link; the tree more, but not by all of its bytes.",
        ),
        Misconception(
            "the tree goes up only",
            mutants.up_only,
            "The sum must come down again: twice log2 N steps.",
        ),
        Misconception(
            "the number of GPUs does not matter",
            mutants.latency_only,
            "Both step counts depend on N, one linearly, one by its logarithm.",
        ),
        Misconception(
            "logarithms are whole by themselves",
            mutants.fraction_of_a_step,
            "There is no fraction of a step: with 5 GPUs a tree takes three each way.",
        ),
    ],
    because="NCCL decides by such an estimate, with measured constants for each algorithm and protocol.",
)
