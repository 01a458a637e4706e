"""The latency of curves that nobody had seen when the model was made: its strictest test.

Nothing of `models.memory` is taken from them. Should a later card miss the model here, the miss is told, and the model
stays.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from hopperlab.measure.experiment import Experiment
from hopperlab.measure.memory.curves import GIB, UNSEEN
from hopperlab.measure.memory.latency import FEW, MANY, REPEATS, Late, by_curve, cycles, row

if TYPE_CHECKING:
    from hopperlab.device.silicon.card import Card
    from hopperlab.ledger import Recording
    from hopperlab.measure.audit import Comparison
    from hopperlab.measure.progress import Progress

MEMORY_BYTES = GIB


def run(card: Card, progress: Progress) -> dict[str, Any]:
    """Follow every curve."""
    memory = Late(MEMORY_BYTES)
    cases = [[name, lines] for name, curve in UNSEEN.items() for lines in curve.lines()]
    return {
        "curves": progress.map("footprints", cases, lambda case: cycles(memory(), UNSEEN[case[0]], case[1])),
        "address": progress.map("address", [0], lambda _: int(memory().base))[0],
    }


def results(samples: dict[str, Any]) -> dict[str, Any]:
    """Give cycles a load by footprint, for each curve."""
    return {"columns": ["footprint_bytes", "cycles"], "curves": by_curve(samples["curves"], UNSEEN)}


def compare(recordings: Sequence[Recording]) -> Comparison:
    """Hold the staircase, as it stands, against every point; the worst of each curve is shown."""
    from hopperlab.measure.audit import Comparison
    from hopperlab.measure.memory.errors import errors, latency_points

    rows, notes, compared, beyond = [], [], 0, 0
    for recording in recordings:
        points = latency_points(recording)
        off = errors(points)
        compared, beyond = compared + off.points, beyond + off.beyond
        notes.append(
            f"{recording.card_name}: {len(recording.results['curves'])} curves, looked at once: {off}"
        )
        for name in recording.results["curves"]:
            worst = max((p for p in points if p.curve == name), key=lambda point: abs(point.error))
            rows.append(row(recording, points, name, worst.at))
    cards = ", ".join(sorted({r.card_name for r in recordings}))
    return Comparison("memory_latency_unseen", cards, compared, beyond, tuple(rows), tuple(notes))


MEMORY_LATENCY_UNSEEN = Experiment(
    name="memory_latency_unseen",
    theme="memory",
    question="Does the model of the latency hold on curves that nobody had seen when it was made?",
    statistic="median over repeats of the cycles of a chase, over its hops",
    parameters={
        "curves": [asdict(curve) for curve in UNSEEN.values()],
        "repeats": REPEATS,
        "hops": [FEW, MANY],
    },
    run=run,
    results=results,
    compare=compare,
    seconds=5,
    memory_bytes=MEMORY_BYTES,
)
