"""Lesson 20, bandwidth: its panels and figures.

from hopperlab.lessons import memory_bandwidth as lesson
"""

from statistics import median

import numpy as np

from hopperlab import ledger
from hopperlab.chip import chip
from hopperlab.course.memory.bandwidth import LESSON
from hopperlab.course.memory.bandwidth.reader import LOADS_ASKED, reader
from hopperlab.course.memory.bandwidth.recorded import CARD, DEEP, SHOWN, THREADS, bandwidth, most, shape
from hopperlab.course.memory.bandwidth.specimens import SPECIMENS
from hopperlab.course.report import Report, Table
from hopperlab.lessons.comparison import compared
from hopperlab.lessons.controls import choice
from hopperlab.lessons.panel import Panel
from hopperlab.lessons.peers import beside_peers
from hopperlab.measure.memory import BANDWIDTH
from hopperlab.measure.memory.bandwidth import (
    BLOCKS,
    EVERYTHING,
    FEW_LINES,
    OWN_SHARE,
    SHAPES,
    THROUGH_L1,
    at,
    best,
)
from hopperlab.measure.memory.errors import BANDWIDTH_FITTED, bandwidth_points, errors
from hopperlab.models.memory import Streams
from hopperlab.views.evidence import Evidence, evidence
from hopperlab.views.memory.bandwidth import FULL, Kernel, Rate, by_footprint, by_what_is_in_flight
from hopperlab.views.memory.share_of_the_chip import Card, by_share_of_the_chip
from hopperlab.views.picture import Picture

predict, commit, reveal = LESSON.predict, LESSON.commit, LESSON.reveal
panel, quiz, summary = LESSON.panel, LESSON.quiz, LESSON.summary
exercise, check, hint, solution = LESSON.exercise, LESSON.check, LESSON.hint, LESSON.solution

MB = 10**6
PATTERNS = {
    "all blocks read the same": EVERYTHING,
    "each block reads its own share": OWN_SHARE,
    "own share, through the L1": THROUGH_L1,
    "few lines, one load of 4 bytes": FEW_LINES,
    "all blocks write": "write",
    "all blocks copy": "copy",
}
# Footprints as the claims give them; the article's are of its near half and of all 50 MiB.
PUBLISHED = {
    "article-025": 16 * 2**20,
    "lit-079.a": 8 * MB,
    "lit-079.b": 40 * MB,
    "lit-078.a": 10 * MB,
    "lit-078.b": 37 * MB,
    "article-027.a": 50 * 2**20,
    "lit-084.a": 2**30,
}
H100_CLOCK_HZ = chip("H100 PCIe").boost_clock_hz


def _gb_per_s(id: str) -> float:
    claim = ledger.claim(id)
    return claim.number * (1000 if claim.unit == "TB/s" else 1)


def _footprint(how: str) -> Picture:
    pattern, found = PATTERNS[how], bandwidth()
    writes = pattern in ("write", "copy")
    rows = found.results["writes" if writes else "footprints"]
    published = [Rate(id, at, _gb_per_s(id), ledger.claim(id).device) for id, at in PUBLISHED.items()]
    return by_footprint(
        sorted((size, rate) for which, size, rate, _ in rows if which == pattern),
        published if pattern == EVERYTHING else (),
        how=how[0].upper() + how[1:],
        l2_bytes=found.card.l2_bytes,
        card=CARD,
        modelled=pattern in (EVERYTHING, OWN_SHARE),
    )


def footprint() -> Panel:
    """Bandwidth by footprint, of reads, writes and copies: modelled, measured, published."""
    return Panel(
        "memory_bandwidth.footprint", _footprint, height=500, how=choice("What is done", list(PATTERNS))
    )


def _loaded_l2() -> Rate:
    """A published rate with its latency under load: their product is what was in flight."""
    rate, latency = ledger.claim("lit-076"), ledger.claim("lit-077")
    in_flight = rate.number * 1e9 * latency.number / H100_CLOCK_HZ
    return Rate("lit-076 times lit-077", in_flight, rate.number, rate.device)


def _in_flight(level: str, kernel: tuple[int, int], blocks: int, axis: str) -> Picture:
    return by_what_is_in_flight(
        {Kernel(*each): shape(level, *each) for each in SHAPES},
        [_loaded_l2()] if level == "L2" else (),
        level=level,
        chosen=Kernel(*kernel),
        blocks=blocks,
        axis=axis,
        card=CARD,
    )


