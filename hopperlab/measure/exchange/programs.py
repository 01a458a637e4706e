"""Two programs with clusters and without: a histogram over its bins, an all-reduce over its words.

Where does a cluster gain, and where does it stop gaining?
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from hopperlab.chip import chip
from hopperlab.measure.experiment import Experiment

if TYPE_CHECKING:
    from hopperlab.device.silicon.card import Card
    from hopperlab.ledger import Recording
    from hopperlab.measure.audit import Comparison
    from hopperlab.measure.progress import Progress

VALUES = 2**25
BINS = tuple(2**power for power in range(10, 20))
SIZES = (2, 4, 8, 16)
DRAWS = ("uniform", "skewed")
HISTOGRAM_THREADS, WARM_UP, REPEATS = 1024, 2, 9
BLOCK, GLOBAL = "one block's memory", "global memory"
MOST_SHARED = chip("H100 SXM5").max_shared_bytes_per_block

WORDS = tuple(2**power for power in range(8, 15))
ROUNDS, LAUNCHES = 50, 7
CLUSTER = "cluster"
ALONE_ON_AN_SM = 120 * 1024
"""Dynamic shared memory of an all-reduce's block, so that no two share an SM."""


def run(card: Card, progress: Progress) -> dict[str, list]:
    """Time both programs.

    A histogram's sample is [draw, bins, where the bins are, seconds]; an all-reduce's [where, size, words,
    cycles of a round in the slowest block].
    """
    cases = [[draw, bins] for draw in DRAWS for bins in BINS]
    counted = progress.map("histograms", cases, lambda case: _histograms(card, *case))
    sums = [
        [where, size, words, launch]
        for launch in range(LAUNCHES + 1)
        for size in SIZES
        for words in WORDS
        for where in (CLUSTER, GLOBAL)
    ]
    added = progress.map("all-reduces", sums, lambda case: _all_reduce(*case[:3]))
    return {
        "histograms": [
            [*case, where, times]
            for case, each in zip(cases, counted, strict=True)
            for where, times in each.items()
        ],
        "all_reduces": [[*case[:3], cycles] for case, cycles in zip(sums, added, strict=True) if case[3] > 0],
    }


def drawn(draw: str, bins: int) -> Any:
    """Give `VALUES` values below `bins`: all alike, or squares of such, so that low bins are hot."""
    shares = _uniform() if draw == "uniform" else _uniform() ** 2
    return (bins * shares).astype("uint32")  # a share is below 1 by 2**-24 or more, and bins a power of two


@cache
def _uniform() -> Any:
    import numpy as np

    return np.random.default_rng(0).random(VALUES, dtype=np.float32)


def _histograms(card: Card, draw: str, bins: int) -> dict[str, list[float]]:
    import numpy as np
    from numba import cuda

    from hopperlab.measure.timing import require_work, seconds

    values = drawn(draw, bins)
    right = np.bincount(values, minlength=bins).astype(np.uint32)
    there, zeros = cuda.to_device(values), np.zeros(bins, np.uint32)
    counts = cuda.to_device(zeros)
    launches: dict[str, Callable[[], None]] = {}
    for where, launch in _ways(card, bins).items():
        counts.copy_to_device(zeros)
        launches[where] = lambda launch=launch: launch(there, counts)
        launches[where]()
        require_work(f"histogram in {where}, {bins} bins", counts.copy_to_host(), right)
    times = seconds(*launches.values(), warm_up=WARM_UP, repeats=REPEATS)
    return dict(zip(launches, times, strict=True))


def _ways(card: Card, bins: int) -> dict[str, Callable]:
    """Give a launch for each place that the bins fit in; each fills the card."""
    from hopperlab.device.silicon import occupancy
    from hopperlab.kernels.exchange import programs

    threads = HISTOGRAM_THREADS
    ways = {GLOBAL: programs.histogram_in_global_memory[_blocks(card, bins=0), threads]}
    if 4 * bins <= MOST_SHARED:
        ways[BLOCK] = programs.histogram_in_a_block[_blocks(card, bins), threads, 0, 4 * bins]
    kernel = programs.wide_histogram
    for size in SIZES:
        nbytes = 4 * bins // size
        if nbytes <= MOST_SHARED:
            function = kernel.silicon.allow(kernel.argument_types(), size, nbytes)
            clusters = occupancy.max_active_clusters(function, (size, 1, 1), threads, nbytes)
            ways[f"cluster of {size}"] = kernel[size * clusters, threads, 0, nbytes, size]
    return ways


def _blocks(card: Card, bins: int) -> int:
    """Give the blocks that the card holds at once, with `bins` in each block's memory, or none there."""
    from hopperlab.device.silicon import occupancy
    from hopperlab.kernels.exchange import programs

    kernel = programs.histogram_in_a_block if bins else programs.histogram_in_global_memory
    function = kernel.silicon.allow(kernel.argument_types(), 1, 4 * bins)
    return card.sms * occupancy.max_active_blocks_per_sm(function, HISTOGRAM_THREADS, 4 * bins)


