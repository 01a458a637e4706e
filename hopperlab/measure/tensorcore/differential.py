"""Whether the FP8 tensor core gives the model's bits: millions of outputs, hostile inputs, C not zero, long chains."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from hopperlab.measure.experiment import Experiment
from hopperlab.measure.patterns import digest
from hopperlab.measure.tensorcore.inputs import DISTRIBUTIONS, operands
from hopperlab.models.tensorcore import Unit, matmul, unit_named

if TYPE_CHECKING:
    import numpy as np

    from hopperlab.device.silicon.card import Card
    from hopperlab.ledger import Recording
    from hopperlab.measure.audit import Comparison
    from hopperlab.measure.progress import Progress

SEED = 1986
PAIRS = (("e4m3", "e4m3"), ("e4m3", "e5m2"), ("e5m2", "e4m3"), ("e5m2", "e5m2"))
SHAPES = ((256, 128, 128), (128, 128, 512), (64, 128, 4096))
"""M, N and K: chains of 4, of 16 and of 128 instructions."""

CASES = [
    [".".join(["hopper.wgmma", a, *([b] if b != a else [])]), distribution, *shape]
    for a, b in PAIRS
    for distribution in DISTRIBUTIONS
    for shape in SHAPES
]
KEPT_MISMATCHES = 10


def run(card: Card, progress: Progress) -> list[dict[str, Any]]:
    """Multiply on the card; keep the digest of the outputs, and some that differ from the model."""
    return progress.map("products", CASES, lambda case: sample(*case))


def sample(unit: str, distribution: str, *shape: int) -> dict[str, Any]:
    """Multiply one case on the card and compare it with the model at once."""
    from hopperlab.measure.tensorcore.card import multiply

    a, b, c = case_operands(unit_named(unit), distribution, shape)
    got = multiply(a, b, c, unit_named(unit))
    wanted = matmul(a, b.T, c, unit)
    return {
        "case": [unit, distribution, *shape],
        "digest": digest(got),
        "infinite_or_nan": _not_finite(got),
        **differences(got, wanted),
    }


def case_operands(
    unit: Unit, distribution: str, shape: tuple[int, int, int]
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Give A, B and C of a case; C in the unit's output format."""
    import numpy as np

    seed = [SEED, list(DISTRIBUTIONS).index(distribution), *shape, *unit.name.encode()]
    a, b, c = operands(distribution, unit.a.name, unit.b.name, shape, seed)
    largest = np.finfo(unit.output.dtype).max
    return a, b, np.clip(c, -largest, largest).astype(unit.output.dtype)


def differences(got: np.ndarray, wanted: np.ndarray) -> dict[str, Any]:
    """Count outputs whose bits differ, and keep some: row, column, the card's bits, the model's."""
    import numpy as np

    word = np.dtype(f"u{got.dtype.itemsize}")
    bits, expected = got.view(word), wanted.view(word)
    places = np.argwhere(bits != expected)
    return {
        "outputs": got.size,
        "wrong": len(places),
        "mismatches": [
            [int(i), int(j), int(bits[i, j]), int(expected[i, j])] for i, j in places[:KEPT_MISMATCHES]
        ],
    }


def _not_finite(outputs: np.ndarray) -> int:
    import numpy as np

    return int(np.count_nonzero(~np.isfinite(outputs)))


def results(samples: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Count outputs and differing ones, by pair of formats and by distribution."""
    found: dict[str, dict[str, list[int]]] = {"by_unit": {}, "by_distribution": {}}
    for one in samples:
        for by, name in zip(found, one["case"][:2], strict=True):
            count = found[by].setdefault(name, [0, 0])
            count[0] += one["outputs"]
            count[1] += one["wrong"]
    return {
        "columns": ["outputs", "outputs_that_differ"],
        **found,
        "outputs": sum(one["outputs"] for one in samples),
        "wrong": sum(one["wrong"] for one in samples),
        "longest_chain": max(one["case"][4] for one in samples),
    }


def compare(recordings: Sequence[Recording]) -> Comparison:
    """Compute every output anew and hold their digest against the card's."""
    from hopperlab.measure.audit import Comparison

    compared = mismatches = 0
    notes = []
    for recording in recordings:
        for one in recording.samples:
            unit, distribution, *shape = one["case"]
            a, b, c = case_operands(unit_named(unit), distribution, tuple(shape))
            same = digest(matmul(a, b.T, c, unit)) == one["digest"]
            compared += one["outputs"]
            mismatches += 0 if same else max(one["wrong"], 1)
            if not same:
                notes.append(f"{unit}, {distribution}, K = {shape[2]}: bits differ from the model's.")
    cards = ", ".join(sorted({r.card_name for r in recordings}))
    return Comparison("tensorcore_differential", cards, compared, mismatches, (), tuple(notes))


TENSORCORE_DIFFERENTIAL = Experiment(
    name="tensorcore_differential",
    theme="tensorcore",
    question="Does the FP8 tensor core give the model's bits for hostile inputs, C not zero, and chains up to 4096?",
    statistic="outputs whose bits differ from the model's; a digest of all outputs, to compare them again",
    parameters={"cases": CASES, "seed": SEED},
    claims=("talk-018",),
    run=run,
    results=results,
    compare=compare,
    seconds=30,
    memory_bytes=64 * 2**20,
)
