"""What fusing amax, scale and cast is worth: one pass over the values, or three."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from hopperlab.measure.experiment import Experiment
from hopperlab.measure.patterns import random_words
from hopperlab.measure.timing import require_work, seconds, spread

if TYPE_CHECKING:
    from hopperlab.device.silicon.card import Card
    from hopperlab.ledger import Recording
    from hopperlab.measure.audit import Comparison
    from hopperlab.measure.progress import Progress

SEED = 85
VALUES = 2**28
SCALE = 0.75
REPEATS = 20
BLOCK, BLOCKS_PER_SM = 256, 16
BYTES = {"one pass": 4 + 1, "three passes": 4 + (4 + 4) + (4 + 1)}
"""Bytes read and written for each value."""


def run(card: Card, progress: Progress) -> dict[str, list[float]]:
    """Time both ways, interleaved; both have given the model's codes and amax before."""
    return progress.map("ways", ["both"], lambda _: _time(card))[0]


def _time(card: Card) -> dict[str, list[float]]:
    import numpy as np
    from numba import cuda

    from hopperlab.kernels import fp8 as kernels
    from hopperlab.models.fp8 import encode

    # Patterns of floats between 2**-8 and 2**8, of both signs.
    words = np.resize(random_words([SEED], 2**22), VALUES)
    host = ((words & 0x807FFFFF) | (119 + (words >> 23) % 16 << 23)).astype(np.uint32).view(np.float32)
    values, scaled = cuda.to_device(host), cuda.device_array(VALUES, np.float32)
    pairs = [cuda.to_device(np.zeros(VALUES // 2, np.uint16)) for _ in range(2)]
    amax = [cuda.to_device(np.zeros(1, np.int32)) for _ in range(2)]
    grid, scale = BLOCKS_PER_SM * card.sms, np.float32(SCALE)

    def one_pass() -> None:
        kernels.scale_and_encode("e4m3")[grid, BLOCK](values, scale, pairs[0], amax[0])

    def three_passes() -> None:
        kernels.find_amax[grid, BLOCK](values, amax[1])
        kernels.multiply[grid, BLOCK](values, scale, scaled)
        kernels.encode_array("e4m3")[VALUES // 2 // BLOCK, BLOCK](scaled, pairs[1])

    one_pass()
    three_passes()
    codes = encode(host[: 2**20] * scale, "e4m3").view(np.uint8)
    for way, found, largest in zip(BYTES, pairs, amax, strict=True):
        require_work(way, found.copy_to_host().view(np.uint8)[: 2**20], codes)
        require_work(f"amax in {way}", largest.copy_to_host().view(np.float32), [np.abs(host).max()])
    return dict(zip(BYTES, seconds(one_pass, three_passes, repeats=REPEATS), strict=True))


def results(samples: dict[str, list[float]]) -> dict[str, Any]:
    """Give the time of each way, its bytes a second, and how many times faster one pass is."""
    found = {way: spread(taken) for way, taken in samples.items()}
    return {
        "columns": ["way", "median_s", "low_s", "high_s", "bytes_per_s"],
        "ways": [
            [way, s.median, s.low, s.high, round(BYTES[way] * VALUES / s.median)] for way, s in found.items()
        ],
        "times_faster": round(found["three passes"].median / found["one pass"].median, 3),
    }


def compare(recordings: Sequence[Recording]) -> Comparison:
    """Set the gain beside that of the bytes: a cast computes nothing that memory would not wait for."""
    from hopperlab.measure.audit import Comparison, Row

    rows = tuple(
        Row(
            "fp8",
            "gain of one pass for amax, scale and cast over three",
            modelled=BYTES["three passes"] / BYTES["one pass"],
            measured=recording.results["times_faster"],
            unit="x",
            card=recording.card_name,
            tolerance=0.25,
        )
        for recording in recordings
    )
    cards = ", ".join(sorted({r.card_name for r in recordings}))
    return Comparison("fp8_fused_cast", cards, len(rows), sum(row.missed for row in rows), rows)


FP8_FUSED_CAST = Experiment(
    name="fp8_fused_cast",
    theme="fp8",
    question="How much faster is a cast that keeps amax and scales on the way than three kernels one after another?",
    statistic="median, 10 % and 90 % points of launches, both ways interleaved",
    parameters={"values": VALUES, "format": "e4m3", "scale": SCALE, "repeats": REPEATS, "seed": SEED},
    run=run,
    results=results,
    compare=compare,
    seconds=10,
    memory_bytes=4 * 2**30,
)
