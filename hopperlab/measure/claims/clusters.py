"""What the models of clusters, and clusters on cards, answer to the claims about them.

Some rows test nothing, and say so. The tables derived-001 to derived-005 were made by the model's own rule:
they hold the code to it, not a card. And the packing of derived-003 was chosen because it explains lit-006,
lit-007 and lit-009, so these cannot speak for it.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from hopperlab.chip import chip
from hopperlab.ledger import Recording, claim, claims
from hopperlab.measure.audit import Row
from hopperlab.models.clusters import (
    Grid,
    cluster_occupancy,
    map_from_sizes,
    max_active_clusters,
    schedule_grids,
)

FITTED_PACKING = (18, 18, 18, 16, 16, 16, 16, 14)
FITTED = "the packing 3x18 + 4x16 + 14 was chosen to explain it"
OWN_RULE = "worked out by the model's own rule, so it holds the code to it, not a card"

# SMs in use at a cluster size, quoted for H100 cards, and the size
SMS_IN_USE = {"lit-006": 8, "lit-009.a": 1, "lit-009.b": 16}

# Blocks in use at a cluster size: the CUTLASS heuristic (lit-008) and a grid that cuBLAS chose
HEURISTIC = {"lit-007.b": 8, "derived-005.a": 2, "derived-005.b": 4, "derived-005.c": 8, "derived-005.d": 16}
PACKED = {"derived-005.e": 2, "derived-005.f": 4, "derived-005.g": 8, "derived-005.h": 16}


def answers(recorded: Sequence[Recording]) -> Iterator[Row]:
    """Rows for the claims about clusters, modelled and measured as far as there are recordings."""
    yield from _packings()
    yield from _blocks_in_use()
    yield from _chip()
    yield from _gang()
    for recording in recorded:
        if recording.experiment == "cluster_placement":
            yield from _measured(recording)
    if not any(recording.experiment == "cluster_placement" for recording in recorded):
        for id, size in SMS_IN_USE.items():
            yield _row(id, modelled=_sms_used(FITTED_PACKING, size), no_test=FITTED)


def _row(id: str, subject: str = "", **legs: Any) -> Row:
    """A row about what the claim states; counts agree exactly or not at all."""
    return Row("clusters", subject or claim(id).statement, id, quoted_tolerance=0, **legs)


def _packings() -> Iterator[Row]:
    """Every count that was derived for a packing of GPCs."""
    for source in claims("clusters"):
        packing = source.conditions.get("gpc_sm_counts")
        if packing:
            card = map_from_sizes([int(sms) for sms in packing.split("+")])
            size = int(source.conditions["cluster_size"])
            yield _row(
                source.id,
                f"clusters of {size}, {card.sizes()}",
                modelled=max_active_clusters(card.gpc_sm_counts, size),
                no_test=OWN_RULE,
            )


def _blocks_in_use() -> Iterator[Row]:
    sms, per_gpc = chip("H100 SXM5").sms, chip("H100 SXM5").max_sms_per_gpc
    for id, size in HEURISTIC.items():
        no_test = OWN_RULE if id.startswith("derived") else ""
        yield _row(id, modelled=heuristic_blocks(sms, per_gpc, size), no_test=no_test)
    for id, size in PACKED.items():
        yield _row(id, modelled=cluster_occupancy(FITTED_PACKING, size).blocks, no_test=OWN_RULE)
    yield _row("lit-007.a", modelled=cluster_occupancy(FITTED_PACKING, 8).blocks, no_test=FITTED)


def heuristic_blocks(sms: int, sms_per_gpc: int, cluster_size: int) -> int:
    """Blocks that the CUTLASS heuristic counts on (lit-008): all GPCs full, but for one with the rest."""
    gpcs, rest = divmod(sms, sms_per_gpc)
    return gpcs * (sms_per_gpc - sms_per_gpc % cluster_size) + rest - rest % cluster_size


def _chip() -> Iterator[Row]:
    full, sxm5 = chip("GH100"), chip("H100 SXM5")
    yield _row("lit-001.c", modelled=sum(full.gpc_sm_counts), remark="the GPCs of its sheet, summed")
    yield _row("talk-025", modelled=100 / sxm5.sms)


def _gang() -> Iterator[Row]:
    """Every cluster size on the full die, three clusters to each that fits: where do the blocks go?"""
    most_gpcs = most_blocks = 0
    full = chip("GH100")
    for size in range(1, full.max_cluster_size + 1):
        clusters = 3 * max_active_clusters(full.gpc_sm_counts, size)
        schedule = schedule_grids(full.gpc_sm_counts, Grid((1.0,) * clusters, cluster_size=size))
        for placement in schedule.placements:
            gpcs = {schedule.gpc_map.group_of(sm) for sm in placement.sms}
            most_gpcs = max(most_gpcs, len(gpcs))
            most_blocks = max(most_blocks, *(placement.sms.count(sm) for sm in placement.sms))
    remark = "the gang scheduler on the full die, all sizes, one block an SM"
    yield _row("talk-027", modelled=most_gpcs, remark=remark)
    yield _row("talk-028", modelled=most_blocks, remark=remark)


def _measured(recording: Recording) -> Iterator[Row]:
    """What truly ran at once: SMs in use by size, and the sizes that run at all."""
    at_once = _one_block_an_sm(recording)
    sizes = [len(group) for group in recording.gpc_map or ()]
    for id, size in SMS_IN_USE.items():
        modelled = _sms_used(sizes, size) if sizes else None
        yield _row(
            id, modelled=modelled, measured=size * at_once[size], card=recording.card_name, tolerance=0
        )
    runs = [size for size, clusters in at_once.items() if clusters]
    for id in ("talk-030", "lit-013", "lit-018"):
        yield _row(id, measured=max(runs), card=recording.card_name, remark="the largest size that ran")
    if 3 in runs:
        yield _row("lit-014", measured=3, card=recording.card_name, remark="clusters of 3 ran")


def _one_block_an_sm(recording: Recording) -> dict[int, int]:
    """The clusters of each size that ran at once under the default policy, one block an SM."""
    columns = recording.results["columns"]
    rows = [dict(zip(columns, row, strict=True)) for row in recording.results["at_once"]]
    return {
        row["size"]: row["clusters_at_once"]
        for row in rows
        if row["policy"] == "default" and row["blocks_per_sm"] == 1
    }


def _sms_used(gpc_sm_counts: Sequence[int], size: int) -> int:
    return cluster_occupancy(gpc_sm_counts, size).sms_used
