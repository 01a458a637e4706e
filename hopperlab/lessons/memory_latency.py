"""Lesson 18, caches and latency: its panels and figures.

from hopperlab.lessons import memory_latency as lesson
"""

from functools import cache
from statistics import median

import numpy as np

from hopperlab import ledger
from hopperlab.course.memory.latency import LESSON
from hopperlab.course.memory.latency.recorded import CARD, KIB, MIB, curve, l1_kib, recording
from hopperlab.course.memory.latency.specimens import SPECIMENS
from hopperlab.course.report import Report, Table
from hopperlab.kernels.memory import chase as kernel
from hopperlab.lessons.comparison import compared
from hopperlab.lessons.controls import choice, slider
from hopperlab.lessons.panel import Panel
from hopperlab.lessons.peers import beside_peers
from hopperlab.measure.memory import L2_MAP, MEMORY_LATENCY, MEMORY_LATENCY_UNSEEN
from hopperlab.measure.memory.errors import LATENCY_USES, errors, latency_points, latency_use
from hopperlab.measure.memory.latency import at
from hopperlab.measure.memory.misses import FAR_BITS, FULL
from hopperlab.models.memory import Staircase
from hopperlab.views.evidence import Evidence, evidence
from hopperlab.views.memory.chase import Chase
from hopperlab.views.memory.halves import halves as halves_of
from hopperlab.views.memory.latency import Point, Published
from hopperlab.views.memory.latency import staircase as staircase_of
from hopperlab.views.memory.lost_lines import lost_lines as lost_lines_of
from hopperlab.views.memory.same_set import same_set as same_set_of
from hopperlab.views.memory.within_an_sm import within_an_sm as memories_of
from hopperlab.views.picture import Picture

predict, commit, reveal = LESSON.predict, LESSON.commit, LESSON.reveal
panel, quiz, summary = LESSON.panel, LESSON.quiz, LESSON.summary
exercise, check, hint, solution = LESSON.exercise, LESSON.check, LESSON.hint, LESSON.solution

CARVE_OUTS = (0, 32, 64, 100, 132, 164, 196, 228)
LINE, PAGE = 128, 2 * MIB
# Bytes from one line to the next, and whether loads go through the L1 cache.
STRIDES = {
    "128 B": (LINE, True),
    "256 B": (2 * LINE, True),
    "384 B": (3 * LINE, True),
    "640 B": (5 * LINE, True),
    "896 B": (7 * LINE, True),
    "4 KiB + 128 B": (4 * KIB + LINE, True),
    "64 KiB + 128 B": (64 * KIB + LINE, True),
    "128 B, past the L1": (LINE, False),
    "2 MiB + 128 B, past the L1": (PAGE + LINE, False),
}
# Claims by their letter: a is in cycles, b in nanoseconds; and a footprint of the tread that they are about.
PUBLISHED = {
    "lit-057": 32 * KIB,
    "lit-059": 8 * KIB,
    "lit-063": 2 * MIB,
    "lit-066": 8 * MIB,
    "lit-064": 37 * MIB,
    "lit-072": 108 * MIB,
    "lit-073": 512 * MIB,
}


@cache
def _curves() -> dict[str, dict]:
    """What the recording says of each of its curves, by its name."""
    return {curve["name"]: curve for curve in recording("memory_latency").parameters["curves"]}


@cache
def _points(stride: int, shared_kib: int, through_l1: bool) -> tuple[Point, ...]:
    """The recorded points of a chase, on whichever curves, with their spread over repeats."""
    found = []
    for name, lines, hops, taken in recording("memory_latency").samples["curves"]:
        chased = _curves()[name]
        if (chased["stride"], chased["through_l1"]) != (stride, through_l1):
            continue
        if chased["shared_kib"] == shared_kib or not through_l1:
            cycles = [each / hops for each in taken]
            found.append(Point(lines * stride, median(cycles), min(cycles), max(cycles)))
    return tuple(sorted(found, key=lambda point: point.footprint))


@cache
def _published(letter: str) -> tuple[Published, ...]:
    found = []
    for number, footprint in PUBLISHED.items():
        claim = ledger.claim(f"{number}.{letter}")
        low, high = (claim.low, claim.high) if claim.number is None else (claim.number, claim.number)
        found.append(Published(claim.id, footprint, low, high, claim.device))
    return tuple(found)


