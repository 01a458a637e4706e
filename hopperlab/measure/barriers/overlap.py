"""What work between arriving and waiting saves, and what warps that wait cost those that compute."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from hopperlab.measure.experiment import Experiment

if TYPE_CHECKING:
    from hopperlab.device.silicon.card import Card
    from hopperlab.ledger import Recording
    from hopperlab.measure.audit import Comparison
    from hopperlab.measure.progress import Progress

# The block that lesson 08 asks about, a warp for each of its threads, one on each scheduler of the SM.
NEEDED, OWN, AFTER = (8, 2, 5, 3), (2, 4, 6, 4), (2, 2, 2, 2)
STEPS = (0, 1, 2, 4, 8, 16, 32, 64, 128, 256)
ROUNDS, REPEATS = 20, 9
APART, AT_ONCE = "arrive, work, wait", "syncthreads"

WAITERS = (0, 4, 8, 12, 16)
WORK = 8192  # steps of a worker
WAYS = {"leave": (3, 0), "spin": (0, 0), "sleep": (1, 0)} | {
    f"sleep, hint {n} ns": (2, n) for n in (100, 1000, 10_000)
}
TOLERANCE = 0.02


def run(card: Card, progress: Progress) -> dict[str, list]:
    """Measure in turn.

    A sample of the same work is [way, steps of a unit, cycles of a round]; one of waiting [way, waiting
    warps, the workers' cycles, cycles from there until the last waiter goes on, looks of a waiter].
    """
    work = [
        [way, steps, repeat] for repeat in range(REPEATS + 1) for steps in STEPS for way in (APART, AT_ONCE)
    ]
    beside = [[way, waiters, repeat] for repeat in range(REPEATS + 1) for waiters in WAITERS for way in WAYS]
    cycles = progress.map("same work", work, lambda case: _same_work(*case[:2]))
    waited = progress.map("waiting", beside, lambda case: _beside(*case[:2]))
    return {
        "same_work": [[*case[:2], each] for case, each in zip(work, cycles, strict=True) if case[2]],
        "waiting": [[*case[:2], *each] for case, each in zip(beside, waited, strict=True) if case[2]],
    }


def _same_work(way: str, steps: int) -> float:
    import numpy as np
    from numba import cuda

    from hopperlab.kernels.waiting import LANES, warps_apart, warps_at_once
    from hopperlab.measure.timing import require_work

    parts = [cuda.to_device(steps * np.array(part, np.int32)) for part in (NEEDED, OWN, AFTER)]
    threads = LANES * len(NEEDED)
    sums, cycles = cuda.to_device(_values(threads)), cuda.to_device(np.zeros(len(NEEDED), np.uint32))
    kernel = warps_apart if way == APART else warps_at_once
    kernel[1, threads](*parts, np.int32(ROUNDS), sums, cycles)
    require_work(f"{way}, {steps} steps", sums.copy_to_host(), worked(steps, threads))
    return float(cycles.copy_to_host().max() / ROUNDS)


def _values(threads: int) -> Any:
    import numpy as np

    return np.arange(threads, dtype=np.float32) - np.float32(50)


@cache
def worked(steps: int, threads: int) -> Any:
    """Give what both kernels are to give: `ROUNDS` rounds, done in numpy, rounded as the card rounds."""
    import numpy as np

    lanes = threads // len(NEEDED)

    def stepped(value: Any, part: Sequence[int]) -> Any:
        due = np.repeat(steps * np.array(part), lanes)
        for step in range(due.max()):
            halved = (value.astype(np.float64) * 0.5 + 1).astype(np.float32)  # exact before it is rounded
            value = np.where(step < due, halved, value)
        return value

    value, mine = _values(threads), np.zeros(threads, np.float32)
    for _ in range(ROUNDS):
        value, mine = stepped(value, NEEDED), stepped(mine, OWN)
        value = stepped(np.roll(value, -lanes), AFTER)
    return value + mine


def _beside(way: str, waiters: int) -> list[float]:
    import numpy as np
    from numba import cuda

    from hopperlab.kernels.waiting import LANES, WORKERS, work_beside_waiters
    from hopperlab.measure.timing import require_work

    kind, hint = WAYS[way]
    warps = WORKERS + waiters
    sums = cuda.to_device(np.zeros(LANES * WORKERS, np.float32))
    looks, cycles = (cuda.to_device(np.zeros(warps, np.uint32)) for _ in range(2))
    work_beside_waiters[1, LANES * warps](
        np.int32(kind), np.uint32(hint), np.int32(WORK), sums, looks, cycles
    )
    require_work(way, sums.copy_to_host(), np.full(LANES * WORKERS, 8, np.float32))  # four times 2
    taken = cycles.copy_to_host().astype(float)
    work, last = taken[:WORKERS].max(), taken[WORKERS:].max() if waiters else taken.max()
    return [work, last - work, float(looks.copy_to_host()[WORKERS:].mean()) if waiters else 0.0]


def results(samples: dict[str, Sequence[Sequence]]) -> dict[str, Any]:
    """Give medians: cycles a round both ways, and what the workers take beside warps that wait.

    `slower` is the workers' time over that of workers alone; `cycles_a_look` how long one question took.
    """
    import numpy as np

    def median(rows: Sequence, *key: Any) -> list[float]:
        found = [row[len(key) :] for row in rows if tuple(row[: len(key)]) == key]
        return np.median(np.array(found, float), axis=0).round(2).tolist()

    same = [
        [steps, *(median(samples["same_work"], way, steps)[0] for way in (APART, AT_ONCE))] for steps in STEPS
    ]
    waiting = []
    for way in WAYS:
        alone = median(samples["waiting"], way, 0)[0]
        for waiters in WAITERS:
            work, late, looks = median(samples["waiting"], way, waiters)
            each = round(work / looks, 1) if looks >= 1 else None
            waiting.append([way, waiters, work, round(work / alone, 4), late, looks, each])
    return {
        "same_work_columns": ["steps_of_a_unit", APART, AT_ONCE],
        "same_work": same,
        "waiting_columns": [
            "way",
            "waiting_warps",
            "work_cycles",
            "slower",
            "late",
            "looks",
            "cycles_a_look",
        ],
        "waiting": waiting,
    }


def compare(recordings: Sequence[Recording]) -> Comparison:
    """Hold the saving of the longest work against the model, and a sleeper's limit against the published one."""
    from hopperlab.measure.audit import Comparison, Row
    from hopperlab.models.barriers import arrive_then_wait, syncthreads

    apart, at_once = (way(NEEDED, OWN, AFTER).finishes for way in (arrive_then_wait, syncthreads))
    rows, missed = [], 0
    for recording in recordings:
        card, found = recording.card_name, recording.results
        steps, measured, joint = found["same_work"][-1]
        row = Row(
            "barriers",
            f"time of a round, arrive and wait apart over syncthreads, {steps} steps a unit",
            modelled=apart / at_once,
            measured=measured / joint,
            unit="x",
            card=card,
            tolerance=TOLERANCE,
        )
        missed += row.missed
        rows.append(row)
        for way, waiters, _, slower, _, _, each in found["waiting"]:
            if waiters == max(WAITERS):
                rows.append(
                    Row(
                        "barriers",
                        f"time of 16 warps that compute while {waiters} {way}, over alone",
                        measured=slower,
                        unit="x",
                        card=card,
                    )
                )
            if way == "sleep" and waiters == min(WAITERS[1:]) and each:
                rows.append(
                    Row(
                        "barriers",
                        "cycles of a try_wait that fails at the system's limit",
                        "lit-117",
                        measured=each,
                        card=card,
                        scaling="the same SMs; the limit is a time, and the clocks differ",
                        quoted_tolerance=0.5,
                    )
                )
    cards = ", ".join(sorted({r.card_name for r in recordings}))
    return Comparison("barrier_overlap", cards, len(recordings), missed, tuple(rows), ())


BARRIER_OVERLAP = Experiment(
    name="barrier_overlap",
    theme="barriers",
    question="What does work between arriving and waiting save, and what do waiting warps cost the others?",
    statistic="medians of interleaved launches; the first of each is left out",
    parameters={
        "needed": list(NEEDED),
        "own": list(OWN),
        "after": list(AFTER),
        "steps": list(STEPS),
        "rounds": ROUNDS,
        "repeats": REPEATS,
        "waiters": list(WAITERS),
        "work": WORK,
        "ways": {way: list(how) for way, how in WAYS.items()},
    },
    claims=("talk-035", "lit-117"),
    run=run,
    results=results,
    compare=compare,
    seconds=5,
)
