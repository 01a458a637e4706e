"""Which additions of a function survive a compiler: those that the result needs, in a loop that stays a loop."""

import re
from collections.abc import Callable
from typing import Any

from hopperlab.course.compiled import compiled

ROUNDS = (12, 13)
"""How many rounds are tried: an even number, and an odd one."""

LABEL = re.compile(r'"?(?P<label>[\w.$-]+)"?:')
BRANCH = re.compile(r'label %"?(?P<label>[\w.$-]+)"?')


class Counted:
    """An integer that remembers which additions it was made by.

    `additions` is shared by all integers of a run: for each addition, whether a number was added to itself.
    """

    def __init__(self, made_by: frozenset[int], additions: list[bool]) -> None:
        self.made_by, self.additions = made_by, additions

    def __add__(self, other: Any) -> "Counted":
        """Add, and remember it."""
        if not isinstance(other, Counted | int):
            return NotImplemented
        number = len(self.additions)
        self.additions.append(other is self)
        return Counted(self.made_by | getattr(other, "made_by", frozenset()) | {number}, self.additions)

    __radd__ = __add__


def what_is_left_out(function: Callable) -> str | None:
    """What a compiler leaves out of `function(a, b, rounds)`, which should make `rounds` additions; None if nothing."""
    found = (_not_needed(function, rounds) for rounds in ROUNDS)
    return next(filter(None, found), None) or _compiled(function)


def _not_needed(function: Callable, rounds: int) -> str | None:
    additions: list[bool] = []
    a, b = (Counted(frozenset(), additions) for _ in range(2))
    try:
        result = function(a, b, rounds)
    except TypeError as error:
        return f"it does something else than adding: {error}"
    needed = len(getattr(result, "made_by", ()))
    if needed < len(additions):
        return (
            f"the result needs {needed} of {len(additions)} additions, and the compiler leaves out the others"
        )
    if len(additions) != rounds:
        return f"it makes {len(additions)} additions in {rounds} rounds"
    if sum(additions) > 1:  # two names of one number may meet once, before they part
        return "it adds a number to itself again and again, and the compiler makes shifts of that"
    return None


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
