"""What every stored notebook keeps to, besides what nbval compares: rules that need no kernel.

Each rule is a function of a stored notebook that yields what is wrong, in words.
"""

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from hopperlab.cli.notebooks import CARD_TAG, KERNELSPEC, WIDGET_VIEW, canonical

FOLDER = Path(__file__).resolve().parents[2] / "notebooks"
MOST_BYTES = 300_000
MOST_CELLS = 30
TAGS = {"raises-exception", "nbval-ignore-output", "nbval-skip", CARD_TAG}
NBVAL_COMMENT = re.compile(r"^\s*#\s*(?:NBVAL|PYTEST_VALIDATE)_\w+", re.MULTILINE)
ABSOLUTE_PATH = re.compile(
    r"(?<![\w./:])/(?:home|root|Users|tmp|work|usr|opt|var|mnt|private|workspace|builds|content|srv|etc)/[\w.]"
    r"|\b[A-Z]:\\\\?\w|file://"
)
# (notebook, cell id): the reason why its output is not compared. Only cells that name this very machine.
NOT_COMPARED: dict[tuple[str, str], str] = {
    ("00_start_here.ipynb", "cell-12"): "it names the card of the machine that it runs on",
    ("15_confidential_computing.ipynb", "cell-17"): "it times the machine that it runs on",
}


@dataclass(frozen=True)
class Stored:
    """A notebook in the repository: its name and its text."""

    name: str
    text: str

    @classmethod
    def read(cls, path: Path) -> "Stored":
        """Read a notebook's file."""
        return cls(path.name, path.read_text(encoding="utf-8"))

    @property
    def raw(self) -> dict:
        """The JSON as it stands in the file."""
        return json.loads(self.text)

    @cached_property
    def notebook(self) -> NotebookNode:
        """The notebook as Jupyter reads it."""
        return nbformat.reads(self.text, as_version=4)

    @property
    def code(self) -> list[NotebookNode]:
        """Its code cells."""
        return [cell for cell in self.notebook.cells if cell.cell_type == "code"]


def tags(cell: NotebookNode) -> list[str]:
    """The tags of a cell."""
    return cell.metadata.get("tags", [])


def executed_in_order(stored: Stored) -> Iterator[str]:
    """One clean run from top to bottom: the counts are 1 to n. Cells that need a card are not run."""
    counts = [cell.execution_count for cell in stored.code if CARD_TAG not in tags(cell)]
    if not counts:
        yield "it has no code cell that runs"
    if counts != list(range(1, len(counts) + 1)):
        yield f"its execution counts are {counts}, not 1 to {len(counts)}: run `make notebooks`"
    if any(
        cell.execution_count is not None or cell.outputs for cell in stored.code if CARD_TAG in tags(cell)
    ):
        yield "a cell that needs a card is stored as run"


def has_outputs(stored: Stored) -> Iterator[str]:
    """Its outputs were not stripped."""
    if not any(cell.outputs for cell in stored.code):
        yield "it has no outputs at all: they were stripped, and nbval would compare nothing"


def no_empty_cells(stored: Stored) -> Iterator[str]:
    """No cell is empty."""
    for index, cell in enumerate(stored.notebook.cells):
        if not cell.source.strip():
            yield f"cell {index} is empty"


def is_small(stored: Stored) -> Iterator[str]:
    """It is small enough to review and to open anywhere."""
    size = len(stored.text.encode())
    if size >= MOST_BYTES:
        yield f"it has {size} bytes; fewer than {MOST_BYTES} are allowed"
    if len(stored.notebook.cells) > MOST_CELLS:
        yield f"it has {len(stored.notebook.cells)} cells; about 25 are good, {MOST_CELLS} the most"


def names_no_machine(stored: Stored) -> Iterator[str]:
    """No path of one machine stands in it."""
    for match in ABSOLUTE_PATH.finditer(stored.text):
        yield f"it holds an absolute path: {stored.text[match.start() : match.start() + 40]!r}"


def needs_no_network(stored: Stored) -> Iterator[str]:
    """Its figures draw without the network."""
    for address in ("cdn.plot.ly", "cdn.jsdelivr", "unpkg.com", "cdnjs."):
        if address in stored.text:
            yield f"it loads from {address}"


def keeps_no_widget_state(stored: Stored) -> Iterator[str]:
    """No dead widgets: neither their state nor the ids of their views."""
    if "widgets" in stored.notebook.metadata:
        yield "it has widget state in its metadata"
    if any(WIDGET_VIEW in output.get("data", {}) for cell in stored.code for output in cell.outputs):
        yield "it stores the view of a widget, which no other kernel knows"


def names_its_kernel(stored: Stored) -> Iterator[str]:
    """Its kernel is python3, which every Jupyter has."""
    if stored.notebook.metadata.get("kernelspec") != KERNELSPEC:
        yield f"its kernelspec is {dict(stored.notebook.metadata.get('kernelspec', {}))}, not {KERNELSPEC}"


def identifies_its_cells(stored: Stored) -> Iterator[str]:
    """Every cell has an id of its own, so that a diff is readable."""
    ids = [cell.get("id") for cell in stored.raw["cells"]]
    if None in ids or len(set(ids)) != len(ids):
        yield "cells lack ids, or share them"


def fails_only_where_meant(stored: Stored) -> Iterator[str]:
    """Errors stand only in cells tagged for them, and warnings nowhere."""
    for index, cell in enumerate(stored.notebook.cells):
        outputs = cell.get("outputs", [])
        failed = any(output.output_type == "error" for output in outputs)
        if failed != ("raises-exception" in tags(cell)):
            yield f"cell {index} {'fails' if failed else 'is tagged raises-exception and does not fail'}"
        if any(output.get("name") == "stderr" for output in outputs):
            yield f"cell {index} writes to stderr"


def hides_nothing_from_nbval(stored: Stored) -> Iterator[str]:
    """Outputs are compared unless a named exception says why not."""
    for index, cell in enumerate(stored.notebook.cells):
        unknown = set(tags(cell)) - TAGS
        if unknown:
            yield f"cell {index} has unknown tags {sorted(unknown)}; there are {sorted(TAGS)}"
        if "nbval-ignore-output" in tags(cell) and (stored.name, cell.id) not in NOT_COMPARED:
            yield f"cell {index} ({cell.id}) is not compared, for no reason named in NOT_COMPARED"
        if ("nbval-skip" in tags(cell)) != (CARD_TAG in tags(cell)):
            yield f"cell {index} must have both tags nbval-skip and {CARD_TAG}, or none"
        if cell.cell_type == "code" and NBVAL_COMMENT.search(cell.source):
            yield f"cell {index} steers nbval by a comment, where learners read it; use a tag"


def is_canonical(stored: Stored) -> Iterator[str]:
    """Its bytes are those that `make notebooks` writes: no times, no other metadata."""
    if canonical(nbformat.reads(stored.text, as_version=4)) != stored.text:
        yield "its bytes are not those that `make notebooks` writes"


RULES: tuple[Callable[[Stored], Iterator[str]], ...] = (
    executed_in_order,
    has_outputs,
    no_empty_cells,
    is_small,
    names_no_machine,
    needs_no_network,
    keeps_no_widget_state,
    names_its_kernel,
    identifies_its_cells,
    fails_only_where_meant,
    hides_nothing_from_nbval,
    is_canonical,
)


def problems(stored: Stored) -> list[str]:
    """All that is wrong with a stored notebook, each with the rule's name."""
    return [f"{stored.name}: {rule.__name__}: {problem}" for rule in RULES for problem in rule(stored)]
