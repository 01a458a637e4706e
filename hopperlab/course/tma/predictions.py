"""What the learner commits before the explorer of lesson 10 is shown."""

from collections.abc import Callable

import numpy as np

from hopperlab.course.guesses import Number, Numbers
from hopperlab.course.misconceptions import Misconception
from hopperlab.course.predictions import Prediction
from hopperlab.models.tma import (
    Descriptor,
    ElementType,
    Fill,
    Swizzle,
    bank_conflicts,
    describe,
    load,
    refusals,
    warp_access,
)

IMAGE = np.zeros((12, 40), np.float32)
BOX, CORNER = (8, 32), (24, 2)
"""Rows and columns of the box, and column and row where it begins: half of it lies beyond the last column."""


def _bytes_counted() -> int:
    return load(describe(IMAGE, BOX), IMAGE, CORNER)[1]


HALF_OUTSIDE = Prediction(
    "half-outside",
    "A float32 image of 12 rows and 40 columns. A box of 8 rows and 32 columns begins at row 2, column 24: its right "
    "half lies beyond the image. How many bytes does the copy count on its barrier?",
    Number("bytes", low=0, high=4096),
    answer=_bytes_counted,
    because=lambda answer: (
        f"The whole box: 8 x 32 x 4 = {answer}. What lies outside is filled in, and lands like the rest. So a kernel "
        "expects the same number for every tile. Measured on an H200: each of 1,040 random loads, in and out of "
        "bounds, turned its phase on exactly that many."
    ),
    misconceptions=[
        Misconception(
            "out-of-bounds bytes do not count",
            512,
            "They count. Who expects only the inside has a phase that ends early, or hangs.",
        ),
        Misconception("bytes are elements", 256, "The barrier counts bytes: 4 for each of the 256 elements."),
        Misconception("a box outside is an error", 0, "It is what edges need: no thread compares anything."),
    ],
)

TILE = np.zeros((32, 32), np.float32)


def _banks(swizzle: Swizzle) -> int:
    addresses, width = warp_access(describe(TILE, TILE.shape, swizzle=swizzle), "a column", 0)
    return int((bank_conflicts(addresses, width).words.max(axis=0) > 0).sum())


def _columns() -> dict[str, int]:
    return {"no swizzle": _banks(Swizzle.NONE), "128-byte swizzle": _banks(Swizzle.BYTES_128)}


COLUMN = Prediction(
    "column",
    "A tile of 32 rows of 32 float32 in shared memory: rows of 128 bytes. The 32 lanes of a warp read one column, an "
    "element each. How many of the 32 banks do they meet, without swizzle and with the swizzle of 128 bytes?",
    Numbers({name: Number("banks", low=1, high=32) for name in ("no swizzle", "128-byte swizzle")}),
    answer=_columns,
    because=lambda answer: (
        f"A row is all 32 banks once, so without swizzle a column lies in {answer['no swizzle']} bank: 32 passes. The "
        f"swizzle moves chunks of 16 bytes among 8 places, so the column meets {answer['128-byte swizzle']} banks, "
        "and four lanes still share each: 4 passes."
    ),
    misconceptions=[
        Misconception(
            "the 128-byte swizzle removes every conflict",
            {"128-byte swizzle": 32},
            "It moves chunks of 16 bytes, four banks wide, as they are. The place within the chunk never changes.",
        ),
        Misconception(
            "a column is spread over the banks",
            {"no swizzle": 32},
            "Neighbors in a row lie in neighboring banks. Neighbors in a column are 128 bytes apart: the same bank.",
        ),
        Misconception(
            "the swizzle doubles the banks",
            {"128-byte swizzle": 2},
            "Eight chunks fit in 128 bytes, and the row's number picks among all eight.",
        ),
    ],
)

_PLAIN = Descriptor(ElementType.FLOAT32, 0, (100, 100), (400,), (32, 16))
MAPS: dict[str, tuple[str, Descriptor]] = {
    "A": (
        "float32, rows of 101 elements without gaps",
        _PLAIN.changed(global_dim=(101, 100), global_strides=(404,)),
    ),
    "B": (
        "rows of 100 float32 that begin every 64 bytes, so that they overlap",
        _PLAIN.changed(global_strides=(64,)),
    ),
    "C": ("uint8, a box of 320 columns", Descriptor(ElementType.UINT8, 0, (640, 100), (640,), (320, 4))),
    "D": ("a swizzle of 64 bytes, box rows of 128 bytes", _PLAIN.changed(swizzle=Swizzle.BYTES_64)),
    "E": (
        "int32, what lies outside filled with NaN",
        _PLAIN.changed(element_type=ElementType.INT32, fill=Fill.NAN),
    ),
    "F": ("a box of 200 rows over a tensor of 100", _PLAIN.changed(box_dim=(32, 200))),
}
"""What is said of six tensor maps, and the maps."""


def _verdicts() -> dict[str, int]:
    return {name: int(not refusals(descriptor)) for name, (_, descriptor) in MAPS.items()}


def _why(_: dict[str, int]) -> str:
    told = []
    for name, (_, descriptor) in MAPS.items():
        broken = refusals(descriptor)
        told.append(f"{name} {f'refused, {broken[0]}' if broken else 'accepted'}")
    return (
        "; ".join(told)
        + ". The driver of an H200 answered as this model does for each of 10,600 random maps."
    )


def _if(accepts: Callable[[Descriptor], bool]) -> dict[str, int]:
    """The verdicts of a wrong rule, where they differ from the right ones."""
    judged = {name: int(accepts(descriptor)) for name, (_, descriptor) in MAPS.items()}
    return {name: verdict for name, verdict in judged.items() if verdict != _verdicts()[name]}


def _without(*rules: str) -> dict[str, int]:
    return _if(lambda d: not {refusal.rule for refusal in refusals(d)} - set(rules))


def _said() -> str:
    return " ".join(f"{name}: {said}." for name, (said, _) in MAPS.items())


SIX_MAPS = Prediction(
    "six-maps",
    f"Six tensor maps. {_said()} Write 1 for a map that the driver accepts, 0 for one that it refuses.",
    Numbers({name: Number("", low=0, high=1) for name in MAPS}),
    answer=_verdicts,
    because=_why,
    misconceptions=[
        Misconception(
            "any stride will do",
            _without("stride_16"),
            "Strides are bytes, and multiples of 16: rows of 101 float32 must be padded to 104.",
        ),
        Misconception(
            "the box may be any size", _without("box_range"), "At most 256 elements along each dimension."
        ),
        Misconception(
            "a swizzle takes rows of any length",
            _without("inner_span"),
            "A row of the box must fit within the swizzle's span.",
        ),
        Misconception(
            "anything may be filled with NaN",
            _without("fill_floating"),
            "An integer has no NaN. Zero is all it can be filled with.",
        ),
        Misconception(
            "rows must not overlap",
            _if(lambda d: not refusals(d) and d.global_strides[0] >= d.global_dim[0] * d.element_type.nbytes),
            "The driver does not look. Overlapping rows are sliding windows, and a load takes them as they come.",
        ),
        Misconception(
            "the box must fit in the tensor",
            _if(lambda d: not refusals(d) and d.box_dim[1] <= d.global_dim[1]),
            "What hangs over is filled in. A small tensor and a large box are a matter of course at edges.",
        ),
    ],
)
