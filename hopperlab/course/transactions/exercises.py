"""Three functions to write: the barrier itself, the bytes of a halo, and the waits of a ring."""

from hopperlab.course.draws import Draw
from hopperlab.course.exercises import Exercise
from hopperlab.course.misconceptions import Misconception
from hopperlab.course.transactions import mutants
from hopperlab.models.barriers import Mbarrier, ring_parity, ring_stage

OPERATIONS = {"arrive": "arrive", "expect_tx": "expect_tx", "bytes": "complete_tx"}


def phases_completed(count, events):
    """How many phases of a transaction barrier these events complete.

    count: arrivals that a phase needs.
    events: in order, ("arrive", how many), ("expect_tx", bytes) and ("bytes", how many landed).
    """
    arrivals_missing, bytes_missing, phases = count, 0, 0
    for kind, number in events:
        # your part: count the event, and see whether the phase is complete
        if kind == "arrive":
            arrivals_missing -= number
        elif kind == "expect_tx":
            bytes_missing += number
        else:
            bytes_missing -= number
        if arrivals_missing == 0 and bytes_missing == 0:
            phases += 1
            arrivals_missing = count
        # end of your part
    return phases


def _right_phases(count, events):
    barrier = Mbarrier(count)
    for kind, number in events:
        getattr(barrier, OPERATIONS[kind])(number)
    return barrier.phase


def _events(draw: Draw) -> tuple:
    """A sequence that the barrier allows: what it refuses is left out."""
    count = draw.integer(1, 3)
    barrier, allowed = Mbarrier(count), []
    for kind, number in draw.several(
        lambda: (draw.choice(list(OPERATIONS)), draw.choice([1, 2, 4, 8])), 0, 14
    ):
        amount = min(number, max(barrier.pending_arrivals, 1)) if kind == "arrive" else 4 * number
        try:
            getattr(barrier, OPERATIONS[kind])(amount)
        except ValueError:
            continue
        allowed.append((kind, amount))
    return count, allowed


BARRIER = Exercise(
    "barrier",
    "Write the transaction barrier. It is nine lines, and most broken rings break in one of them.",
    solution=phases_completed,
    inputs=_events,
    right=_right_phases,
    examples=[
        (1, [("expect_tx", 96), ("arrive", 1), ("bytes", 64), ("bytes", 32)]),
        (1, [("bytes", 96), ("expect_tx", 96), ("arrive", 1)]),
        (2, [("expect_tx", 8), ("bytes", 8), ("arrive", 1), ("arrive", 1), ("arrive", 2)]),
        (1, [("expect_tx", 8), ("arrive", 1), ("bytes", 16), ("expect_tx", 8)]),
    ],
    hints=[
        "Keep two numbers: arrivals missing, and bytes expected and not landed. Each event changes one of them.",
        "A phase is complete when both are exactly zero. Bytes may come first: let their number go below zero.",
        "When a phase is complete, the next one needs `count` arrivals again. The bytes stand at zero by themselves.",
    ],
    misconceptions=[
        Misconception(
            "the count stops at zero",
            mutants.clamped,
            "Bytes that come before they are expected must not be forgotten: let the number go below zero.",
        ),
        Misconception(
            "too many bytes are enough",
            mutants.at_most_zero,
            "Below zero is not zero: it says that an expect_tx is still to come. A public page has it wrong (lit-025).",
        ),
        Misconception(
            "arrivals alone end a phase",
            mutants.arrivals_only,
            "That is the barrier of the A100. Here the bytes must be there too.",
        ),
        Misconception(
            "expect_tx arrives",
            mutants.expecting_arrives,
            "expect_tx only announces. arrive_expect_tx is two events.",
        ),
        Misconception(
            "bytes count as arrivals", mutants.bytes_arrive, "Bytes are counted apart from arrivals."
        ),
        Misconception(
            "a barrier is used up",
            mutants.never_again,
            "The next phase begins by itself, with its arrivals missing again.",
        ),
    ],
    because="The model is `hopperlab.models.barriers.Mbarrier`; thousands of sequences hold it against a card.",
)


def bytes_expected(block, edges):
    """The bytes that a block must announce before it waits for its halo.

    edges: one step of a stencil over blocks of a cluster, as (sender, receiver, words of
    4 bytes). They are of unequal size. What a block keeps to itself it copies by plain
    stores, which count on no barrier.
    """
    # your part: add up what comes to this block from others
    return sum(4 * words for sender, receiver, words in edges if receiver == block and sender != block)
    # end of your part


