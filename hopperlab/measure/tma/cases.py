"""Random tensors and boxes for the comparison of copies: small enough to copy whole, and of every kind."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from math import prod
from typing import Any

import numpy as np

from hopperlab.models.tma import ElementType, Fill, Swizzle

MAX_TENSOR, MAX_TILE = 1 << 20, 96 * 1024
"""The most bytes of a tensor and of a tile."""

REDUCTIONS = ("add", "min", "max", "inc", "dec", "and", "or", "xor")


@dataclass(frozen=True)
class Case:
    """One copy: a tensor and a box of it, in the order of the tensor's axes, outermost first.

    Attributes
    ----------
    operation
        "load", "store", or a reduction.
    element_type, swizzle, fill
        Their numbers in `models.tma`.
    shape, padding
        The tensor's sizes, and how many 16-byte units its rows are longer than they need to be.
    box, element_strides
        As of `tma.tensor_map`.
    corner
        Where the box begins, outermost first.
    seed
        Of the tensor's and the tile's bytes.
    """

    operation: str
    element_type: int
    swizzle: int
    fill: int
    shape: tuple[int, ...]
    padding: int
    box: tuple[int, ...]
    element_strides: tuple[int, ...]
    corner: tuple[int, ...]
    seed: int


def cases(seed: int, loads: int, stores: int) -> list[Case]:
    """Draw loads of every swizzle, rank and type, stores of every swizzle and rank, and all reductions."""
    from hopperlab.models.tma.reduction import ALLOWED

    rng = np.random.default_rng(seed)
    kinds = list(product(Swizzle, range(1, 6)))
    types = list(ElementType)
    drawn = [draw(rng, "load", types[i % 13], *kinds[i % 20]) for i in range(loads)]
    drawn += [draw(rng, "store", types[i % 13], *kinds[i % 20]) for i in range(stores)]
    for name in REDUCTIONS:
        for i, kind in enumerate(sorted(ALLOWED[name])):
            rank = 1 + i % 5 if name == "add" else 2
            drawn.append(draw(rng, name, kind, Swizzle(i % 4), rank))
    return drawn


def draw(rng: np.random.Generator, operation: str, kind: ElementType, swizzle: Swizzle, rank: int) -> Case:
    """Draw one case of a kind; boxes hang over the edges about as often as not."""
    most = min(swizzle.span or 1024, 256 * kind.nbytes)
    inner = int(rng.integers(1, most // 16 + 1)) * 16 // kind.nbytes
    within = rng.random() < 0.4  # the tensor; the others hang over an edge, or lie outside
    while True:
        box = (*(int(rng.integers(1, 9)) for _ in range(rank - 1)), inner)
        shape = tuple(int(rng.integers(size if within else 1, 3 * size + 2)) for size in box)
        tile = prod(box[:-1]) * max(inner * kind.nbytes, swizzle.span)
        if tile <= MAX_TILE and prod(shape) * kind.nbytes * 2 <= MAX_TENSOR:
            break
    loads, reduces = operation == "load", operation in REDUCTIONS
    steps = [1 if reduces else int(rng.choice([1, 1, 2, 3])) for _ in box]
    steps[-1] = 1  # that of the innermost dimension is ignored; lit-037.a
    lowest = [0 if within or not loads else -size for size in box]
    highest = [n - size if within else n + size // 2 for size, n in zip(box, shape, strict=True)]
    corner = [int(rng.integers(low, high + 1)) for low, high in zip(lowest, highest, strict=True)]
    corner[-1] -= corner[-1] % (16 // kind.nbytes)  # rows start on 16 bytes
    fill = int(rng.integers(2)) if kind.floating and loads else Fill.ZERO
    return Case(
        operation,
        int(kind),
        int(swizzle),
        int(fill),
        shape,
        int(rng.integers(3)),
        box,
        tuple(steps),
        tuple(corner),
        int(rng.integers(2**31)),
    )


def tensor(case: Case) -> tuple[np.ndarray, tuple[int, ...]]:
    """Give a case's tensor as flat bytes with its padding, and its strides in bytes, outermost first."""
    itemsize = ElementType(case.element_type).nbytes
    strides, step = [itemsize], itemsize
    for length in case.shape[:0:-1]:
        step = -(-length * step // 16) * 16 + 16 * case.padding
        strides.append(step)
    size = step * case.shape[0]
    return random_elements(case, -(-size // 16) * 16), tuple(reversed(strides))


def random_elements(case: Case, nbytes: int, salt: int = 0) -> np.ndarray:
    """Give random bytes; for sums in floating point, small whole numbers, so that no sum is rounded."""
    rng = np.random.default_rng([case.seed, salt])
    kind = ElementType(case.element_type)
    if case.operation == "load" or case.operation == "store" or not kind.floating:
        return rng.integers(0, 256, nbytes).astype(np.uint8)
    numbers = rng.integers(-64, 64, nbytes // kind.nbytes)
    return numbers.astype(kind.dtype).view(np.uint8)


def view(case: Case, flat: Any, strides: tuple[int, ...]) -> Any:
    """Give what `tma.tensor_map` is to see of device memory: the case's shape and strides."""
    kind = ElementType(case.element_type)
    typestr = f"<u{kind.nbytes}" if kind.dtype.kind == "V" else kind.dtype.str

    class View:
        __cuda_array_interface__ = flat.__cuda_array_interface__ | {
            "shape": case.shape,
            "strides": strides,
            "typestr": typestr,
        }

    return View
