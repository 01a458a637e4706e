"""Three functions to write: crossings of a protocol, the steps of a ring, and a cluster for so many bins."""

from hopperlab.course.draws import Draw
from hopperlab.course.exchange import mutants
from hopperlab.course.exercises import Exercise
from hopperlab.course.misconceptions import Misconception

BLOCK_BYTES = 227 * 1024  # lit-020.b


def crossings(steps):
    """The fewest and the most crossings until the consumer has the word.

    steps: first the producer's: "store" (one crossing; nobody waits for it) and "fence"
    (the producer waits until it knows that its stores are there). Then the consumer's:
    "poll" (ask until the last store is seen; the answer is one crossing, and who asked a
    moment too early needs two more), or "wait" (on a barrier in its own shared memory,
    which the last store ends); then "load" (fetch from global memory).
    """
    fewest = most = 0
    flying = False  # whether a store is under way that nobody has waited for
    for step in steps:
        # your part: what this step adds to both, and whether a store is under way after it
        landing = 1 if flying else 0
        if step == "store":
            flying = True
            continue
        extra = {"fence": landing, "poll": 1, "wait": 0, "load": 2}[step]
        fewest += landing + extra
        most += landing + extra + (2 if step == "poll" else 0)
        flying = False
        # end of your part
    return fewest, most


def _right_crossings(steps):
    """The same, as moments: when the producer goes on, when its last store lands, when the consumer has it."""
    ends = []
    for unlucky in (0, 2):
        producer = landed = consumer = 0
        for step in steps:
            if step == "store":
                landed = producer + 1
            elif step == "fence":
                producer = landed + 1
            elif step == "load":
                consumer += 2
            else:
                consumer = landed + (1 + unlucky if step == "poll" else 0)
        ends.append(consumer)
    return tuple(ends)


def _steps(draw: Draw) -> tuple:
    parts = [["store"] * draw.integer(1, 3) for _ in range(draw.integer(1, 3))]
    sent = [step for part in parts for step in ["fence", *part]][1:]
    return ([*sent, draw.choice(("wait", "poll")), *["load"] * draw.integer(0, 2)],)


CROSSINGS = Exercise(
    "crossings",
    "Count the crossings of a protocol. Four of the examples are the lesson's four.",
    solution=crossings,
    inputs=_steps,
    right=_right_crossings,
    examples=[
        (["store", "fence", "store", "poll", "load"],),
        (["store", "poll"],),
        (["store", "fence", "store", "wait"],),
        (["store", "wait"],),
        (["store", "store", "fence", "store", "wait"],),
    ],
    hints=[
        "Stores fly beside each other. Only what waits for them counts their crossing, and counts it once.",
        "A fence waits for the landing and for the word of it to come back: two. A poll for the landing and an "
        "answer: two, at best. A wait in one's own memory only for the landing: one.",
        "Add to `fewest` and `most` alike, but for the poll: its most is two more. After a fence, a poll or a wait no "
        "store is under way.",
    ],
    misconceptions=[
        Misconception(
            "stores wait for each other",
            mutants.stores_in_turn,
            "Nobody waits for a store. Two stores without a fence between them cross together.",
        ),
        Misconception(
            "a fence waits for nothing",
            mutants.free_fence,
            "It waits until the stores are known to be there: their landing, and the way back.",
        ),
        Misconception(
            "the first poll sees it",
            mutants.lucky_polls,
            "That is the fewest. Who asks a moment too early has to ask again: two more.",
        ),
        Misconception(
            "with the flag comes the word",
            mutants.free_loads,
            "A load goes to memory and back: two.",
        ),
        Misconception(
            "a wait asks the other side",
            mutants.wait_asks,
            "The barrier is in the consumer's own memory. Its wait ends with the landing.",
        ),
        Misconception(
            "every message is a round trip",
            mutants.round_trips,
            "A store that nobody waits for is never answered.",
        ),
    ],
    because="The model is `hopperlab.models.exchange.crossings`.",
)


def ring_steps(rank, blocks, chunk_bytes):
    """What one block does in each step of a ring reduction, with one barrier a step.

    The vectors are cut in as many chunks as there are blocks. In every step a block sends
    one chunk to its right neighbor, where it is added, and waits for the one from its left
    neighbor: what came is what it sends next. It begins with the chunk of its own rank.
    Give a list with, for each step, (chunk to send, bytes to expect, chunk that comes).
    """
    steps = []
    # your part: how many steps, and which chunk goes and comes in each
    for step in range(blocks - 1):
        steps.append(((rank - step) % blocks, chunk_bytes, (rank - step - 1) % blocks))
    # end of your part
    return steps


