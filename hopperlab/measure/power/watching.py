"""Clock, power and temperature while kernels run, as NVML tells them: the same work on zeros and on other numbers.

Nothing of the card is ever set. NVML's power is a mean over about a second, so that it trails behind.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from hopperlab.measure.experiment import Experiment

if TYPE_CHECKING:
    from hopperlab.device.silicon.card import Card
    from hopperlab.ledger import Recording
    from hopperlab.measure.audit import Comparison
    from hopperlab.measure.progress import Progress

MIB = 2**20
SCRAMBLE = 0x9E3779B1
GROUPS = 20_000  # some 20 ms
L2_BYTES = 16 * MIB
L2_LAUNCH_BYTES = 150_000_000_000  # some 15 ms

IDLE = "idle"
PHASES = (
    (IDLE, 1.0),
    ("tensor cores, zeros", 3.5),
    (IDLE, 1.0),
    ("tensor cores, mixed numbers", 5.0),
    (IDLE, 1.0),
    ("L2 reads, zeros", 3.0),
    (IDLE, 1.0),
    ("L2 reads, mixed numbers", 3.0),
    (IDLE, 1.0),
    ("tensor cores, ones", 3.0),
    (IDLE, 1.0),
    ("tensor cores, sorted", 3.0),
    (IDLE, 1.0),
    ("tensor cores, random", 3.0),
    (IDLE, 1.5),
)
"""What runs, in order, and for how many seconds. Recordings tell what ran in theirs: older ones have fewer phases."""

MOST_REST_SECONDS, REST_SECONDS, STEADY_WATTS = 10.0, 1.5, 3.0
"""The first phase waits until readings have kept within so many watts for so long, but no longer than at most.

So long is longer than NVML's mean: through that, a short load looks level.
"""

NEAR = 0.01
"""How far sums of FP8 products may be off, of the largest: the tensor core's accumulators are short."""


def run(card: Card, progress: Progress) -> list[list]:
    """Run the phases; a sample is [phase, seconds, MHz, W, degrees C, reasons, work a second or None]."""
    phases = progress.map("phases", [0], lambda _: _watch(card))
    return phases[0]


def _watch(card: Card) -> list[list]:
    loads = _loads(card)
    _rest(card)
    began = time.monotonic()
    return [row for name, lasting in PHASES for row in _phase(card, name, lasting, loads.get(name), began)]


def _rest(card: Card) -> None:
    """Wait until readings of power no longer tell of what ran before; give up after a while."""
    from hopperlab.measure.condition import clocks

    until, seen = time.monotonic() + MOST_REST_SECONDS, []
    while time.monotonic() < until:
        now, watts = time.monotonic(), clocks(card)["power_w"]
        if watts is None:
            return
        seen = [(at, one) for at, one in seen if abs(one - watts) <= STEADY_WATTS] + [(now, watts)]
        if now - seen[0][0] >= REST_SECONDS:
            return
        time.sleep(0.02)


def _phase(card: Card, name: str, lasting: float, load: Any, began: float) -> list[list]:
    from numba import cuda

    from hopperlab.measure.condition import clocks

    begin, end = cuda.event(timing=True), cuda.event(timing=True)
    until, rows = time.monotonic() + lasting, []
    while time.monotonic() < until:
        if load is None:
            time.sleep(0.02)
        else:
            begin.record()
            load[0]()
            end.record()
        seen = clocks(card)
        row = [name, round(time.monotonic() - began, 3), *(seen[of] for of in ("sm_mhz", "power_w"))]
        rate = None
        if load is not None:
            end.synchronize()
            rate = round(load[1] / (begin.elapsed_time(end) * 1e-3) / 1e12, 2)
        rows.append([*row, seen["temperature_c"], seen["throttle_reasons"], rate])
    return rows


