"""Which additions of a function survive a compiler: those that the result needs, in a loop that stays a loop."""

import re
from collections.abc import Callable
from typing import Any

from hopperlab.course.compiled import compiled

ROUNDS = 12
LABEL = re.compile(r'"?(?P<label>[\w.$-]+)"?:')
BRANCH = re.compile(r'label %"?(?P<label>[\w.$-]+)"?')


class Counted:
    """An integer that remembers which additions it was made by."""

    def __init__(self, made_by: frozenset[int], additions: list[int]) -> None:
        self.made_by, self.additions = made_by, additions

    def __add__(self, other: Any) -> "Counted":
        """Add, and remember it."""
        if not isinstance(other, Counted | int):
            return NotImplemented
        number = len(self.additions)
        self.additions.append(number)
        return Counted(self.made_by | getattr(other, "made_by", frozenset()) | {number}, self.additions)

    __radd__ = __add__


def what_is_left_out(function: Callable) -> str | None:
    """What a compiler leaves out of `function(a, b, rounds)`, which should make `rounds` additions; None if nothing."""
    additions: list[int] = []
    a, b = (Counted(frozenset(), additions) for _ in range(2))
    try:
        result = function(a, b, ROUNDS)
    except TypeError as error:
        return f"it does something else than adding: {error}"
    needed = len(getattr(result, "made_by", ()))
    if needed < len(additions):
        return (
            f"the result needs {needed} of {len(additions)} additions, and the compiler leaves out the others"
        )
    if len(additions) != ROUNDS:
        return f"it makes {len(additions)} additions in {ROUNDS} rounds"
    return _compiled(function)


def _compiled(function: Callable) -> str | None:
    from numba import int64

    code, _, refused = compiled(function, *[int64] * 3)
    if refused:
        return refused
    return None if loops(code) else "compiled, it has no loop: the compiler found a shorter way to the result"


def loops(code: str) -> int:
    """Branches back to an earlier label, in the body of one LLVM function."""
    lines = code.splitlines()
    places = {found["label"]: place for place, line in enumerate(lines) if (found := LABEL.match(line))}
    return sum(
        places.get(found["label"], len(lines)) <= place
        for place, line in enumerate(lines)
        if " br " in line
        for found in BRANCH.finditer(line)
    )
