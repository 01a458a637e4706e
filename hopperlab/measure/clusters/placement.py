"""How many clusters truly run at once: more are launched than can be resident, and each stays a while."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from hopperlab.chip import chip
from hopperlab.measure.clusters.gpc_map import place
from hopperlab.measure.experiment import Experiment
from hopperlab.models.clusters import max_active_clusters

if TYPE_CHECKING:
    from hopperlab.device.silicon.card import Card
    from hopperlab.ledger import Recording
    from hopperlab.measure.audit import Comparison
    from hopperlab.measure.progress import Progress

KIB = 1024
SIZES = range(1, chip("H100 SXM5").max_cluster_size + 1)
THREADS = 128
SHARED_BYTES = 200 * KIB  # two such blocks do not fit on one SM
STAY_NANOSECONDS = 500_000
REPEATS = 3


def run(card: Card, progress: Progress) -> list[list]:
    """Launch about twice as many clusters as there is room for; keep when each was there.

    A sample is [size, repeat, [start of each cluster], [end of each cluster]], in ns from the first start.
    """
    cases = [[size, repeat] for size in SIZES for repeat in range(REPEATS)]
    spans = progress.map("clusters", cases, lambda case: _spans(card, case[0]))
    return [[*case, *span] for case, span in zip(cases, spans, strict=True)]


def _spans(card: Card, size: int) -> list[list[int]]:
    """Give when each cluster was wholly there: from its last block's start to its first block's end."""
    clusters = 2 * card.sms // size
    placed = place(clusters, size, THREADS, SHARED_BYTES, STAY_NANOSECONDS)
    if placed is None:
        return [[], []]
    _, starts, ends = placed
    first = starts.min()
    from_ = (starts - first).reshape(clusters, size).max(axis=1)
    until = (ends - first).reshape(clusters, size).min(axis=1)
    return [from_.tolist(), until.tolist()]


def most_at_once(starts: Sequence[int], ends: Sequence[int]) -> int:
    """Give the most spans that hold one instant; a span's end is no longer in it."""
    comings, goings = [(start, 1) for start in starts], [(end, -1) for end in ends]
    changes = sorted(comings + goings)  # of the changes at one instant, goings come first
    there = most = 0
    for _, change in changes:
        there += change
        most = max(most, there)
    return most


def results(samples: Sequence[Sequence]) -> dict[str, Any]:
    """Count, for each size, the most clusters that were there at one instant of any repeat."""
    found: dict[int, list[int]] = {}
    for size, _, starts, ends in samples:
        found.setdefault(size, []).append(most_at_once(starts, ends))
    return {
        "columns": ["size", "clusters_at_once", "sms_used"],
        "at_once": [[size, max(counts), size * max(counts)] for size, counts in found.items()],
        "repeats_differ": [size for size, counts in found.items() if len(set(counts)) > 1],
    }


def compare(recordings: Sequence[Recording]) -> Comparison:
    """Set what ran at once beside the model, with the GPCs of the map measured in the same session."""
    from hopperlab.measure.audit import Comparison, Row

    rows = [
        Row(
            theme="clusters",
            subject=f"clusters of {size} that ran at once, one block an SM",
            modelled=max_active_clusters([len(group) for group in recording.gpc_map], size, 1),
            measured=clusters,
            unit="clusters",
            card=recording.card_name,
            tolerance=0,
        )
        for recording in recordings
        for size, clusters, _ in recording.results["at_once"]
    ]
    mismatches = sum(row.modelled != row.measured for row in rows)
    cards = ", ".join(sorted({r.card_name for r in recordings}))
    return Comparison("cluster_placement", cards, len(rows), mismatches, tuple(rows), ())


CLUSTER_PLACEMENT = Experiment(
    name="cluster_placement",
    theme="clusters",
    question="How many clusters of each size truly run at once on this card, one block an SM?",
    statistic="the most clusters wholly resident at one instant, over all repeats",
    parameters={
        "sizes": list(SIZES),
        "threads": THREADS,
        "shared_bytes": SHARED_BYTES,
        "stay_nanoseconds": STAY_NANOSECONDS,
        "repeats": REPEATS,
        "clusters_launched": "twice the SMs, divided by the size",
    },
    claims=("talk-029", "talk-030", "lit-006", "lit-009.a", "lit-009.b", "lit-017"),
    run=run,
    results=results,
    compare=compare,
    seconds=5,
    wants_gpc_map=True,
)
