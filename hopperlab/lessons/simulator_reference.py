"""The reference of the simulator: its trace, findings, costs and limits, made from the objects themselves."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from hopperlab.course.report import words_as_html
from hopperlab.device.simulator import timing
from hopperlab.device.simulator.explore import Exploration
from hopperlab.device.simulator.limits import NOT_MODELLED
from hopperlab.device.simulator.run import Run
from hopperlab.device.trace import FIELDS, VERBS
from hopperlab.kernels.exchange import TILE, pass_on
from hopperlab.kernels.overlap import share_apart
from hopperlab.kernels.specimens import (
    kernel_of,
    missing_sync_at_the_start,
    race_across_blocks,
    race_within_a_block,
    specimens,
)
from hopperlab.lessons.panel import Panel
from hopperlab.lessons.stepping import stepped


@dataclass(frozen=True)
class Listing:
    """A table of words, its cells set to the left; a cell may hold several lines."""

    header: Sequence[str]
    rows: Sequence[Sequence[str]]
    above: str = ""

    @property
    def text(self) -> str:
        """A line for each row."""
        lines = [" | ".join(self.header), *(" | ".join(row).replace("\n", "; ") for row in self.rows)]
        return "\n".join([*([self.above] if self.above else []), *lines])

    @property
    def html(self) -> str:
        """The same words as a table whose first cells are row headers."""
        head = "".join(f'<th scope="col" {LEFT}>{words_as_html(cell)}</th>' for cell in self.header)
        body = "".join(f"<tr>{''.join(_cells(row))}</tr>" for row in self.rows)
        above = f"<p>{words_as_html(self.above)}</p>" if self.above else ""
        return f"{above}<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        return {"text/plain": self.text, "text/html": self.html}


LEFT = 'style="text-align:left;vertical-align:top"'


def _cells(row: Sequence[str]) -> Iterator[str]:
    for place, cell in enumerate(row):
        tag, scope = ("td", "") if place else ("th", ' scope="row"')
        yield f"<{tag}{scope} {LEFT}>{words_as_html(cell).replace(chr(10), '<br>')}</{tag}>"


def event_fields() -> Listing:
    """Each field of an event."""
    return Listing(["field", "what it holds"], [[f"`{name}`", meaning] for name, meaning in FIELDS.items()])


def verbs() -> Listing:
    """Each verb, and each value that its events hold."""
    rows = [
        [
            f"`{name}`",
            verb.meaning,
            "\n".join(f"`{value}`: {words}" for value, words in verb.data.items()) or "none",
        ]
        for name, verb in VERBS.items()
    ]
    return Listing(["verb", "what happened", "values in data"], rows)


@cache
def example() -> Run:
    """Four blocks of a cluster that each load a tile and pass it on, with every access traced."""
    tiles = np.arange(4 * TILE, dtype=np.float32).reshape(4, TILE)
    return pass_on.simulate(4, 32, (tiles, np.zeros_like(tiles)), cluster=4, trace="accesses")


def first_events(count: int = 12) -> Listing:
    """The first events of the example that are not those of threads that only wait."""
    shown = [event for event in example().trace.events if event.verb != "meet"][:count]
    rows = [
        [
            str(e.number),
            f"{e.cycle:g}",
            e.verb,
            str(e.block),
            str(e.thread),
            e.what,
            str(e.line),
            _values(e.data),
        ]
        for e in shown
    ]
    return Listing(list(FIELDS), rows)


def _values(data: Any) -> str:
    return ", ".join(f"{name}={value}" for name, value in data.items())


def steps() -> Panel:
    """The example, stepped in any view."""
    return stepped("reference.steps", example(), "Shared memory", step=20)


# Findings


@cache
def _run(specimen: Any) -> Run:
    grid, block, arguments, options = specimen.launch(0)
    return kernel_of(specimen).simulate(grid, block, arguments, **options)


def findings() -> Listing:
    """Every finding that a specimen stands for: each is run now, and found by its own name."""
    rows = []
    for specimen in specimens():
        found = _run(specimen).findings[0]
        story, _, met = " ".join(specimen.__doc__.split()).partition(" Met as: ")
        where = f"At line {found.line}: `{found.text}`" if found.line else "Before any line runs."
        module = specimen.__name__.rpartition(".")[2]
        rows.append([f"{found.name}\n`{module}`", f"{story}\nMet as: {met}", f"{where}\n{found.cure}"])
    told = f"{len(rows)} specimens of {len({row[0].partition(chr(10))[0] for row in rows})} findings."
    return Listing(["finding, specimen", "what is wrong", "where it is found, cure"], rows, told)


def race() -> Run:
    """One finding as a cell shows it: two threads of a block, and nothing that orders them."""
    return _run(race_within_a_block)


def early() -> Run:
    """A finding between blocks: one touches another's shared memory before it is known to have started."""
    return _run(missing_sync_at_the_start)


# Exploration


def explored_without_finding() -> Exploration:
    """Two threads that arrive, work and wait: every interleaving."""
    work, starts = np.ones(4, np.float32), np.array([0, 1, 4], np.int32)
    return share_apart.explore(1, 2, (work, starts, work, starts, np.zeros(2, np.float32)))


def explored_with_finding() -> Exploration:
    """Two blocks that count in one word of shared memory: every interleaving, and the shortest that goes wrong."""
    _, _, arguments, options = race_across_blocks.launch(0)
    return kernel_of(race_across_blocks).explore(2, 1, arguments, **options)


# Costs and limits


def costs() -> Listing:
    """The cost table that ships: each entry, its cycles, and whether it is measured."""
    costs = timing.Costs()
    rows = [
        [name, f"{cycles:g}", "assumed" if name in timing.ASSUMED else "measured"]
        for name, cycles in costs.table.items()
    ]
    return Listing(["cost of", "cycles", "from"], rows, f"Source: {costs.source}.")


def not_modelled() -> Listing:
    """What the simulator leaves out: of a run's cycles, and beside them."""
    left_out = "\n".join(f"{words[0].upper()}{words[1:]}." for words in timing.LEFT_OUT)
    return Listing(["theme", "what is left out"], [["cycles", left_out], *map(list, NOT_MODELLED.items())])