def _right_edges(block, edges):
    barrier = Mbarrier(1)
    for sender, receiver, words in edges:
        if receiver == block != sender:
            barrier.complete_tx(4 * words)
    return -barrier.pending_tx


def _edges(draw: Draw) -> tuple:
    def edge() -> tuple:
        return draw.integer(0, 3), draw.integer(0, 3), draw.integer(1, 12)

    return draw.integer(0, 3), draw.several(edge, 0, 9)


EDGES = Exercise(
    "edges",
    "The talk's halo: four blocks, edges of unequal size, one barrier a block. How many bytes does a block expect?",
    solution=bytes_expected,
    inputs=_edges,
    right=_right_edges,
    examples=[
        (0, [(1, 0, 8), (2, 0, 12), (3, 0, 4), (0, 1, 5)]),
        (2, [(2, 2, 6), (1, 2, 3), (2, 1, 9)]),
        (3, []),
    ],
    hints=[
        "Nobody tells the barrier who sends. What must be known is one number: all bytes that will land here.",
        "Take the edges whose receiver is this block, and leave out those that it sends to itself.",
        "Edges are given in words; the barrier counts bytes, 4 for each word.",
    ],
    misconceptions=[
        Misconception(
            "the barrier counts messages",
            mutants.messages,
            "It counts bytes: three edges are no number it knows.",
        ),
        Misconception(
            "elements are bytes",
            mutants.words,
            "Four times too few: the phase ends early, or hangs with bytes that came unannounced.",
        ),
        Misconception(
            "I expect what I send",
            mutants.sent,
            "The barrier lies with the receiver. What a block sends, others must expect.",
        ),
        Misconception("edges are equal", mutants.equal_edges, "Corners and sides differ: add up each edge."),
        Misconception(
            "own stores count too",
            mutants.own_too,
            "Plain stores count on no barrier: the bytes would be missing for ever.",
        ),
    ],
    because="The kernel `gather_edges` does it on a card and in the simulator.",
)


def ring_waits(tiles, stages):
    """The waits of a ring: for each tile the stage, and the parities that both sides wait for.

    Give a list of (stage, producer's parity on empty, consumer's parity on full). All
    barriers are fresh at first. The ring that this replaces ran for two laps and then hung.
    """
    table = []
    for tile in range(tiles):
        # your part: stage and lap of this tile, and what follows from the lap
        stage, lap = tile % stages, tile // stages
        table.append((stage, 1 - lap % 2, lap % 2))
        # end of your part
    return table


def _right_waits(tiles, stages):
    return [
        (ring_stage(tile, stages), 1 - ring_parity(tile, stages), ring_parity(tile, stages))
        for tile in range(tiles)
    ]


RING = Exercise(
    "ring",
    "Repair a ring that runs twice, then hangs: give the parities for which its two sides wait.",
    solution=ring_waits,
    inputs=lambda draw: (draw.integer(0, 20), draw.integer(1, 4)),
    right=_right_waits,
    examples=[(6, 2), (7, 3), (4, 1)],
    hints=[
        "A barrier's phase is the lap: it ends once each time the ring goes round.",
        "The consumer waits for the phase of this lap, so for parity 0 on the first, 1 on the second, 0 on the third.",
        "The producer waits for the phase before, so for the other parity: 1 on the first lap, which is true at once.",
    ],
    misconceptions=[
        Misconception(
            "one parity for ever",
            mutants.never_flips,
            "On the second lap that parity is true too early, or never again.",
        ),
        Misconception(
            "the parity changes with every tile",
            mutants.flips_each_tile,
            "It changes once a lap: each stage has barriers of its own, which the other tiles do not touch.",
        ),
        Misconception(
            "the producer waits with parity 0 on a fresh ring",
            mutants.same_for_both,
            "Then both sides wait for each other before the first tile.",
        ),
        Misconception(
            "the parity is the lap",
            mutants.lap_for_parity,
            "That is right for two laps. The parity is one bit: on the third lap it is 0 again.",
        ),
    ],
    because="The model is `hopperlab.models.barriers.ring_parity`. Read the kernel `ring` beside it.",
)
