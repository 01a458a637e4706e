"""Where every byte of a tensor copy lands and how many count: copies by the card and by the model, compared."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from hopperlab.measure.experiment import Experiment

if TYPE_CHECKING:
    from hopperlab.device.silicon.card import Card
    from hopperlab.ledger import Recording
    from hopperlab.measure.audit import Comparison
    from hopperlab.measure.progress import Progress
    from hopperlab.measure.tma.cases import Case

SEED = 20220322
LOADS, STORES = 1040, 260
UNTOUCHED = 0xA5
THREADS = 128


def run(card: Card, progress: Progress) -> dict[str, Any]:
    """Do every copy on the card and on the model; keep how many bytes differ, and what the barrier counted."""
    from hopperlab.measure.tma.cases import cases

    drawn = {str(number): case for number, case in enumerate(cases(SEED, LOADS, STORES))}
    found = progress.map("copies", list(drawn), lambda number: _copy(drawn[number]))
    return {
        "seed": SEED,
        "copies": [[*_kind(drawn[number]), *answer] for number, answer in zip(drawn, found, strict=True)],
        "nan_bits": progress.map("NaN", _FLOATS, _nan_bits),
        "differing": [
            [asdict(drawn[n]), *answer] for n, answer in zip(drawn, found, strict=True) if _differs(answer)
        ][:20],
    }


def as_modelled(case: Case) -> bool:
    """Whether a copy on the card does as the model says, in every byte and in what is counted.

    Raises
    ------
    ValueError
        If the model refuses the copy; the card was asked for it all the same.
    """
    return not _differs(_copy(case))


def _kind(case: Case) -> list:
    from hopperlab.models.tma import ElementType, Swizzle

    return [
        case.operation,
        ElementType(case.element_type).name,
        Swizzle(case.swizzle).name,
        len(case.box),
        any(step > 1 for step in case.element_strides),
        _overhangs(case),
    ]


def _overhangs(case: Case) -> bool:
    reach = zip(case.corner, case.box, case.shape, strict=True)
    return any(at < 0 or at + size > length for at, size, length in reach)


def _copy(case: Case) -> list:
    """Give [bytes that differ from the model's, phase with an arrival missing, phase after it]."""
    return _load(case) if case.operation == "load" else _write(case)


def _described(case: Case) -> tuple[Any, Any, Any]:
    """Give a case's tensor in memory of the host and of the device, and its map."""
    from numba import cuda

    from hopperlab.device import tma
    from hopperlab.measure.tma.cases import tensor, view
    from hopperlab.models.tma import ElementType, Fill, Swizzle

    flat, strides = tensor(case)
    device = cuda.to_device(flat)
    map_ = tma.tensor_map(
        view(case, device, strides),
        case.box,
        swizzle=Swizzle(case.swizzle).span,
        fill=Fill(case.fill).name.lower(),
        element_strides=case.element_strides,
        element_type=ElementType(case.element_type),
    )
    return flat, device, map_


def _load(case: Case) -> list:
    import numpy as np

    from hopperlab.models.tma import load, tile_bytes

    flat, _, map_ = _described(case)
    nbytes = tile_bytes(map_.descriptor)
    landed, phases = _observe(map_, case.corner[::-1], nbytes)
    before = np.full(nbytes, UNTOUCHED, np.uint8)
    expected, _ = load(map_.descriptor, flat, case.corner[::-1], shared=before)
    return [int((landed != expected).sum()), *phases]


def _observe(map_: Any, corner: tuple[int, ...], nbytes: int) -> tuple[Any, list[int]]:
    """Load a box; give the tile's bytes, and the barrier's parity before and after the last arrival."""
    import numpy as np
    from numba import cuda

    from hopperlab.kernels.tma import observe_load

    landed = cuda.to_device(np.zeros(nbytes, np.uint8))
    phases = cuda.to_device(np.full(2, 9, np.uint32))
    at = tuple(np.int32(number) for number in corner)
    observe_load[1, THREADS, 0, nbytes](map_, at, np.uint32(map_.box_bytes), landed, phases)
    return landed.copy_to_host(), phases.copy_to_host().tolist()


def _write(case: Case) -> list:
    import numpy as np
    from numba import cuda

    from hopperlab.kernels.tma import write_box
    from hopperlab.measure.tma.cases import random_elements
    from hopperlab.models.tma import reduce, store, tile_bytes

    flat, device, map_ = _described(case)
    tile = random_elements(case, tile_bytes(map_.descriptor), salt=1)
    at = tuple(np.int32(number) for number in case.corner[::-1])
    write_box(case.operation)[1, THREADS, 0, tile.size](map_, at, cuda.to_device(tile))
    if case.operation == "store":
        expected = store(map_.descriptor, flat, case.corner[::-1], tile)
    else:
        expected = reduce(map_.descriptor, flat, case.corner[::-1], tile, case.operation)
    return [int((device.copy_to_host() != expected).sum()), 0, 1]


_FLOATS = ["FLOAT16", "BFLOAT16", "FLOAT32", "FLOAT32_FTZ", "TFLOAT32", "TFLOAT32_FTZ", "FLOAT64"]


def _nan_bits(name: str) -> str:
    """Give, in hexadecimal, the bytes of an element outside the tensor where the fill is NaN."""
    from hopperlab.measure.tma.cases import Case
    from hopperlab.models.tma import ElementType, Fill, Swizzle, tile_bytes

    kind = ElementType[name]
    box = (128 // kind.nbytes,)
    outside = Case("load", kind, Swizzle.NONE, Fill.NAN, box, 0, box, (1,), box, 0)
    _, _, map_ = _described(outside)
    landed, _ = _observe(map_, box, tile_bytes(map_.descriptor))
    return landed[: kind.nbytes][::-1].tobytes().hex()


def _differs(answer: Sequence[int]) -> bool:
    return list(answer) != [0, 0, 1]


def results(samples: dict[str, Any]) -> dict[str, Any]:
    """Count copies, and those that differ in bytes or in what was counted, by operation, swizzle and rank."""
    copies, bytes_differ, count_differs = Counter(), Counter(), Counter()
    for operation, _, swizzle, rank, _, _, wrong, *phases in samples["copies"]:
        kind = (operation, swizzle, rank)
        copies[kind] += 1
        bytes_differ[kind] += wrong > 0
        count_differs[kind] += phases != [0, 1]
    return {
        "columns": ["operation", "swizzle", "rank", "copies", "bytes_differ", "count_differs"],
        "kinds": [[*kind, copies[kind], bytes_differ[kind], count_differs[kind]] for kind in sorted(copies)],
        "overhanging": sum(row[5] for row in samples["copies"]),
        "with_element_strides": sum(row[4] for row in samples["copies"]),
        "nan_bits": dict(zip(_FLOATS, samples["nan_bits"], strict=True)),
    }


def compare(recordings: Sequence[Recording]) -> Comparison:
    """Count the copies that differ from the model's in any byte, or in the bytes that the barrier counted."""
    from hopperlab.measure.audit import Comparison, Row

    rows, notes, compared, mismatches = [], [], 0, 0
    for recording in recordings:
        groups: Counter[str] = Counter()
        right: Counter[str] = Counter()
        for operation, swizzle, _, copies, bytes_differ, count_differs in recording.results["kinds"]:
            group = f"{operation}, swizzle {swizzle}" if operation in ("load", "store") else operation
            groups[group] += copies
            right[group] += copies - max(bytes_differ, count_differs)
        compared += groups.total()
        mismatches += groups.total() - right.total()
        rows += [
            Row(
                theme="tma",
                subject=f"copies equal in every byte and in the bytes counted: {group}",
                modelled=number,
                measured=right[group],
                unit="copies",
                card=recording.card_name,
                tolerance=0,
            )
            for group, number in groups.items()
        ]
        notes.append(f"{recording.card_name}: NaN fills as {recording.results['nan_bits']}")
    cards = ", ".join(sorted({r.card_name for r in recordings}))
    return Comparison("tma_layout", cards, compared, mismatches, tuple(rows), tuple(notes))


TMA_LAYOUT = Experiment(
    name="tma_layout",
    theme="tma",
    question="Does every byte of a tensor copy land where the model says, and do as many count?",
    statistic="bytes that differ from the model's, and whether the phase turns on exactly the model's count",
    parameters={"seed": SEED, "loads": LOADS, "stores": STORES, "untouched": UNTOUCHED},
    claims=("lit-040.a", "lit-040.b", "lit-040.c", "lit-040.d", "lit-037.b", "lit-044.a", "recalled-005"),
    run=run,
    results=results,
    compare=compare,
    seconds=60,
)
