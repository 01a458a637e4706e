"""What it costs to hand a word over by compare-and-swap: in shared memory, in a cluster, across the chip.

Two players wait for the word to reach their number and raise it by one, in turns. While one waits it tries on
and on, so the word is contended by design, as in the article's test. Beside it stands one thread that raises a
word alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import median
from typing import TYPE_CHECKING, Any

from hopperlab.measure.experiment import Experiment

if TYPE_CHECKING:
    from hopperlab.device.silicon.card import Card
    from hopperlab.ledger import Recording
    from hopperlab.measure.audit import Comparison, Row
    from hopperlab.measure.progress import Progress

KIB = 1024
ALONE_ON_AN_SM = 120 * KIB
ROUNDS = 64
REPEATS = 9
HOPS_ALONE = 1000
PLACES = ("shared", "cluster", "global")
OWNERS = {"the first player": 0, "the second player": 1, "a third block": 2}
CLUSTER = 4
BLOCKS = {"two threads of a warp": 2, "two warps": 64}
"""Threads of a block whose first and last play."""


def run(card: Card, progress: Progress) -> dict[str, Any]:
    """Measure a thread alone, hand-offs in a block and in a cluster, and between all pairs of SMs."""
    from hopperlab.measure.memory.clock import measured_megahertz

    word = _Word()
    return {
        "clock_mhz": progress.map("clock", [0, 1, 2], lambda _: measured_megahertz()),
        "alone": progress.map("alone", list(PLACES), lambda place: [place, HOPS_ALONE, _alone(place)]),
        "in_a_block": progress.map(
            "in a block", list(BLOCKS), lambda who: [who, ROUNDS, _in_a_block(BLOCKS[who])]
        ),
        "in_a_cluster": progress.map(
            "in a cluster", list(OWNERS), lambda owner: [owner, ROUNDS, *_in_a_cluster(OWNERS[owner])]
        ),
        "pairs": progress.map(
            "pairs of SMs", list(range(card.sms - 1)), lambda first: _pairs(card, word, first)
        ),
        "rounds_of_a_pair": ROUNDS,
    }


def _repeated(launch: Any, expected: int) -> list[int]:
    """Launch some times over; give the cycles, having seen that the word ended where it must."""
    import numpy as np
    from numba import cuda

    from hopperlab.measure.timing import require_work

    found = []
    for _ in range(REPEATS + 1):
        cycles, ends = (cuda.to_device(np.zeros(1, np.uint32)) for _ in range(2))
        launch(cycles, ends)
        require_work("compare-and-swap", ends.copy_to_host(), np.array([expected], np.uint32))
        found.append(int(cycles.copy_to_host()[0]))
    return found[1:]


def _alone(place: str) -> list[int]:
    import numpy as np
    from numba import cuda

    from hopperlab.kernels import atomics

    hops = np.int32(HOPS_ALONE)

    def in_global(cycles: Any, ends: Any) -> None:
        words = cuda.to_device(np.zeros(32, np.uint32))
        atomics.alone_in_global[1, 1](hops, words, np.int32(0), cycles, ends)

    launches = {
        "shared": lambda *out: atomics.alone_in_shared[1, 1](hops, *out),
        "cluster": lambda *out: atomics.alone_in_cluster[2, 32, 0, ALONE_ON_AN_SM, 2](hops, *out),
        "global": in_global,
    }
    return _repeated(launches[place], 2 * HOPS_ALONE)


def _in_a_block(threads: int) -> list[int]:
    import numpy as np

    from hopperlab.kernels import atomics

    return _repeated(lambda *out: atomics.hand_off_in_shared[1, threads](np.int32(ROUNDS), *out), _end())


def _in_a_cluster(owner: int) -> tuple[list[int], list[int]]:
    """Give the cycles, and the SMs of the last launch's cluster."""
    import numpy as np
    from numba import cuda

    from hopperlab.kernels import atomics

    sms = cuda.to_device(np.zeros(CLUSTER, np.uint32))

    def launch(cycles: Any, ends: Any) -> None:
        atomics.hand_off_in_cluster[CLUSTER, 32, 0, ALONE_ON_AN_SM, CLUSTER](
            np.uint32(owner), np.int32(ROUNDS), cycles, ends, sms
        )

    return _repeated(launch, _end()), sms.copy_to_host().tolist()


def _end() -> int:
    from hopperlab.kernels.atomics import WARM_UP

    return 2 * (WARM_UP + ROUNDS)


class _Word:
    """The word of global memory that all pairs of SMs play with, and how far it has come."""

    def __init__(self) -> None:
        self.words: Any = None
        self.value = 0


