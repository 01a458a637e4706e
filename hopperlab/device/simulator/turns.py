"""The turns of loops over `range`: what a loop's own counting and the arithmetic of its lines take.

A loop whose bounds are known when the kernel is compiled is unrolled, and counts for nothing itself. Of another one
each turn takes its arithmetic, an operation after the other, as if all branches of its lines were taken. The loop's
counting goes on beside the arithmetic and beside waiting for memory: only what is left of it is added. Loops within
are taken by themselves; those that are unrolled are part of the turn, as often as they go round.
"""

from __future__ import annotations

import dis
import sys
from collections.abc import Callable, Iterator
from functools import cache
from types import CodeType, FrameType
from typing import Any

_OPERATIONS = ("BINARY_OP", "COMPARE_OP", "BUILD_SLICE", "BINARY_SLICE", "UNARY_NEGATIVE", "UNARY_INVERT")
_KNOWN = ("LOAD_CONST", "LOAD_GLOBAL", "LOAD_DEREF")
_SKIPPED = ("PRECALL", "PUSH_NULL", "CACHE")


def counting(world: Any) -> Callable[..., Any]:
    """Give the `range` of a function: it lets the thread that counts take its time."""
    # What a turn of a loop takes, by where the loop calls: the cycles of its arithmetic, and what is left of counting.
    known: dict[tuple[int, int], tuple[float, float] | None] = {}

    def turns(*bounds: Any) -> Any:
        numbers = range(*bounds)
        frame = sys._getframe(1)
        place = id(frame.f_code), frame.f_lasti
        try:
            turn = known[place]
        except KeyError:
            turn = known[place] = _turn(world, _operations(frame.f_code, frame.f_lasti, _constants(frame)))
        return numbers if turn is None else _counted(world.thread, numbers, *turn)

    return turns


def _turn(world: Any, operations: int | None) -> tuple[float, float] | None:
    if operations is None:
        return None
    arithmetic = world.costs["operation"] * operations
    return arithmetic, max(0.0, world.costs.turn(world.shape.threads_per_block) - arithmetic)


def _counted(thread: Any, numbers: range, arithmetic: float, left: float) -> Iterator[int]:
    for number in numbers:
        begun = thread.cycles = thread.cycles + arithmetic
        thread.loaded = -1.0
        yield number
        if max(thread.loaded, thread.rested) < begun:
            thread.cycles += left


def _constants(frame: FrameType) -> tuple[tuple[str, int], ...]:
    """Give the whole numbers that a code knows by name when it is compiled."""
    code = frame.f_code
    named = {name: frame.f_globals.get(name) for name in code.co_names}
    named |= {name: frame.f_locals.get(name) for name in code.co_freevars}
    return tuple((name, value) for name, value in named.items() if type(value) is int)


@cache
def _operations(code: CodeType, call: int, constants: tuple) -> int | None:
    """Give how many operations a turn has of the loop whose range is called there; None if it is unrolled."""
    instructions = list(dis.get_instructions(code))
    # From the call on: a frame may stand in its call's cache.
    after = (n for n, i in enumerate(instructions) if i.offset >= call)
    place = next((n for n in after if _begins(instructions, n)), None)
    if place is None or _times(instructions, place, dict(constants)) is not None:
        return None
    return _within(instructions, place, dict(constants))


def _begins(instructions: list, place: int) -> bool:
    return instructions[place].opname == "FOR_ITER"


def _within(instructions: list, place: int, constants: dict[str, int]) -> int:
    """Count the operations of the loop that begins at a place, those of unrolled loops within as often as they come."""
    end = next(n for n, i in enumerate(instructions) if i.offset == instructions[place].argval)
    found, n = 0, place + 1
    while n < end:
        if _begins(instructions, n):
            inner = next(m for m, i in enumerate(instructions) if i.offset == instructions[n].argval)
            times = _times(instructions, n, constants)
            found += (times or 0) * _within(instructions, n, constants)
            n = inner
            continue
        found += instructions[n].opname in _OPERATIONS
        n += 1
    return found


def _times(instructions: list, place: int, constants: dict[str, int]) -> int | None:
    """Give how often the loop that begins at a place goes round, if that is known when it is compiled."""
    bounds = []
    for i in reversed(instructions[:place]):
        if i.opname == "LOAD_GLOBAL" and i.argval == "range":
            break
        if i.opname in _KNOWN:
            bounds.append(i.argval if i.opname == "LOAD_CONST" else constants.get(i.argval))
        elif i.opname not in (*_SKIPPED, "CALL", "GET_ITER"):
            return None
    if not all(isinstance(bound, int) for bound in bounds):
        return None
    return len(range(*reversed(bounds)))
