"""Three functions to write: Little's law below a ceiling, bytes counted rightly, and hits mixed with misses."""

from hopperlab.course.exercises import Exercise
from hopperlab.course.memory.bandwidth import mutants
from hopperlab.course.misconceptions import Misconception


def reached(blocks, threads, width, loads, latency_ns, peak_gb):
    """Bandwidth in GB/s: what so many blocks read at once, below a ceiling.

    threads: of a block. width: bytes of a load. loads: of a thread, on the way at a time.
    latency_ns: from asking to having. peak_gb: the most that memory gives, in GB/s.
    """
    # your part: bytes in flight come once every latency, until memory is full (a byte in a ns is a GB/s)
    return min(blocks * threads * width * loads / latency_ns, peak_gb)
    # end of your part


REACHED = Exercise(
    "reached",
    "Write `reached`, Little's law below a ceiling.",
    solution=reached,
    inputs=lambda draw: (
        draw.choice([1, 33, 66, 132, 264, 528]),
        draw.choice([128, 256, 512]),
        draw.choice([4, 8, 16]),
        draw.integer(1, 8),
        draw.choice([160, 370, 420]),
        draw.choice([2000, 3350, 4600]),
    ),
    examples=[
        (66, 512, 16, 2, 420, 4600),
        (132, 512, 4, 1, 420, 4600),
        (528, 512, 4, 1, 420, 4600),
        (264, 512, 16, 4, 420, 4600),
        (66, 256, 8, 2, 160, 3350),
    ],
    hints=[
        "How many bytes have all threads together asked for, and not got?",
        "So many bytes come in each latency: divide by it.",
        "min(blocks * threads * width * loads / latency_ns, peak_gb).",
    ],
    misconceptions=[
        Misconception(
            "bandwidth is a property of memory alone",
            mutants.memory_alone,
            "Its ceiling is. Few blocks with little in flight stay far below it.",
        ),
        Misconception(
            "a full grid is enough",
            mutants.full_grid,
            "A block on every SM says nothing of the bytes that it has on the way.",
        ),
        Misconception(
            "half the chip gives half the HBM bandwidth",
            mutants.half_is_half,
            "No SM owns a part of memory. Half of them with enough in flight give more than half.",
        ),
        Misconception(
            "wider loads never matter",
            mutants.any_width,
            "A load of 16 bytes has four times the bytes of one of 4 on the way.",
        ),
        Misconception(
            "a thread waits for each load",
            mutants.one_load,
            "It may have several loads on the way: count them.",
        ),
        Misconception(
            "more in flight is always more",
            mutants.no_ceiling,
            "At the ceiling more in flight only waits longer.",
        ),
    ],
    because="`hopperlab.models.memory.Streams` adds what each load costs an SM, and a bend for the corner.",
)


def stream_rate(elements, element_bytes, reads, writes, seconds):
    """Bandwidth of a kernel in GB/s of 10^9 bytes.

    elements: that it handles, each of element_bytes. reads, writes: how often each is read and written.
    """
    # your part: all bytes that pass, over the time
    return elements * element_bytes * (reads + writes) / seconds / 1e9
    # end of your part


RATE = Exercise(
    "rate",
    "Write `stream_rate`, what a read, a write or a copy is to be told as.",
    solution=stream_rate,
    inputs=lambda draw: (
        draw.integer(1, 500) * 2**20,
        draw.choice([2, 4, 8]),
        draw.choice([1, 1, 2]),
        draw.choice([0, 1]),
        draw.choice([0.0005, 0.001, 0.25]),
    ),
    examples=[
        (2**28, 4, 1, 1, 0.0005),
        (2**28, 4, 1, 0, 0.00025),
        (2**28, 4, 0, 1, 0.00025),
        (2**28, 8, 2, 1, 0.001),
    ],
    hints=[
        "A copy moves every element twice: out of memory, and into it.",
        "Sheets count GB of 10^9 bytes, whatever a driver prints.",
        "elements * element_bytes * (reads + writes), over seconds, over 1e9.",
    ],
    misconceptions=[
        Misconception(
            "read and written are counted once",
            mutants.counted_once,
            "A copy of a GB moves two: both count.",
        ),
        Misconception("writes cost nothing", mutants.only_read, "They pass through the same pins as reads."),
        Misconception(
            "GB and GiB are one", mutants.in_gib, "2^30 bytes are 7 % more than 10^9. Divide by 1e9."
        ),
        Misconception("a byte is a bit", mutants.in_bits, "Memory is sold in bytes a second; links in bits."),
    ],
    because="`lesson.kinds()` counts like this, for our kernels and for torch's.",
)


def mixed(footprint_mb, l2_mb, l2_gb, hbm_gb):
    """Bandwidth in GB/s of a footprint of which the L2 cache still answers a share.

    The cache holds l2_mb of it and gives those at l2_gb; the rest comes at hbm_gb. A byte waits for its turn.
    """
    # your part: the time of a mean byte, and its inverse
    hit = min(1, l2_mb / footprint_mb)
    return 1 / (hit / l2_gb + (1 - hit) / hbm_gb)
    # end of your part


MIXED = Exercise(
    "mixed",
    "Write `mixed`, the way down from the L2 cache's rate to that of device memory.",
    solution=mixed,
    inputs=lambda draw: (draw.integer(5, 130), draw.choice([50, 60, 63]), 9200, draw.choice([2000, 4600])),
    examples=[(20, 63, 9200, 4600), (84, 63, 9200, 4600), (126, 63, 9200, 4600), (100, 50, 9200, 2000)],
    hints=[
        "Which share of the bytes does the cache hold?",
        "Rates do not add up, times do: a byte takes 1 / rate.",
        "1 / (hit / l2_gb + (1 - hit) / hbm_gb), with hit = min(1, l2_mb / footprint_mb).",
    ],
    misconceptions=[
        Misconception(
            "L2 bandwidth is one number",
            mutants.one_number,
            "What does not fit comes from memory, at memory's rate.",
        ),
        Misconception(
            "all or nothing",
            mutants.all_or_nothing,
            "A share still hits when all blocks read the same bytes. The curve has no cliff at the cache's size.",
        ),
        Misconception(
            "rates are averaged",
            mutants.mean_of_rates,
            "Slow bytes take more of the time than of the bytes. Average times.",
        ),
        Misconception(
            "a read is a read of memory",
            mutants.always_memory,
            "What fits in the L2 cache never gets to device memory.",
        ),
    ],
    because="At 84.5 MB it gives 7.3 TB/s, as measured. Beyond about twice the cache nothing hits any more (measured).",
)