def _staircase(stride: str, shared_kib: int, power: float, unit: str) -> Picture:
    nbytes, through_l1 = STRIDES[stride]
    found = recording("memory_latency")
    of_lines = nbytes == LINE and shared_kib == 0 and through_l1
    return staircase_of(
        _points(nbytes, shared_kib, through_l1),
        _published("a" if unit == "cycles" else "b") if of_lines else (),
        chase=Chase(nbytes, shared_kib, through_l1, found.card.l2_bytes),
        footprint=2**power,
        card=CARD,
        clock_mhz=None if unit == "cycles" else found.results["clock_mhz"],
    )


def staircase() -> Panel:
    """The latency of a chase by footprint, stride and carve-out: modelled, measured, published."""
    return Panel(
        "memory_latency.staircase",
        _staircase,
        height=540,
        stride=choice("Stride", list(STRIDES)),
        shared_kib=choice("Shared memory asked for (KiB)", list(CARVE_OUTS)),
        power=slider("Footprint, as a power of two", 12.0, 34.0, 22.0, 0.5, unit="bytes"),
        unit=choice("Unit", ["cycles", "ns"]),
    )


@cache
def _map(how: str) -> np.ndarray:
    """Cycles of a visit, by SM and line."""
    return np.array(next(sample["cycles"] for sample in recording("l2_map").samples if sample["how"] == how))


def _halves(line: int, how: str) -> Picture:
    found = recording("l2_map")
    between = (found.results["near_cycles"] + found.results["far_cycles"]) / 2
    cycles = _map(how)[:, line].tolist()
    return halves_of(found.gpc_map, cycles, far_from=between, line=line, how=how, card=CARD)


def halves() -> Panel:
    """How far a line of the L2 cache is from each SM, by loads and by atomic additions."""
    return Panel(
        "memory_latency.halves",
        _halves,
        height=480,
        line=slider("Line", 0, _map("loads").shape[1] - 1, 0),
        how=choice("Visits", ["atomics", "loads"]),
    )


def within_an_sm() -> Picture:
    """Constants, the L1 cache and shared memory, by the bytes that a chase visits."""
    found = recording("memory_latency").results
    measured = {
        "constants": found["constants"],
        "L1": [row for row in curve("lines") if row[0] <= 64 * KIB],
        "shared memory": [row for row in found["shared"] if row[0] >= 256],
    }
    quoted = [
        Published(id, footprint, number, number, ledger.claim(id).device)
        for id, footprint in (("lit-057.a", 32 * KIB), ("lit-061.a", 4 * KIB))
        for number in [ledger.claim(id).number]
    ]
    return memories_of(measured, quoted, card=CARD)


def lost_lines() -> Picture:
    """What the L1 cache loses of a ring that is too large, at three carve-outs."""
    return lost_lines_of({kib: curve(f"lines, {kib} KiB shared") for kib in (32, 132, 196)}, card=CARD)


@cache
def _missed() -> dict[int, list[int]]:
    """The lines that missed in each round, by the number of the line far away, of rings that just fit without it."""
    rows = recording("memory_latency").samples["lines"]
    return {far: [line for line, _ in late] for *_, far, late in rows if far}


def _same_set(bit: int, other: int) -> Picture:
    far = 2**bit | (2**other if other >= FAR_BITS[0] else 0)
    first = recording("memory_latency").samples["address"] // LINE
    return same_set_of(FULL, far, _missed().get(far), card=CARD, first=first)


def same_set() -> Panel:
    """Which lines of a ring share a set of the L1 cache with a line far away: modelled, and as they missed."""
    return Panel(
        "memory_latency.same_set",
        _same_set,
        height=500,
        bit=slider("Bit of the far line's number", FAR_BITS[0], FAR_BITS[-1], FAR_BITS[0]),
        other=slider(
            f"Another bit ({FAR_BITS[0] - 1}: none)", FAR_BITS[0] - 1, FAR_BITS[-1], FAR_BITS[0] - 1
        ),
    )


STEPS = (1, 7, 12)


