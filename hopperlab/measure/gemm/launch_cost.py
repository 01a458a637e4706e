"""What a launch costs the host: with its arguments looked at anew, prepared once, and through torch."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from numba import cuda

from hopperlab.device import kernel
from hopperlab.measure.experiment import Experiment
from hopperlab.measure.timing import require_work, spread

if TYPE_CHECKING:
    from hopperlab.device.silicon.card import Card
    from hopperlab.ledger import Recording
    from hopperlab.measure.audit import Comparison
    from hopperlab.measure.progress import Progress

SMALL = "one array"
PRODUCT = "FP8 product"
"""Of 256 cubed: looked at anew and prepared it is the ladder's last rung, else what `multiply()` or torch launches."""

NUMBA = f"{SMALL}, numba's own launch"
ANEW, PREPARED = "arguments looked at anew", "prepared"
MULTIPLY = f"{PRODUCT}, multiply()"
TORCH = f"{PRODUCT}, torch._scaled_mm"
WAYS = (
    NUMBA,
    f"{SMALL}, {ANEW}",
    f"{SMALL}, {PREPARED}",
    f"{PRODUCT}, {ANEW}",
    f"{PRODUCT}, {PREPARED}",
    MULTIPLY,
    TORCH,
)

SIDE = 256
"""Of the product's matrices: so small that the card is done long before the next launch."""

BATCH = 200
"""Launches in a row: fewer than the about 1,000 that a stream takes before it makes the host wait."""

WARM_UP, BATCHES = 2, 25
GOAL = 1.0  # of torch's time
ONE = 0x38  # 1.0 as a code of E4M3
WORDS = 32


def _count_up(values):
    values[cuda.grid(1)] += 1


count_up = kernel(signature="void(int32[::1])")(_count_up)


def run(card: Card, progress: Progress) -> dict[str, list[float]]:
    """Time the host's part of launches, in batches that are interleaved; the card is idle before each."""
    return progress.map("launches", ["all"], lambda _: _all_ways())[0]


def _all_ways() -> dict[str, list[float]]:
    launches, check = _launches()
    times = host_seconds(launches, cuda.synchronize)
    check()
    return times


def _launches() -> tuple[dict[str, Callable[[], Any]], Callable[[], None]]:
    """Give what launches, by way, and what then demands that every launch of our own did its work."""
    import numpy as np
    import torch

    from hopperlab.kernels.gemm import multiply
    from hopperlab.kernels.gemm.ladder import rung

    values = cuda.to_device(np.zeros(WORDS, np.int32))
    codes = cuda.to_device(np.full((SIDE, SIDE), ONE, np.uint8))
    d = cuda.to_device(np.full((SIDE, SIDE), -1, np.float32))
    matrix = torch.as_tensor(codes).view(torch.float8_e4m3fn)
    one = torch.ones((), device="cuda")
    product = rung("FP8").launch(codes, codes, d)
    shape = product.kernel[product.grid, product.block, 0, product.shared_bytes, product.cluster]
    numbas = cuda.jit(_count_up)[1, WORDS]
    launches = [
        lambda: numbas(values),
        lambda: count_up[1, WORDS](values),
        count_up[1, WORDS].prepared(values),
        product.run,
        shape.prepared(*product.arguments),
        lambda: multiply(matrix, matrix),
        lambda: torch._scaled_mm(
            matrix, matrix.t(), scale_a=one, scale_b=one, out_dtype=torch.bfloat16, use_fast_accum=True
        ),
    ]

    def check() -> None:
        counted = 3 * BATCH * (WARM_UP + BATCHES)
        require_work("count_up", values.copy_to_host(), np.full(WORDS, counted, np.int32))
        require_work("the FP8 rung", d.copy_to_host(), np.full((SIDE, SIDE), SIDE, np.float32))

    return dict(zip(WAYS, launches, strict=True)), check


def host_seconds(
    launches: dict[str, Callable[[], Any]], synchronize: Callable[[], None]
) -> dict[str, list[float]]:
    """Give for each way the seconds of a launch on the host's clock: one number for each batch."""
    times: dict[str, list[float]] = {name: [] for name in launches}
    for number in range(WARM_UP + BATCHES):
        for name, launch in launches.items():
            synchronize()
            begin = time.perf_counter()
            for _ in range(BATCH):
                launch()
            taken = time.perf_counter() - begin
            if number >= WARM_UP:
                times[name].append(taken / BATCH)
    synchronize()
    return times


def results(samples: dict[str, list[float]]) -> dict[str, dict[str, float]]:
    """Give for each way the median microseconds of a launch, and the points that 10 % and 90 % lie under."""
    found = {}
    for name, times in samples.items():
        each = spread([seconds * 1e6 for seconds in times])
        found[name] = {"median": each.median, "low": each.low, "high": each.high}
    return found


def compare(recordings: Sequence[Recording]) -> Comparison:
    """Hold a prepared launch against torch's of such a product, which it must not cost more than."""
    from hopperlab.measure.audit import Comparison, Row

    rows, notes, missed = [], [], 0
    for recording in recordings:
        found = {name: each["median"] for name, each in recording.results.items()}
        share = found[f"{PRODUCT}, {PREPARED}"] / found[TORCH]
        missed += share > GOAL
        rows.append(
            Row(
                theme="gemm",
                subject="host time of a prepared launch as a share of torch's launch of such a product",
                modelled=GOAL,
                measured=share,
                unit="x",
                card=recording.card_name,
                tolerance=0.0 if share > GOAL else None,
                remark="modelled is the bar: at most that",
            )
        )
        notes += [f"{recording.card_name}, a launch: {name} {taken:.1f} us" for name, taken in found.items()]
    cards = ", ".join(sorted({r.card_name for r in recordings}))
    return Comparison("launch_cost", cards, len(rows), missed, tuple(rows), tuple(notes))


LAUNCH_COST = Experiment(
    name="launch_cost",
    theme="gemm",
    question="How long does the host take to launch a kernel, and how long if the launch is prepared?",
    statistic="medians of batches, each after the card has come to rest; the host never waits within a batch",
    parameters={
        "ways": list(WAYS),
        "product_m_n_k": [SIDE, SIDE, SIDE],
        "launches_of_a_batch": BATCH,
        "warm_up": WARM_UP,
        "batches": BATCHES,
    },
    run=run,
    results=results,
    compare=compare,
    seconds=10,
    memory_bytes=2**30,
)
