"""Whether every block of a cluster reaches every other, and whether atomics across blocks lose anything."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from hopperlab.chip import chip
from hopperlab.measure.experiment import Experiment

if TYPE_CHECKING:
    from hopperlab.device.silicon.card import Card
    from hopperlab.ledger import Recording
    from hopperlab.measure.audit import Comparison
    from hopperlab.measure.progress import Progress

SIZES = range(1, chip("H100 SXM5").max_cluster_size + 1)
CLUSTERS, THREADS, REPEATS = 16, 256, 4


def run(card: Card, progress: Progress) -> list[list]:
    """Let clusters of every size reach around; a sample is [size, pairs, wrong pairs, counters, wrong counters]."""
    return progress.map("sizes", list(SIZES), _reach)


def _reach(size: int) -> list[int]:
    import numpy as np
    from numba import cuda

    from hopperlab.kernels.exchange.probes import every_pair

    ranks = np.arange(size)
    expected = ranks[:, None] + ranks + 1000 * (ranks + 1)
    wrong_pairs = wrong_counters = 0
    for _ in range(REPEATS):
        seen = cuda.to_device(np.zeros((CLUSTERS, size, size), np.uint32))
        totals = cuda.to_device(np.zeros((CLUSTERS, size), np.uint32))
        every_pair[CLUSTERS * size, THREADS, 0, 0, size](seen, totals)
        wrong_pairs += int((seen.copy_to_host() != expected).sum())
        wrong_counters += int((totals.copy_to_host() != THREADS * size).sum())
    times = REPEATS * CLUSTERS
    return [size, times * size * size, wrong_pairs, times * size, wrong_counters]


def results(samples: Sequence[Sequence[int]]) -> dict[str, Any]:
    """Add up over the sizes what was tried and what was wrong."""
    names = ("pairs", "wrong_pairs", "counters", "wrong_counters")
    return {name: sum(row[i] for row in samples) for i, name in enumerate(names, start=1)} | {
        "sizes": [row[0] for row in samples]
    }


def compare(recordings: Sequence[Recording]) -> Comparison:
    """Count the pairs that did not reach each other, and the counters that lost something."""
    from hopperlab.measure.audit import Comparison, Row

    rows, compared, wrong = [], 0, 0
    for recording in recordings:
        found = recording.results
        for what, subject in (
            ("pairs", "pairs that read and wrote"),
            ("counters", "counters that lost nothing"),
        ):
            compared += found[what]
            wrong += found[f"wrong_{what}"]
            rows.append(
                Row(
                    theme="exchange",
                    subject=f"{subject}, in clusters of 1 to 16",
                    modelled=found[what],
                    measured=found[what] - found[f"wrong_{what}"],
                    unit=what,
                    card=recording.card_name,
                    tolerance=0,
                )
            )
    cards = ", ".join(sorted({r.card_name for r in recordings}))
    return Comparison("dsmem_pairs", cards, compared, wrong, tuple(rows), ())


DSMEM_PAIRS = Experiment(
    name="dsmem_pairs",
    theme="exchange",
    question="Does every block of a cluster read, write and add to every other's shared memory?",
    statistic="wrong values and wrong totals, counted over all repeats",
    parameters={"sizes": list(SIZES), "clusters": CLUSTERS, "threads": THREADS, "repeats": REPEATS},
    claims=("talk-031",),
    run=run,
    results=results,
    compare=compare,
    seconds=5,
)
