"""The FP8 matrix product beside cuBLASLt, and what each change to it brought."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from hopperlab.measure.experiment import Experiment

if TYPE_CHECKING:
    from hopperlab.device.silicon.card import Card
    from hopperlab.ledger import Recording
    from hopperlab.measure.audit import Comparison
    from hopperlab.measure.progress import Progress

SHAPES = (
    (8192, 8192, 8192),
    (4096, 4096, 4096),
    (2048, 2048, 2048),
    (16384, 4096, 4096),
    (4096, 14336, 4096),
    (128, 8192, 8192),
    (8192, 8192, 1024),
    (5120, 5120, 20480),
)
"""M, N and K."""

PEER, CHOSEN = "cuBLASLt", "as chosen"
LADDER = {
    "row by row": {"group": 1, "overlapped": False, "early": False},
    "in bands": {"overlapped": False, "early": False},
    "stored under the next tile": {"early": False},
    "set up early": {},
    "in clusters of two": {"cluster": (2, 1)},
}
"""What is changed of the schedule, step by step; each has tiles of 128 x 256, and the chosen one any."""

WARM_UP_SECONDS = 5.0
ROUNDS = 15
BATCH_SECONDS, MOST_LAUNCHES = 1.5e-3, 40
GUESSED_FLOP_PER_SECOND, GUESSED_BYTES_PER_SECOND = 1.2e15, 4e12  # only to say how many launches make a batch
BLOCKED_CYCLES = 300_000  # of the blocking kernel, for each launch that is queued behind it
GOAL, LEAST = 1.0, 0.85


def run(card: Card, progress: Progress) -> list[dict[str, Any]]:
    """Time every shape, after one warm-up; torch is the way to cuBLASLt."""
    return progress.map("all shapes", ["all"], lambda _: _all_shapes())[0]


def _all_shapes() -> list[dict[str, Any]]:
    samples = []
    for shape in SHAPES:
        launches, check = _prepared(shape)
        wrong = check()
        if not samples:
            _warm_up(launches.values())
        samples.append(
            {
                "shape": list(shape),
                "outputs_that_differ": wrong,
                "seconds": _seconds(launches, _launches_of_a_batch(shape)),
            }
        )
    return samples


def _prepared(shape: tuple[int, int, int]) -> tuple[dict[str, Callable], Callable[[], dict[str, int]]]:
    """Give the launches by name, and what counts the outputs in which each differs from cuBLASLt's."""
    import numpy as np
    import torch
    from numba import cuda

    from hopperlab.kernels.gemm import Schedule, prepare, schedule_for

    m, n, k = shape
    torch.manual_seed(m + n + k)
    a, b = (torch.randn(rows, k, device="cuda").to(torch.float8_e4m3fn) for rows in (m, n))
    one = torch.ones((), device="cuda")
    factor = cuda.to_device(np.ones(1, np.float32))
    d = cuda.device_array((m, n), np.uint16)
    codes = [cuda.as_cuda_array(x.view(torch.uint8)) for x in (a, b)]

    def peer() -> Any:
        return torch._scaled_mm(
            a, b.t(), scale_a=one, scale_b=one, out_dtype=torch.bfloat16, use_fast_accum=True
        )

    schedules = {name: Schedule(**changed) for name, changed in LADDER.items()}
    schedules[CHOSEN] = schedule_for(m, n, k)
    ours = {name: prepare(*codes, d, factor, factor, schedule=s) for name, s in schedules.items()}

    def check() -> dict[str, int]:
        wanted, found = peer().view(torch.int16), {}
        for name, launch in ours.items():
            got = torch.as_tensor(d.view(np.int16), device="cuda")
            got.fill_(-1)
            launch()
            found[name] = int((got != wanted).sum())
        return found

    return {PEER: peer, **ours}, check


def _launches_of_a_batch(shape: tuple[int, int, int]) -> int:
    m, n, k = shape
    guess = max(2 * m * n * k / GUESSED_FLOP_PER_SECOND, (2 * m * n + n * k) / GUESSED_BYTES_PER_SECOND)
    return max(1, min(MOST_LAUNCHES, int(BATCH_SECONDS / guess)))


def _warm_up(launches: Iterable[Callable]) -> None:
    import torch

    end = time.perf_counter() + WARM_UP_SECONDS
    while time.perf_counter() < end:
        for launch in launches:
            launch()
        torch.cuda.synchronize()


