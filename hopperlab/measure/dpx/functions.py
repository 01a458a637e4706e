"""Whether every DPX function gives on the card what the model says: a million random inputs and the corners."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import TYPE_CHECKING, Any

from hopperlab.measure.experiment import Experiment
from hopperlab.measure.patterns import digest, random_words
from hopperlab.models.dpx import FUNCTIONS, Function, function_named

if TYPE_CHECKING:
    import numpy as np

    from hopperlab.device.silicon.card import Card
    from hopperlab.ledger import Recording
    from hopperlab.measure.audit import Comparison
    from hopperlab.measure.progress import Progress

SEED = 36
RANDOM = 1_000_000
CORNERS = (
    *(0, 1, 2, 0x7FFE, 0x7FFF, 0x8000, 0x8001, 0xFFFF, 0x10000, 0x7FFF0000, 0x7FFF7FFF, 0x7FFF8000),
    *(0x7FFFFFFF, 0x80000000, 0x80000001, 0x80007FFF, 0x80008000, 0xFFFF0000, 0xFFFF0001, 0xFFFFFFFF),
)
KEPT_MISMATCHES = 10
THREADS = 256


def run(card: Card, progress: Progress) -> list[dict[str, Any]]:
    """Apply every function to its inputs; keep the digest of the results, and some that differ from the model."""
    return progress.map("functions", list(FUNCTIONS), lambda name: sample(function_named(name)))


def inputs(function: Function) -> list[np.ndarray]:
    """Give the arguments of a function, int32 arrays: all combinations of the corners, then random ones."""
    import numpy as np

    corners = np.array(list(product(CORNERS, repeat=function.arguments)), np.uint32).T
    seed = [SEED, list(FUNCTIONS).index(function.name)]
    random = random_words(seed, RANDOM * function.arguments).reshape(function.arguments, RANDOM)
    return [np.concatenate(both).view(np.int32) for both in zip(corners, random, strict=True)]


def expected(function: Function, arguments: list[np.ndarray]) -> list[np.ndarray]:
    """Give what the model computes, as the kernel writes it: results, and what `vib` functions tell."""
    import numpy as np

    found = function(*(argument.view(function.word) for argument in arguments))
    results, *told = found if function.tells else (found,)
    return [results.view(np.int32), *(t.astype(np.int32) for t in told)]


def sample(function: Function) -> dict[str, Any]:
    """Apply one function on the card, and compare its results with the model's."""
    import numpy as np
    from numba import cuda

    from hopperlab.kernels.dpx.functions import on_arrays

    arguments = inputs(function)
    size = arguments[0].size
    device = [cuda.to_device(a) for a in arguments]
    device += [device[0]] * (3 - len(device))
    outputs = [cuda.to_device(np.zeros(size, np.int32)) for _ in range(3)]
    on_arrays(function.name)[-(-size // THREADS), THREADS](*device, *outputs)
    results, high, low = (o.copy_to_host() for o in outputs)
    written = [results] + ([high, low] if function.tells and function.packed else [low] * function.tells)
    wrong = np.zeros(size, bool)
    for got, wanted in zip(written, expected(function, arguments), strict=True):
        wrong |= got != wanted
    return {
        "function": function.name,
        "inputs": size,
        "digest": digest(*written),
        "wrong": int(wrong.sum()),
        "mismatches": [
            [[int(a[i]) for a in arguments], [int(w[i]) for w in written]]
            for i in np.flatnonzero(wrong)[:KEPT_MISMATCHES]
        ],
    }


def results(samples: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Count functions, inputs and results that differ from the model's."""
    return {
        "functions": len(samples),
        "inputs": sum(one["inputs"] for one in samples),
        "wrong": sum(one["wrong"] for one in samples),
        "differing_functions": [one["function"] for one in samples if one["wrong"]],
    }


def compare(recordings: Sequence[Recording]) -> Comparison:
    """Compute every result anew and hold its digest against the card's."""
    from hopperlab.measure.audit import Comparison

    compared = mismatches = 0
    notes = []
    for recording in recordings:
        for one in recording.samples:
            function = function_named(one["function"])
            same = digest(*expected(function, inputs(function))) == one["digest"]
            compared += one["inputs"]
            mismatches += 0 if same else max(one["wrong"], 1)
            if not same:
                notes.append(
                    f"{function.name}: {one['wrong']} of {one['inputs']} results differ from the model's."
                )
    cards = ", ".join(sorted({r.card_name for r in recordings}))
    return Comparison("dpx_functions", cards, compared, mismatches, (), tuple(notes))


DPX_FUNCTIONS = Experiment(
    name="dpx_functions",
    theme="dpx",
    question="Does every DPX function give what the model says, wherever sums wrap around and halves meet?",
    statistic="results that differ from the model's; a digest of all results, to compare them again",
    parameters={
        "functions": list(FUNCTIONS),
        "random_inputs": RANDOM,
        "seed": SEED,
        "corners": list(CORNERS),
    },
    claims=("talk-087",),
    run=run,
    results=results,
    compare=compare,
    seconds=30,
    memory_bytes=32 * 2**20,
)
