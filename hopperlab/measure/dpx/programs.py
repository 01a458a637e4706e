"""What DPX does for whole programs: alignments and shortest paths, with it, and with nothing fused."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from hopperlab.measure.experiment import Experiment
from hopperlab.measure.patterns import random_words
from hopperlab.measure.timing import require_work, seconds, spread
from hopperlab.models.dpx import Scoring, floyd_warshall, no_edge, smith_waterman

if TYPE_CHECKING:
    import numpy as np

    from hopperlab.device.silicon.card import Card
    from hopperlab.ledger import Recording
    from hopperlab.measure.audit import Comparison
    from hopperlab.measure.progress import Progress

SEED = 148
REPEATS = 20
QUERY, ROWS = 512, 512  # letters of the query and of a target
TARGETS_PER_SM = 96
CHECKED_TARGETS = 16
SCORING = Scoring()
NODES, CHECKED_NODES = 8192, 256
LONGEST_EDGE = 1000
ALIGNMENT, PATHS = "Smith-Waterman", "Floyd-Warshall"


def run(card: Card, progress: Progress) -> dict[str, Any]:
    """Time both programs in every arithmetic, interleaved; all have given the model's results before."""
    from hopperlab.kernels.dpx.paths import TILE

    return {
        "targets": TARGETS_PER_SM * card.sms,
        "relaxations": (NODES - TILE) ** 2 * TILE,
        "seconds": dict(
            zip(
                (ALIGNMENT, PATHS),
                progress.map("programs", [ALIGNMENT, PATHS], lambda program: _time(card, program)),
                strict=True,
            )
        ),
    }


def _time(card: Card, program: str) -> dict[str, list[float]]:
    from hopperlab.kernels.dpx.arithmetic import ARITHMETICS

    prepare = _alignment if program == ALIGNMENT else _paths
    launches = [prepare(card, arithmetic) for arithmetic in ARITHMETICS]
    times = seconds(*launches, repeats=REPEATS)
    return {arithmetic.name: taken for arithmetic, taken in zip(ARITHMETICS, times, strict=True)}


def letters(card_sms: int) -> tuple[np.ndarray, np.ndarray]:
    """Give the query and the targets: random letters, with parts of the query in every fourth target."""
    import numpy as np

    count = TARGETS_PER_SM * card_sms
    query = (random_words([SEED, 0], QUERY) & 3).astype(np.uint8)
    targets = (random_words([SEED, 1], count * ROWS) & 3).astype(np.uint8).reshape(count, ROWS)
    targets[::4, 100:300] = query[150:350]
    return query, targets


@cache
def _expected_scores(card_sms: int) -> np.ndarray:
    """Give the scores of the first targets, by the model."""
    query, targets = letters(card_sms)
    return smith_waterman(query, targets[:CHECKED_TARGETS], SCORING)


def _alignment(card: Card, arithmetic: Any) -> Callable[[], None]:
    import numpy as np
    from numba import cuda

    from hopperlab.kernels.dpx import alignment

    query, targets = letters(card.sms)
    costs = (SCORING.match, SCORING.mismatch, SCORING.gap_open, SCORING.gap_extend)
    scores = cuda.to_device(np.zeros(len(targets), np.int32))
    arguments = (cuda.to_device(query), cuda.to_device(targets), scores, *map(np.int32, costs))
    blocks = len(targets) // (alignment.WARPS * arithmetic.numbers)
    launch = alignment.smith_waterman(arithmetic)[blocks, 32 * alignment.WARPS]
    launch(*arguments)
    got = scores.copy_to_host()[:CHECKED_TARGETS]
    require_work(f"{ALIGNMENT}, {arithmetic}", got, _expected_scores(card.sms))
    return lambda: launch(*arguments)


def edges(nodes: int, numbers: int) -> np.ndarray:
    """Give the lengths of edges between nodes: one pair in four has one. int32, or uint16 for two in a word."""
    import numpy as np

    words = random_words([SEED, 2], nodes * nodes).reshape(nodes, nodes)
    dtype = np.dtype(np.int32 if numbers == 1 else np.uint16)
    lengths = np.where(words & 3, no_edge(dtype), words % LONGEST_EDGE + 1).astype(dtype)
    np.fill_diagonal(lengths, 0)
    return lengths


def _paths(card: Card, arithmetic: Any) -> Callable[[], None]:
    import numpy as np
    from numba import cuda

    from hopperlab.kernels.dpx import paths

    few = edges(CHECKED_NODES, arithmetic.numbers)
    distances = cuda.to_device(few.view(np.int32))
    paths.floyd_warshall(arithmetic, distances)
    require_work(f"{PATHS}, {arithmetic}", distances.copy_to_host().view(few.dtype), floyd_warshall(few))
    many = cuda.to_device(edges(NODES, arithmetic.numbers).view(np.int32))
    tiles = NODES // paths.TILE
    launch = paths.relax_others(arithmetic)[(tiles, tiles), paths.threads(arithmetic)]
    return lambda: launch(many, np.int32(0))


def results(samples: dict[str, Any]) -> dict[str, Any]:
    """Give the cells that each program fills in a second in each arithmetic, and how many times faster DPX makes it."""
    cells = {ALIGNMENT: samples["targets"] * QUERY * ROWS, PATHS: samples["relaxations"]}
    rows, medians = [], {}
    for program, by_arithmetic in samples["seconds"].items():
        for name, taken in by_arithmetic.items():
            found = spread(taken)
            medians[program, name] = found.median
            rate = cells[program] / found.median
            rows.append([program, name, found.median, found.low, found.high, round(rate / 1e9, 1)])
    pairs = {"32 bits": ("named s32", "apart s32"), "pairs of 16 bits": ("named 16x2", "apart 16x2")}
    return {
        "columns": ["program", "arithmetic", "median_s", "low_s", "high_s", "giga_cells_per_s"],
        "programs": rows,
        "times_faster_with_dpx": {
            program: {
                what: round(medians[program, apart] / medians[program, named], 2)
                for what, (named, apart) in pairs.items()
            }
            for program in samples["seconds"]
        },
    }


def compare(recordings: Sequence[Recording]) -> Comparison:
    """Set the gain beside the 7 times that are claimed of the H100 over the A100, which is something else."""
    from hopperlab.measure.audit import Comparison

    cards = ", ".join(sorted({r.card_name for r in recordings}))
    notes = tuple(
        f"{program}, {what}: {gain} times as fast with DPX as with nothing fused, on the same card."
        for recording in recordings
        for program, gains in recording.results["times_faster_with_dpx"].items()
        for what, gain in gains.items()
    )
    return Comparison("dpx_programs", cards, 0, 0, (), notes)


DPX_PROGRAMS = Experiment(
    name="dpx_programs",
    theme="dpx",
    question="How much faster are an alignment and shortest paths with DPX than with nothing fused?",
    statistic="median, 10 % and 90 % points of launches, the arithmetics interleaved",
    parameters={
        "query_letters": QUERY,
        "target_letters": ROWS,
        "targets_per_sm": TARGETS_PER_SM,
        "nodes": NODES,
        "what_is_timed_of_floyd_warshall": "one stage of all tiles outside the pivot's row and column",
        "repeats": REPEATS,
        "seed": SEED,
    },
    claims=("lit-148",),
    run=run,
    results=results,
    compare=compare,
    seconds=40,
    memory_bytes=2 * 2**30,
)
