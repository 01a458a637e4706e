"""How fast memory is copied by the engine, through shared memory, against the driver's own copy."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from hopperlab.measure.experiment import Experiment

if TYPE_CHECKING:
    from hopperlab.device.silicon.card import Card
    from hopperlab.ledger import Recording
    from hopperlab.measure.audit import Comparison
    from hopperlab.measure.progress import Progress

GIB, KIB = 2**30, 1024
NBYTES = 4 * GIB
PIECE = 64 * KIB  # of what is known, and looked for in the copy
DRIVER = "cuMemcpyDtoDAsync"
# KiB of a piece, pieces of a block, blocks that share an SM
SHAPES = (
    (1, 8, 6),
    (1, 16, 4),
    (2, 4, 6),
    (2, 4, 8),
    (2, 8, 3),
    (2, 8, 4),
    (2, 16, 2),
    (4, 1, 10),
    (4, 2, 6),
    (4, 4, 3),
    (8, 1, 6),
    (16, 1, 3),
)
SM_KIB, BLOCK_KIB = (
    228,
    1,
)  # shared memory of an SM, and what the system keeps of it for each block; lit-020.a, chip-004
WARM_UP, REPEATS = 2, 15
GOAL = 0.97


def run(card: Card, progress: Progress) -> dict[str, Any]:
    """Copy 4 GiB with every shape of the kernel and with the driver, in turn; keep all times, in seconds."""
    taken = progress.map("copies", ["all"], lambda _: _times(card))
    return taken[0]


def _times(card: Card) -> dict[str, Any]:
    import numpy as np
    from cuda.bindings import driver
    from numba import cuda

    from hopperlab.device.silicon.card import checked
    from hopperlab.measure.timing import require_work, seconds

    source, target = (cuda.device_array(NBYTES, np.uint8) for _ in range(2))
    rng = np.random.default_rng(0)
    pieces = [0, NBYTES - PIECE, *(PIECE * int(n) for n in rng.integers(0, NBYTES // PIECE, 62))]
    known = rng.integers(0, 256, PIECE).astype(np.uint8)
    for at in pieces:
        source[at : at + PIECE].copy_to_device(known)
    launches = dict(_launches(card, source, target))
    for name, launch in launches.items():
        checked(driver.cuMemsetD8(_address(target), 0, NBYTES))
        launch()
        cuda.synchronize()
        for at in pieces:
            require_work(name, target[at : at + PIECE].copy_to_host(), known)
    times = seconds(*launches.values(), warm_up=WARM_UP, repeats=REPEATS)
    return {"nbytes": NBYTES, "seconds": dict(zip(launches, times, strict=True))}


def _address(array: Any) -> int:
    return int(array.__cuda_array_interface__["data"][0])


def _launches(card: Card, source: Any, target: Any) -> list[tuple[str, Callable[[], None]]]:
    from cuda.bindings import driver

    from hopperlab.device.silicon.card import checked
    from hopperlab.kernels.tma import stream_copy

    from_, to = _address(source), _address(target)
    launches = [(DRIVER, lambda: checked(driver.cuMemcpyDtoDAsync(to, from_, NBYTES, 0)))]
    for kib, pieces, blocks in SHAPES:
        portion = kib * KIB * pieces
        kernel = stream_copy(kib * KIB, pieces)
        launch = kernel[-(-NBYTES // portion), 32, 0, _shared_bytes(portion, blocks)]
        name = f"{pieces} pieces of {kib} KiB, {blocks} blocks an SM"
        launches.append((name, lambda launch=launch: launch(source, target)))
    return launches


def _shared_bytes(portion: int, blocks: int) -> int:
    """Give dynamic shared memory that holds a block's pieces and lets no more than `blocks` share an SM."""
    share = (SM_KIB // blocks - BLOCK_KIB - 1) * KIB  # one KiB less, for the barriers
    return max(portion, share)


def results(samples: dict[str, Any]) -> dict[str, Any]:
    """Give the median of each way to copy, and the kernels' speed as a share of the driver's, round by round."""
    import numpy as np

    times = samples["seconds"]
    driver = np.array(times[DRIVER])
    medians = {name: float(np.median(each)) for name, each in times.items()}
    shares = {
        name: float(np.median(driver / np.array(each))) for name, each in times.items() if name != DRIVER
    }
    best = max(shares, key=shares.get)
    return {
        "median_seconds": medians,
        "bytes_per_second": {name: 2 * samples["nbytes"] / median for name, median in medians.items()},
        "share_of_driver": shares,
        "best": best,
    }


def compare(recordings: Sequence[Recording]) -> Comparison:
    """Hold the best shape against the driver's copy: the goal is a share of 0.97."""
    from hopperlab.measure.audit import Comparison, Row

    rows, notes, missed = [], [], 0
    for recording in recordings:
        found = recording.results
        share = found["share_of_driver"][found["best"]]
        missed += share < GOAL
        rows.append(
            Row(
                theme="tma",
                subject=f"4 GiB copied by the engine, {found['best']}, as a share of the driver's speed",
                modelled=1.0,
                measured=share,
                unit="x",
                card=recording.card_name,
                tolerance=max(1 - GOAL, share - 1),  # faster than the driver is no miss
            )
        )
        rate = found["bytes_per_second"]
        notes.append(
            f"{recording.card_name}: {rate[found['best']] / 1e12:.3f} TB/s read and written together, "
            f"the driver {rate[DRIVER] / 1e12:.3f}"
        )
    cards = ", ".join(sorted({r.card_name for r in recordings}))
    return Comparison("tma_copy", cards, len(rows), missed, tuple(rows), tuple(notes))


TMA_COPY = Experiment(
    name="tma_copy",
    theme="tma",
    question="Does a kernel that copies by the engine keep up with the driver's own copy?",
    statistic="median of interleaved rounds; shares are medians of ratios within a round",
    parameters={
        "nbytes": NBYTES,
        "shapes_kib_pieces_blocks": [list(shape) for shape in SHAPES],
        "warm_up": WARM_UP,
        "repeats": REPEATS,
    },
    claims=("talk-089", "lit-127"),
    run=run,
    results=results,
    compare=compare,
    seconds=15,
    memory_bytes=2 * NBYTES + GIB,
)
