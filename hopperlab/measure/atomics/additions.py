"""How many atomic additions a clock: on one word, on words of one line, on words of one's own; and contended swaps."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median
from typing import TYPE_CHECKING, Any

from hopperlab.measure.experiment import Experiment

if TYPE_CHECKING:
    from hopperlab.device.silicon.card import Card
    from hopperlab.ledger import Recording
    from hopperlab.measure.audit import Comparison
    from hopperlab.measure.progress import Progress

THREADS = 1024
REPEATS = 5
AMOUNT = 3
ALONE_ON_AN_SM = 120 * 1024
BLOCKS = (1, 2, 4, 8, 16, 33, 66, 132)

# Where threads add in global memory: words in all, and how far apart threads are.
SPREADS = {
    "one word": (32, 0),
    "a word for each lane, one line": (32, 1),
    "a word for each thread": (THREADS * 256, 1),
    "a line for each thread": (THREADS * 256 * 32, 32),
}
SHARED_SPREADS = {"one word": 0, "a word for each thread": 1, "32 words of one bank": 32}
ROUNDS = {"one word": 32, "a word for each lane, one line": 64}
USUAL_ROUNDS = 128
SWAPS = 64


def run(card: Card, progress: Progress) -> dict[str, Any]:
    """Measure additions in global memory by spread and blocks, in shared memory by spread, and swaps by blocks."""
    blocks = [count for count in BLOCKS if count <= card.sms]
    cases = [[spread, count] for spread in SPREADS for count in blocks]
    return {
        "global": progress.map("global memory", cases, lambda case: _in_global(*case)),
        "shared": progress.map("shared memory", list(SHARED_SPREADS), _in_shared),
        "swaps": progress.map("swaps", blocks, _swaps),
    }


def _in_global(spread: str, blocks: int) -> list:
    """Give [spread, blocks, additions, cycles of the slowest block in each repeat]."""
    import numpy as np
    from numba import cuda

    from hopperlab.kernels.atomics import add
    from hopperlab.measure.timing import require_work

    size, apart = SPREADS[spread]
    rounds = ROUNDS.get(spread, USUAL_ROUNDS)
    additions = blocks * THREADS * rounds
    found = []
    for _ in range(REPEATS + 1):
        words, cycles = cuda.to_device(np.zeros(size, np.uint32)), cuda.to_device(np.zeros(blocks, np.uint64))
        add[blocks, THREADS, 0, ALONE_ON_AN_SM](
            words, np.uint32(apart), np.uint32(AMOUNT), np.int32(rounds), cycles
        )
        total = words.copy_to_host().sum(dtype=np.uint64)
        require_work(f"additions, {spread}", total, np.uint64(AMOUNT * additions))
        found.append(int(cycles.copy_to_host().max()))
    return [spread, blocks, additions, found[1:]]


def _in_shared(spread: str) -> list:
    """Give [spread, additions of an SM, cycles of each repeat]."""
    import numpy as np
    from numba import cuda

    from hopperlab.kernels.atomics import add_in_shared
    from hopperlab.measure.timing import require_work

    found = []
    for _ in range(REPEATS + 1):
        cycles, totals = cuda.to_device(np.zeros(1, np.uint64)), cuda.to_device(np.zeros(1, np.uint32))
        add_in_shared[1, THREADS](
            np.uint32(SHARED_SPREADS[spread]), np.uint32(AMOUNT), np.int32(USUAL_ROUNDS), cycles, totals
        )
        expected = np.array([AMOUNT * THREADS * USUAL_ROUNDS], np.uint32)
        require_work(f"additions in shared memory, {spread}", totals.copy_to_host(), expected)
        found.append(int(cycles.copy_to_host()[0]))
    return [spread, THREADS * USUAL_ROUNDS, found[1:]]


def _swaps(blocks: int) -> list:
    """Give [blocks, swaps that succeeded, cycles of the slowest block in each repeat]."""
    import numpy as np
    from numba import cuda

    from hopperlab.kernels.atomics import contend
    from hopperlab.measure.timing import require_work

    found = []
    for _ in range(REPEATS + 1):
        words, cycles = cuda.to_device(np.zeros(32, np.uint32)), cuda.to_device(np.zeros(blocks, np.uint64))
        contend[blocks, 32, 0, ALONE_ON_AN_SM](np.int32(SWAPS), words, cycles)
        require_work("swaps", words.copy_to_host()[0], np.uint32(SWAPS * blocks))
        found.append(int(cycles.copy_to_host().max()))
    return [blocks, SWAPS * blocks, found[1:]]


def results(samples: dict[str, Any]) -> dict[str, Any]:
    """Give additions a clock, of the whole card and of an SM's shared memory, and cycles a swap."""
    return {
        "columns": ["spread", "blocks", "additions_per_clock"],
        "global": [
            [spread, blocks, round(additions / median(taken), 3)]
            for spread, blocks, additions, taken in samples["global"]
        ],
        "shared_additions_per_clock": {
            spread: round(additions / median(taken), 2) for spread, additions, taken in samples["shared"]
        },
        "cycles_per_swap": [
            [blocks, round(median(taken) / done, 1)] for blocks, done, taken in samples["swaps"]
        ],
    }


def compare(recordings: Sequence[Recording]) -> Comparison:
    """Give the rates and set them beside the model's; nothing was published."""
    from hopperlab.measure.atomics.against_model import additions
    from hopperlab.measure.audit import Comparison, Row

    rows = []
    for recording in recordings:
        full = max(blocks for _, blocks, _ in recording.results["global"])
        rows += [
            Row(
                "atomics",
                f"additions of the card, {spread}, {blocks} SMs",
                measured=rate,
                unit="results/clk",
                card=recording.card_name,
            )
            for spread, blocks, rate in recording.results["global"]
            if blocks == full
        ]
        rows += additions(recording)
    cards = ", ".join(sorted({r.card_name for r in recordings}))
    judged = [row for row in rows if row.tolerance is not None]
    return Comparison(
        "atomic_additions", cards, len(judged), sum(row.missed for row in judged), tuple(rows), ()
    )


ATOMIC_ADDITIONS = Experiment(
    name="atomic_additions",
    theme="atomics",
    question="How many atomic additions a clock does the card make, and what does contention cost?",
    statistic="operations over the median over repeats of the slowest block's cycles",
    parameters={
        "threads": THREADS,
        "blocks": list(BLOCKS),
        "spreads": {name: list(spread) for name, spread in SPREADS.items()},
        "shared_spreads": SHARED_SPREADS,
        "repeats": REPEATS,
    },
    run=run,
    results=results,
    compare=compare,
    seconds=3,
    memory_bytes=64 * 2**20,
)
