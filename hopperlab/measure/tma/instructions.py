"""What a tile costs in instructions, and what a cluster saves in reads of the L2: counted by NVIDIA's profiler."""

from __future__ import annotations

import csv
import shutil
import subprocess
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from hopperlab.measure.experiment import Experiment
from hopperlab.measure.tma.multicast import WAYS
from hopperlab.measure.tma.profile import FEW, GRID, MORE, STAGES, cases
from hopperlab.measure.tma.reading import TILE

if TYPE_CHECKING:
    from hopperlab.device.silicon.card import Card
    from hopperlab.ledger import Recording
    from hopperlab.measure.audit import Comparison
    from hopperlab.measure.progress import Progress

INSTRUCTIONS, L2_READS = "smsp__inst_executed.sum", "lts__t_sectors_op_read.sum"
SECTOR = 32  # bytes of the L2 (chip-052)
SECONDS = 300


def run(card: Card, progress: Progress) -> list[list]:
    """Count every case twice; a sample is [way, cluster size, {metric: [of FEW tiles, of MORE]}]."""
    counted = progress.map("profiles", ["all"], lambda _: _profile())[0]
    return [
        [*case, {name: each[2 * n : 2 * n + 2] for name, each in counted.items()}]
        for n, case in enumerate(cases())
    ]


def _profile() -> dict[str, list[float]]:
    profiler = shutil.which("ncu")
    if profiler is None:
        raise RuntimeError("ncu, NVIDIA's Nsight Compute, is not found: this experiment counts with it")
    command = [profiler, "--csv", "--clock-control", "none", "--metrics", f"{INSTRUCTIONS},{L2_READS}"]
    command += [sys.executable, "-m", "hopperlab.measure.tma.profile"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False)
    if done.returncode:
        raise RuntimeError(f"ncu failed: {done.stdout[-1000:]} {done.stderr[-1000:]}")
    return counts(done.stdout, 2 * len(cases()))


def counts(printed: str, launches: int) -> dict[str, list[float]]:
    """Give each metric's value for each launch, from what the profiler prints.

    Raises
    ------
    RuntimeError
        If it saw another number of launches.
    """
    lines = printed.splitlines()
    start = next((n for n, line in enumerate(lines) if line.startswith('"ID"')), len(lines))
    found: dict[str, list[float]] = {INSTRUCTIONS: [], L2_READS: []}
    for row in csv.DictReader(lines[start:]):
        if row["Metric Name"] in found:
            found[row["Metric Name"]].append(float(row["Metric Value"].replace(",", "")))
    if any(len(each) != launches for each in found.values()):
        seen = {name: len(each) for name, each in found.items()}
        raise RuntimeError(f"the profiler saw {seen} launches; {launches} were made: {printed[-1000:]}")
    return found


def results(samples: Sequence[Sequence]) -> dict[str, Any]:
    """Give what one more tile costs: warp instructions of a block, and sectors of 32 bytes read from the L2."""
    tiles = (MORE - FEW) * GRID[0] * GRID[1]
    return {
        "columns": ["way", "cluster_size", "instructions_a_tile", "l2_bytes_a_tile"],
        "tiles": [
            [
                way,
                size,
                round((found[INSTRUCTIONS][1] - found[INSTRUCTIONS][0]) / tiles, 2),
                round(SECTOR * (found[L2_READS][1] - found[L2_READS][0]) / tiles, 1),
            ]
            for way, size, found in samples
        ],
    }


MERGED = "the L2 answers neighbors that ask for the same at about the same time once"
HALVES = "from memory: what comes by way of the other half of the L2 is counted in both"
TOLERANCE = 0.01


def compare(recordings: Sequence[Recording]) -> Comparison:
    """Hold the bytes that a multicast asks of the L2 against the model: a tile, divided by the blocks that get it."""
    from hopperlab.measure.audit import Comparison, Row

    rows = []
    for recording in recordings:
        for way, size, instructions, nbytes in recording.results["tiles"]:
            rows.append(
                Row(
                    "tma",
                    f"instructions of all warps for a tile of 16 KiB: {_named(way, size)}",
                    measured=instructions,
                    unit="instructions",
                    card=recording.card_name,
                )
            )
            judged = way in WAYS[1:] or (way, size) == (WAYS[0], 1)
            rows.append(
                Row(
                    "tma",
                    f"bytes read in the L2 for a block's tile of 16 KiB: {_named(way, size)}",
                    modelled=TILE / size if judged else None,
                    measured=nbytes,
                    unit="B",
                    card=recording.card_name,
                    tolerance=TOLERANCE if judged else None,
                    remark="" if judged else MERGED if way in WAYS else HALVES,
                )
            )
    judged = [row for row in rows if row.tolerance is not None]
    cards = ", ".join(sorted({r.card_name for r in recordings}))
    missed = sum(row.missed for row in judged)
    return Comparison("tma_instructions", cards, len(judged), missed, tuple(rows), ())


def _named(way: str, size: int) -> str:
    if way not in WAYS:
        return way
    return f"{way}, clusters of {size}" if size > 1 else "engine, out of the L2"


TMA_INSTRUCTIONS = Experiment(
    name="tma_instructions",
    theme="tma",
    question="How many instructions does a tile take, and how many bytes of it does the L2 give?",
    statistic="counts of a profiler, of launches with more and with fewer tiles, their difference a tile",
    parameters={
        "tile_bytes": TILE,
        "stages": STAGES,
        "tiles_a_block": [FEW, MORE],
        "grid": list(GRID),
        "metrics": [INSTRUCTIONS, L2_READS],
    },
    claims=("talk-041",),
    run=run,
    results=results,
    compare=compare,
    seconds=60,
)
