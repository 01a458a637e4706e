"""How late a word is: pointer chases over footprints, strides and carve-outs; shared and constant memory.

A chase tells the latency of whatever answers: the L1 cache, the L2 cache, device memory, or a page table. Its
footprint is the number of its lines times their stride; what it touches is a line of 128 bytes each.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from hopperlab.measure.experiment import Experiment
from hopperlab.measure.memory import misses
from hopperlab.measure.memory.curves import CURVES, GIB, KIB, L1_CURVES, LINE, MIB, PAGE

if TYPE_CHECKING:
    from hopperlab.device.silicon.card import Card
    from hopperlab.ledger import Recording
    from hopperlab.measure.audit import Comparison, Row
    from hopperlab.measure.memory.curves import Curve
    from hopperlab.measure.memory.errors import Point
    from hopperlab.measure.memory.rings import Memory
    from hopperlab.measure.progress import Progress

REPEATS = 3
FEW, MANY = 4096, 16384
SHARED_LINKS = (2, 64, 1024, 4096)
CONSTANT_BYTES = tuple(
    256 * n for n in (*range(1, 13), 14, 16, 24, 32, 48, 64, 80, 96, 112, 128, 144, 160, 192, 224, 240, 256)
)
CHASED = CURVES | L1_CURVES
MEMORY_BYTES = 16 * GIB + PAGE


def run(card: Card, progress: Progress) -> dict[str, Any]:
    """Follow every curve; then shared and constant memory, a chain of indices, and the lines that miss the L1."""
    from hopperlab.measure.memory.clock import measured_megahertz

    memory = Late()
    cases = [[name, lines] for name, curve in CHASED.items() for lines in curve.lines()]
    return {
        "clock_mhz": progress.map("clock", [0, 1, 2], lambda _: measured_megahertz()),
        "curves": progress.map("footprints", cases, lambda case: cycles(memory(), CHASED[case[0]], case[1])),
        "shared": progress.map("shared", list(SHARED_LINKS), _shared),
        "constants": progress.map("constants", list(CONSTANT_BYTES), _constants),
        "indices": progress.map("indices", [1024], _indices),
        "lines": progress.map("lines that miss", misses.cases(), lambda case: misses.of(memory(), *case)),
        "address": progress.map("address", [0], lambda _: int(memory().base))[0],
    }


class Late:
    """The memory for rings, taken from the card when the first ring is made."""

    def __init__(self, nbytes: int = MEMORY_BYTES) -> None:
        self._nbytes = nbytes
        self._memory: Any = None

    def __call__(self) -> Memory:
        """Give it."""
        from hopperlab.measure.memory.rings import Memory

        if self._memory is None:
            self._memory = Memory(self._nbytes)
        return self._memory


def cycles(memory: Memory, curve: Curve, lines: int) -> list:
    """Follow a ring of so many lines of a curve; give [curve, lines, hops, cycles of each repeat]."""
    hops = FEW if lines <= FEW else MANY
    taken = memory.chase(curve.stride, lines, hops, curve.through_l1, curve.shared_kib, REPEATS)
    return [curve.name, lines, hops, taken]


def _shared(links: int) -> list:
    import numpy as np

    from hopperlab.kernels.memory import chase_shared
    from hopperlab.kernels.memory.chases import SHARED_STEP

    end = SHARED_STEP * 2 * FEW % links
    return [links, FEW, _timed(chase_shared, 64, (np.int32(links), np.int32(FEW)), [end])]


def _constants(nbytes: int) -> list:
    import numpy as np

    from hopperlab.kernels.memory import chase_constants
    from hopperlab.kernels.memory.chases import CONSTANT_STEP

    links = nbytes // CONSTANT_STEP
    laps = max(4, FEW // links)
    taken = _timed(chase_constants, 1, (np.int32(links), np.int32(laps)), [0, nbytes])
    return [nbytes, links * laps, taken]


def _indices(links: int) -> list:
    import numpy as np
    from numba import cuda

    from hopperlab.kernels.memory import chase

    chain = cuda.to_device((np.arange(links, dtype=np.uint32) + np.uint32(17)) % np.uint32(links))
    return [links, FEW, _timed(chase, 1, (chain, np.int32(FEW)), [17 * 2 * FEW % links])]


def _timed(kernel: Any, threads: int, arguments: tuple, expected: list[int]) -> list[int]:
    """Launch one block some times over, look at where its chase ended, and give its cycles."""
    import numpy as np
    from numba import cuda

    from hopperlab.measure.timing import require_work

    found = []
    for _ in range(REPEATS + 1):
        cycles, ends = (cuda.to_device(np.zeros(n, np.uint32)) for n in (1, len(expected)))
        kernel[1, threads](*arguments, cycles, ends)
        require_work(kernel.name, ends.copy_to_host(), np.array(expected, np.uint32))
        found.append(int(cycles.copy_to_host()[0]))
    return found[1:]


def results(samples: dict[str, Any]) -> dict[str, Any]:
    """Give cycles a load by footprint, for each curve; the same of shared and constant memory; the clock.

    And how many lines of a ring miss the L1 cache.
    """
    from statistics import median

    def per_hop(rows: Sequence) -> list:
        return [[size, round(median(taken) / hops, 2)] for size, hops, taken in rows]

    return {
        "columns": ["footprint_bytes", "cycles"],
        "curves": by_curve(samples["curves"], CHASED),
        "shared": [[4 * links, cycles] for links, cycles in per_hop(samples["shared"])],
        "constants": per_hop(samples["constants"]),
        "index_chase_cycles": per_hop(samples["indices"])[0][1],
        "clock_mhz": median(samples["clock_mhz"]),
        "lines_that_miss": misses.counted(samples["lines"]),
    }


def by_curve(samples: Sequence[list], curves: Mapping[str, Curve]) -> dict[str, list]:
    """Give [bytes, cycles a load] for each footprint of each curve."""
    from statistics import median

    found: dict[str, list] = {}
    for name, lines, hops, taken in samples:
        found.setdefault(name, []).append([lines * curves[name].stride, round(median(taken) / hops, 2)])
    return found


def at(curve: Sequence[Sequence[float]], footprint: int) -> float:
    """Give the cycles of a curve at the footprint nearest to one."""
    return min(curve, key=lambda point: abs(point[0] - footprint))[1]


# Where curves that the staircase was not fitted to are shown in the audit: points of each tread and rise.
SHOWN = (
    ("every second line", 64 * KIB),
    ("every second line", 512 * KIB),
    ("every second line", 4 * MIB),
    ("every second line", 64 * MIB),
    ("every second line", 256 * MIB),
    ("every second line", GIB),
    ("lines past L1", 16 * KIB),
    ("lines past L1", 128 * MIB),
    ("a line of 64 KiB", 16 * MIB),
    ("a line of 64 KiB", 2 * GIB),
    ("a line of 64 KiB", 102 * MIB),
    ("lines, 64 KiB shared", 216 * KIB),
    ("lines, 164 KiB shared", 104 * KIB),
    ("lines, 32 KiB shared", 232 * KIB),
    ("lines, 32 KiB shared", 256 * KIB),
    ("lines, 196 KiB shared", 64 * KIB),
    ("every 7 lines, 0 KiB shared", 1536 * 7 * LINE),
    ("every 33 lines, 0 KiB shared", 1536 * 33 * LINE),
    ("every 513 lines, 0 KiB shared", 1536 * 513 * LINE),
    ("every 7 lines, 132 KiB shared", 1024 * 7 * LINE),
    ("every 5 lines, 196 KiB shared", 512 * 5 * LINE),
)


def compare(recordings: Sequence[Recording]) -> Comparison:
    """Hold the staircase against the curves that it was not fitted to; what was published is in `claims.memory`."""
    from hopperlab.measure.audit import Comparison
    from hopperlab.measure.memory.errors import errors, latency_points

    rows, notes, compared, beyond = [], [], 0, 0
    for recording in recordings:
        points = latency_points(recording)
        off = errors(points)
        compared, beyond = compared + off.points, beyond + off.beyond
        curves = {point.curve for point in points}
        rows += [row(recording, points, curve, at) for curve, at in SHOWN if curve in curves]
        said = (*_of_uses(recording), _of_beyond(points), *_of_rules(recording), _of_pages(recording))
        notes += [f"{recording.card_name}: {note}" for note in said]
    cards = ", ".join(sorted({r.card_name for r in recordings}))
    return Comparison("memory_latency", cards, compared, beyond, tuple(rows), tuple(notes))


RULES = (
    "the rules by which the staircase's L1 cache loses lines were found on an H200, on lines that miss and on curves "
    "that are not held out. Its held-out curves were looked at twice: with the first rules, 9 of their 466 points "
    "were off by more than 15 %, one by 83 %; the rules were then set right on the other curves, which showed the "
    "fault as well, and no number or rule was taken from those held out"
)


def _of_rules(recording: Recording) -> list[str]:
    """Say where the rules come from, if the recording has curves to test them."""
    held_out = any(curve.get("held_out", False) for curve in recording.parameters["curves"])
    return [RULES if held_out else "no curve was held out when this was measured"]


def _of_uses(recording: Recording) -> list[str]:
    """Say how the staircase does on the curves of each use."""
    from hopperlab.measure.memory.errors import LATENCY_USES, errors, latency_points, latency_use

    said = []
    for use in LATENCY_USES:
        names = [curve["name"] for curve in recording.parameters["curves"] if latency_use(curve) == use]
        if names:
            of_use = errors(latency_points(recording, use))
            listed = "" if use == "seen" else ": " + ", ".join(f'"{name}"' for name in names)
            said.append(f"{use}, {len(names)} curves, {of_use}{listed}")
    return said


def _of_beyond(points: Sequence[Point]) -> str:
    """Say on which curves errors are large."""
    from hopperlab.measure.memory.errors import TOLERANCE

    beyond = [point for point in points if abs(point.error) > TOLERANCE]
    if not beyond:
        return f"of curves that the staircase was not fitted to, no error is above {TOLERANCE:.0%}"
    where = ", ".join(f'"{name}"' for name in sorted({point.curve for point in beyond}))
    return f"{len(beyond)} errors above {TOLERANCE:.0%} are on {where}"


def _of_pages(recording: Recording) -> str:
    """Say what page tables cost, which the staircase leaves out: one line of each page, all in the L2 cache."""
    curve = recording.results["curves"]["a line of a page, past L1"]
    few, many = at(curve, 100 * MIB), at(curve, 16 * GIB)
    return (
        f"lines of {16 * GIB // PAGE} pages come {many - few:.0f} cycles later than those of "
        f"{100 * MIB // PAGE}, {few:.0f}: what page tables cost, and the staircase leaves out"
    )


def row(recording: Recording, points: Sequence[Point], curve: str, footprint: float) -> Row:
    """Give the row of a curve's point that is nearest to a footprint."""
    from hopperlab.measure.audit import Row
    from hopperlab.measure.memory.errors import TOLERANCE

    of_curve = (point for point in points if point.curve == curve)
    point = min(of_curve, key=lambda each: abs(each.at - footprint))
    return Row(
        "memory",
        f"latency, {curve}, {point.at / MIB:.4g} MiB",
        modelled=point.modelled,
        measured=point.measured,
        unit="cycles",
        card=recording.card_name,
        tolerance=TOLERANCE,
    )


MEMORY_LATENCY = Experiment(
    name="memory_latency",
    theme="memory",
    question="How many cycles late is a word, by the footprint, the stride and the L1's share of an SM?",
    statistic="median over repeats of the cycles of a chase, over its hops",
    parameters={
        "curves": [asdict(curve) for curve in CHASED.values()],
        "repeats": REPEATS,
        "hops": [FEW, MANY],
        "shared_links": list(SHARED_LINKS),
        "constant_bytes": list(CONSTANT_BYTES),
        "lines_that_miss": misses.PARAMETERS,
    },
    run=run,
    results=results,
    compare=compare,
    seconds=25,
    memory_bytes=MEMORY_BYTES,
)