def stepped(links: int = 30, hops: int = 48) -> Report:
    """The chase in the simulator, over three chains: where it ended, beside where it must."""
    rows, findings = [], []
    for step in STEPS:
        chain = (np.arange(links, dtype=np.uint32) + np.uint32(step)) % np.uint32(links)
        arguments = (chain, hops, np.zeros(1, np.uint32), np.zeros(1, np.uint32))
        run = kernel.simulate(1, 1, arguments)
        findings += run.findings
        visited = {n * step % links for n in range(links)}
        must = 2 * hops * step % links
        rows.append([str(step), str(int(run.outputs["ends"][0])), str(must), f"{len(visited)} of {links}"])
    found = "No finding." if not findings else str(findings[0])
    note = f"One thread, {2 * hops} hops. A step that shares a factor with the chain visits a part of it. {found}"
    return Report(Table(["step", "ended at, simulator", "ended at, model", "elements visited"], rows), note)


def specimens() -> Panel:
    """Measurements of something else than was meant, each with its finding."""
    named = {specimen.name: specimen for specimen in SPECIMENS}
    return Panel(
        "memory_latency.specimens",
        lambda specimen: specimen.picture(),
        height=420,
        specimen=choice("Specimen", named),
    )


def silicon() -> Picture:
    """The treads: quoted for other cards, modelled, measured."""
    model, lines, found = Staircase(), curve("lines"), recording("l2_map").results
    shared = min(cycles for _, cycles in recording("memory_latency").results["shared"])

    def row(label: str, id: str, measured: float, modelled: float | None = None) -> Evidence:
        claim = ledger.claim(id)
        quoted = claim.number if claim.number is not None else (claim.low + claim.high) / 2
        return Evidence(label, quoted=quoted, modelled=modelled, measured=measured, source=id, card=CARD)

    def tread(label: str, id: str, footprint: int) -> Evidence:
        return row(label, id, at(lines, footprint), model.latency(footprint))

    rows = [
        row("shared memory", "lit-061.a", shared),
        tread("L1, 32 KiB", "lit-059.a", 32 * KIB),
        tread("near L2, 4 MiB", "lit-066.a", 4 * MIB),
        tread("past the near L2, 38 MiB", "lit-064.a", 38 * MIB),
        row("near L2, by atomics", "lit-069.a", found["near_cycles"]),
        row("far L2, by atomics", "lit-069.b", found["far_cycles"]),
        tread("memory, 512 MiB", "lit-073.a", 512 * MIB),
    ]
    note = "Quoted for other cards; of a range, its middle. An H200's L2 is larger than an H100's."
    return evidence(rows, title="Treads of the staircase", unit="cycles", note=note)


def carve_outs() -> Report:
    """The last footprint at the L1's latency beside so much shared memory: measured, and by the rule."""
    model = Staircase()
    rows = [[str(kib), f"{l1_kib(kib):g}", f"{model.l1_bytes(kib) / KIB:g}"] for kib in CARVE_OUTS]
    heads = [
        "shared memory asked for, KiB",
        "last KiB at the L1's latency, measured in steps of 8 or 4",
        "256 - max(8, shared) - 7, modelled, KiB",
    ]
    return Report(Table(heads, rows))


def misses() -> Report:
    """How far off the model is on each curve: fitted, seen when its rules were found, held out, or measured later."""
    found, rows, together = recording("memory_latency"), [], []
    for use in LATENCY_USES:
        points = latency_points(found, use)
        together.append(f"{use}: {errors(points)}")
        for name, chased in _curves().items():
            of_curve = [point for point in points if point.curve == name]
            if latency_use(chased) == use and of_curve:
                off = errors(of_curve)
                rows.append([name, use, str(off.points), f"{off.median:.1%}", f"{off.worst:.1%}"])
    later = recording("memory_latency_unseen")
    points = latency_points(later)
    together.append(f"unseen: {errors(points)}")
    for name in later.results["curves"]:
        off = errors([point for point in points if point.curve == name])
        plain = name.removeprefix("unseen: ").replace("every 1 lines", "lines")
        rows.append([plain, "unseen", str(off.points), f"{off.median:.1%}", f"{off.worst:.1%}"])
    heads = ["curve", "used", "points", "median error", "worst error"]
    return Report(Table(heads, rows), f"Curves together, {'; '.join(together)}.")


def peers() -> Report:
    """Public suites beside our recordings, and why they differ."""
    return beside_peers("latency", CARD)


def audit() -> Report:
    """The experiments of this lesson: what was compared with the model, and what differed."""
    return compared([MEMORY_LATENCY, MEMORY_LATENCY_UNSEEN, L2_MAP], card=CARD)


LESSON.panels = {"staircase": staircase, "same_set": same_set, "halves": halves, "specimens": specimens}
