"""Places in a kernel: a code object and how far into it, which is a line once somebody asks."""

from __future__ import annotations

import linecache
from functools import cache
from types import CodeType
from typing import NamedTuple


class Site(NamedTuple):
    """A place in the kernel: its code and how far into it."""

    code: CodeType
    instruction: int

    @property
    def number(self) -> int:
        """The line's number in its file."""
        return _number(self.code, self.instruction)

    @property
    def line(self) -> int:
        """The line's number in its function, from 1: decorators count."""
        return self.number - self.code.co_firstlineno + 1

    @property
    def text(self) -> str:
        """The line itself."""
        return linecache.getline(self.code.co_filename, self.number).strip()

    @property
    def assigned(self) -> str:
        """The name that the line gives its value; empty if it gives none."""
        name, equals, _ = self.text.partition("=")
        return name.strip() if equals and name.strip().isidentifier() else ""


@cache
def _number(code: CodeType, instruction: int) -> int:
    for start, end, line in code.co_lines():
        if start <= instruction < end and line is not None:
            return line
    return code.co_firstlineno