def _loads(card: Card) -> dict[str, tuple[Callable[[], None], float]]:
    """Give what each phase launches, and its work in FLOP or bytes; all of them compiled and warm."""
    import numpy as np
    from numba import cuda

    from hopperlab.kernels import power
    from hopperlab.measure.memory.streams import Field, Walk
    from hopperlab.measure.power.fillings import FILLINGS

    blocks = 2 * card.sms
    d = cuda.to_device(np.zeros((power.ROWS * blocks, power.COLUMNS), np.float32))

    def product(scramble: int) -> Callable[[], None]:
        return lambda: power.multiply[blocks, 128](np.uint32(scramble), np.int32(GROUPS), d)

    tile = 512 * 16
    walk = Walk(tile, L2_BYTES // tile, blocks, blocks, L2_LAUNCH_BYTES // (tile * blocks))
    mixed, zeros = Field(L2_BYTES), Field(L2_BYTES)
    zeros.words.copy_to_device(np.zeros(L2_BYTES // 4, np.uint32))
    flop = float(blocks * GROUPS * power.FLOP_OF_A_GROUP)
    given = {f"tensor cores, {name}": (_given(name, blocks, d), flop) for name in FILLINGS}
    loads = given | {
        "tensor cores, zeros": (product(0), flop),
        "tensor cores, mixed numbers": (product(SCRAMBLE), flop),
        "L2 reads, zeros": (zeros.reader(16, 1, walk)[0], float(walk.nbytes)),
        "L2 reads, mixed numbers": (mixed.reader(16, 1, walk)[0], float(walk.nbytes)),
    }
    for launch, _ in loads.values():
        launch()
    cuda.synchronize()
    return loads


def _given(filling: str, blocks: int, d: Any) -> Callable[[], None]:
    """Give what multiplies tiles of a filling for a while; one group of its products has been looked at."""
    import numpy as np
    from numba import cuda

    from hopperlab.kernels import power
    from hopperlab.measure.power.fillings import filled, product
    from hopperlab.measure.timing import require_work

    tiles = [cuda.to_device(tile) for tile in filled(filling)]
    power.multiply_given[blocks, 128](*tiles, np.int32(1), d)
    expected = product(filling)
    near = np.abs(d[-power.ROWS :].copy_to_host() - expected) <= NEAR * np.abs(expected).max()
    require_work(f"products of {filling}", near, np.ones_like(near))
    return lambda: power.multiply_given[blocks, 128](*tiles, np.int32(GROUPS), d)


def results(samples: Sequence[Sequence]) -> dict[str, Any]:
    """Give for each phase the medians of its later half: clock, power, temperature, work a second."""
    from statistics import median

    found = {}
    for name in dict.fromkeys(row[0] for row in samples):
        rows = [row for row in samples if row[0] == name]
        later = rows[len(rows) // 2 :]

        def middle(of: int, later: Sequence[Sequence] = later) -> float | None:
            numbers = [row[of] for row in later if row[of] is not None]
            return round(median(numbers), 2) if numbers else None

        found[name] = {
            "sm_mhz": middle(2),
            "least_sm_mhz": min((row[2] for row in rows if row[2] is not None), default=None),
            "power_w": middle(3),
            "temperature_c": middle(4),
            "reasons": sorted({reason for row in rows for reason in row[5] or ()}),
            "tera_per_second": middle(6),
        }
    return found


def compare(recordings: Sequence[Recording]) -> Comparison:
    """Hold readings while they move, and other numbers, against the model; set the rest beside what was published."""
    import numpy as np

    from hopperlab.measure.audit import Comparison, Row
    from hopperlab.measure.power.against_model import CARD, TOLERANCE, held_out, of_fillings

    rows, judged, medians, notes = [], [], [], []
    for recording in recordings:
        found, card = recording.results, recording.card_name
        if card == CARD:
            apart = held_out(recording)
            judged += of_fillings(recording)
            medians += [float(np.median(errors)) for errors in apart]
            notes.append(
                f"{card}: readings while they move, {len(apart)} phases held out: median errors {min(medians):.1%} to "
                f"{max(medians):.1%}, the worst reading {max(errors.max() for errors in apart):.1%}"
            )
        clocks = [row[2] for row in recording.samples if row[2] is not None]
        for subject, claim, measured in (
            ("highest clock", "lit-053", max(clocks)),
            ("highest clock", "article-005.a", max(clocks)),
            ("lowest clock under load", "article-005.b", min(clocks)),
            ("lowest clock, of the highest", "article-005.c", 100 * min(clocks) / max(clocks)),
            ("tensor cores, mixed numbers", "lit-138.a", found["tensor cores, mixed numbers"]["power_w"]),
            ("tensor cores, zeros", "lit-138.b", found["tensor cores, zeros"]["power_w"]),
        ):
            if measured is not None:
                rows.append(Row("power", subject, claim, measured=measured, card=card))
    cards = ", ".join(sorted({r.card_name for r in recordings}))
    beyond = sum(error > TOLERANCE for error in medians) + sum(row.missed for row in judged)
    compared = len(medians) + len(judged)
    return Comparison("clocks_and_power", cards, compared, beyond, (*rows, *judged), tuple(notes))


CLOCKS_AND_POWER = Experiment(
    name="clocks_and_power",
    theme="power",
    question="How do clock, power and temperature follow a kernel, and does it matter what numbers it works on?",
    statistic="medians of the later half of each phase; NVML's readings, its power a mean over about a second",
    parameters={"phases": [list(phase) for phase in PHASES], "groups": GROUPS, "l2_bytes": L2_BYTES},
    claims=("lit-053", "article-005.a", "article-005.b", "article-005.c", "lit-138.a", "lit-138.b"),
    run=run,
    results=results,
    compare=compare,
    seconds=36,
    memory_bytes=256 * MIB,
)
