"""Where a card's own roof runs: one kernel, moved along the intensities."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from hopperlab.measure.experiment import Experiment
from hopperlab.measure.rows import Comparison, Row
from hopperlab.models.roofline import LANES, Roofline, roofline

if TYPE_CHECKING:
    from hopperlab.device.silicon.card import Card
    from hopperlab.ledger import Recording
    from hopperlab.measure.progress import Progress

VALUES = 2**28
ROUNDS = (1, 4, 16, 32, 64, 96, 128, 256, 512)
BLOCK = 256
REPEATS = 15
CHECKED = 4096
TOLERANCE = 0.05


def run(card: Card, progress: Progress) -> dict[str, list[float]]:
    """Time every intensity, interleaved; each has given what a processor computes, before."""
    return progress.map("intensities", ["all"], lambda _: _times())[0]


def _times() -> dict[str, list[float]]:
    import numpy as np
    from numba import cuda

    from hopperlab.kernels import roofline as kernels
    from hopperlab.measure.timing import require_work, seconds

    first = np.linspace(-4, 4, CHECKED, dtype=np.float32)
    values, results = cuda.to_device(np.resize(first, VALUES)), cuda.device_array(VALUES, np.float32)
    launches = {}
    for rounds in ROUNDS:
        launch = kernels.multiply_adds(rounds)[VALUES // (BLOCK * kernels.VALUES), BLOCK]
        launch(values, results)
        require_work(f"{rounds} rounds", results[:CHECKED].copy_to_host(), expected(first, rounds))
        launches[str(rounds)] = lambda launch=launch: launch(values, results)
    return dict(zip(launches, seconds(*launches.values(), repeats=REPEATS), strict=True))


def expected(values: Any, rounds: int) -> Any:
    """What the kernel gives: each round rounds once, since half a float32 is exact and so is its sum in float64."""
    import numpy as np

    results = np.asarray(values, np.float32)
    for _ in range(rounds):
        results = (results.astype(np.float64) * 0.5 + 1.0).astype(np.float32)
    return results


def results(samples: dict[str, list[float]]) -> dict[str, Any]:
    """Give FLOP a second by intensity."""
    from statistics import median

    from hopperlab.kernels.roofline import intensity

    rows = [
        [int(rounds), intensity(int(rounds)), round(2 * int(rounds) * VALUES / median(taken))]
        for rounds, taken in samples.items()
    ]
    return {"columns": ["rounds", "flop_per_byte", "flop_per_s"], "programs": rows}


def compare(recordings: Sequence[Recording]) -> Comparison:
    """Hold the slope against what the driver's own copy reached on that card; the ceiling is shown.

    The sheet's ceiling assumes the boost clock, and near the ridge the two limits add up.
    """
    rows = []
    for recording in recordings:
        if recording.chip is None:
            continue
        roof = copied_roof(recording)
        rows += [
            Row(
                "roofline",
                f"FP32 multiply-adds at {intensity:g} FLOP a byte",
                modelled=roof.attainable(intensity) / 1e12,
                measured=rate / 1e12,
                unit="TFLOP/s",
                card=recording.card_name,
                tolerance=TOLERANCE if intensity < roof.ridge / 2 else None,
                remark=remark(intensity, roof.ridge),
            )
            for _, intensity, rate in recording.results["programs"]
        ]
    cards = ", ".join(sorted({r.card_name for r in recordings}))
    judged = [row for row in rows if row.tolerance is not None]
    missed = sum(row.missed for row in judged)
    return Comparison("roofline_sweep", cards, len(judged), missed, tuple(rows))


def copied_roof(recording: Recording) -> Roofline:
    """The sheet's lanes over the bandwidth of the driver's copy, if that was recorded; else over the sheet's."""
    from hopperlab.ledger import recordings
    from hopperlab.measure.tma.copying import DRIVER

    sheet = roofline(recording.chip, LANES)
    copies = [one for one in recordings("tma_copy") if one.card_name == recording.card_name]
    if not copies:
        return sheet
    return replace(sheet, bytes_per_s=copies[-1].results["bytes_per_second"][DRIVER])


def remark(intensity: float, ridge: float) -> str:
    """What decides at an intensity."""
    if intensity < ridge / 2:
        return "modelled: the bandwidth of the driver's copy"
    if intensity < 2 * ridge:
        return "near the ridge, where loads and arithmetic hinder each other"
    return "modelled: the sheet's lanes at its boost clock, which a card under this load may not hold"


EXPERIMENTS = (
    Experiment(
        name="roofline_sweep",
        theme="roofline",
        question="How near does one kernel come to the sheet's roof, from one FLOP in four bytes to 128 in one?",
        statistic="median of interleaved launches",
        parameters={"values": VALUES, "rounds": list(ROUNDS), "block": BLOCK, "repeats": REPEATS},
        claims=(),
        run=run,
        results=results,
        compare=compare,
        seconds=10,
        memory_bytes=3 * 2**30,
    ),
)
