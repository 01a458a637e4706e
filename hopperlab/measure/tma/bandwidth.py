"""How fast tiles come into shared memory: by box, bytes in flight, shape and way; and how late one copy comes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from hopperlab.measure.experiment import Experiment
from hopperlab.measure.tma.reading import KIB, SIDE, TILE, Reading, Source, by_engine, by_threads

if TYPE_CHECKING:
    from hopperlab.device.silicon.card import Card
    from hopperlab.ledger import Recording
    from hopperlab.measure.audit import Comparison, Row
    from hopperlab.measure.progress import Progress
    from hopperlab.models.tma import Stream

MEMORY = 2**30  # bytes of the image: many times the L2
EACH_BLOCK = 7 * 2**20  # bytes that a block reads in a launch
ROW = 256  # bytes of a box's row on the curves
CURVE_KIB = (1, 2, 4, 8, 16, 32)
CURVE_STAGES = (1, 2, 4, 8, 16)
MOST_RING = 192 * KIB
SHAPE_ROWS = (16, 32, 64, 128, 256, 512, 1024)  # bytes of a row, the box holding 4 KiB
SHAPE_BYTES, SHAPE_STAGES = 4 * KIB, 8
WAYS = {  # stages and blocks an SM, of 16 KiB tiles
    "engine": ((1, 1), (2, 1), (4, 1), (8, 1), (1, 4)),
    "cp.async": ((1, 1), (2, 1), (4, 1), (8, 1), (1, 4)),
    "loads": ((1, 1), (1, 4), (1, 8)),
}
ALONE_BYTES = (256, KIB, 4 * KIB, 16 * KIB)
CHASERS = ("engine", "loads")
CHASES = {"L2": 4 * 2**20, "memory": 2**29}  # footprints, bytes
ALONE_CLAIMS = {256: "lit-122.a", KIB: "lit-122.b", 4 * KIB: "lit-122.c", 16 * KIB: "lit-122.d"}
ALONE = "a line through copies of 256 bytes to 16 KiB"
CHASE_CLAIMS = {
    "engine, L2": "lit-120.a",
    "loads, L2": "lit-120.b",
    "engine, memory": "lit-121.a",
    "loads, memory": "lit-121.b",
}
CHASE_LINE, CHASE_STEPS, CHASE_LAUNCHES = 128, 4096, 5
WARM_UP, REPEATS = 2, 7
FITTED_STAGES = (1, 8)
"""The curves that the model is fitted to; it is tested on the others."""

TOLERANCE = 0.10
GB, GIB = 1e9, 2**30


def grid_of(sms: int) -> tuple[int, int]:
    """Give a grid of one block an SM that is as near to a square as may be: 12 by 11 of 132."""
    down = next(n for n in range(int(sms**0.5), 0, -1) if sms % n == 0)
    return sms // down, down


def run(card: Card, progress: Progress) -> dict[str, Any]:
    """Read tiles in all ways, one after another and again; keep the cycles of each launch, and the clock."""
    from hopperlab.measure.condition import clocks

    reads = progress.map("reads", ["all"], lambda _: _reads(card))[0]
    return {
        "grid": list(grid_of(card.sms)),
        "reads": reads,
        "sm_mhz": clocks(card)["sm_mhz"],
        "alone": progress.map("alone", list(ALONE_BYTES), _alone),
        "chases": progress.map(
            "chases", [[way, place] for way in CHASERS for place in CHASES], lambda case: _chase(*case)
        ),
    }


def _reads(card: Card) -> list[list]:
    """Give [kind, bytes of a box, bytes of its row, stages, blocks an SM, mean and most cycles a box by launch]."""
    cases = list(_cases(Source(MEMORY), grid_of(card.sms)))
    taken: list[list] = [[] for _ in cases]
    for launch in range(WARM_UP + REPEATS):
        for (*_, reading), cycles in zip(cases, taken, strict=True):
            reading.launch()
            found = reading.cycles_per_box()
            if launch >= WARM_UP:
                cycles.append([round(sum(found) / len(found), 1), max(found)])
    return [[*kind, cycles] for (*kind, _), cycles in zip(cases, taken, strict=True)]


def _cases(source: Source, grid: tuple[int, int]) -> Any:
    for kib in CURVE_KIB:
        for stages in CURVE_STAGES:
            if kib * KIB * stages <= MOST_RING:
                yield "curve", kib * KIB, ROW, stages, 1, _read(source, grid, kib * KIB, ROW, stages)
    for row in SHAPE_ROWS:
        reading = _read(source, grid, SHAPE_BYTES, row, SHAPE_STAGES)
        yield "shape", SHAPE_BYTES, row, SHAPE_STAGES, 1, reading
    for way, cases in WAYS.items():
        for stages, blocks in cases:
            wide = (grid[0] * blocks, grid[1])
            each = EACH_BLOCK // TILE // blocks
            if way == "engine":
                reading = by_engine(source, wide, (SIDE, SIDE), each, stages, blocks_per_sm=blocks)
            else:
                reading = by_threads(source, way, wide, each, stages, blocks)
            yield way, TILE, 4 * SIDE, stages, blocks, reading


def _read(source: Source, grid: tuple[int, int], nbytes: int, row: int, stages: int) -> Reading:
    return by_engine(source, grid, (nbytes // row, row // 4), EACH_BLOCK // nbytes, stages)


def _alone(nbytes: int) -> list[float]:
    """Give the cycles of a copy that is asked for and awaited, from memory, by a block that has the card for itself."""
    source = Source(64 * 2**20)
    taken = []
    for _ in range(WARM_UP + REPEATS):
        reading = by_engine(source, (1, 1), (nbytes // ROW, ROW // 4), 4 * 2**20 // nbytes, 1)
        _forget()
        reading.launch()
        taken += reading.cycles_per_box()
    return taken[WARM_UP:]


def _forget() -> None:
    """Fill the L2 with something else."""
    import numpy as np
    from cuda.bindings import driver
    from numba import cuda

    from hopperlab.device.silicon.card import checked

    other = cuda.device_array(2**28, np.uint8)
    checked(driver.cuMemsetD8(int(other.__cuda_array_interface__["data"][0]), 0, 2**28))


def _chase(way: str, place: str) -> list[float]:
    """Give the cycles of a link, launch by launch; those of the first launch from L2 are left out."""
    import numpy as np
    from numba import cuda

    from hopperlab.kernels.tiles import chase_by_engine, chase_by_loads
    from hopperlab.measure.timing import require_work

    words = CHASE_LINE // 4
    order = np.random.default_rng(0).permutation(CHASES[place] // CHASE_LINE).astype(np.uint32) * np.uint32(
        words
    )
    order = np.roll(order, -int(np.flatnonzero(order == 0)[0]))
    links = np.zeros(CHASES[place] // 4, np.uint32)
    links[order] = np.roll(order, -1)
    links, cycles, sums = cuda.to_device(links), *(cuda.to_device(np.zeros(1, np.uint32)) for _ in range(2))
    kernel = chase_by_engine if way == "engine" else chase_by_loads
    steps = len(order) if place == "L2" else CHASE_STEPS
    taken = []
    for _ in range(1 + CHASE_LAUNCHES):
        if place != "L2":
            _forget()
        kernel[1, 32](links, np.int32(steps), cycles, sums)
        require_work(f"chase by {way}", sums.copy_to_host()[0], order[steps % len(order)])
        taken.append(round(float(cycles.copy_to_host()[0]) / steps, 2))
    return taken[1:]


def results(samples: dict[str, Any]) -> dict[str, Any]:
    """Give medians: bytes a second of each way to read, by its slowest block; cycles of a copy alone, and of a link."""
    import numpy as np

    blocks = samples["grid"][0] * samples["grid"][1]
    reads = []
    for kind, nbytes, row, stages, per_sm, cycles in samples["reads"]:
        slowest = float(np.median([most for _, most in cycles]))
        rate = blocks * per_sm * nbytes / slowest * samples["sm_mhz"] * 1e6
        reads.append([kind, nbytes, row, stages, per_sm, round(rate), slowest])
    cases = [f"{way}, {place}" for way in CHASERS for place in CHASES]
    return {
        "columns": [
            "kind",
            "box_bytes",
            "row_bytes",
            "stages",
            "blocks_per_sm",
            "bytes_per_s",
            "cycles_a_box",
        ],
        "blocks": blocks,
        "sm_mhz": samples["sm_mhz"],
        "reads": reads,
        "alone": {str(n): float(np.median(c)) for n, c in zip(ALONE_BYTES, samples["alone"], strict=True)},
        "chases": {name: float(np.median(c)) for name, c in zip(cases, samples["chases"], strict=True)},
    }


def curves(recording: Recording) -> list[tuple[int, int, float]]:
    """Give (bytes of a box, stages, bytes per second) of every point of the curves."""
    return [
        (nbytes, stages, rate)
        for kind, nbytes, _, stages, _, rate, _ in recording.results["reads"]
        if kind == "curve"
    ]


def fitted(recording: Recording) -> Stream:
    """Give the model of a card's reads, fitted to the curves of FITTED_STAGES."""
    from hopperlab.models.tma import fit_stream

    points = [point for point in curves(recording) if point[1] in FITTED_STAGES]
    return fit_stream(points, recording.results["blocks"])