def _pairs(card: Card, word: _Word, first: int) -> list[int]:
    """Let one SM play with every later one; give the cycles of all rounds with each."""
    import numpy as np
    from numba import cuda

    from hopperlab.kernels import atomics
    from hopperlab.measure.timing import require_work

    if word.words is None:
        word.words = cuda.to_device(np.zeros(32, np.uint32))
    found = cuda.to_device(np.zeros(card.sms, np.uint32))
    for second in range(first + 1, card.sms):
        atomics.hand_off_in_global[card.sms, 32, 0, ALONE_ON_AN_SM](
            *(np.uint32(first), np.uint32(second), np.int32(ROUNDS), word.words, np.int32(0)),
            *(np.uint32(word.value), found[second:]),
        )
        word.value += _end()
    require_work("hand-off", word.words.copy_to_host()[:1], np.array([word.value], np.uint32))
    return found.copy_to_host()[first + 1 :].tolist()


def results(samples: dict[str, Any]) -> dict[str, Any]:
    """Give cycles and nanoseconds of one hand-off, one way, and of one compare-and-swap alone."""
    import numpy as np

    mhz = median(samples["clock_mhz"])
    of_pairs = np.concatenate(samples["pairs"]) / (2 * samples["rounds_of_a_pair"])
    low, middle, high = np.percentile(of_pairs, [10, 50, 90])
    hand_offs = {
        **{f"shared, {who}": median(taken) / (2 * rounds) for who, rounds, taken in samples["in_a_block"]},
        **{
            f"cluster, the word with {owner}": median(taken) / (2 * rounds)
            for owner, rounds, taken, _ in samples["in_a_cluster"]
        },
        "global": float(middle),
    }
    return {
        "clock_mhz": mhz,
        "alone_cycles": {place: round(median(taken) / hops, 1) for place, hops, taken in samples["alone"]},
        "hand_off_cycles": {place: round(cycles, 1) for place, cycles in hand_offs.items()},
        "hand_off_ns": {place: round(1000 * cycles / mhz, 1) for place, cycles in hand_offs.items()},
        "pairs": {
            "count": of_pairs.size,
            "low": round(float(low), 1),
            "median": round(float(middle), 1),
            "high": round(float(high), 1),
            "least": round(float(of_pairs.min()), 1),
            "most": round(float(of_pairs.max()), 1),
        },
    }


def pair_matrix(samples: dict[str, Any]) -> Any:
    """Give the cycles of a hand-off between every two SMs, one way, symmetric; NaN on the diagonal."""
    import numpy as np

    sms = len(samples["pairs"]) + 1
    matrix = np.full((sms, sms), np.nan)
    for first, cycles in enumerate(samples["pairs"]):
        matrix[first, first + 1 :] = matrix[first + 1 :, first] = cycles
    return matrix / (2 * samples["rounds_of_a_pair"])


def by_sides(matrix: Any, sides: Sequence[Sequence[int]]) -> dict[tuple[int, int], float]:
    """Give the median cycles of a hand-off by the sides of the chip that the two SMs are on.

    Parameters
    ----------
    matrix
        As `pair_matrix` gives it.
    sides
        The SMs of either side, as the results of `l2_map` of the same card tell them.
    """
    import numpy as np

    return {
        (one, other): round(float(np.nanmedian(matrix[np.ix_(sides[one], sides[other])])), 1)
        for one in (0, 1)
        for other in (one, 1)
    }


def compare(recordings: Sequence[Recording]) -> Comparison:
    """Set hand-offs beside the article's, which are of another card, in nanoseconds; and beside the model's."""
    from hopperlab.measure.atomics.against_model import hand_offs
    from hopperlab.measure.audit import Comparison

    rows = [row for recording in recordings for row in (*_rows(recording), *hand_offs(recording))]
    cards = ", ".join(sorted({r.card_name for r in recordings}))
    judged = [row for row in rows if row.tolerance is not None]
    return Comparison("hand_off", cards, len(judged), sum(row.missed for row in judged), tuple(rows), ())


def _rows(recording: Recording) -> Iterator[Row]:
    from hopperlab.measure.audit import Row

    found = recording.results["hand_off_ns"]
    for place, claim in (
        ("shared, two threads of a warp", "article-021.a"),
        ("shared, two warps", "article-021.a"),
        ("global", "article-022.a"),
    ):
        yield Row(
            "atomics",
            f"compare-and-swap hand-off, {place}, one way",
            claim,
            measured=found[place],
            card=recording.card_name,
            remark=f"at {recording.results['clock_mhz']:.0f} MHz",
        )
    for place, nanoseconds in found.items():
        if place.startswith("cluster"):
            yield Row(
                "atomics",
                f"compare-and-swap hand-off in a {place}",
                measured=nanoseconds,
                unit="ns",
                card=recording.card_name,
            )


HAND_OFF = Experiment(
    name="hand_off",
    theme="atomics",
    question="What does it cost two threads to hand one word to and fro, and one thread to raise it alone?",
    statistic="medians over repeats; cycles of all rounds over twice their number; all pairs of SMs once",
    parameters={"rounds": ROUNDS, "repeats": REPEATS, "hops_alone": HOPS_ALONE, "cluster": CLUSTER},
    claims=("article-021.a", "article-022.a"),
    run=run,
    results=results,
    compare=compare,
    seconds=4,
    wants_gpc_map=True,
)
