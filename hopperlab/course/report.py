"""A report: what a learner is told, as text and as the same words in HTML.

The text is what nbval compares, what a screen reader reads and what is left without a kernel; the HTML says
nothing more. Between backticks, words are set as code.
"""

import html
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any


def words_as_html(text: str) -> str:
    """The text escaped for HTML, with words between backticks set as code."""
    return re.sub(r"`([^`\n]+)`", r"<code>\1</code>", html.escape(text, quote=False))


def sentence(words: str) -> str:
    """The words with a full stop, unless they end a sentence already."""
    return words if words.endswith((".", "?", "!")) else f"{words}."


@dataclass(frozen=True)
class Code:
    """Lines of Python, shown as they are."""

    text: str

    @property
    def html(self) -> str:
        """The lines in a ``<pre>`` element."""
        return f"<pre><code>{html.escape(self.text, quote=False)}</code></pre>"


@dataclass(frozen=True)
class Table:
    """A small table; every row has as many cells as the header."""

    header: Sequence[str]
    rows: Sequence[Sequence[str]]

    @property
    def text(self) -> str:
        """Columns aligned with spaces, the header underlined."""
        widths = [
            max(len(row[column]) for row in [self.header, *self.rows]) for column in range(len(self.header))
        ]
        lines = [self.header, ["-" * width for width in widths], *self.rows]
        return "\n".join(_aligned(line, widths) for line in lines)

    @property
    def html(self) -> str:
        """A table whose first cells are row headers, as screen readers want them."""
        head = "".join(f'<th scope="col">{words_as_html(cell)}</th>' for cell in self.header)
        body = "".join(f"<tr>{_row_as_html(row)}</tr>" for row in self.rows)
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _aligned(cells: Sequence[str], widths: Sequence[int]) -> str:
    return "  ".join(cell.ljust(width) for cell, width in zip(cells, widths, strict=True)).rstrip()


def _row_as_html(row: Sequence[str]) -> str:
    first, *others = (words_as_html(cell) for cell in row)
    return f'<th scope="row">{first}</th>' + "".join(f"<td>{cell}</td>" for cell in others)


class Report:
    """Paragraphs, code and tables, in order; empty paragraphs are left out."""

    def __init__(self, *blocks: str | Code | Table) -> None:
        self.blocks = tuple(block for block in blocks if block != "")

    @property
    def text(self) -> str:
        """The whole report as plain text, the same from run to run."""
        return "\n".join(block if isinstance(block, str) else block.text for block in self.blocks)

    @property
    def html(self) -> str:
        """The same words as HTML."""
        return "".join(
            f"<p>{words_as_html(block)}</p>" if isinstance(block, str) else block.html
            for block in self.blocks
        )

    def __repr__(self) -> str:
        """The plain text."""
        return self.text

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        return {"text/plain": self.text, "text/html": f'<div role="status">{self.html}</div>'}