def compare(recordings: Sequence[Recording]) -> Comparison:
    """Fit the model to two of the curves, and hold it against the others."""
    from hopperlab.measure.audit import Comparison

    rows = [row for recording in recordings for row in (*_curve_rows(recording), *_other_rows(recording))]
    judged = [row for row in rows if row.tolerance is not None]
    notes = []
    for recording in recordings:
        errors = [abs(row.error) for row in _curve_rows(recording) if row.tolerance is not None]
        model = fitted(recording)
        notes.append(
            f"{recording.card_name}: fitted to {' and '.join(map(str, FITTED_STAGES))} boxes under way (latency "
            f"{model.latency_s * 1e9:.0f} ns, ceiling {model.ceiling / 1e12:.2f} TB/s, "
            f"{model.seconds_per_box * 1e9:.0f} ns a box); on the other curves off by {max(errors):.1%} at most, "
            f"{sum(errors) / len(errors):.1%} in the mean"
        )
    cards = ", ".join(sorted({r.card_name for r in recordings}))
    missed = sum(row.missed for row in judged)
    return Comparison("tma_bandwidth", cards, len(judged), missed, tuple(rows), tuple(notes))


def _curve_rows(recording: Recording) -> Iterator[Row]:
    from hopperlab.measure.audit import Row

    model, blocks = fitted(recording), recording.results["blocks"]
    for nbytes, stages, rate in curves(recording):
        own = stages in FITTED_STAGES
        yield Row(
            "tma",
            f"boxes of {nbytes // KIB} KiB, {stages} under way in each of {blocks} blocks",
            modelled=model.bandwidth(nbytes, stages, blocks) / GB,
            measured=rate / GB,
            unit="GB/s",
            card=recording.card_name,
            tolerance=None if own else TOLERANCE,
            no_test="the model was fitted to this curve" if own else "",
        )


