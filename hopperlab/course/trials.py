"""A trial: one call of a learner's function, and what came of it. Nothing it does stops the notebook."""

import contextlib
import copy
import io
import linecache
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from hopperlab.course.comparison import difference
from hopperlab.course.time_limit import TimeLimitError, within

LONGEST_PRINT = 2000  # characters kept of what one call prints


@dataclass(frozen=True)
class Outcome:
    """What came of one call: a value, an error, a changed argument, or no end in time."""

    kind: Literal["value", "error", "changed argument", "no end"]
    value: Any = None
    error: BaseException | None = None
    where: str = ""
    argument: int = 0
    printed: str = ""

    def same_as(self, other: "Outcome") -> bool:
        """Whether two outcomes are alike: equal values, or the same kind of failure."""
        if self.kind != other.kind:
            return False
        if self.kind == "value":
            return not difference(self.value, other.value)
        return type(self.error) is type(other.error)


class _BoundedText(io.StringIO):
    """Keeps the first characters only, so that an endless loop that prints fills no memory."""

    def write(self, text: str) -> int:
        super().write(text[: max(0, LONGEST_PRINT - self.tell())])
        return len(text)


def attempt(function: Callable, arguments: tuple, seconds: float) -> Outcome:
    """Call a function on copies of the arguments.

    A KeyboardInterrupt passes through, so that the learner can stop a cell.
    """
    given = copy.deepcopy(arguments)
    printed = _BoundedText()
    try:
        with contextlib.redirect_stdout(printed):
            value = within(seconds, function, *given)
    except TimeLimitError as late:
        return Outcome("no end", error=late, printed=printed.getvalue())
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        return Outcome("error", error=error, where=_where(function, error), printed=printed.getvalue())
    for place, (before, after) in enumerate(zip(arguments, given, strict=True)):
        if difference(after, before):
            return Outcome("changed argument", value=value, argument=place, printed=printed.getvalue())
    return Outcome("value", value=value, printed=printed.getvalue())


def _where(function: Callable, error: BaseException) -> str:
    """The deepest line of the learner's own code that the error passed, numbered within the function."""
    code = getattr(function, "__code__", None)
    if code is None:
        return ""
    numbers = [
        number
        for frame, number in traceback.walk_tb(error.__traceback__)
        if frame.f_code.co_filename == code.co_filename
    ]
    line = linecache.getline(code.co_filename, numbers[-1]).strip() if numbers else ""
    return f"line {numbers[-1] - code.co_firstlineno + 1}, `{line}`" if line else ""
