"""What the instructions of `instructions` do in the simulator, by their names.

All are exact but the four of the special function unit: these are computed in float64 and rounded to float32
once, where the unit interpolates in tables that are not published.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from hopperlab.device.simulator.meetings import meet_in_warp
from hopperlab.device.simulator.numbers import float16, float32, fused_multiply_add
from hopperlab.device.simulator.twins import twin
from hopperlab.device.vocabulary.word import Word

FULL = 0xFFFFFFFF
WORD = 2**32
INT32_MAX = 2**31 - 1


def _on_halves(compute: Callable) -> Callable[[int, int], int]:
    """Do the same to both float16 of a word; float64 holds every sum and product of them without rounding."""

    def apply(a: int, b: int) -> int:
        left, right = (np.array([x], np.uint32).view(np.float16).astype(float) for x in (a, b))
        return int(compute(left, right).astype(np.float16).view(np.uint32)[0])

    return apply


def _to_int32(x: Any) -> int:
    """Towards zero; what lies beyond becomes the last number, and NaN 0."""
    if x != x:
        return 0
    return int(max(-INT32_MAX - 1, min(INT32_MAX, float(x))))


def _single(compute: Callable) -> Callable[[Any], Any]:
    return lambda a: float32(float(compute(np.float64(a))))


ALONE: dict[str, Callable] = {
    "fp32_add": lambda a, b: a + b,
    "fp32_multiply": lambda a, b: a * b,
    "fp32_fma": lambda a, b: fused_multiply_add(a, b, float32(0.25)),
    "fp64_add": lambda a, b: a + b,
    "fp64_multiply": lambda a, b: a * b,
    "fp64_fma": lambda a, b: fused_multiply_add(a, b, 0.25),
    "fp16x2_add": _on_halves(lambda a, b: a + b),
    "fp16x2_multiply": _on_halves(lambda a, b: a * b),
    "fp16x2_fma": _on_halves(lambda a, b: a * b + 0.25),
    "int32_add": lambda a, b: (int(a) + int(b)) % WORD,
    "int32_multiply": lambda a, b: int(a) * int(b) % WORD,
    "int32_multiply-add": lambda a, b: (int(a) * int(b) + 12345) % WORD,
    "int32_multiply_high": lambda a, b: int(a) * int(b) // WORD,
    "int32_and-xor": lambda a, b: (int(a) & int(b)) ^ 305419896,
    "int32_shift": lambda a, b: (int(b) << 7 | int(a) >> 25) % WORD,
    "count_bits": lambda a: int(a).bit_count(),
    "leading_one": lambda a: (int(a).bit_length() - 1) % WORD,
    "reverse_bits": lambda a: int(f"{int(a):032b}"[::-1], 2),
    "exp2": _single(np.exp2),
    "log2": _single(np.log2),
    "reciprocal_root": _single(lambda a: 1 / np.sqrt(a)),
    "hyperbolic_tangent": _single(np.tanh),
    "fp32_to_int32_and_back_there": _to_int32,
    "fp32_to_int32_and_back_back": lambda a: float32(int(a)),
    "fp32_to_fp64_and_back_there": float,
    "fp32_to_fp64_and_back_back": float32,
    "fp32_to_fp16_and_back_there": float16,
    "fp32_to_fp16_and_back_back": lambda a: float32(float(a)),
}
"""What a thread does by itself."""


def _shuffle(world: Any, a: int) -> int:
    met = meet_in_warp(world, "shuffle", FULL, a)
    return next(value for thread, value in met.values.items() if thread.lane == world.thread.lane ^ 1)


def _reduce(world: Any, a: int) -> int:
    return min(meet_in_warp(world, "reduce", FULL, a).values.values())


TOGETHER: dict[str, Callable] = {"shuffle": _shuffle, "reduce": _reduce}
"""What the lanes of a warp do as one."""


def with_twin(instruction: Word) -> Word:
    """Give an instruction that the simulator knows too."""
    name = instruction.__name__
    if name in TOGETHER:
        twin(instruction, waits=True)(TOGETHER[name])
    else:
        act = ALONE[name]
        twin(instruction)(lambda world, *numbers: act(*numbers))
    return instruction
