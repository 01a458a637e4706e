"""Whether the card's barrier is the model's: thousands of random sequences, compared after every operation."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from hopperlab.measure.experiment import Experiment

if TYPE_CHECKING:
    from hopperlab.device.silicon.card import Card
    from hopperlab.ledger import Recording
    from hopperlab.measure.audit import Comparison
    from hopperlab.measure.progress import Progress

SEED = 20220322
BATCHES = {"counted by complete_tx": 8000, "brought by the copy engine": 2000}
BATCH = 1000
KEPT_MISMATCHES = 20


def run(card: Card, progress: Progress) -> dict[str, Any]:
    """Draw sequences, let the card do them, and keep what differs from the model: at most some a batch."""
    cases = [[how, number] for how, size in BATCHES.items() for number in range(size // BATCH)]
    batches = progress.map("sequences", cases, lambda case: _batch(*case))
    return {"seed": SEED, "batches": [[*case, batch] for case, batch in zip(cases, batches, strict=True)]}


def _batch(how: str, number: int) -> dict[str, Any]:
    import numpy as np

    from hopperlab.measure.barriers.sequences import NAMES, random_sequence

    by_engine = how == "brought by the copy engine"
    rng = np.random.default_rng([SEED, by_engine, number])
    sequences = [random_sequence(rng, by_engine) for _ in range(BATCH)]
    steps = [step for sequence in sequences for step in sequence]
    seen = _obeyed([len(sequence) for sequence in sequences], steps)
    expected = np.array([step.seen for step in steps], dtype=np.uint32)
    wrong = np.flatnonzero(seen != expected).tolist()
    return {
        "sequences": len(sequences),
        "operations": dict(Counter(NAMES[step.operation] for step in steps)),
        "digest": hashlib.sha256(seen.tobytes()).hexdigest(),
        "wrong": len(wrong),
        "mismatches": [
            [NAMES[steps[i].operation], steps[i].number, int(expected[i]), int(seen[i])]
            for i in wrong[:KEPT_MISMATCHES]
        ],
    }


def _obeyed(lengths: list[int], steps: list) -> Any:
    """Let the card do the sequences, one a block; give what it saw after each operation."""
    import numpy as np
    from numba import cuda

    from hopperlab.kernels.barriers import COPY_BYTES, obey

    starts = cuda.to_device(np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64))
    operations = cuda.to_device(np.array([step.operation for step in steps], dtype=np.uint8))
    numbers = cuda.to_device(np.array([step.number for step in steps], dtype=np.uint32))
    source = cuda.to_device(np.zeros(COPY_BYTES, dtype=np.uint8))
    observed = cuda.to_device(np.full(len(steps), 0xFFFFFFFF, dtype=np.uint32))
    obey[len(lengths), 1](starts, operations, numbers, source, observed)
    return observed.copy_to_host()


def results(samples: dict[str, Any]) -> dict[str, Any]:
    """Count sequences, operations by kind, and mismatches, for bytes of either kind."""
    found = {}
    for how in BATCHES:
        batches = [batch for kind, _, batch in samples["batches"] if kind == how]
        operations: Counter[str] = Counter()
        for batch in batches:
            operations.update(batch["operations"])
        found[how] = {
            "sequences": sum(batch["sequences"] for batch in batches),
            "operations": dict(sorted(operations.items())),
            "wrong": sum(batch["wrong"] for batch in batches),
        }
    return found


def compare(recordings: Sequence[Recording]) -> Comparison:
    """Count the operations after which card and model told different parities or pending arrivals."""
    from hopperlab.measure.audit import Comparison, Row

    rows, compared, wrong = [], 0, 0
    for recording in recordings:
        for how, found in recording.results.items():
            compared += sum(found["operations"].values())
            wrong += found["wrong"]
            rows.append(
                Row(
                    theme="barriers",
                    subject=f"operations that card and model see alike, bytes {how}",
                    modelled=sum(found["operations"].values()),
                    measured=sum(found["operations"].values()) - found["wrong"],
                    unit="operations",
                    card=recording.card_name,
                    tolerance=0,
                )
            )
    cards = ", ".join(sorted({r.card_name for r in recordings}))
    return Comparison("mbarrier_differential", cards, compared, wrong, tuple(rows), ())


MBARRIER_DIFFERENTIAL = Experiment(
    name="mbarrier_differential",
    theme="barriers",
    question="Does a barrier of the card count arrivals and bytes as the model does?",
    statistic="parity after each operation, and pending arrivals before each arrival, compared one by one",
    parameters={"seed": SEED, "sequences": BATCHES, "batch": BATCH},
    claims=("lit-022", "lit-023", "lit-024", "lit-025", "lit-026", "lit-027"),
    run=run,
    results=results,
    compare=compare,
    seconds=30,
)
