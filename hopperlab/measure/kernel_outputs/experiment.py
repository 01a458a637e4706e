"""Every kernel's outputs on the card, for a few seeds: kept whole, so that a first difference can be named.

An array is kept if the kernel changed it, unless it need not be the same in two runs: then its case says why.
"""

from __future__ import annotations

import base64
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from hopperlab.measure.experiment import Experiment
from hopperlab.measure.patterns import digest

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np

    from hopperlab.device.silicon.card import Card
    from hopperlab.ledger import Recording
    from hopperlab.measure.audit import Comparison
    from hopperlab.measure.kernel_outputs.case import Case
    from hopperlab.measure.progress import Progress

SEEDS = 5


def cases() -> Mapping[str, Callable[[int], Case]]:
    """Give what makes each case from a seed, by name."""
    from hopperlab.measure.kernel_outputs import (  # noqa: F401 - they enter their cases
        atomics,
        barriers,
        casts,
        copies,
        exchange,
        gemm,
        memory,
        programs,
        tensorcore,
        throughput,
        tiles,
        timing,
    )
    from hopperlab.measure.kernel_outputs.case import CASES

    return CASES


def run(card: Card, progress: Progress) -> list[list]:
    """Launch every case; a sample is [case, seed, digest of its inputs, outputs as `packed` gives them]."""
    made = cases()
    launches = [[name, seed] for name in made for seed in range(SEEDS)]
    found = progress.map("launches", launches, lambda launch: _launch(made[launch[0]](launch[1])))
    return [[*launch, *answer] for launch, answer in zip(launches, found, strict=True)]


def _launch(case: Case) -> list:
    """Launch a case on the card; give the digest of its inputs, and its outputs."""
    import numpy as np
    from numba import cuda

    given = {name: np.ascontiguousarray(array) for name, array in case.inputs.items()}
    devices = {name: cuda.to_device(array) for name, array in case.inputs.items()}
    first = next(iter(devices.values()), None)
    base = 0 if first is None else first.__cuda_array_interface__["data"][0]
    placed = case.at(base)
    for name in case.pointers:
        devices[name].copy_to_device(placed.inputs[name])
    there = {id(array): devices[name] for name, array in placed.inputs.items()}
    arguments = [_on_device(value, there) for value in placed.arguments]
    case.kernel[case.grid, case.block, 0, case.shared_bytes, case.cluster](*arguments)
    left = case.from_base(base, {name: array.copy_to_host() for name, array in devices.items()})
    return [digest(*given.values()), packed(given, left, case.undetermined)]


def _on_device(value: Any, devices: Mapping[int, Any]) -> Any:
    """Give an argument as the card takes it: arrays by their copies in its memory, and so in tensor maps."""
    if id(value) in devices:
        return devices[id(value)]
    if id(getattr(value, "array", None)) not in devices:
        return value
    array = devices[id(value.array)]
    descriptor = value.descriptor.changed(global_address=array.__cuda_array_interface__["data"][0])
    return replace(value, descriptor=descriptor, array=array, on_device=True)


def packed(
    before: Mapping[str, np.ndarray], after: Mapping[str, np.ndarray], undetermined: Mapping[str, str]
) -> dict[str, list]:
    """Give the arrays that changed, by parameter: [dtype, shape, bytes deflated and in base64]."""
    return {
        name: [array.dtype.name, list(array.shape), _text(array.tobytes())]
        for name, array in after.items()
        if name not in undetermined and array.tobytes() != before[name].tobytes()
    }


def _text(octets: bytes) -> str:
    return base64.b64encode(zlib.compress(octets, 9)).decode("ascii")


def unpacked(kept: Sequence) -> np.ndarray:
    """Give an array that `packed` has kept."""
    import numpy as np

    name, shape, text = kept
    return np.frombuffer(zlib.decompress(base64.b64decode(text)), name).reshape(shape)


def first_difference(case: Case, kept: Mapping[str, Sequence], outputs: Mapping[str, np.ndarray]) -> str:
    """Name the first element whose bits are not those of the card; empty if there is none.

    Parameters
    ----------
    case
        What was run.
    kept
        The card's outputs, as `packed` gave them.
    outputs
        By parameter, the arrays as another machine left them.
    """
    import numpy as np

    for name, given in case.inputs.items():
        if name in case.undetermined:
            continue
        expected = unpacked(kept[name]) if name in kept else np.ascontiguousarray(given)
        got = np.ascontiguousarray(outputs[name])
        if got.tobytes() == expected.tobytes():
            continue
        word = np.dtype(f"u{got.itemsize}")
        place = tuple(int(i) for i in np.argwhere(got.view(word) != expected.view(word))[0])
        bits, wanted = got.view(word)[place], expected.view(word)[place]
        return f"{name}{list(place)} is {got[place]} ({bits:#x}); on the card {expected[place]} ({wanted:#x})"
    return ""


def results(samples: Sequence[Sequence]) -> dict[str, Any]:
    """Count launches, and arrays and bytes that are kept; a digest for each launch."""
    import hashlib

    arrays = [unpacked(kept) for *_, outputs in samples for kept in outputs.values()]
    return {
        "cases": len({sample[0] for sample in samples}),
        "launches": len(samples),
        "arrays": len(arrays),
        "bytes": sum(array.nbytes for array in arrays),
        "sha256": hashlib.sha256(b"".join(array.tobytes() for array in arrays)).hexdigest(),
    }


def compare(recordings: Sequence[Recording]) -> Comparison:
    """Run the first seed of every case in the simulator, and hold its bits against the card's."""
    from hopperlab.measure.audit import Comparison

    notes, compared = [], 0
    for recording in recordings:
        made = cases()
        for name, seed, _, kept in recording.samples:
            if seed or name not in made:
                continue
            compared += 1
            difference = first_difference(made[name](seed), kept, simulated(made[name](seed)))
            notes += [f"{name}, seed {seed}: {difference}"] if difference else []
    cards = ", ".join(sorted({r.card_name for r in recordings}))
    return Comparison("kernel_outputs", cards, compared, len(notes), (), tuple(notes))


def simulated(case: Case, **options: Any) -> Mapping[str, np.ndarray]:
    """Give the outputs of a case in the simulator; options as of `Kernel.simulate`, without checks by default.

    Raises
    ------
    RuntimeError
        If the run was stopped, or had a finding.
    """
    from hopperlab.device.simulator.memory import GLOBAL_START

    options = {"checks": False, "trace": False, "timing": False} | options
    arguments = case.at(GLOBAL_START).arguments
    run = case.kernel.simulate(case.grid, case.block, arguments, case.shared_bytes, case.cluster, **options)
    if run.findings:
        raise RuntimeError(str(run))
    return case.from_base(GLOBAL_START, run.outputs)


KERNEL_OUTPUTS = Experiment(
    name="kernel_outputs",
    theme="timing",
    question="Which bits does every kernel of the package give, for a few small inputs?",
    statistic="none: arrays that a kernel changed, as it left them",
    parameters={"seeds": SEEDS},
    run=run,
    results=results,
    compare=compare,
    seconds=300,
    memory_bytes=64 * 2**20,
)