def in_flight() -> Panel:
    """Bandwidth by blocks, by width and by loads in flight; and all of these as bytes in flight."""
    kernels = {Kernel(*each).words(): each for each in SHAPES}
    return Panel(
        "memory_bandwidth.in_flight",
        _in_flight,
        height=520,
        level=choice("Bytes from", {"device memory": "HBM", "the L2 cache": "L2"}),
        kernel=choice("In flight of a thread", kernels, SHOWN),
        blocks=choice("Blocks of 512 threads", list(BLOCKS), 132),
        axis=choice("Axis", ["blocks", "bytes in flight"]),
    )


def half_the_gpu(sm_kib: float = 11) -> Picture:
    """Two cards whose SMs keep so many KiB in flight, by how many of them are busy: modelled by Little's law.

    A latency is the mean of near and far misses in cycles, over the card's clock.

    Raises
    ------
    ValueError
        If ``sm_kib`` is not above 0.
    """
    if not sm_kib > 0:
        raise ValueError(f"sm_kib is {sm_kib!r}; it must be above 0 KiB")
    cards = []
    for name, peak, near in (
        ("H100 PCIe", "lit-055.b", "lit-067"),
        ("A100 SXM4 40GB", "lit-055.c", "lit-068"),
    ):
        cycles = (ledger.claim(f"{near}.c").number + ledger.claim(f"{near}.d").number) / 2
        latency = cycles / chip(name).boost_clock_hz * 1e9
        source = f"{peak}, {near}.c and d"
        cards.append(Card(name, chip(name).sms, latency, _gb_per_s(peak), source))
    return by_share_of_the_chip(cards, 1024 * sm_kib)


def kinds() -> Report:
    """Whole gigabytes read, written and copied: ours beside torch's, all bytes that pass counted."""
    rows = []
    for how in ("read", "write", "copy"):
        ours, torch = best(bandwidth(), how), best(bandwidth(), how, of_torch=True)
        rows.append([how, f"{ours:.0f}", f"{torch:.0f}", f"{ours / torch:.3f}"])
    heads = ["from and to device memory", "ours, GB/s, measured", "torch's fastest, GB/s, measured", "ratio"]
    return Report(
        Table(heads, rows), "In turns, in one run. A copy's bytes are those read and those written."
    )


def collapse() -> Report:
    """What is left of the L2 cache's rate when all of it is used: by card."""
    near, whole = at(bandwidth(), EVERYTHING, 8 * MB), at(bandwidth(), EVERYTHING, 40 * MB)
    rows = [[f"{CARD}, 8 and 40 MB", f"{near:.0f}", f"{whole:.0f}", f"{whole / near:.2f}", "measured"]]
    for label, first, second, source in (
        ("H200 SXM, 8 and 40 MB", "lit-079.a", "lit-079.b", "quoted, lit-079"),
        ("H100 PCIe, 10 and 37 MB", "lit-078.a", "lit-078.b", "quoted, lit-078"),
        ("H100 PCIe, the article's", "article-025", "article-027.a", "quoted, article-025, article-027.a"),
    ):
        ratio = _gb_per_s(second) / _gb_per_s(first)
        rows.append([label, f"{_gb_per_s(first):.0f}", f"{_gb_per_s(second):.0f}", f"{ratio:.2f}", source])
    small, left = ledger.claim("lit-080").number, ledger.claim("derived-015.b").number
    large = f"about {round(small * left, -1):.0f}"
    source = "quoted, lit-080, derived-015.b"
    rows.append(["A100 80 GB, 2 to 25 and 40 MB", f"{small:.0f}", large, f"{left:.2f}", source])
    return Report(Table(["card, footprints", "GB/s, small", "GB/s, large", "left", "evidence"], rows))


def half_the_chip() -> Report:
    """What 66 of 132 SMs reach, of the same kernel on all of them, and of the most that any kernel reached."""
    rows = []
    for level in ("HBM", "L2"):
        for each in (SHOWN, DEEP):
            kernel, part, whole = Kernel(*each), shape(level, *each)[66], shape(level, *each)[132]
            modelled = Streams().bandwidth(level, *each, 66) / 1e9
            told = [kernel.words(), f"{kernel.nbytes(66) / MB:.1f}", f"{modelled:.0f}", f"{part:.0f}"]
            rows.append([level, *told, f"{part / whole:.0%}", f"{part / most(level):.0%}"])
    heads = ["from", "in flight of a thread", "MB in flight", "GB/s, modelled", "GB/s, measured"]
    return Report(Table([*heads, "of the same on 132 SMs", "of the most"], rows))


