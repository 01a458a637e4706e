"""Whether the driver refuses the tensor maps that the model refuses, and no others: random maps, rule by rule."""

from __future__ import annotations

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
DESCRIPTORS = 10_000
ACCEPTED = "obeys every rule"
ACCEPTED_SHARE = 0.5
ADVISED = 200
"""Maps that go against one piece of advice, for each piece: the driver is expected to take them."""

KEPT_MISMATCHES = 5


def plan() -> list[list]:
    """Give what is drawn: [kind, how many, whether the model accepts], a kind being a rule that alone is broken."""
    from hopperlab.models.tma import ADVICE, RULES

    each = round(DESCRIPTORS * (1 - ACCEPTED_SHARE)) // len(RULES)
    refused = [[rule.name, each, False] for rule in RULES]
    accepted = [ACCEPTED, DESCRIPTORS - each * len(RULES), True]
    return [accepted, *refused, *([rule.name, ADVISED, True] for rule in ADVICE)]


def run(card: Card, progress: Progress) -> dict[str, Any]:
    """Let the driver encode maps of every kind; keep what it answers, and some that it answers unexpectedly."""
    from numba import cuda

    cuda.current_context()
    kinds = plan()
    answers = progress.map("tensor maps", kinds, lambda kind: _ask(*kind))
    return {"seed": SEED, "kinds": [[*kind, answer] for kind, answer in zip(kinds, answers, strict=True)]}


def _ask(kind: str, number: int, expected: bool) -> dict[str, Any]:
    import numpy as np

    from hopperlab.models.tma import accepted_descriptor, refused_descriptor

    rng = np.random.default_rng([SEED, *kind.encode()])
    answers: Counter[str] = Counter()
    unexpected = []
    for _ in range(number):
        drawn = accepted_descriptor(rng) if kind == ACCEPTED else refused_descriptor(rng, kind)
        answer = _encode(drawn)
        answers[answer] += 1
        if (answer == "accepted") != expected and len(unexpected) < KEPT_MISMATCHES:
            unexpected.append(repr(drawn))
    return {"answers": dict(answers), "unexpected": unexpected}


def _encode(descriptor: Any) -> str:
    from hopperlab.device.silicon.tensor_maps import encoded

    try:
        encoded(descriptor)
    except RuntimeError as refusal:
        return str(refusal).partition(":")[0]
    except ValueError as refusal:  # more dimensions than the call has places: the driver is not even asked
        return str(refusal)
    return "accepted"


def results(samples: dict[str, Any]) -> dict[str, Any]:
    """For each kind: how many, how many the model accepts, how many the driver accepts."""
    kinds = []
    for kind, number, expected, answer in samples["kinds"]:
        kinds.append([kind, number, number if expected else 0, answer["answers"].get("accepted", 0)])
    return {"columns": ["kind", "descriptors", "model_accepts", "driver_accepts"], "kinds": kinds}


def compare(recordings: Sequence[Recording]) -> Comparison:
    """Set the driver's verdict beside the model's; a map on which they differ is a mismatch."""
    from hopperlab.measure.audit import Comparison, Row
    from hopperlab.models.tma import ADVICE, RULES

    claims = {rule.name: rule.claim for rule in RULES + ADVICE}
    rows, notes, compared, mismatches = [], [], 0, 0
    for recording in recordings:
        for kind, number, modelled, measured in recording.results["kinds"]:
            compared += number
            mismatches += abs(modelled - measured)
            subject = kind if kind == ACCEPTED else f"breaks {kind} alone ({claims[kind]})"
            rows.append(
                Row(
                    theme="tma",
                    subject=f"maps accepted of {number}: {subject}",
                    modelled=modelled,
                    measured=measured,
                    unit="maps",
                    card=recording.card_name,
                    tolerance=0,
                )
            )
        accepted = sum(measured for *_, measured in recording.results["kinds"])
        notes.append(f"{recording.card_name}: the driver accepts {accepted} of {compared} maps")
    cards = ", ".join(sorted({r.card_name for r in recordings}))
    return Comparison("tma_descriptors", cards, compared, mismatches, tuple(rows), tuple(notes))


TMA_DESCRIPTORS = Experiment(
    name="tma_descriptors",
    theme="tma",
    question="Which tensor maps does the driver refuse, and for which reasons?",
    statistic="answers of cuTensorMapEncodeTiled, counted by the only rule that a map breaks",
    parameters={
        "seed": SEED,
        "descriptors": DESCRIPTORS,
        "accepted_share": ACCEPTED_SHARE,
        "against_advice": ADVISED,
    },
    claims=("lit-031", "lit-032", "lit-033", "lit-034.a", "lit-035.a", "lit-036", "lit-037.a", "lit-044.a"),
    run=run,
    results=results,
    compare=compare,
    seconds=20,
)
