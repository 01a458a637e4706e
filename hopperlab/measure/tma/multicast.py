"""What it gains that one load reaches several blocks: tiles from the L2, each block by itself, or one for all."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from hopperlab.measure.experiment import Experiment
from hopperlab.measure.tma.reading import TILE, Reading, Source, by_engine, by_multicast

if TYPE_CHECKING:
    from hopperlab.device.silicon.card import Card
    from hopperlab.ledger import Recording
    from hopperlab.measure.audit import Comparison
    from hopperlab.measure.progress import Progress

SIZES = (2, 4, 8)
BLOCKS = (16, 8)  # grid: 128 blocks, each on an SM of its own
STAGES = 8
EACH = 256  # tiles that a block reads
TILES_DOWN = 8  # of those, different ones; then it begins anew, in the L2
WAYS = ("separate", "one asks for all", "each asks for a part")
LAUNCHES = 9


def cases() -> list[list]:
    """Give [way, cluster size]: blocks that share nothing are clusters of 1."""
    return [["separate", 1], *([way, size] for size in SIZES for way in WAYS)]


def reading(source: Source, way: str, size: int, each: int = EACH) -> Reading:
    """Give the launch of a case."""
    rows = BLOCKS[1] * 64 * TILES_DOWN
    if way == "separate":
        return by_engine(source, BLOCKS, (64, 64), each, STAGES, share=size, rows=rows)
    requesters = 1 if way == "one asks for all" else size
    return by_multicast(source, BLOCKS, size, each, STAGES, requesters, rows)


def run(card: Card, progress: Progress) -> list[list]:
    """Read by every way and size, in turn; a sample is [way, size, cycles a tile of each block, launch by launch]."""
    source = Source(16 * 2**20)
    readings = [reading(source, *case) for case in cases()]
    taken: list[list] = [[] for _ in readings]
    for launch in range(1 + LAUNCHES):
        for each, cycles in zip(readings, taken, strict=True):
            each.launch()
            found = each.cycles_per_box()
            if launch:
                cycles.append(found)
    return progress.map(
        "multicast", [[*case, n] for n, case in enumerate(cases())], lambda c: [*c[:2], taken[c[2]]]
    )


def results(samples: Sequence[Sequence]) -> dict[str, Any]:
    """Give, for each way and size, the bytes a clock that an SM receives: median over launches of blocks' means."""
    import numpy as np

    rates = []
    for way, size, launches in samples:
        rate = float(np.median([TILE / np.mean(cycles) for cycles in launches]))
        rates.append([way, size, round(rate, 2)])
    return {"columns": ["way", "cluster_size", "bytes_per_clock_and_sm"], "rates": rates}


PUBLISHED = {("separate", 1): "lit-130.a", ("each asks for a part", 4): "lit-130.b"}
SAME_SM = "bytes a clock and SM: the H200 has the H100's processor"


def compare(recordings: Sequence[Recording]) -> Comparison:
    """Set the published rates beside those of the same kind."""
    from hopperlab.measure.audit import Comparison, Row

    rows, notes = [], []
    for recording in recordings:
        rates = {(way, size): rate for way, size, rate in recording.results["rates"]}
        for (way, size), rate in rates.items():
            claim = PUBLISHED.get((way, size))
            subject = f"tiles from the L2, {way}, clusters of {size}" if size > 1 else "tiles from the L2"
            legs = {"claim": claim, "scaling": SAME_SM} if claim else {"unit": "B/clk/SM"}
            rows.append(Row("tma", subject, measured=rate, card=recording.card_name, **legs))
        four, eight = (max(rates[way, size] for way in WAYS[1:]) for size in (4, 8))
        notes.append(
            f"{recording.card_name}: multicast to 8 gives {eight / four:.2f} times the rate of 4 (lit-130.c)"
        )
    cards = ", ".join(sorted({r.card_name for r in recordings}))
    return Comparison("tma_multicast", cards, 0, 0, tuple(rows), tuple(notes))  # no model gives these rates


TMA_MULTICAST = Experiment(
    name="tma_multicast",
    theme="tma",
    question="What does a cluster gain when one load from the L2 reaches all of its blocks?",
    statistic="mean over the blocks of a launch, median over launches",
    parameters={
        "sizes": list(SIZES),
        "grid": list(BLOCKS),
        "stages": STAGES,
        "tile_bytes": TILE,
        "tiles_a_block": EACH,
        "launches": LAUNCHES,
    },
    claims=("lit-130.a", "lit-130.b", "lit-130.c"),
    run=run,
    results=results,
    compare=compare,
    seconds=10,
)
