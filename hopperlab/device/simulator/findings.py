"""A finding: what went wrong, where, who did it, what was expected, and what to do about it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Finding:
    """One thing that is wrong with a kernel.

    Attributes
    ----------
    name
        What is wrong, in a few words; the same words each time.
    kernel
        The function in which the line is.
    line, text
        The line's number in that function, from 1, and its text; None and "" where no line did it.
    threads
        Who took part.
    expected, seen
        What should have been, and what was.
    cure
        What to do, in one sentence.
    """

    name: str
    kernel: str
    line: int | None
    text: str
    threads: tuple[str, ...]
    expected: str
    seen: str
    cure: str

    @classmethod
    def at(
        cls,
        site: Any,
        name: str,
        kernel: str,
        threads: tuple[str, ...],
        seen: str,
        cure: str,
        expected: str = "",
    ) -> Finding:
        """Make a finding at a place in the kernel, or at none."""
        if site is None:
            return cls(name, kernel, None, "", threads, expected, seen, cure)
        return cls(name, site.code.co_name, site.line, site.text, threads, expected, seen, cure)

    def __str__(self) -> str:
        """Tell the finding in a few lines."""
        where = f"{self.kernel}, line {self.line}: {self.text}" if self.line else self.kernel
        lines = [f"{self.name} ({where})", f"  Seen: {self.seen}."]
        if self.expected:
            lines.append(f"  Expected: {self.expected}.")
        return "\n".join([*lines, f"  Cure: {self.cure}"])


class Stop(Exception):  # noqa: N818 - carries a finding out of the kernel
    """The run cannot go on after this finding."""

    def __init__(self, finding: Finding) -> None:
        super().__init__(str(finding))
        self.finding = finding
