"""What no document says of the units: the model's questions, and the raw outputs that settled them."""

from __future__ import annotations

import base64
import math
import zlib
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from hopperlab.measure.experiment import Experiment
from hopperlab.measure.tensorcore.differential import case_operands, differences
from hopperlab.measure.tensorcore.inputs import DISTRIBUTIONS
from hopperlab.models.tensorcore import UNITS, matmul, unit_named
from hopperlab.models.tensorcore.probes import PROBES, Probe

if TYPE_CHECKING:
    import numpy as np

    from hopperlab.device.silicon.card import Card
    from hopperlab.ledger import Recording
    from hopperlab.measure.audit import Comparison
    from hopperlab.measure.progress import Progress

SHAPE = (64, 16, 128)
TINY = "accumulators alone, from the smallest on"
ASKED_UNITS = tuple(name for name in UNITS if name.startswith(("hopper.wgmma.", "hopper.mma.")))


def run(card: Card, progress: Progress) -> dict[str, Any]:
    """Ask every probe, and multiply every distribution by every unit of the card, keeping all bits of the answers."""
    names = sorted({probe.unit for probe in PROBES})
    answers = progress.map("probes", names, _asked)
    cases = [[unit, distribution] for unit in ASKED_UNITS for distribution in (*DISTRIBUTIONS, TINY)]
    outputs = progress.map("outputs", cases, lambda case: packed(_product(*case)))
    return {
        "probes": {name: answer for answered in answers for name, answer in answered.items()},
        "outputs": [[*case, bits] for case, bits in zip(cases, outputs, strict=True)],
    }


def _asked(unit: str) -> dict[str, str]:
    """Ask all probes of a unit in one product: each is a row of A and a column of B, its answer on the diagonal."""
    import numpy as np

    from hopperlab.measure.tensorcore.card import multiply

    probes = [probe for probe in PROBES if probe.unit == unit]
    known, longest = unit_named(unit), max(len(probe.a) for probe in probes)
    a = np.zeros((len(probes), longest), known.a.dtype)
    b = np.zeros((len(probes), longest), known.b.dtype)
    c = np.zeros((len(probes), len(probes)), known.output.dtype)
    for i, probe in enumerate(probes):
        row, column, accumulator = probe.matrices
        a[i, : row.size], b[i, : column.size], c[i, i] = row[0], column[:, 0], accumulator[0, 0]
    d = multiply(a, b, c, known)
    return {probe.name: float(d[i, i]).hex() for i, probe in enumerate(probes)}


def raw_operands(unit: str, distribution: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Give A, B and C of a case of raw outputs."""
    known = unit_named(unit)
    if distribution != TINY:
        return case_operands(known, distribution, SHAPE)
    import numpy as np

    rows, columns, k = SHAPE
    a, b = np.zeros((rows, k), known.a.dtype), np.zeros((columns, k), known.b.dtype)
    lowest = known.output.minimum_exponent - known.output.fraction_bits
    exponents = np.minimum(lowest + np.arange(rows), known.output.maximum_exponent - 1)[:, np.newaxis]
    significands = 1 + np.arange(columns) / columns + 2.0**-known.output.fraction_bits
    return a, b, np.ldexp(significands, exponents).astype(known.output.dtype)


def _product(unit: str, distribution: str) -> np.ndarray:
    from hopperlab.measure.tensorcore.card import multiply

    return multiply(*raw_operands(unit, distribution), unit_named(unit))


def packed(outputs: np.ndarray) -> str:
    """Write the bits of outputs as text."""
    return base64.b64encode(zlib.compress(outputs.tobytes(), 9)).decode("ascii")


def unpacked(text: str, unit: str) -> np.ndarray:
    """Read what `packed` wrote: the outputs of a unit, of shape (64, 16)."""
    import numpy as np

    bits = zlib.decompress(base64.b64decode(text))
    return np.frombuffer(bits, unit_named(unit).output.dtype).reshape(SHAPE[:2])


def heard(probe: Probe, answer: str) -> str:
    """Give the hypothesis that a card's answer to a probe speaks for; "none" if for none of them."""
    value = float.fromhex(answer)
    for hypothesis, result in probe.answers:
        same_zero = math.copysign(1, value) == math.copysign(1, result)
        if (math.isnan(value) and math.isnan(result)) or (value == result and same_zero):
            return hypothesis
    return "none"


def results(samples: dict[str, Any]) -> dict[str, Any]:
    """Say which hypothesis each probe's answer speaks for."""
    return {
        "probes": [
            [
                probe.name,
                probe.unit,
                samples["probes"][probe.name],
                heard(probe, samples["probes"][probe.name]),
            ]
            for probe in PROBES
            if probe.name in samples["probes"]
        ],
        "outputs": len(samples["outputs"]) * SHAPE[0] * SHAPE[1],
    }


def compare(recordings: Sequence[Recording]) -> Comparison:
    """Hold every probe and every raw output against the model; only units called settled may not differ."""
    from hopperlab.measure.audit import Comparison

    compared = mismatches = 0
    notes = []
    for recording in recordings:
        for name, outputs, wrong in (*_probes(recording.samples), *_outputs(recording.samples)):
            unit = UNITS[name]
            compared += outputs
            mismatches += wrong if unit.settled else 0
            if wrong:
                kind = "settled" if unit.settled else "not settled yet"
                notes.append(f"{name} ({kind}): {wrong} of {outputs} differ from the model's.")
    cards = ", ".join(sorted({r.card_name for r in recordings}))
    return Comparison("tensorcore_probes", cards, compared, mismatches, (), tuple(notes))


def _probes(samples: dict[str, Any]) -> Iterator[tuple[str, int, int]]:
    for unit in sorted({probe.unit for probe in PROBES}):
        asked = [probe for probe in PROBES if probe.unit == unit and probe.name in samples["probes"]]
        wrong = sum(heard(probe, samples["probes"][probe.name]) != probe.answers[0][0] for probe in asked)
        yield unit, len(asked), wrong


def _outputs(samples: dict[str, Any]) -> Iterator[tuple[str, int, int]]:
    for unit in ASKED_UNITS:
        outputs = wrong = 0
        for name, distribution, text in samples["outputs"]:
            if name == unit:
                a, b, c = raw_operands(unit, distribution)
                found = differences(unpacked(text, unit), matmul(a, b.T, c, unit))
                outputs, wrong = outputs + found["outputs"], wrong + found["wrong"]
        yield unit, outputs, wrong


TENSORCORE_PROBES = Experiment(
    name="tensorcore_probes",
    theme="tensorcore",
    question="What do the units do with tiny terms, with FP16 outputs, and with FP8 through mma.sync?",
    statistic="the hypothesis that each probe's answer speaks for; the bits of all raw outputs",
    parameters={
        "probes": [probe.name for probe in PROBES],
        "units": list(ASKED_UNITS),
        "distributions": [*DISTRIBUTIONS, TINY],
        "shape": list(SHAPE),
    },
    run=run,
    results=results,
    compare=compare,
    seconds=60,
    memory_bytes=64 * 2**20,
)
