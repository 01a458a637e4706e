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
THREADS = 64
# Blocks that fit on one SM, and the dynamic shared memory of a block that makes it so.
SHARED_KIB = {1: 200, 2: 100, 4: 55, 8: 27, 12: 17, 16: 13, 32: 0}
POLICIES = ("default", "load balancing")
STAY_NANOSECONDS = 500_000
REPEATS = 3


def run(card: Card, progress: Progress) -> list[list]:
    """Count the clusters of every size that were there together, under every policy and load.

    A sample is [policy, blocks per SM, size, clusters at once in each repeat].
    """
    cases = [[policy, blocks, size] for policy in POLICIES for blocks in SHARED_KIB for size in SIZES]
    counts = progress.map("clusters", cases, lambda case: [_at_once(card, *case) for _ in range(REPEATS)])
    return [[*case, count] for case, count in zip(cases, counts, strict=True)]


def _at_once(card: Card, policy: str, blocks: int, size: int) -> int:
    """Launch about twice as many clusters as there is room for; count those that were there together."""
    clusters = 2 * blocks * card.sms // size
    return most_at_once(*_spans(clusters, size, SHARED_KIB[blocks] * KIB, policy))


def _spans(clusters: int, size: int, shared_bytes: int, policy: str) -> tuple[list[int], list[int]]:
    """Give when each cluster was wholly there: from its last block's start to its first block's end."""
    placed = place(clusters, size, THREADS, shared_bytes, STAY_NANOSECONDS, policy)
    if placed is None:
        return [], []
    _, starts, ends = placed
    first = starts.min()
    from_ = (starts - first).reshape(clusters, size).max(axis=1)
    until = (ends - first).reshape(clusters, size).min(axis=1)
    return from_.tolist(), until.tolist()


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
    """Give, for each policy, blocks per SM and size, the most clusters that were there at one instant."""
    return {
        "columns": ["policy", "blocks_per_sm", "size", "clusters_at_once"],
        "at_once": [[policy, blocks, size, max(counts)] for policy, blocks, size, counts in samples],
        "repeats_differ": [
            [policy, blocks, size] for policy, blocks, size, counts in samples if len(set(counts)) > 1
        ],
    }


def compare(recordings: Sequence[Recording]) -> Comparison:
    """Set what ran at once beside the model, with the GPCs of the map measured in the same session."""
    from hopperlab.measure.audit import Comparison, Row

    rows = [
        Row(
            theme="clusters",
            subject=f"clusters of {size} that ran at once, {blocks} blocks an SM, {policy} policy",
            modelled=_modelled([len(group) for group in recording.gpc_map], size, blocks, policy),
            measured=clusters,
            unit="clusters",
            card=recording.card_name,
            tolerance=0,
        )
        for recording in recordings
        for policy, blocks, size, clusters in recording.results["at_once"]
    ]
    mismatches = sum(row.modelled != row.measured for row in rows)
    cards = ", ".join(sorted({r.card_name for r in recordings}))
    return Comparison("cluster_placement", cards, len(rows), mismatches, tuple(rows), ())


def _modelled(sizes: list[int], size: int, blocks: int, policy: str) -> int:
    """What the model expects; clusters of one are launched as a plain grid, whose blocks only an SM limits."""
    return max_active_clusters(sizes, size, blocks, policy) if size > 1 else sum(sizes) * blocks


CLUSTER_PLACEMENT = Experiment(
    name="cluster_placement",
    theme="clusters",
    question="How many clusters of each size truly run at once on this card?",
    statistic="the most clusters wholly resident at one instant, over all repeats",
    parameters={
        "sizes": list(SIZES),
        "threads": THREADS,
        "shared_kib_by_blocks_per_sm": {str(blocks): kib for blocks, kib in SHARED_KIB.items()},
        "policies": list(POLICIES),
        "stay_nanoseconds": STAY_NANOSECONDS,
        "repeats": REPEATS,
        "clusters_launched": "twice the places, divided by the size",
    },
    claims=("talk-029", "talk-030", "lit-006", "lit-009.a", "lit-009.b", "lit-017"),
    run=run,
    results=results,
    compare=compare,
    seconds=5,
    wants_gpc_map=True,
)
