"""How many bytes a cycle go between the shared memories of a cluster: loads, stores, and the copy engine's sends."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from hopperlab.measure.experiment import Experiment

if TYPE_CHECKING:
    from hopperlab.device.silicon.card import Card
    from hopperlab.ledger import Recording
    from hopperlab.measure.audit import Comparison, Row
    from hopperlab.measure.progress import Progress

SIZES = (2, 4, 8, 16)
KIB = 1024
ALONE_ON_AN_SM = 128 * KIB
"""Dynamic shared memory of a block, so that no two share an SM."""

# Who moves bytes: all ranks, each to or from the next; or every second rank, the others standing still.
PATTERNS = {"ring": 1, "one way": 2}
REPEATS = {"loads": 64, "stores": 64, "sends": 256}
LAUNCHES = 5
TOLERANCE = 0.10  # of the published 19 to 21 B/clk


def run(card: Card, progress: Progress) -> list[list]:
    """Measure one cluster alone and a card full of them; a sample is [means, pattern, size, full, B/clk of each SM]."""
    cases = [
        [means, pattern, size, full, launch]
        for means in REPEATS
        for pattern in PATTERNS
        for size in SIZES
        for full in (False, True)
        for launch in range(LAUNCHES)
    ]
    rates = progress.map("rates", cases, lambda case: _rates(card, *case[:4]))
    return [[*case[:4], each] for case, each in zip(cases, rates, strict=True)]


def _rates(card: Card, means: str, pattern: str, size: int, full: bool) -> list[float]:
    """Give, for each block that moved bytes, the bytes it moved a cycle."""
    import numpy as np
    from numba import cuda

    from hopperlab.kernels.exchange import probes
    from hopperlab.measure.timing import require_work

    kernels = {
        "loads": (probes.read_peer, probes.READERS, 4 * probes.READ_WORDS),
        "stores": (probes.write_peer, probes.THREADS, 8 * probes.WORDS),
        "sends": (probes.send_to_peer, 64, probes.SENT_BYTES),
    }
    kernel, threads, nbytes = kernels[means]
    every, repeats = PATTERNS[pattern], REPEATS[means]
    blocks = size * (card.sms // size if full else 1)
    cycles, sums = (cuda.to_device(np.zeros(blocks, np.uint64)) for _ in range(2))
    kernel[blocks, threads, 0, ALONE_ON_AN_SM, size](
        np.uint32(1), np.uint32(every), np.int32(repeats), cycles, sums
    )
    taken, done = cycles.copy_to_host(), sums.copy_to_host()
    moved = _who(means, every, size, blocks)
    require_work(f"{means}, {pattern}", done, np.where(moved, _sum(means, repeats), 0).astype(np.uint64))
    timed = _who("loads", every, size, blocks) if means == "stores" else moved
    return (nbytes * repeats / taken[timed].astype(float)).round(3).tolist()


def _who(means: str, every: int, size: int, blocks: int) -> Any:
    """Say which blocks have something to show: readers themselves, and receivers of what is stored or sent."""
    import numpy as np

    ranks = np.arange(blocks) % size
    return (ranks if means == "loads" else (ranks - 1) % size) % every == 0


def _sum(means: str, repeats: int) -> int:
    """Give what a block's sum is to be: of all that was read, or of the last that was received."""
    from hopperlab.kernels.exchange.probes import READ_WORDS, SENT_BYTES, WORDS

    sent = SENT_BYTES // 8
    return {
        "loads": repeats * READ_WORDS * (READ_WORDS - 1) // 2,
        "stores": WORDS * (WORDS - 1) // 2 + WORDS * (repeats - 1),
        "sends": sent * (sent - 1) // 2,
    }[means]


def results(samples: Sequence[Sequence]) -> dict[str, Any]:
    """Give, for each kind of traffic and size, the median over launches of the mean rate of an SM."""
    import numpy as np

    rates: dict[tuple, list[float]] = {}
    for means, pattern, size, full, each in samples:
        rates.setdefault((means, pattern, size, full), []).append(float(np.mean(each)))
    return {
        "columns": ["means", "pattern", "size", "full", "bytes_per_clock_and_sm"],
        "rates": [[*kind, round(float(np.median(means)), 3)] for kind, means in rates.items()],
    }


SAME_SM = "bytes a clock and SM: the H200 NVL has the same SMs"

# The claim about each kind of traffic, and how many SMs its number is for
PUBLISHED = {
    ("loads", "one way", 2, False): ("lit-104.a", 1),
    ("stores", "one way", 2, False): ("lit-104.b", 1),
    ("sends", "one way", 2, False): ("lit-104.c", 1),
    ("loads", "ring", 2, False): ("lit-105.a", 2),
    ("stores", "ring", 2, False): ("lit-105.b", 2),
    ("sends", "ring", 2, False): ("lit-106.a", 2),
    ("sends", "ring", 4, False): ("lit-106.b", 4),
    ("sends", "ring", 8, False): ("lit-106.c", 8),
    ("sends", "ring", 16, False): ("lit-106.d", 16),
}


def compare(recordings: Sequence[Recording]) -> Comparison:
    """Set what has been published beside the rates of the same traffic, and every other rate beside none."""
    from hopperlab.measure.audit import Comparison

    rows = [
        _row(recording.card_name, *rate) for recording in recordings for rate in recording.results["rates"]
    ]
    cards = ", ".join(sorted({r.card_name for r in recordings}))
    return Comparison("dsmem_bandwidth", cards, len(rows), 0, tuple(rows), ())


def _row(card: str, means: str, pattern: str, size: int, full: bool, rate: float) -> Row:
    from hopperlab.measure.audit import Row

    subject = f"{means}, {pattern}, clusters of {size}{', the card full' if full else ''}"
    if (means, pattern, size, full) not in PUBLISHED:
        return Row("exchange", subject, measured=rate, unit="B/clk/SM", card=card)
    claim, sms = PUBLISHED[means, pattern, size, full]
    return Row(
        "exchange",
        subject if sms == 1 else f"{subject}, all {sms} SMs together",
        claim,
        measured=sms * rate,
        card=card,
        scaling=SAME_SM,
        quoted_tolerance=TOLERANCE,
    )


DSMEM_BANDWIDTH = Experiment(
    name="dsmem_bandwidth",
    theme="exchange",
    question="How many bytes a clock does an SM read from, write to and send to another's shared memory?",
    statistic="mean over the SMs of a launch, median over launches",
    parameters={
        "sizes": list(SIZES),
        "patterns": PATTERNS,
        "repeats": REPEATS,
        "launches": LAUNCHES,
        "shared_bytes": ALONE_ON_AN_SM,
    },
    claims=tuple(claim for claim, _ in PUBLISHED.values()),
    run=run,
    results=results,
    compare=compare,
    seconds=15,
    wants_gpc_map=True,
)
