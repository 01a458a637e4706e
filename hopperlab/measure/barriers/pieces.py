"""In which pieces a copy engine counts its bytes: how far a count can get before a copy is over."""

from __future__ import annotations

from collections.abc import Sequence
from math import gcd
from typing import TYPE_CHECKING, Any

from hopperlab.measure.experiment import Experiment

if TYPE_CHECKING:
    from hopperlab.device.silicon.card import Card
    from hopperlab.ledger import Recording
    from hopperlab.measure.audit import Comparison
    from hopperlab.measure.progress import Progress

SIZES = (64, 128, 256, 528, 1024, 4096)
SKIPPED = (0, 16, 64)
LAUNCHES = 100
STEP = 16  # bytes: the least that a copy engine brings; lit-043.a


def run(card: Card, progress: Progress) -> list[list]:
    """Copy too much onto barriers that wait for less; a sample is [bytes, skipped, turned for 16, for 32, ...]."""
    cases = [[nbytes, skipped] for nbytes in SIZES for skipped in SKIPPED]
    turned = progress.map("copies", cases, lambda case: _turned(*case))
    return [[*case, each] for case, each in zip(cases, turned, strict=True)]


def _turned(nbytes: int, skipped: int) -> list[int]:
    """Give, for each number of bytes that a barrier waited for, how many launches turned its phase."""
    import numpy as np
    from numba import cuda

    from hopperlab.kernels.barriers import overshoot

    source = cuda.to_device(np.zeros(nbytes + skipped, np.uint8))
    turned = cuda.to_device(np.zeros(nbytes // STEP, np.uint32))
    for _ in range(LAUNCHES):
        overshoot[nbytes // STEP, 1](np.uint32(nbytes), np.int32(skipped), source, turned)
    return turned.copy_to_host().tolist()


def results(samples: Sequence[Sequence]) -> dict[str, Any]:
    """For each copy: how many counts were passed on the way, how often, and what divides all of them."""
    copies = []
    for nbytes, skipped, turned in samples:
        passed = {STEP * (i + 1): number for i, number in enumerate(turned[:-1]) if number}
        often = sum(passed.values()) / LAUNCHES
        copies.append([nbytes, skipped, turned[-1], len(passed), round(often, 2), gcd(*passed) or nbytes])
    columns = ["nbytes", "skipped", "whole", "counts_passed", "passed_a_launch", "divided_by_bytes"]
    return {"columns": columns, "copies": copies}


def compare(recordings: Sequence[Recording]) -> Comparison:
    """Hold every whole copy against the model: its last byte turns the phase. The rest stands alone."""
    from hopperlab.measure.audit import Comparison, Row

    rows, wrong = [], 0
    for recording in recordings:
        copies = recording.results["copies"]
        whole = sum(copy[2] for copy in copies)
        wrong += LAUNCHES * len(copies) - whole
        rows.append(
            Row(
                theme="barriers",
                subject="phases that turn when a barrier waits for all bytes of a copy",
                modelled=LAUNCHES * len(copies),
                measured=whole,
                unit="phases",
                card=recording.card_name,
                tolerance=0,
            )
        )
        for nbytes, skipped, _, passed, _, _ in copies:
            rows.append(
                Row(
                    theme="barriers",
                    subject=f"counts that a copy of {nbytes} bytes, {skipped} bytes off a line, may stop at",
                    measured=passed,
                    unit="counts",
                    card=recording.card_name,
                )
            )
    cards = ", ".join(sorted({r.card_name for r in recordings}))
    return Comparison("copy_pieces", cards, len(rows), wrong, tuple(rows), ())


COPY_PIECES = Experiment(
    name="copy_pieces",
    theme="barriers",
    question="Does a copy count its bytes at once, or in pieces that can turn a phase midway?",
    statistic="launches in which a phase turned, for each number of bytes that it waited for",
    parameters={"sizes": list(SIZES), "skipped": list(SKIPPED), "launches": LAUNCHES},
    run=run,
    results=results,
    compare=compare,
    seconds=5,
)
