"""Which SMs share a GPC: clusters are launched many times over, and report where their blocks run.

All blocks of a cluster run in one GPC (talk-027). So the SMs of every cluster seen are together; groups
with an SM in common are one. What was never seen together stays open.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from hopperlab.chip import chip
from hopperlab.measure.experiment import Experiment
from hopperlab.models.clusters import map_from_clusters

if TYPE_CHECKING:
    from hopperlab.device.silicon.card import Card
    from hopperlab.ledger import Recording
    from hopperlab.measure.audit import Comparison
    from hopperlab.measure.progress import Progress

KIB = 1024
SIZES = range(1, chip("H100 SXM5").max_cluster_size + 1)
STAY_NANOSECONDS = 20_000

# How full the card is, and how placing is asked for: the threads, dynamic shared memory and scheduling
# policy of a launch, its blocks for each SM, and how often it is repeated.
ALONE = {"threads": 128, "shared_bytes": 200 * KIB, "policy": "default", "blocks_per_sm": 2, "launches": 16}
QUARTER = {"threads": 512, "shared_bytes": 0, "policy": "default", "blocks_per_sm": 1, "launches": 4}
LOADS = {
    "one block an SM": ALONE,
    "a quarter full": QUARTER,
    "a quarter full, spread": QUARTER | {"policy": "spread"},
    "a quarter full, load balancing": QUARTER | {"policy": "load balancing"},
    "full": QUARTER | {"blocks_per_sm": 8, "launches": 2},
}


def run(card: Card, progress: Progress) -> dict[str, Any]:
    """Launch clusters of every size under every load; keep each set of SMs that held one, and how often."""
    cases = [[load, size] for load in LOADS for size in SIZES]
    seen = progress.map("clusters", cases, lambda case: _clusters_seen(card, *case))
    return {
        "sms": card.sms,
        "clusters": [[*case, clusters] for case, clusters in zip(cases, seen, strict=True)],
    }


def _clusters_seen(card: Card, load: str, size: int) -> list[list]:
    """Give [times, [SM of each block]] for every set of SMs that a cluster ran on."""
    how = LOADS[load]
    clusters = card.sms * how["blocks_per_sm"] // size
    seen: Counter[tuple[int, ...]] = Counter()
    for _ in range(how["launches"]):
        placed = place(clusters, size, how["threads"], how["shared_bytes"], STAY_NANOSECONDS, how["policy"])
        if placed is None:
            return []
        sms, _, _ = placed
        seen.update(tuple(sorted(cluster)) for cluster in sms.reshape(clusters, size).tolist())
    return [[times, list(sms)] for sms, times in sorted(seen.items())]


def place(
    clusters: int, size: int, threads: int, shared_bytes: int, stay: int, policy: str = "default"
) -> tuple[Any, Any, Any] | None:
    """Launch clusters that stay a while; give the SM, the start (ns) and the end (ns) of each block.

    None if the driver refuses the cluster: no GPC of the card has room for one of that size.

    Raises
    ------
    RuntimeError
        If a block did not report.
    """
    import numpy as np
    from numba import cuda

    from hopperlab.device import LaunchError
    from hopperlab.device.silicon.occupancy import POLICIES
    from hopperlab.kernels.clusters import report_placement

    report_placement.silicon.schedule(report_placement.argument_types(), POLICIES[policy])
    blocks = clusters * size
    nowhere = np.iinfo(np.uint32).max
    sms = cuda.to_device(np.full(blocks, nowhere, dtype=np.uint32))
    starts = cuda.to_device(np.zeros(blocks, dtype=np.uint64))
    ends = cuda.to_device(np.zeros(blocks, dtype=np.uint64))
    try:
        report_placement[blocks, threads, 0, shared_bytes, size](sms, starts, ends, np.uint64(stay))
    except LaunchError as error:
        if "INVALID_CLUSTER_SIZE" in str(error):
            return None
        raise
    cuda.synchronize()
    placed = sms.copy_to_host()
    if (placed == nowhere).any():
        raise RuntimeError("some blocks did not report; the measurement does not count")
    return placed, starts.copy_to_host(), ends.copy_to_host()


def results(samples: dict[str, Any]) -> dict[str, Any]:
    """Unite what was seen together; count clusters of which two blocks shared an SM."""
    seen = [sms for _, _, clusters in samples["clusters"] for _, sms in clusters]
    found = map_from_clusters((set(sms) for sms in seen), samples["sms"])
    return {
        "groups": [list(group) for group in found.groups],
        "sizes": list(found.gpc_sm_counts),
        "open": list(found.open_questions()),
        "clusters_seen": sum(times for _, _, clusters in samples["clusters"] for times, _ in clusters),
        "sharing": [
            {"load": load, "size": size, **_sharing(clusters)} for load, size, clusters in samples["clusters"]
        ],
    }


def _sharing(clusters: Sequence[Sequence]) -> dict[str, int]:
    """Count clusters, those of which blocks shared an SM, and the most blocks that one SM held of one."""
    most = [(times, max(Counter(sms).values())) for times, sms in clusters]
    return {
        "clusters": sum(times for times, _ in most),
        "sharing_an_sm": sum(times for times, blocks in most if blocks > 1),
        "most_blocks_on_an_sm": max((blocks for _, blocks in most), default=0),
    }


def compare(recordings: Sequence[Recording]) -> Comparison:
    """Set what was seen beside what is said: the groups' sizes, one GPC a cluster, one block an SM."""
    from hopperlab.measure.audit import Comparison, Row

    rows, notes, mismatches = [], [], 0
    for recording in recordings:
        found = recording.results
        most_sms = chip("H100 SXM5").max_sms_per_gpc
        mismatches += sum(size > most_sms for size in found["sizes"])
        rows.append(
            Row(
                "clusters",
                "SMs of the largest GPC seen",
                "chip-006",
                measured=max(found["sizes"]),
                card=recording.card_name,
            )
        )
        rows += [_sharing_row(recording, load) for load in LOADS]
        notes += found["open"]
    return Comparison("gpc_map", _cards(recordings), len(rows), mismatches, tuple(rows), tuple(notes))


def _sharing_row(recording: Recording, load: str) -> Any:
    from hopperlab.measure.audit import Row

    most = max(s["most_blocks_on_an_sm"] for s in recording.results["sharing"] if s["load"] == load)
    return Row(
        theme="clusters",
        subject=f"blocks of one cluster on one SM, at most; card {load}",
        claim="talk-028",
        measured=most,
        card=recording.card_name,
    )


def _cards(recordings: Sequence[Recording]) -> str:
    return ", ".join(sorted({r.card_name for r in recordings}))


GPC_MAP = Experiment(
    name="gpc_map",
    theme="clusters",
    question="Which SMs of this card share a GPC?",
    statistic="SMs that ever held one cluster are united; groups with an SM in common are one group",
    parameters={"sizes": list(SIZES), "loads": LOADS, "stay_nanoseconds": STAY_NANOSECONDS},
    claims=("talk-027", "talk-028", "lit-002.a", "chip-006"),
    run=run,
    results=results,
    compare=compare,
    seconds=15,
    wants_gpc_map=True,
)