def stepped(blocks: int = 2, threads: int = 64, rounds: int = 3) -> Report:
    """The reader in the simulator: its sum beside numpy's, for one, two and four loads in flight."""
    rows, findings = [], []
    for loads in (1, LOADS_ASKED, 4):
        words = (np.arange(blocks * threads * rounds * loads, dtype=np.uint32) + np.uint32(5)) * np.uint32(
            40503
        )
        run = reader(loads).simulate(blocks, threads, (words, rounds, np.zeros(blocks * threads, np.uint32)))
        findings += run.findings
        read, must = (int(each.sum(dtype=np.uint32)) for each in (run.outputs["sums"], words))
        rows.append([str(loads), str(4 * loads * blocks * threads), str(read), str(must)])
    found = "No finding." if not findings else str(findings[0])
    heads = ["loads of a thread", "bytes in flight", "sum, simulator", "sum, numpy"]
    return Report(Table(heads, rows), f"{blocks} blocks of {threads} threads, {rounds} rounds. {found}")


def specimens() -> Panel:
    """Bandwidths of something else than was meant, each with its finding."""
    named = {specimen.name: specimen for specimen in SPECIMENS}
    return Panel(
        "memory_bandwidth.specimens",
        lambda specimen: specimen.picture(),
        height=420,
        specimen=choice("Specimen", named),
    )


def silicon() -> Picture:
    """Rates of the L2 cache and of device memory: quoted, modelled, measured."""
    found, model = bandwidth(), Streams()

    def row(label: str, id: str, measured: float, level: str = "", blocks: int = FULL[2]) -> Evidence:
        modelled = model.bandwidth(level, *FULL[:2], blocks) / 1e12 if level else None
        return Evidence(
            label,
            quoted=_gb_per_s(id) / 1000,
            modelled=modelled,
            measured=measured / 1000,
            source=id,
            card=CARD,
        )

    rows = [
        row("L2 read, 8 MB", "lit-079.a", at(found, EVERYTHING, 8 * MB), "L2"),
        row("L2 read, 40 MB", "lit-079.b", at(found, EVERYTHING, 40 * MB), "L2"),
        row("memory read, loads, 1 GiB", "lit-084.a", at(found, EVERYTHING, 2**30), "HBM"),
        row("memory read, by the TMA", "lit-084.c", found.results["streams"]["read"]["copy engine"]),
        row("memory write", "lit-085", best(found, "write")),
        row("memory read, the pins' rate", "recalled-001.b", best(found, "read")),
    ]
    note = "Quoted: L2 for an H200 SXM, memory for an H200 NVL and a GH200; the last row is a sheet's peak."
    return evidence(rows, title="Rates of the L2 cache and of device memory", unit="TB/s", note=note)


def misses() -> Report:
    """Where the model misses: its errors on each curve, fitted and held out."""
    tested = bandwidth_points(bandwidth())
    points = [*tested, *bandwidth_points(bandwidth(), fitted=True)]
    rows = []
    for level in ("L2", "HBM"):
        for width, loads in SHAPES:
            off = [abs(p.error) for p in points if p.curve == f"{level}, {loads} loads of {width} bytes"]
            use = "fitted" if (width, loads) in BANDWIDTH_FITTED else "tested"
            words = Kernel(width, loads, THREADS).words()
            rows.append([level, words, use, str(len(off)), f"{median(off):.1%}", f"{max(off):.1%}"])
    heads = ["from", "in flight of a thread", "used", "points", "median error", "worst error"]
    return Report(Table(heads, rows), f"Curves held out, together: {errors(tested)}.")


def peers() -> Report:
    """Public suites beside our recordings, and why they differ."""
    return beside_peers("bandwidth", CARD)


def audit() -> Report:
    """The experiment of this lesson: what was compared with the model, and what differed."""
    return compared([BANDWIDTH], card=CARD)


LESSON.panels = {"in_flight": in_flight, "footprint": footprint, "specimens": specimens}
