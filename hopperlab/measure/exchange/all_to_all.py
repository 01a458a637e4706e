"""How many bytes a cycle an SM reads when every block of a cluster reads every other, in which order, how wide.

A published all-to-all collapses as clusters grow: four bytes at a time, scattered, in the same order everywhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from hopperlab.measure.experiment import Experiment

if TYPE_CHECKING:
    from hopperlab.device.silicon.card import Card
    from hopperlab.ledger import Recording
    from hopperlab.measure.audit import Comparison
    from hopperlab.measure.progress import Progress

SIZES = (2, 4, 8, 16)
# Whether each block begins with the one after it, and whether the cluster meets after each owner
ORDERS = {
    "same order": (0, 0),
    "same order, in step": (0, 1),
    "staggered": (1, 0),
    "staggered, in step": (1, 1),
}
WIDTHS = {"16 bytes": 16, "4 bytes": 4, "4 bytes, scattered": 0}
REPEATS, LAUNCHES = 8, 5
KIB = 1024
ALONE_ON_AN_SM = 128 * KIB


def run(card: Card, progress: Progress) -> list[list]:
    """Fill the card with clusters; a sample is [order, width of a load, size, B/clk of each SM]."""
    cases = [
        [order, width, size, launch]
        for order in ORDERS
        for width in WIDTHS
        for size in SIZES
        for launch in range(LAUNCHES)
    ]
    rates = progress.map("rates", cases, lambda case: _rates(card, *case[:3]))
    return [[*case[:3], each] for case, each in zip(cases, rates, strict=True)]


def _rates(card: Card, order: str, width: str, size: int) -> list[float]:
    import numpy as np
    from numba import cuda

    from hopperlab.kernels.exchange.probes import READ_WORDS, THREADS, read_all
    from hopperlab.measure.timing import require_work

    blocks = card.sms // size * size
    cycles, sums = (cuda.to_device(np.zeros(blocks, np.uint64)) for _ in range(2))
    staggered, in_step = ORDERS[order]
    read_all[blocks, THREADS, 0, ALONE_ON_AN_SM, size](
        np.uint32(staggered), np.uint32(in_step), np.int32(WIDTHS[width]), np.int32(REPEATS), cycles, sums
    )
    read = REPEATS * (size - 1) * READ_WORDS
    right = read * (READ_WORDS - 1) // 2
    require_work(f"all-to-all, {order}, {width}", sums.copy_to_host(), np.full(blocks, right, np.uint64))
    return (4 * read / cycles.copy_to_host().astype(float)).round(3).tolist()


def results(samples: Sequence[Sequence]) -> dict[str, Any]:
    """Give for each order, width and size the median over launches of the mean rate of an SM."""
    import numpy as np

    rates: dict[tuple, list[float]] = {}
    for order, width, size, each in samples:
        rates.setdefault((order, width, size), []).append(float(np.mean(each)))
    return {
        "columns": ["order", "width", "size", "bytes_per_clock_and_sm"],
        "rates": [[*kind, round(float(np.median(means)), 3)] for kind, means in rates.items()],
    }


def compare(recordings: Sequence[Recording]) -> Comparison:
    """Set each rate by itself; the published all-to-all is of another card, and its clock is not told."""
    from hopperlab.measure.audit import Comparison, Row

    rows = [
        Row(
            "exchange",
            f"all-to-all, {order}, loads of {width}, clusters of {size}, the card full",
            measured=rate,
            unit="B/clk/SM",
            card=recording.card_name,
        )
        for recording in recordings
        for order, width, size, rate in recording.results["rates"]
    ]
    cards = ", ".join(sorted({r.card_name for r in recordings}))
    return Comparison("dsmem_all_to_all", cards, len(rows), 0, tuple(rows), ())


DSMEM_ALL_TO_ALL = Experiment(
    name="dsmem_all_to_all",
    theme="exchange",
    question="How many bytes a clock does an SM read when all blocks of a cluster read all others, in which order?",
    statistic="mean over the SMs of a launch, median over launches; no block reads of itself",
    parameters={
        "sizes": list(SIZES),
        "orders": {order: list(how) for order, how in ORDERS.items()},
        "widths": WIDTHS,
        "repeats": REPEATS,
        "launches": LAUNCHES,
        "shared_bytes": ALONE_ON_AN_SM,
    },
    claims=("lit-103.a", "lit-103.b", "lit-103.c", "lit-103.d"),
    run=run,
    results=results,
    compare=compare,
    seconds=5,
    wants_gpc_map=True,
)
