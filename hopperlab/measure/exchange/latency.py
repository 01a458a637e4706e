"""How late a word from another block's shared memory comes: all pairs of ranks, by chasing a chain of links.

The published finding is that the latency of a pair is a sum: one part of the reader's, one of the owner's
SM. The parts are fitted on every second pair and tested on the others.
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
REPEATS = 9
KIB = 1024
ALONE_ON_AN_SM = 120 * KIB
"""Dynamic shared memory of a block, so that no two share an SM."""

PUBLISHED = {2: "lit-095.a", 4: "lit-095.b", 8: "lit-095.c", 16: "lit-095.d"}
SAME_SM = "cycles of the same SM: the H200's processor is the H100 SXM5's"


def run(card: Card, progress: Progress) -> list[dict[str, Any]]:
    """Measure every pair in every size, some times over; the SMs may change from one launch to the next."""
    cases = [[size, repeat] for size in SIZES for repeat in range(REPEATS)]
    return progress.map("matrices", cases, lambda case: _matrix(case[0]))


def _matrix(size: int) -> dict[str, Any]:
    """Give the cycles a link takes: a row a reader, a column an owner, and each reader's launch's SMs."""
    import numpy as np
    from numba import cuda

    from hopperlab.kernels.exchange.probes import CHAIN, CHASED, chase
    from hopperlab.measure.timing import require_work

    matrix, sms = [], []
    for reader in range(size):
        cycles, ends, where = (cuda.to_device(np.zeros(size, np.uint32)) for _ in range(3))
        chase[size, CHAIN, 0, ALONE_ON_AN_SM, size](np.uint32(reader), cycles, ends, where)
        require_work("chase", ends.copy_to_host(), np.full(size, 2 * CHASED * 17 % CHAIN, np.uint32))
        matrix.append((cycles.copy_to_host() / CHASED).round(3).tolist())
        sms.append(where.copy_to_host().tolist())
    return {"size": size, "cycles": matrix, "sms": sms}


def results(samples: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Give the median matrix of each size, the means, and how well a sum of two parts tells it."""
    import numpy as np

    found: dict[str, Any] = {}
    for size in SIZES:
        matrices = np.array([sample["cycles"] for sample in samples if sample["size"] == size])
        median = np.median(matrices, axis=0)
        remote = ~np.eye(size, dtype=bool)
        found[str(size)] = {
            "median_cycles": median.round(2).tolist(),
            "remote_mean": float(matrices[:, remote].mean().round(2)),
            "remote_low": float(matrices[:, remote].min().round(2)),
            "remote_high": float(matrices[:, remote].max().round(2)),
            "own_mean": float(matrices[:, ~remote].mean().round(2)),
        }
    found["separable"] = _separability([s for s in samples if s["size"] == max(SIZES)])
    return found


def _separability(samples: Sequence[dict[str, Any]]) -> dict[str, float]:
    """Fit a part for each SM on every second pair; give what is left on the other pairs, in cycles.

    `by_mean` is what would be left if every pair had the same latency.
    """
    import numpy as np

    from hopperlab.models.exchange import fit, left_over, pairs_of, rms

    pairs = [
        (sms[reader], sms[owner], cycles)
        for sample in samples
        for reader, owner, cycles in pairs_of(sample["cycles"])
        for sms in [sample["sms"][reader]]
    ]
    left = left_over(fit(pairs[::2]), pairs[1::2])
    fitted, tested = (np.array([cycles for *_, cycles in part]) for part in (pairs[::2], pairs[1::2]))
    return {
        "pairs_tested": len(left),
        "rms": round(rms(left), 3),
        "max": round(max(map(abs, left)), 3),
        "by_mean": float((tested - fitted.mean()).std().round(3)),
    }


def compare(recordings: Sequence[Recording]) -> Comparison:
    """Set the means beside what others measured, and what the sum of two parts leaves."""
    from hopperlab.measure.audit import Comparison, Row

    rows, notes = [], []
    for recording in recordings:
        found = recording.results
        rows += [
            Row(
                theme="exchange",
                subject=f"mean latency of a word in another block, clusters of {size}",
                claim=PUBLISHED[size],
                measured=found[str(size)]["remote_mean"],
                card=recording.card_name,
                scaling=SAME_SM,
                remark="ours has the multiply-add that makes an address of a link in it",
            )
            for size in SIZES
        ]
        left = found["separable"]
        rows.append(
            Row(
                theme="exchange",
                subject="what a reader's and an owner's part leave of a pair's latency, rms",
                claim="derived-013.a",
                measured=left["rms"],
                card=recording.card_name,
                scaling=SAME_SM,
                quoted_tolerance=1.0,
            )
        )
        notes.append(
            f"{recording.card_name}: reader's part plus owner's part leaves {left['rms']} cycles rms on "
            f"{left['pairs_tested']} pairs that were not fitted, the mean alone {left['by_mean']}"
        )
    cards = ", ".join(sorted({r.card_name for r in recordings}))
    return Comparison("dsmem_latency", cards, len(rows), 0, tuple(rows), tuple(notes))


DSMEM_LATENCY = Experiment(
    name="dsmem_latency",
    theme="exchange",
    question="How many cycles late is a word from another block's shared memory, for every pair of ranks?",
    statistic="medians of matrices over repeats; a link takes one 32-bit load and one multiply-add of its index",
    parameters={"sizes": list(SIZES), "repeats": REPEATS, "shared_bytes": ALONE_ON_AN_SM},
    claims=("lit-011", "lit-090", "lit-092.a", *PUBLISHED.values(), "derived-013.a"),
    run=run,
    results=results,
    compare=compare,
    seconds=10,
    wants_gpc_map=True,
)