def _other_rows(recording: Recording) -> Iterator[Row]:
    """Rates by shape and way, and latencies, each with the published number of the same kind where there is one."""
    import numpy as np

    from hopperlab.measure.audit import Row

    found = recording.results
    per_kib, fixed = np.polyfit(
        [n / KIB for n in ALONE_BYTES], [found["alone"][str(n)] for n in ALONE_BYTES], 1
    )
    rates = {(kind, row, stages, blocks): rate for kind, _, row, stages, blocks, rate, _ in found["reads"]}
    named = [
        ("16 KiB tiles, 4 blocks an SM", "lit-127", rates["engine", ROW, 1, 4] / 1e12, ""),
        ("tiles of 64 x 64 FP32, 4 blocks an SM", "lit-128", rates["engine", ROW, 1, 4] / GIB, ""),
        ("rows of 16 bytes", "lit-129.a", rates["shape", 16, SHAPE_STAGES, 1] / GIB, "boxes of 4 KiB, 2-D"),
        (
            "rows of 1,024 bytes",
            "lit-129.b",
            rates["shape", 1024, SHAPE_STAGES, 1] / GIB,
            "boxes of 4 KiB, 2-D",
        ),
        ("one copy, what does not depend on its size", "lit-123.a", float(fixed), ALONE),
        ("one copy, what does", "lit-123.b", float(per_kib), ALONE),
        *((f"one copy of {n} bytes", claim, found["alone"][str(n)], "") for n, claim in ALONE_CLAIMS.items()),
        *((f"a link, {case}", claim, found["chases"][case], "") for case, claim in CHASE_CLAIMS.items()),
    ]
    for subject, claim, measured, remark in named:
        yield Row("tma", subject, claim, measured=measured, card=recording.card_name, remark=remark)
    for kind, _, row, stages, blocks, rate, _ in found["reads"]:
        if kind == "shape":
            subject = f"boxes of 4 KiB in rows of {row} bytes, {stages} under way"
        elif kind != "curve":
            subject = f"16 KiB tiles by {kind}, {stages} under way, {blocks} blocks an SM"
        else:
            continue
        yield Row("tma", subject, measured=rate / GB, unit="GB/s", card=recording.card_name)


TMA_BANDWIDTH = Experiment(
    name="tma_bandwidth",
    theme="tma",
    question="How much must be asked for at once, and in which shape, to keep memory busy?",
    statistic="median over launches, taken in turn; a launch lasts as long as its slowest block",
    parameters={
        "image_bytes": MEMORY,
        "bytes_a_block": EACH_BLOCK,
        "curve_kib": list(CURVE_KIB),
        "curve_stages": list(CURVE_STAGES),
        "curve_row_bytes": ROW,
        "shape_row_bytes": list(SHAPE_ROWS),
        "shape_box_bytes": SHAPE_BYTES,
        "shape_stages": SHAPE_STAGES,
        "ways_stages_blocks": {way: [list(case) for case in cases] for way, cases in WAYS.items()},
        "alone_bytes": list(ALONE_BYTES),
        "chase_footprints": CHASES,
        "warm_up": WARM_UP,
        "repeats": REPEATS,
    },
    claims=(
        "lit-120.a",
        "lit-120.b",
        "lit-121.a",
        "lit-121.b",
        "lit-122.a",
        "lit-125.a",
        "lit-127",
        "lit-128",
    ),
    run=run,
    results=results,
    compare=compare,
    seconds=30,
    memory_bytes=MEMORY + 2**29 + 2**28,
)
