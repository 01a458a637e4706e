"""The reference of the simulator: its trace, findings, costs and limits, made from the objects themselves."""

from functools import cache
from typing import Any

import numpy as np

from hopperlab.course.report import Report, Table
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


def event_fields() -> Report:
    """Each field of an event."""
    return Report(Table(["field", "what it holds"], list(FIELDS.items())))


def verbs() -> Report:
    """Each verb, and each value that its events hold."""
    rows = []
    for name, verb in VERBS.items():
        rows.append([f"`{name}`", verb.meaning, ""])
        rows += [["", f"`{value}`", meaning] for value, meaning in verb.data.items()]
    return Report(Table(["verb", "what happened; values", "what the value is"], rows))


@cache
def example() -> Run:
    """Four blocks of a cluster that each load a tile and pass it on, with every access traced."""
    tiles = np.arange(4 * TILE, dtype=np.float32).reshape(4, TILE)
    return pass_on.simulate(4, 32, (tiles, np.zeros_like(tiles)), cluster=4, trace="accesses")


def first_events(count: int = 12) -> Report:
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
    return Report(Table(list(FIELDS), rows))


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


def findings() -> Report:
    """Every finding that a specimen stands for: each is run now, and found by its own name."""
    rows = []
    for specimen in specimens():
        found = _run(specimen).findings[0]
        story, _, met = " ".join(specimen.__doc__.split()).partition(" Met as: ")
        where = f"line {found.line}: {found.text}" if found.line else "before any line"
        module = specimen.__name__.rpartition(".")[2]
        rows.append([found.name, f"`{module}`", story, where, found.cure, met])
    header = ["finding", "specimen", "what is wrong", "found at", "cure", "met as"]
    return Report(f"{len(rows)} specimens, {len({row[0] for row in rows})} findings.", Table(header, rows))


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


def costs() -> Report:
    """The cost table that ships: each entry, its cycles, and whether it is measured."""
    costs = timing.Costs()
    rows = [
        [name, f"{cycles:g}", "assumed" if name in timing.ASSUMED else "measured"]
        for name, cycles in costs.table.items()
    ]
    return Report(f"Source: {costs.source}.", Table(["cost of", "cycles", "from"], rows))


def cycles_leave_out() -> Report:
    """What a run's cycles do not tell."""
    return Report(Table(["left out of a run's cycles"], [[words] for words in timing.LEFT_OUT]))


def not_modelled() -> Report:
    """What the simulator leaves out beside time."""
    return Report(Table(["theme", "what is left out"], list(NOT_MODELLED.items())))
