"""What a message costs by each protocol: one word to and fro in five ways, and messages of many words swapped.

The published "seven times" leaves open what is timed, and against what. Here every protocol is named.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from hopperlab.measure.experiment import Experiment
from hopperlab.models.exchange import FLAG, ONE_SIDED, STORE, TAGGED

if TYPE_CHECKING:
    from hopperlab.device.silicon.card import Card
    from hopperlab.ledger import Recording
    from hopperlab.measure.audit import Comparison
    from hopperlab.measure.progress import Progress

ROUNDS, REPEATS = 1000, 15
WORDS = (32, 64, 128, 256, 512, 1024)
BY_ATOMICS = "flag by atomics in global memory"
PROTOCOLS = (ONE_SIDED, STORE, TAGGED, FLAG, BY_ATOMICS)
TOLERANCE = 0.10  # of the model of crossings


def run(card: Card, progress: Progress) -> dict[str, list]:
    """Measure in turn; a word's sample is [protocol, cycles to and fro], a swap's [way, words, cycles]."""
    words = [[protocol, repeat] for repeat in range(REPEATS + 1) for protocol in PROTOCOLS]
    swaps = [
        [way, size, repeat] for repeat in range(REPEATS + 1) for size in WORDS for way in (ONE_SIDED, FLAG)
    ]
    to_and_fro = progress.map("words", words, lambda case: _to_and_fro(case[0]))
    swapped = progress.map("swaps", swaps, lambda case: _swapped(*case[:2]))
    return {
        "words": [[p, cycles] for (p, repeat), cycles in zip(words, to_and_fro, strict=True) if repeat],
        "swaps": [
            [way, size, cycles] for (way, size, repeat), cycles in zip(swaps, swapped, strict=True) if repeat
        ],
    }


def _zeros(shape: Any, kind: str = "uint32") -> Any:
    import numpy as np
    from numba import cuda

    return cuda.to_device(np.zeros(shape, kind))


def _to_and_fro(protocol: str) -> float:
    import numpy as np

    from hopperlab.kernels.exchange import ping_pong
    from hopperlab.measure.timing import require_work

    cycles, received, rounds = _zeros(2), _zeros(2), np.uint32(ROUNDS)
    kernel, between = {
        ONE_SIDED: (ping_pong.ping_pong_by_st_async, ()),
        STORE: (ping_pong.ping_pong_by_store_and_arrive, ()),
        TAGGED: (ping_pong.ping_pong_by_tagged_word, (_zeros(32, "uint64"),)),
        FLAG: (ping_pong.ping_pong_by_flag, (_zeros(64), _zeros(64))),
        BY_ATOMICS: (ping_pong.ping_pong_by_atomics, (_zeros(64), _zeros(64))),
    }[protocol]
    kernel[2, 32, 0, 0, 2](rounds, *between, cycles, received)
    require_work(protocol, received.copy_to_host(), np.full(2, ROUNDS * (ROUNDS - 1) // 2, np.uint32))
    return float(cycles.copy_to_host().max() / ROUNDS)


def _swapped(way: str, words: int) -> float:
    import numpy as np

    from hopperlab.kernels.exchange import swaps
    from hopperlab.measure.timing import require_work

    cycles, received, rounds = _zeros(2), _zeros(2 * words), np.uint32(ROUNDS)
    if way == ONE_SIDED:
        swaps.swap_by_st_async[2, words, 0, 0, 2](rounds, cycles, received)
    else:
        swaps.swap_by_flag[2, words, 0, 0, 2](rounds, _zeros((2, 2, words)), _zeros(64), cycles, received)
    came = ROUNDS * (ROUNDS - 1) // 2 + ROUNDS * np.tile(np.arange(words), 2)
    require_work(f"{way}, {words} words", received.copy_to_host(), came.astype(np.uint32))
    return float(cycles.copy_to_host().max() / ROUNDS)


def results(samples: dict[str, Sequence[Sequence]]) -> dict[str, Any]:
    """Give the medians, in cycles, and how many times shorter the one-sided way is than each other."""
    import numpy as np

    words = {
        protocol: round(float(np.median([cycles for p, cycles in samples["words"] if p == protocol])), 1)
        for protocol in PROTOCOLS
    }
    swaps = [
        [
            size,
            *(
                round(float(np.median([c for w, s, c in samples["swaps"] if (w, s) == (way, size)])), 1)
                for way in (ONE_SIDED, FLAG)
            ),
        ]
        for size in WORDS
    ]
    return {
        "round_trip_cycles": words,
        "times_shorter": {p: round(cycles / words[ONE_SIDED], 3) for p, cycles in words.items()},
        "columns": ["words", ONE_SIDED, FLAG],
        "swap_cycles": swaps,
    }


# What was published, beside the protocol of ours that comes nearest
PUBLISHED = {
    BY_ATOMICS: ("talk-032", "a flag raised and polled by atomics, between full fences"),
}


def compare(recordings: Sequence[Recording]) -> Comparison:
    """Hold each protocol against the model of its crossings, and set each ratio beside what was published."""
    from hopperlab.measure.audit import Comparison, Row
    from hopperlab.models.exchange import PROTOCOLS as MODELLED
    from hopperlab.models.exchange import round_trip

    rows = []
    for recording in recordings:
        card, found = recording.card_name, recording.results
        for protocol in MODELLED:
            fitted = protocol == STORE
            rows.append(
                Row(
                    theme="exchange",
                    subject=f"a word to and fro: {protocol}",
                    modelled=round_trip(protocol),
                    measured=found["round_trip_cycles"][protocol],
                    unit="cycles",
                    card=card,
                    tolerance=TOLERANCE,
                    no_test="the model has the fence's cycles from it" if fitted else "",
                )
            )
        for protocol, ratio in found["times_shorter"].items():
            if protocol == ONE_SIDED:
                continue
            claim, remark = PUBLISHED.get(protocol, (None, ""))
            rows.append(
                Row(
                    theme="exchange",
                    subject=f"a word to and fro: {protocol} over st.async",
                    claim=claim,
                    measured=ratio,
                    unit="x",
                    card=card,
                    scaling="a ratio of cycles on the same SMs" if claim else "",
                    remark=f"measured against {remark}" if remark else "",
                )
            )
        rows += [
            Row(
                theme="exchange",
                subject=f"{words} words swapped by two blocks: flag in global memory over st.async",
                measured=round(by_flag / one_sided, 3),
                unit="x",
                card=card,
            )
            for words, one_sided, by_flag in found["swap_cycles"]
        ]
    cards = ", ".join(sorted({r.card_name for r in recordings}))
    missed = sum(row.missed for row in rows)
    return Comparison("exchange_protocols", cards, len(MODELLED) * len(recordings), missed, tuple(rows), ())


EXCHANGE_PROTOCOLS = Experiment(
    name="exchange_protocols",
    theme="exchange",
    question="What does a message between two blocks cost by each of five protocols, and with many words?",
    statistic="medians of interleaved launches of 1000 rounds; the first of each is left out",
    parameters={"rounds": ROUNDS, "repeats": REPEATS, "words": list(WORDS), "protocols": list(PROTOCOLS)},
    claims=("talk-032", "talk-033", "article-024", "lit-111.a", "lit-097.a", "lit-097.b"),
    run=run,
    results=results,
    compare=compare,
    seconds=5,
)