def _seconds(launches: dict[str, Callable], count: int) -> dict[str, list[float]]:
    """Time batches of `count` launches, in turn; each is queued behind a kernel that keeps the card waiting.

    So the time between the two events is the card's alone: Python has long queued the batch. Every round begins with
    another one, since a card at its power limit is slower for what comes after much work than after little.
    """
    import torch

    begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    times: dict[str, list[float]] = {name: [] for name in launches}
    for round in range(ROUNDS):
        for name, launch in rotated(list(launches.items()), round):
            torch.cuda._sleep(BLOCKED_CYCLES * count)
            begin.record()
            for _ in range(count):
                launch()
            end.record()
            end.synchronize()
            times[name].append(begin.elapsed_time(end) * 1e-3 / count)
    return times


def rotated(things: list, places: int) -> list:
    """Give the same things, begun so many places later."""
    places %= len(things)
    return things[places:] + things[:places]


def results(samples: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Give medians, and speeds as a share of cuBLASLt's: medians of the ratios within a round."""
    import numpy as np

    shapes = {}
    for one in samples:
        peer = np.array(one["seconds"][PEER])
        m, n, k = one["shape"]
        medians = {name: float(np.median(each)) for name, each in one["seconds"].items()}
        shapes[f"{m}x{n}x{k}"] = {
            "median_seconds": medians,
            "flop_per_second": {name: 2 * m * n * k / median for name, median in medians.items()},
            "share_of_cublaslt": {
                name: float(np.median(peer / np.array(each)))
                for name, each in one["seconds"].items()
                if name != PEER
            },
            "outputs_that_differ": sum(one["outputs_that_differ"].values()),
        }
    names = [*LADDER, CHOSEN]
    shares = {name: [one["share_of_cublaslt"][name] for one in shapes.values()] for name in names}
    return {
        "shapes": shapes,
        "geometric_mean": {name: float(np.exp(np.mean(np.log(each)))) for name, each in shares.items()},
        "least": min(shares[CHOSEN]),
    }


def compare(recordings: Sequence[Recording]) -> Comparison:
    """Hold the product against the bar: as fast as cuBLASLt in the geometric mean, no shape far behind."""
    from hopperlab.measure.audit import Comparison, Row

    rows, notes, missed = [], [], 0
    for recording in recordings:
        found = recording.results
        mean, least = found["geometric_mean"][CHOSEN], found["least"]
        missed += (
            (mean < GOAL) + (least < LEAST) + any(s["outputs_that_differ"] for s in found["shapes"].values())
        )
        for subject, share, goal in (
            (
                f"FP8 product as a share of cuBLASLt's speed, geometric mean over {len(found['shapes'])} shapes",
                mean,
                GOAL,
            ),
            ("FP8 product as a share of cuBLASLt's speed, the slowest shape", least, LEAST),
        ):
            rows.append(
                Row(
                    theme="gemm",
                    subject=subject,
                    modelled=goal,
                    measured=share,
                    unit="x",
                    card=recording.card_name,
                    tolerance=0.0 if share < goal else None,
                )
            )
        for shape, one in found["shapes"].items():
            ours, theirs = (one["flop_per_second"][name] / 1e12 for name in (CHOSEN, PEER))
            notes.append(f"{recording.card_name}, {shape}: {ours:.0f} TFLOP/s, cuBLASLt {theirs:.0f}")
    cards = ", ".join(sorted({r.card_name for r in recordings}))
    return Comparison("fp8_product", cards, len(rows), missed, tuple(rows), tuple(notes))


FP8_PRODUCT = Experiment(
    name="fp8_product",
    theme="gemm",
    question="Does the FP8 matrix product in Python stand beside cuBLASLt, and what did each change bring?",
    statistic="medians of batches interleaved in a turning order; shares are medians of ratios within a round",
    parameters={
        "shapes_m_n_k": [list(shape) for shape in SHAPES],
        "formats": ["e4m3", "e4m3"],
        "output": "bf16",
        "scales": "one a tensor",
        "accumulation": "fast on both sides",
        "inputs": "normal, of deviation 1",
        "ladder": LADDER,
        "warm_up_seconds": WARM_UP_SECONDS,
        "rounds": ROUNDS,
    },
    run=run,
    results=results,
    compare=compare,
    seconds=40,
    memory_bytes=4 * 2**30,
)
