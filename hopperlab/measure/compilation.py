"""How long a kernel takes from Python to the card: compiled anew, and found on disk by a second start."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from hopperlab.measure.experiment import Experiment

if TYPE_CHECKING:
    from hopperlab.device.silicon.card import Card
    from hopperlab.ledger import Recording
    from hopperlab.measure.audit import Comparison
    from hopperlab.measure.progress import Progress

STARTS = ("first", "second")
REPEATS = 3
GOAL = 0.5  # seconds, for each small kernel
NOT_KERNELS = ("imports and context", "the compiler's own start")


def small_kernels() -> list:
    """Give the small kernels that are timed: some of every theme."""
    from hopperlab.kernels import barriers, exchange, pipelines, tma

    return [
        barriers.arrive_then_wait,
        barriers.obey,
        exchange.histogram,
        exchange.halo,
        exchange.ring_all_reduce,
        exchange.pass_on,
        pipelines.scale_in_stages,
        pipelines.scale_with_warpgroups,
        tma.copy_tiles,
        tma.copy_box,
        tma.broadcast_tile,
        tma.add_tiles,
    ]


def report() -> None:
    """Time each small kernel of a fresh process and print the seconds as JSON: what a start runs."""
    begin = time.perf_counter()
    from numba import cuda

    from hopperlab.device.silicon import compilation

    kernels = small_kernels()
    cuda.current_context()
    taken = {NOT_KERNELS[0]: time.perf_counter() - begin}
    begin = time.perf_counter()
    compilation.ptx(_nothing, (), {})
    taken[NOT_KERNELS[1]] = time.perf_counter() - begin
    for kernel in kernels:
        begin = time.perf_counter()
        kernel.silicon.function(kernel.argument_types())
        taken[kernel.name] = time.perf_counter() - begin
    print(json.dumps(taken))


def _nothing() -> None:
    """Compile to nothing: what is left is the compiler's own start."""


def run(card: Card, progress: Progress) -> list[list]:
    """Start twice with caches that are empty at first, a few times; a sample is [start, what, seconds]."""
    starts = progress.map("starts", list(range(REPEATS)), lambda _: _two_starts())
    return [sample for both in starts for sample in both]


def _two_starts() -> list[list]:
    with tempfile.TemporaryDirectory() as folder:
        empty = {"HOPPERLAB_CACHE": f"{folder}/hopperlab", "CUDA_CACHE_PATH": f"{folder}/driver"}
        taken = [_start(os.environ | empty) for _ in STARTS]
    return [[start, *item] for start, times in zip(STARTS, taken, strict=True) for item in times.items()]


def _start(environment: dict[str, str]) -> dict[str, float]:
    code = "from hopperlab.measure.compilation import report; report()"
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
    )
    return json.loads(done.stdout.splitlines()[-1])


def results(samples: Sequence[Sequence]) -> dict[str, Any]:
    """Give the median seconds of each kernel and start, and of what comes before the first kernel."""
    import numpy as np

    names = list(dict.fromkeys(what for _, what, _ in samples))
    seconds = {
        start: {
            name: round(float(np.median([s for at, what, s in samples if (at, what) == (start, name)])), 4)
            for name in names
        }
        for start in STARTS
    }
    return {"median_seconds": seconds}


def compare(recordings: Sequence[Recording]) -> Comparison:
    """Count the small kernels that took longer than half a second in either start."""
    from hopperlab.measure.audit import Comparison, Row

    rows, slow = [], 0
    for recording in recordings:
        for start, times in recording.results["median_seconds"].items():
            kernels = [seconds for name, seconds in times.items() if name not in NOT_KERNELS]
            slow += sum(seconds >= GOAL for seconds in kernels)
            for what, seconds in (("slowest", max(kernels)), ("median", sorted(kernels)[len(kernels) // 2])):
                rows.append(
                    Row(
                        theme="timing",
                        subject=f"{start} start, {what} of {len(kernels)} small kernels, Python to card",
                        measured=seconds,
                        unit="s",
                        card=recording.card_name,
                    )
                )
    cards = ", ".join(sorted({r.card_name for r in recordings}))
    return Comparison("jit", cards, len(rows), slow, tuple(rows), ())


JIT = Experiment(
    name="jit",
    theme="timing",
    question="How long does a small kernel take to compile, and how long when it is found on disk?",
    statistic="medians of fresh processes, the first with empty caches, the second with what it left",
    parameters={"repeats": REPEATS, "goal_seconds": GOAL},
    run=run,
    results=results,
    compare=compare,
    seconds=25,
)

EXPERIMENTS = (JIT,)
