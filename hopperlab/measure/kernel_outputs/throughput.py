"""Cases of instruction throughput: chains of every operation, of multiply-adds, and loops that are left out."""

import numpy as np

from hopperlab.kernels.throughput import (
    OPERATIONS,
    UNROLLED,
    Operation,
    add_up,
    chains,
    forget,
    multiply_adds,
)
from hopperlab.measure.kernel_outputs.case import CLOCK, Case, case, enter, real, words

WARP = 32
CLOCKS = {"clocks": CLOCK}
TABLES = "the special function unit interpolates in tables that are not published"


def _clocks(threads: int) -> np.ndarray:
    return np.zeros((threads, 2), np.uint64)


def _values(operation: Operation, seed: int, shape: tuple[int, ...]) -> np.ndarray:
    """Give bits of any kind, but of floats only those that no sum of a few makes an infinity."""
    if operation.dtype == "uint32" and operation.kind != "fp16x2":
        return words(seed, int(np.prod(shape))).reshape(shape)
    if operation.kind == "fp16x2":
        return real(seed, (*shape[:-1], 2 * shape[-1])).astype(np.float16).view(np.uint32)
    scale = 2.0**20 if operation.kind == "conversion" else 1.0
    return (real(seed, shape) * np.float32(scale)).astype(operation.dtype)


def _chaining(operation: Operation) -> None:
    def make(seed: int) -> Case:
        independent = 1 + seed % 3
        values = _values(operation, seed, (independent, 2, WARP))
        arguments = (values, _clocks(WARP), np.int32(UNROLLED * (1 + seed % 2)))
        why = CLOCKS | ({"values": TABLES} if operation.kind == "special" else {})
        return Case(chains(operation.name, independent), 1, WARP, arguments, undetermined=why)

    enter(f"chains {operation.name}", make)


for _operation in OPERATIONS.values():
    _chaining(_operation)


def _multiplying(number: int) -> None:
    def make(seed: int) -> Case:
        arguments = (real(seed, (number, 2 * WARP)), _clocks(2 * WARP), np.int32(10 + seed))
        return Case(multiply_adds(number), 2, WARP, arguments, undetermined=CLOCKS)

    enter(f"multiply_adds in {number} chains", make)


for _number in (1, 4):
    _multiplying(_number)


@case
def forget_the_loop(seed: int) -> Case:
    """A few threads."""
    return Case(forget, 1, 4, (real(seed, 4), _clocks(4)), undetermined=CLOCKS)


@case
def add_up_in_a_loop(seed: int) -> Case:
    """A few threads."""
    return Case(add_up, 1, 4, (words(seed, 4), _clocks(4)), undetermined=CLOCKS)
