"""Copies that no tensor map forbids and the engine does: each tried in a process of its own, which it may end.

    python -m hopperlab.measure.tma.refusals '["load", "UINT8", 8]'

does one such copy and says what came of it. An illegal instruction ends the context of the process that asked for it,
so the experiment starts one for each copy.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from hopperlab.measure.experiment import Experiment

if TYPE_CHECKING:
    from hopperlab.device.silicon.card import Card
    from hopperlab.ledger import Recording
    from hopperlab.measure.audit import Comparison
    from hopperlab.measure.progress import Progress
    from hopperlab.measure.tma.cases import Case

ILLEGAL = "CUDA_ERROR_ILLEGAL_INSTRUCTION"
AS_MODELLED, DONE = "as modelled", "done, but not as modelled"
SECONDS = 120  # a process that takes longer hangs

ROWS, ROW_BYTES = 2, 64
"""The box; its tensor is four times as wide."""

COPIES = [
    *(["load", "UINT8", start] for start in (0, 1, 4, 8, 12, 15, 16)),
    *(["load", "FLOAT32", start] for start in (0, 4, 8, 12, 16)),
    *(["store", "UINT8", start] for start in (0, 1, 8, 16)),
    *([operation, kind, 0] for operation in ("and", "or", "xor") for kind in ("UINT64", "INT64")),
]
"""Copies of a box: what is done, of which element type, and at which byte of a row the box begins."""


def run(card: Card, progress: Progress) -> list[list]:
    """Try every copy; a sample is [operation, element type, first byte in its row, what came of it]."""
    answers = progress.map("copies", COPIES, _in_a_process)
    return [[*copy, answer] for copy, answer in zip(COPIES, answers, strict=True)]


def _in_a_process(copy: Sequence) -> str:
    command = [sys.executable, "-m", "hopperlab.measure.tma.refusals", json.dumps(copy)]
    on_the_card = os.environ | {"HOPPERLAB_MACHINE": "silicon"}
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=SECONDS, check=False, env=on_the_card
    )
    if done.returncode:
        raise RuntimeError(f"{copy}: {done.stderr[-1000:]}")
    return done.stdout.splitlines()[-1]


def case_of(operation: str, element_type: str, start: int) -> Case:
    """Give the case that a copy stands for."""
    from hopperlab.measure.tma.cases import Case
    from hopperlab.models.tma import ElementType, Fill, Swizzle

    kind = ElementType[element_type]
    box = (ROWS, ROW_BYTES // kind.nbytes)
    shape = (2 * ROWS, 4 * box[1])
    corner = (0, start // kind.nbytes)
    return Case(operation, int(kind), Swizzle.NONE, Fill.ZERO, shape, 0, box, (1, 1), corner, seed=start)


def refused(operation: str, element_type: str, start: int) -> bool:
    """Whether the model refuses a copy."""
    import numpy as np

    from hopperlab.models.tma import ElementType, describe, load, reduce, store

    case, kind = case_of(operation, element_type, start), ElementType[element_type]
    tensor = np.zeros(case.shape, kind.dtype)
    map_, corner = describe(tensor, case.box, element_type=kind), case.corner[::-1]
    tile = np.zeros(map_.box_bytes, np.uint8)
    try:
        if operation == "load":
            load(map_, tensor, corner)
        elif operation == "store":
            store(map_, tensor, corner, tile)
        else:
            reduce(map_, tensor, corner, tile, operation)
    except ValueError:
        return True
    return False


def outcome(copy: Sequence) -> str:
    """Do one copy on the card and give AS_MODELLED, DONE, or the name of the driver's error."""
    from numba import cuda

    from hopperlab.measure.tma.layout import as_modelled

    try:
        try:
            right = as_modelled(case_of(*copy))
        except ValueError:  # the model refuses what the card was asked for
            right = False
        cuda.synchronize()
    except Exception as error:
        name = re.search(r"CUDA_ERROR_\w+", str(error))
        if name is None:
            raise
        return name[0]
    return AS_MODELLED if right else DONE


def results(samples: Sequence[Sequence]) -> dict[str, Any]:
    """Count, by operation and by whether the model refuses, copies and those that were illegal instructions."""
    copies, illegal, modelled = Counter(), Counter(), Counter()
    for *copy, answer in samples:
        kind = (copy[0], refused(*copy))
        copies[kind] += 1
        illegal[kind] += answer == ILLEGAL
        modelled[kind] += answer == AS_MODELLED
    return {
        "columns": ["operation", "model_refuses", "copies", "illegal_instructions", "as_modelled"],
        "kinds": [[*kind, copies[kind], illegal[kind], modelled[kind]] for kind in sorted(copies)],
    }


def compare(recordings: Sequence[Recording]) -> Comparison:
    """Set what the card refused beside what the model refuses; a copy that the model allows is to be as modelled."""
    from hopperlab.measure.audit import Comparison, Row

    rows = []
    for recording in recordings:
        for operation, refuses, copies, illegal, modelled in recording.results["kinds"]:
            done = "illegal instructions" if refuses else "as modelled"
            rows.append(
                Row(
                    theme="tma",
                    subject=f"{operation} of boxes that the model {'refuses' if refuses else 'allows'}: {done}",
                    modelled=copies,
                    measured=illegal if refuses else modelled,
                    unit="copies",
                    card=recording.card_name,
                    tolerance=0,
                )
            )
    compared = sum(int(row.modelled) for row in rows)
    missed = sum(int(row.modelled - row.measured) for row in rows)
    cards = ", ".join(sorted({r.card_name for r in recordings}))
    return Comparison("tma_refusals", cards, compared, missed, tuple(rows), ())


TMA_REFUSALS = Experiment(
    name="tma_refusals",
    theme="tma",
    question="Which copies does the engine refuse as illegal instructions, though the driver took their maps?",
    statistic="what came of each copy, in a process of its own",
    parameters={"rows": ROWS, "row_bytes": ROW_BYTES, "copies": COPIES},
    run=run,
    results=results,
    compare=compare,
    seconds=100,
)


def main() -> None:
    """Do the copy that the command line names, and print what came of it."""
    print(outcome(json.loads(sys.argv[1])), flush=True)
    os._exit(0)  # a context that an illegal instruction has ended cannot be closed


if __name__ == "__main__":
    main()