def _all_reduce(where: str, size: int, words: int) -> float:
    import numpy as np
    from numba import cuda

    from hopperlab.device.silicon import occupancy
    from hopperlab.kernels.exchange import programs
    from hopperlab.measure.timing import require_work

    nbytes = max(8 * words, ALONE_ON_AN_SM)
    kernel = programs.all_reduce_in_a_cluster if where == CLUSTER else programs.all_reduce_in_global_memory
    function = kernel.silicon.allow(kernel.argument_types(), size, nbytes)
    clusters = occupancy.max_active_clusters(function, (size, 1, 1), programs.THREADS, nbytes)
    blocks = size * clusters
    vectors = np.random.default_rng(words).integers(0, 2**32, (blocks, words), dtype=np.uint32)
    sums = np.repeat(vectors.reshape(clusters, size, words).sum(axis=1, dtype=np.uint32), size, axis=0)
    there, cycles = cuda.to_device(vectors), cuda.to_device(np.zeros(blocks, np.uint32))
    room = ()
    if where == GLOBAL:
        room = tuple(
            cuda.to_device(np.zeros(shape, np.uint32))
            for shape in ((blocks, words), (clusters, words), 32 * clusters)
        )
    kernel[blocks, programs.THREADS, 0, nbytes, size](there, np.uint32(ROUNDS), cycles, *room)
    require_work(f"all-reduce in {where}, {size} blocks, {words} words", there.copy_to_host(), sums)
    return float(cycles.copy_to_host().max() / ROUNDS)


def results(samples: dict[str, Sequence[Sequence]]) -> dict[str, Any]:
    """Give medians, and for each case the gain: the best without clusters over the best with them."""
    import numpy as np

    seconds = {
        (draw, bins, where): float(np.median(times)) for draw, bins, where, times in samples["histograms"]
    }
    histograms = []
    for draw in DRAWS:
        for bins in BINS:
            found = {where: s for (d, b, where), s in seconds.items() if (d, b) == (draw, bins)}
            without = min(s for where, s in found.items() if where in (BLOCK, GLOBAL))
            clustered = min(s for where, s in found.items() if where not in (BLOCK, GLOBAL))
            rates = {where: round(VALUES / s / 1e9, 2) for where, s in found.items()}
            histograms.append([draw, bins, rates, round(without / clustered, 3)])
    cycles: dict[tuple, list[float]] = {}
    for where, size, words, each in samples["all_reduces"]:
        cycles.setdefault((where, size, words), []).append(each)
    medians = {case: float(np.median(each)) for case, each in cycles.items()}
    reduces = [
        [
            size,
            words,
            round(medians[CLUSTER, size, words], 1),
            round(medians[GLOBAL, size, words], 1),
            round(medians[GLOBAL, size, words] / medians[CLUSTER, size, words], 3),
        ]
        for size in SIZES
        for words in WORDS
    ]
    return {
        "histogram_columns": ["draw", "bins", "billion_values_per_second", "gain"],
        "histograms": histograms,
        "all_reduce_columns": ["size", "words", "cluster_cycles", "global_cycles", "gain"],
        "all_reduces": reduces,
    }


def compare(recordings: Sequence[Recording]) -> Comparison:
    """Set every gain by itself; the talk's 2 to 3 times is of kernels that it does not name."""
    from hopperlab.measure.audit import Comparison, Row

    rows = []
    for recording in recordings:
        found = recording.results
        gains = [
            (f"histogram, {draw} values, {bins} bins: best with clusters over best without", gain)
            for draw, bins, _, gain in found["histograms"]
        ]
        gains += [
            (f"all-reduce of {words} words, {size} blocks: a cluster over global memory", gain)
            for size, words, _, _, gain in found["all_reduces"]
        ]
        rows += [
            Row("exchange", subject, measured=gain, unit="x", card=recording.card_name)
            for subject, gain in gains
        ]
    cards = ", ".join(sorted({r.card_name for r in recordings}))
    return Comparison("exchange_programs", cards, len(rows), 0, tuple(rows), ())


EXCHANGE_PROGRAMS = Experiment(
    name="exchange_programs",
    theme="exchange",
    question="What do a histogram and an all-reduce gain in a cluster, over bins and words?",
    statistic="medians of interleaved launches; of an all-reduce the slowest block's cycles a round",
    parameters={
        "values": VALUES,
        "bins": list(BINS),
        "draws": list(DRAWS),
        "sizes": list(SIZES),
        "words": list(WORDS),
        "rounds": ROUNDS,
        "threads": HISTOGRAM_THREADS,
        "repeats": REPEATS,
        "launches": LAUNCHES,
    },
    claims=("talk-042", "lit-109.a", "lit-109.c", "lit-111.b", "lit-112.a", "lit-112.b"),
    run=run,
    results=results,
    compare=compare,
    seconds=40,
    memory_bytes=2 * 4 * VALUES,
)
