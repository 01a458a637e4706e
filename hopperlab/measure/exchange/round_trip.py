"""What a message between two blocks costs: by a one-sided write, and through global memory with a flag."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from hopperlab.measure.experiment import Experiment

if TYPE_CHECKING:
    from hopperlab.device.silicon.card import Card
    from hopperlab.ledger import Recording
    from hopperlab.measure.audit import Comparison
    from hopperlab.measure.progress import Progress

ROUNDS, REPEATS = 1000, 15
ONE_SIDED, BY_FLAG = "st.async", "flag in global memory"


def run(card: Card, progress: Progress) -> list[list]:
    """Send a word to and fro in both ways, in turn; a sample is [way, cycles of a round trip]."""
    cases = [[way, repeat] for repeat in range(REPEATS + 1) for way in (ONE_SIDED, BY_FLAG)]
    cycles = progress.map("messages", cases, lambda case: _round_trip(case[0]))
    return [[way, each] for (way, repeat), each in zip(cases, cycles, strict=True) if repeat > 0]


def _round_trip(way: str) -> float:
    import numpy as np
    from numba import cuda

    from hopperlab.kernels.exchange import ping_pong_by_flag, ping_pong_by_st_async
    from hopperlab.measure.timing import require_work

    def zeros(size: int) -> Any:
        return cuda.to_device(np.zeros(size, np.uint32))

    cycles, received, rounds = zeros(2), zeros(2), np.uint32(ROUNDS)
    if way == ONE_SIDED:
        ping_pong_by_st_async[2, 32, 0, 0, 2](rounds, cycles, received)
    else:
        ping_pong_by_flag[2, 32, 0, 0, 2](rounds, zeros(64), zeros(64), cycles, received)
    require_work(way, received.copy_to_host(), np.full(2, ROUNDS * (ROUNDS - 1) // 2, np.uint32))
    return float(cycles.copy_to_host().max() / ROUNDS)


def results(samples: Sequence[Sequence]) -> dict[str, float]:
    """Give the median of each way, in cycles, and how many times shorter the one-sided way is."""
    import numpy as np

    medians = {way: float(np.median([c for w, c in samples if w == way])) for way in (ONE_SIDED, BY_FLAG)}
    return medians | {"times_shorter": medians[BY_FLAG] / medians[ONE_SIDED]}


def compare(recordings: Sequence[Recording]) -> Comparison:
    """Set the ratio beside the talk's and the article's seven times."""
    from hopperlab.measure.audit import Comparison, Row

    rows = [
        Row(
            theme="exchange",
            subject="a word to and fro between two blocks: flag in global memory over st.async",
            claim="article-024",
            measured=recording.results["times_shorter"],
            card=recording.card_name,
            scaling="cycles of the same SMs",
            remark="two words in global memory polled, against one message each way",
        )
        for recording in recordings
    ]
    cards = ", ".join(sorted({r.card_name for r in recordings}))
    return Comparison("exchange_round_trip", cards, len(rows), 0, tuple(rows), ())


EXCHANGE_ROUND_TRIP = Experiment(
    name="exchange_round_trip",
    theme="exchange",
    question="How many times shorter is a message by a one-sided write than through global memory?",
    statistic="medians of interleaved launches of 1000 round trips",
    parameters={"rounds": ROUNDS, "repeats": REPEATS},
    claims=("talk-032", "article-024"),
    run=run,
    results=results,
    compare=compare,
    seconds=3,
)