def _right_ring(rank, blocks, chunk_bytes):
    """The same by following chunks: chunk c starts at block c, and is one block farther after each step."""
    at = {chunk: chunk for chunk in range(blocks)}
    steps = []
    for _ in range(1, blocks):
        sent = next(chunk for chunk, block in at.items() if block == rank)
        at = {chunk: (block + 1) % blocks for chunk, block in at.items()}
        come = next(chunk for chunk, block in at.items() if block == rank)
        steps.append((sent, chunk_bytes, come))
    return steps


def _ring(draw: Draw) -> tuple:
    blocks = draw.integer(1, 8)
    return draw.integer(0, blocks - 1), blocks, 16 * draw.integer(1, 8)


RING = Exercise(
    "ring",
    "A ring reduction of a cluster: each block sends a chunk to the right and waits once a step. Write the steps of "
    "one block. In the end it holds one chunk's whole sum.",
    solution=ring_steps,
    inputs=_ring,
    right=_right_ring,
    examples=[(0, 4, 64), (2, 4, 64), (1, 2, 16), (0, 1, 16)],
    hints=[
        "A chunk must visit every other block once, so it takes one step less than there are blocks.",
        "In the first step block r sends chunk r. In the next it sends what has just come, added to its own.",
        "In step s it sends chunk (r - s) mod n, and chunk (r - s - 1) mod n comes. Each brings one chunk in bytes.",
    ],
    misconceptions=[
        Misconception(
            "each block sends its own chunk again",
            mutants.own_chunk,
            "Then nothing is added on the way: what came must go on.",
        ),
        Misconception(
            "all send the same chunk",
            mutants.same_chunk,
            "Each chunk is at one block at a time; all chunks move at once.",
        ),
        Misconception(
            "what I send and what comes is one chunk",
            mutants.same_comes,
            "What comes is the left neighbor's: one chunk behind.",
        ),
        Misconception(
            "chunks come from the right",
            mutants.other_way,
            "They move to the right, so those of lower rank come.",
        ),
        Misconception(
            "as many steps as blocks",
            mutants.one_step_more,
            "After one step more, each chunk is back where it began and is added twice.",
        ),
        Misconception(
            "the barrier counts messages",
            mutants.messages,
            "It counts bytes: expect those of one chunk.",
        ),
        Misconception(
            "one barrier waits for all steps",
            mutants.all_bytes,
            "Then nobody could send on what has not come yet: one phase a step.",
        ),
    ],
    because="The kernel `ring_all_reduce` goes on: a second round hands every block all sums. Read it beside this.",
)


def cluster_for_bins(bins, block_bytes):
    """The smallest cluster of 1, 2, 4, 8 or 16 blocks that holds so many bins of 4 bytes.

    bins: of one histogram, shared out evenly, the last block may have fewer.
    block_bytes: of shared memory that each block has.
    Give (blocks, bins that a block holds at most), or (0, 0) if 16 blocks are too few.
    """
    for blocks in (1, 2, 4, 8, 16):
        # your part: whether these blocks hold all bins
        share = -(-bins // blocks)
        if 4 * share <= block_bytes:
            return blocks, share
        # end of your part
    return 0, 0


def _right_cluster(bins, block_bytes):
    held = block_bytes // 4
    fitting = [blocks for blocks in (1, 2, 4, 8, 16) if held * blocks >= bins]
    return (fitting[0], (bins + fitting[0] - 1) // fitting[0]) if fitting else (0, 0)


def _bins(draw: Draw) -> tuple:
    return draw.integer(1, 300), 4 * draw.integer(1, 24) + draw.integer(0, 3)


BINS = Exercise(
    "bins",
    "How large must a cluster be to hold a histogram's bins? Larger than needed costs: fewer adds stay at home.",
    solution=cluster_for_bins,
    inputs=_bins,
    right=_right_cluster,
    examples=[
        (1024, BLOCK_BYTES),
        (65_536, BLOCK_BYTES),
        (524_288, BLOCK_BYTES),
        (10**6, BLOCK_BYTES),
        (9, 16),
    ],
    hints=[
        "Every bin is in one block only. So each block holds its share of the bins.",
        "If the bins cannot be divided evenly, the larger share must fit too: round up.",
        "The share is -(-bins // blocks), and takes four times as many bytes. The first size that fits is the answer.",
    ],
    misconceptions=[
        Misconception(
            "every block holds all bins",
            mutants.all_bins,
            "Then a cluster would hold no more than a block. The bins are shared out.",
        ),
        Misconception("a bin is a byte", mutants.byte_bins, "A counter has 4 bytes."),
        Misconception(
            "shared memory grows per block",
            mutants.growing_blocks,
            "Each block keeps what it has. N blocks have N times as much together, and that is already in the share.",
        ),
        Misconception(
            "shares are rounded down",
            mutants.rounded_down,
            "Then some bins have no place.",
        ),
        Misconception(
            "the largest cluster is the best",
            mutants.largest,
            "In 16 blocks only one add of sixteen stays at home. Take the smallest that fits.",
        ),
    ],
    because="The kernel `histogram` finds the owner of a value's bin by `value // share`.",
)
