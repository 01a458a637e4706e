"""Where the L2 cache keeps a line: how far each of some lines is from each SM, by loads and by atomics.

A load may be answered by a copy in the SM's own half of the L2 cache; an atomic addition only by the line itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from hopperlab.measure.experiment import Experiment

if TYPE_CHECKING:
    from hopperlab.device.silicon.card import Card
    from hopperlab.ledger import Recording
    from hopperlab.measure.audit import Comparison
    from hopperlab.measure.progress import Progress

KIB = 1024
LINES = 96
STRIDE = 4 * KIB + 128
ALONE_ON_AN_SM = 120 * KIB
HOW = ("loads", "atomics")


def run(card: Card, progress: Progress) -> list[dict[str, Any]]:
    """Visit the lines from every SM in turn: a sample has, for each SM, the cycles of a visit to each line."""
    return progress.map("maps", list(HOW), lambda how: {"how": how, "cycles": _map(card, how)})


def _map(card: Card, how: str) -> list[list[float]]:
    import numpy as np
    from numba import cuda

    from hopperlab.kernels.memory import revisit_lines
    from hopperlab.kernels.memory.chases import VISITS
    from hopperlab.measure.memory.rings import WORD_BYTES, Memory
    from hopperlab.measure.timing import require_work

    memory = Memory(LINES * STRIDE)
    kernel = revisit_lines(how == "atomics")
    cycles, ends = (cuda.to_device(np.zeros((card.sms, LINES), dtype)) for dtype in (np.uint32, np.uint64))
    words = STRIDE // WORD_BYTES
    for _ in range(2):  # the first time also loads the instructions
        for sm in range(card.sms):
            kernel[card.sms, 32, 0, ALONE_ON_AN_SM](
                np.uint32(sm), memory.words, memory.base, np.uint64(words), cycles, ends
            )
    first, step = (0, words) if how == "atomics" else (int(memory.base), STRIDE)
    expected = first + step * np.arange(LINES, dtype=np.uint64)
    require_work(how, ends.copy_to_host(), np.tile(expected, (card.sms, 1)))
    return (cycles.copy_to_host() / VISITS).round(1).tolist()


def results(samples: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Give the spread of each map, and the two groups of SMs that the atomics' map tells apart."""
    import numpy as np

    found: dict[str, Any] = {}
    for sample in samples:
        cycles = np.array(sample["cycles"])
        low, middle, high = np.percentile(cycles, [10, 50, 90]).round(1).tolist()
        found[sample["how"]] = {"low": low, "median": middle, "high": high}
    atomics = np.array(next(s["cycles"] for s in samples if s["how"] == "atomics"))
    side = sides(atomics)
    near, far = _near_and_far(atomics, side)
    found["sides"] = [np.flatnonzero(side == which).tolist() for which in (0, 1)]
    found["near_cycles"], found["far_cycles"] = round(near, 1), round(far, 1)
    return found


def sides(cycles: Any) -> Any:
    """Tell SMs apart by which lines are near: 0 or 1 for each, from a map of SMs by lines.

    What tells them apart most is the first principal component of the map, its means taken off.
    """
    import numpy as np

    left = cycles - cycles.mean(axis=0) - cycles.mean(axis=1, keepdims=True) + cycles.mean()
    component = np.linalg.svd(left, full_matrices=False)[0][:, 0]
    return (component > 0).astype(int) ^ int(component[0] > 0)


def _near_and_far(cycles: Any, side: Any) -> tuple[float, float]:
    """Give the mean cycles of the lines of an SM's own side, and of the other side's."""
    import numpy as np

    means = np.stack([cycles[side == which].mean(axis=0) for which in (0, 1)])
    return float(means.min(axis=0).mean()), float(means.max(axis=0).mean())


def compare(recordings: Sequence[Recording]) -> Comparison:
    """Set near and far beside what was published for the same chip."""
    from hopperlab.measure.audit import Comparison, Row

    rows, notes = [], []
    for recording in recordings:
        found = recording.results
        ratio = found["far_cycles"] / found["near_cycles"]
        rows.append(
            Row(
                "memory",
                "atomics on a line of the far half of the L2, over the near half",
                "article-014",
                measured=ratio,
                card=recording.card_name,
            )
        )
        notes.append(
            f"{recording.card_name}: {len(found['sides'][0])} and {len(found['sides'][1])} SMs on either side; "
            f"loads of a line take {found['loads']['low']} to {found['loads']['high']} cycles"
        )
    cards = ", ".join(sorted({r.card_name for r in recordings}))
    return Comparison("l2_map", cards, len(rows), 0, tuple(rows), tuple(notes))


L2_MAP = Experiment(
    name="l2_map",
    theme="memory",
    question="How many cycles is each of some lines of the L2 cache away from each SM?",
    statistic="mean over the visits of an SM to a line, one SM at a time",
    parameters={"lines": LINES, "stride": STRIDE, "how": list(HOW)},
    claims=("article-014",),
    run=run,
    results=results,
    compare=compare,
    seconds=3,
    memory_bytes=2**20,
    wants_gpc_map=True,
)
