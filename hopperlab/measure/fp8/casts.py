"""Whether the card's conversions are the model's: all 2**32 float32, all pairs of float16, all pairs of codes.

A cast is monotone, so that few numbers tell of all: where, in the order of their patterns, the code changes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from hopperlab.measure.experiment import Experiment

if TYPE_CHECKING:
    import numpy as np

    from hopperlab.device.silicon.card import Card
    from hopperlab.ledger import Recording
    from hopperlab.measure.audit import Comparison
    from hopperlab.measure.progress import Progress

FORMATS = ("e4m3", "e5m2")
FROM_FLOAT32, FROM_FLOAT16, TO_FLOAT16 = "from float32", "from float16", "to float16"
PATTERNS = {FROM_FLOAT32: 2**32, FROM_FLOAT16: 2**32, TO_FLOAT16: 2**16}
CASES = [
    [cast, fmt, relu]
    for cast in (FROM_FLOAT32, FROM_FLOAT16, TO_FLOAT16)
    for fmt in FORMATS
    for relu in ((False,) if cast == TO_FLOAT16 else (False, True))
]
BLOCK = 256
ALL_HALVES = 2**16
MOST_CHANGES = 4096


def run(card: Card, progress: Progress) -> list[dict[str, Any]]:
    """Convert everything. A sample has the runs of equal codes, and how many pairs are not their halves' codes."""
    ask = {FROM_FLOAT32: _from_float32, FROM_FLOAT16: _from_float16, TO_FLOAT16: _to_float16}
    answers = progress.map("casts", CASES, lambda case: ask[case[0]](*case[1:]))
    return [
        {"cast": cast, "format": fmt, "relu": relu, **answer}
        for (cast, fmt, relu), answer in zip(CASES, answers, strict=True)
    ]


