"""The two experiments of time: what sets the simulator's costs, and what tests them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING

from hopperlab.measure.experiment import Experiment

if TYPE_CHECKING:
    from hopperlab.device.silicon.card import Card
    from hopperlab.ledger import Recording
    from hopperlab.measure.cycles.case import Case
    from hopperlab.measure.progress import Progress
    from hopperlab.measure.rows import Comparison

REPEATS = 11
TYPICAL, LARGEST = 0.10, 0.25
"""How far the simulator may be from a card: in the median over the points, and at any of them."""

SAME_SM = "cycles of the same SM: the H200's processor is the H100 SXM5's, and the H800's"
QUOTED = {"load, shared": ("lit-061.a", "load shared"), "load, remote": ("lit-095.a", "load remote")}
"""By the name of a recorded time, the claim that quotes it and the simulator's cost."""

STATISTIC = "the median over launches of a round's clock cycles, by the longest of the blocks"


def measure(progress: Progress, cases: Sequence[Case]) -> list[list]:
    """Launch every case some times over; a sample is [name, cycles of a round in each launch]."""
    by_name = {case.name: case for case in cases}
    taken = progress.map("kernels", by_name, lambda name: by_name[name].measured(REPEATS))
    return [
        [name, cycles]
        for case, parts in zip(cases, taken, strict=True)
        for name, cycles in zip(case.names, parts, strict=True)
    ]


def results(samples: Sequence[Sequence]) -> dict[str, float]:
    """Give the median of each case, in clock cycles."""
    import numpy as np

    return {name: round(float(np.median(cycles)), 2) for name, cycles in samples}


def run_calibration(card: Card, progress: Progress) -> list[list]:
    """Take the time of every case that sets a cost."""
    from hopperlab.measure.cycles import calibration

    return measure(progress, calibration.cases())


def run_points(card: Card, progress: Progress) -> list[list]:
    """Take the time of every point."""
    from hopperlab.measure.cycles import points

    return measure(progress, points.cases())


def compare_calibration(recordings: Sequence[Recording]) -> Comparison:
    """Set what others published of the same things beside it; what sets a cost tests nothing."""
    from hopperlab.device.simulator.timing import Costs
    from hopperlab.ledger import claim
    from hopperlab.measure.rows import Comparison, Row

    costs = Costs()
    rows = [
        Row(
            "timing", claim(id).statement, id, modelled=costs[cost], measured=recording.results[name],
            card=recording.card_name, scaling=SAME_SM, no_test="the measured cycles set the simulator's cost",
        )
        for recording in recordings
        for name, (id, cost) in QUOTED.items()
    ]  # fmt: skip
    cards = ", ".join(sorted({r.card_name for r in recordings}))
    return Comparison("timing_costs", cards, 0, 0, tuple(rows))


def compare_points(recordings: Sequence[Recording]) -> Comparison:
    """Run every point in the simulator, and set its cycles beside the card's."""
    import numpy as np

    from hopperlab.measure.cycles import points
    from hopperlab.measure.rows import Comparison, Row

    rows, notes = [], []
    for recording in recordings:
        errors = []
        for case in points.cases():
            row = Row(
                "timing", case.name, modelled=_simulated(case.name), measured=recording.results[case.name],
                unit="cycles", card=recording.card_name, tolerance=LARGEST,
            )  # fmt: skip
            rows.append(row)
            errors.append(abs(row.error))
        notes.append(
            f"{recording.card_name}: the simulator's error is {np.median(errors):.1%} in the median over "
            f"{len(errors)} points (asked for: at most {TYPICAL:.0%}), {max(errors):.1%} at the worst (at most "
            f"{LARGEST:.0%}); no cost is set by any of them"
        )
    cards = ", ".join(sorted({r.card_name for r in recordings}))
    return Comparison("timing", cards, len(rows), sum(row.missed for row in rows), tuple(rows), tuple(notes))


@cache
def _simulated(name: str) -> float:
    """Give the cycles that the simulator takes for a point, with the costs that ship."""
    from hopperlab.measure.cycles import points

    (cycles,) = next(case for case in points.cases() if case.name == name).simulated()
    return round(cycles, 1)


TIMING_COSTS = Experiment(
    name="timing_costs",
    theme="timing",
    question="How many clock cycles does each thing take that the simulator has a cost of?",
    statistic=STATISTIC,
    parameters={"repeats": REPEATS},
    run=run_calibration,
    results=results,
    compare=compare_calibration,
    seconds=40,
)
TIMING = Experiment(
    name="timing",
    theme="timing",
    question="How many clock cycles do kernels take whose time the simulator tells from its costs?",
    statistic=STATISTIC,
    parameters={"repeats": REPEATS},
    run=run_points,
    results=results,
    compare=compare_points,
    seconds=20,
)
