"""How long a wgmma takes: from start to wait when it is alone, and each of many in a row."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median
from typing import TYPE_CHECKING, Any

from hopperlab.chip import chip
from hopperlab.measure.experiment import Experiment
from hopperlab.measure.timing import require_work
from hopperlab.models.tensorcore.formats import INPUT_FORMATS

if TYPE_CHECKING:
    from hopperlab.device.silicon.card import Card
    from hopperlab.ledger import Recording
    from hopperlab.measure.audit import Comparison
    from hopperlab.measure.progress import Progress

REPEATS = 5
TOGETHER = 4  # products of a group, when many are in a row
WIDTHS = (8, 16, 32, 64, 128, 256)
CASES = [
    *(["e4m3", columns, "f32"] for columns in WIDTHS),
    *(["f16", columns, "f32"] for columns in WIDTHS),
    *([fmt, 256, "f32"] for fmt in ("e5m2", "bf16", "tf32")),
    *([fmt, 256, "f16"] for fmt in ("e4m3", "f16")),
]
DATA_TYPES = {"e4m3": "fp8", "e5m2": "fp8", "f16": "fp16", "bf16": "bf16", "tf32": "tf32"}
SAME_SM = "cycles of one SM, and it is the same SM"
RATE_CLAIMS = {("f16", 256, "f32"): "lit-132.a", ("e4m3", 256, "f32"): "lit-133.a"}
LATENCY_CLAIMS = {("f16", 64, "f32"): "lit-136.a", ("f16", 128, "f32"): "lit-136.b"}


def run(card: Card, progress: Progress) -> list[dict[str, Any]]:
    """Time every case on every SM: a sample has, for each repeat, the median over the SMs, in cycles."""
    return progress.map("products", CASES, lambda case: _time(card, *case))


def _time(card: Card, fmt: str, columns: int, accumulators: str) -> dict[str, Any]:
    from hopperlab.kernels.tensorcore.rates import GROUPS

    return {
        "case": [fmt, columns, accumulators],
        "groups": GROUPS,
        "together": TOGETHER,
        "cycles_alone": _cycles(card, fmt, columns, accumulators, 1, 0),
        "cycles_in_a_row": _cycles(card, fmt, columns, accumulators, TOGETHER, 1),
    }


def _cycles(
    card: Card, fmt: str, columns: int, accumulators: str, together: int, pending: int
) -> list[float]:
    import numpy as np
    from numba import cuda

    from hopperlab.kernels.tensorcore.rates import timed_products

    kernel = timed_products(fmt, columns, accumulators, together, pending)
    dtype = np.float32 if accumulators == "f32" else np.float16
    found = []
    for _ in range(REPEATS + 1):
        d = cuda.to_device(np.full((64 * card.sms, columns), 1, dtype))
        clocks = cuda.to_device(np.zeros((card.sms, 2), np.uint64))
        kernel[card.sms, 128](d, clocks)
        starts, ends = clocks.copy_to_host().astype(np.int64).T
        require_work(f"wgmma {fmt}", d.copy_to_host(), np.zeros((64 * card.sms, columns), dtype))
        found.append(float(np.median(ends - starts)))
    return found[1:]  # the first also loads the instructions


def results(samples: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Give for each case the cycles of a product alone and in a row, and the FLOP of an SM in a clock."""
    rows = []
    for one in samples:
        fmt, columns, _ = one["case"]
        flop = 2 * 64 * columns * 32 // INPUT_FORMATS[fmt].dtype.itemsize
        alone = median(one["cycles_alone"]) / one["groups"]
        in_a_row = median(one["cycles_in_a_row"]) / (one["groups"] * one["together"])
        rows.append([*one["case"], round(alone, 2), round(in_a_row, 2), round(flop / in_a_row)])
    return {
        "columns": [
            *("format", "columns", "accumulators", "cycles_alone", "cycles_in_a_row", "flop_per_clock_per_sm")
        ],
        "products": rows,
    }


def compare(recordings: Sequence[Recording]) -> Comparison:
    """Set cycles beside those that the peak rate allows, and those that were published."""
    from hopperlab.measure.audit import Comparison, Row

    sheet = chip("H200 SXM")
    rows = []
    for recording in recordings:
        for fmt, columns, accumulators, alone, in_a_row, _ in recording.results["products"]:
            case = (fmt, columns, accumulators)
            flop = 2 * 64 * columns * 32 // INPUT_FORMATS[fmt].dtype.itemsize
            peak = flop / sheet.tensor_flop_per_clock_per_sm(DATA_TYPES[fmt])
            subject = f"wgmma m64n{columns}, {fmt} to {accumulators}, in a row"
            rows.append(
                Row(
                    "tensorcore",
                    subject,
                    RATE_CLAIMS.get(case),
                    modelled=peak,
                    measured=in_a_row,
                    unit="cycles",
                    card=recording.card_name,
                    scaling=SAME_SM,
                    # The peak is a model of wide products only: narrow ones wait for A from shared memory.
                    tolerance=0.05 if columns >= 128 else None,
                )
            )
            if case in LATENCY_CLAIMS:
                rows.append(
                    Row(
                        "tensorcore",
                        f"wgmma m64n{columns}, {fmt}, alone",
                        LATENCY_CLAIMS[case],
                        measured=alone,
                        card=recording.card_name,
                        scaling=SAME_SM,
                    )
                )
    judged = [row for row in rows if row.tolerance is not None]
    cards = ", ".join(sorted({r.card_name for r in recordings}))
    return Comparison("wgmma_rates", cards, len(judged), sum(row.missed for row in judged), tuple(rows))


WGMMA_RATES = Experiment(
    name="wgmma_rates",
    theme="tensorcore",
    question="How many cycles does a wgmma take, alone and in a row, by format and width?",
    statistic="median over repeats of the median over SMs; zeros, which draw the least power",
    parameters={"cases": CASES, "repeats": REPEATS, "products_of_a_group": TOGETHER, "depth_bytes": 32},
    claims=(*RATE_CLAIMS.values(), *LATENCY_CLAIMS.values()),
    run=run,
    results=results,
    compare=compare,
    seconds=60,
    memory_bytes=64 * 2**20,
)