def _from_float32(fmt: str, relu: bool) -> dict[str, Any]:
    import numpy as np
    from numba import cuda

    from hopperlab.kernels.fp8 import find_changes

    changes = cuda.to_device(np.zeros((MOST_CHANGES, 2), np.uint32))
    counts = cuda.to_device(np.zeros(2, np.int32))
    find_changes(fmt, relu)[ALL_HALVES // BLOCK, BLOCK](changes, counts)
    found, differ = counts.copy_to_host().tolist()
    if found > MOST_CHANGES:
        raise RuntimeError(f"the codes of {fmt} change {found} times; there is room for {MOST_CHANGES}")
    rows = changes.copy_to_host()[:found]
    return {"runs": rows[np.argsort(rows[:, 0])].tolist(), "pairs_that_differ": differ}


def _from_float16(fmt: str, relu: bool) -> dict[str, Any]:
    import numpy as np
    from numba import cuda

    from hopperlab.kernels.fp8 import check_half_pairs, encode_half_array

    halves = cuda.to_device(np.arange(ALL_HALVES, dtype=np.uint16).view(np.float16))
    pairs = cuda.to_device(np.zeros(ALL_HALVES // 2, np.uint16))
    encode_half_array(fmt, relu)[ALL_HALVES // 2 // BLOCK, BLOCK](halves, pairs)
    codes = pairs.copy_to_host().view(np.uint8)
    differ = cuda.to_device(np.zeros(1, np.int64))
    check_half_pairs(fmt, relu)[ALL_HALVES // BLOCK, BLOCK](halves, cuda.to_device(codes), differ)
    return {"runs": runs_of(codes), "pairs_that_differ": int(differ.copy_to_host()[0])}


def _to_float16(fmt: str, relu: bool) -> dict[str, Any]:
    import numpy as np
    from numba import cuda

    from hopperlab.kernels.fp8 import decode_array

    pairs = cuda.to_device(np.arange(2**16, dtype=np.uint16))
    values = cuda.to_device(np.zeros(2**17, np.float16))
    decode_array(fmt)[2**16 // BLOCK, BLOCK](pairs, values)
    low, high = values.copy_to_host().view(np.uint16).reshape(256, 256, 2).transpose(2, 0, 1)
    # [high code, low code]: the low value must not depend on the high code, nor the high value on the low one.
    halves = low[0]
    differ = np.count_nonzero((low != halves) | (high != halves[:, np.newaxis]))
    return {"halves": halves.tolist(), "pairs_that_differ": int(differ)}


def runs_of(codes: np.ndarray) -> list[list[int]]:
    """Give the runs of equal codes: where each begins, and its code."""
    import numpy as np

    starts = np.flatnonzero(np.concatenate([[True], codes[1:] != codes[:-1]]))
    return [[int(start), int(codes[start])] for start in starts]


def results(samples: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Count what was converted, the runs of equal codes, and pairs that are not the codes of their halves."""
    return {
        "columns": ["cast", "format", "relu", "inputs", "runs", "pairs_that_differ"],
        "casts": [
            [
                one["cast"],
                one["format"],
                one["relu"],
                PATTERNS[one["cast"]],
                len(one["runs"] if "runs" in one else one["halves"]),
                one["pairs_that_differ"],
            ]
            for one in samples
        ],
    }


def compare(recordings: Sequence[Recording]) -> Comparison:
    """Hold every run of codes against the model, at its first and its last pattern.

    In between, the model has the same code: it is monotone from each pattern to the next of the same sign.
    """
    from hopperlab.measure.audit import Comparison

    compared = mismatches = 0
    notes = []
    for recording in recordings:
        for one in recording.samples:
            wrong = one["pairs_that_differ"] + sum(_wrong(one))
            compared += PATTERNS[one["cast"]]
            mismatches += wrong
            if wrong:
                notes.append(f"{one['cast']}, {one['format']}: {wrong} differ from the model.")
    cards = ", ".join(sorted({r.card_name for r in recordings}))
    return Comparison("fp8_casts", cards, compared, mismatches, (), tuple(notes))


def _wrong(one: dict[str, Any]) -> Iterator[int]:
    """Give, run by run, how many patterns it has if the model's code is another, else 0."""
    import numpy as np

    from hopperlab.models.fp8 import decode

    if one["cast"] == TO_FLOAT16:
        expected = decode(np.arange(256, dtype=np.uint8), one["format"]).astype(np.float16)
        got = np.array(one["halves"], np.uint16).view(np.float16)
        yield int(np.count_nonzero(~((got == expected) | (np.isnan(got) & np.isnan(expected)))))
        return
    half = one["cast"] == FROM_FLOAT16
    starts, codes = np.array(one["runs"], np.int64).T
    ends = np.append(starts[1:], 2**16 if half else 2**32)
    first = model_codes(starts, half, one["format"], one["relu"])
    last = model_codes(ends - 1, half, one["format"], one["relu"])
    yield from np.where((first == codes) & (last == codes), 0, ends - starts).tolist()


def model_codes(patterns: np.ndarray, half: bool, fmt: str, relu: bool) -> np.ndarray:
    """Give the model's codes of patterns of float16 or float32, with what is negative made 0 if `relu`."""
    import numpy as np

    from hopperlab.models.fp8 import encode

    if half:
        values = patterns.astype(np.uint16).view(np.float16).astype(np.float32)
    else:
        values = patterns.astype(np.uint32).view(np.float32)
    if relu:
        values = np.where(np.signbit(values) & ~np.isnan(values), np.float32(0), values)
    return encode(values, fmt).view(np.uint8)


FP8_CASTS = Experiment(
    name="fp8_casts",
    theme="fp8",
    question="Does every float32, every pair of float16 and every pair of codes convert as the model says?",
    statistic="the runs of equal codes in the order of the patterns; pairs that are not their halves' codes",
    parameters={"cases": CASES, "inputs": PATTERNS},
    claims=("lit-046.a", "lit-047.a", "lit-048.a", "lit-048.b", "lit-049.c", "talk-017"),
    run=run,
    results=results,
    compare=compare,
    seconds=10,
    memory_bytes=64 * 2**20,
)
