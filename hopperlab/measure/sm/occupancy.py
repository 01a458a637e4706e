"""The occupancy calculator against the driver, on random configurations."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import TYPE_CHECKING, Any

from hopperlab.chip import chip
from hopperlab.measure.experiment import Experiment
from hopperlab.models.clusters import max_active_clusters
from hopperlab.models.clusters.resources import blocks_per_sm

if TYPE_CHECKING:
    from hopperlab.device.silicon.card import Card
    from hopperlab.ledger import Recording
    from hopperlab.measure.audit import Comparison
    from hopperlab.measure.progress import Progress

CONFIGURATIONS = 5000
SEED = 2
HOPPER = chip("H100 SXM5")
REGISTER_PAIRS = (2, 4, 6, 8, 12, 16, 20, 24, 30, 36, 42, 48, 54, 60)
COLUMNS = ("kernel", "threads", "shared_bytes", "cluster_size", "blocks_per_sm", "clusters")


def configurations() -> list[tuple[int, int, int, int]]:
    """Draw the configurations: kernel by its number, threads, shared memory in bytes, cluster size.

    Threads need not be whole warps, nor shared memory whole units: rounding is what is tested. Small blocks are drawn
    more often than large ones, of which many would not fit.
    """
    random = Random(SEED)
    return [
        (
            random.randrange(len(REGISTER_PAIRS)),
            random.randint(1, HOPPER.max_threads_per_block // random.choice((1, 2, 4, 8))),
            random.choice((0, random.randint(0, HOPPER.max_shared_bytes_per_block))),
            random.randint(1, HOPPER.max_cluster_size),
        )
        for _ in range(CONFIGURATIONS)
    ]


def run(card: Card, progress: Progress) -> dict[str, Any]:
    """Ask the driver about every configuration; `clusters` is null where no block fits on an SM."""
    from hopperlab.kernels.clusters import register_user

    kernels = [register_user(pairs) for pairs in REGISTER_PAIRS]
    registers = [k.silicon.resources(k.argument_types()).registers for k in kernels]
    largest, most_shared = HOPPER.max_cluster_size, HOPPER.max_shared_bytes_per_block
    functions = [k.silicon.allow(k.argument_types(), largest, most_shared) for k in kernels]
    asked = configurations()
    answers = progress.map("configurations", asked, lambda c: _ask(functions[c[0]], *c[1:]))
    return {"registers": registers, "rows": [[*c, *a] for c, a in zip(asked, answers, strict=True)]}


def _ask(function: Any, threads: int, shared_bytes: int, size: int) -> list[int | None]:
    from hopperlab.device.silicon import occupancy

    blocks = occupancy.max_active_blocks_per_sm(function, threads, shared_bytes)
    if blocks == 0:
        return [0, None]
    return [blocks, occupancy.max_active_clusters(function, (size, 1, 1), threads, shared_bytes)]


def results(samples: dict[str, Any]) -> dict[str, Any]:
    """Count the configurations and those that do not fit; the rows themselves stay in the samples."""
    rows = samples["rows"]
    return {
        "configurations": len(rows),
        "do_not_fit": sum(row[4] == 0 for row in rows),
        "registers": samples["registers"],
    }


def compare(recordings: Sequence[Recording]) -> Comparison:
    """Hold the calculator against every answer: a configuration is a mismatch where either count differs."""
    from hopperlab.measure.audit import Comparison, Row

    rows, notes = [], []
    compared = mismatches = 0
    for recording in recordings:
        sizes = [len(group) for group in recording.gpc_map]
        asked = recording.samples["rows"]
        wrong = [row for row in asked if _calculated(row, recording.samples["registers"], sizes) != row[4:]]
        compared += len(asked)
        mismatches += len(wrong)
        notes += [f"{recording.card_name}: {dict(zip(COLUMNS, row, strict=True))}" for row in wrong[:5]]
        rows.append(
            Row(
                theme="sm",
                subject="configurations in which blocks and clusters are as the driver counts them",
                modelled=len(asked),
                measured=len(asked) - len(wrong),
                unit="configurations",
                card=recording.card_name,
                tolerance=0,
            )
        )
    cards = ", ".join(sorted({recording.card_name for recording in recordings}))
    return Comparison("sm_occupancy", cards, compared, mismatches, tuple(rows), tuple(notes))


def _calculated(row: Sequence[int], registers: Sequence[int], gpc_sizes: Sequence[int]) -> list[int | None]:
    kernel, threads, shared_bytes, size = row[:4]
    blocks = blocks_per_sm(HOPPER, threads, registers[kernel], shared_bytes)
    return [blocks, max_active_clusters(gpc_sizes, size, blocks) if blocks else None]


SM_OCCUPANCY = Experiment(
    name="sm_occupancy",
    theme="sm",
    question="How many blocks and clusters of random launches does the driver say that an SM and this card hold?",
    statistic="answers of cuOccupancyMaxActiveBlocksPerMultiprocessor and cuOccupancyMaxActiveClusters",
    parameters={
        "columns": list(COLUMNS),
        "kernels": [f"register_user({pairs})" for pairs in REGISTER_PAIRS],
        "configurations": CONFIGURATIONS,
        "seed": SEED,
    },
    claims=("lit-020.a", "lit-020.b", "lit-021.a", "lit-021.b", "lit-021.d", "lit-021.f", "chip-046"),
    run=run,
    results=results,
    compare=compare,
    seconds=10,
    wants_gpc_map=True,
)
