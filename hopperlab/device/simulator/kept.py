"""What a run keeps of its events: bare values while it goes on, and objects once somebody looks at them.

Most runs are only asked for their outputs, their findings and their cycles, and a run has many events.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

from hopperlab.device.simulator.findings import Finding
from hopperlab.device.simulator.sites import Site
from hopperlab.device.trace import Event

VALUES = 7  # of an event: cycle, verb, block, thread, what, place in the kernel (or its line), data


class Events(Sequence[Event]):
    """The events of a run: a sequence like a tuple of them, made when it is first looked at; a copy is a tuple.

    Parameters
    ----------
    kept
        The values of all events, one after the other.
    kernel
        The kernel's own code by its name and first line: events elsewhere have no line.
    findings
        The findings as they are called in the end, by the name that they had when they were traced, line and kernel.
    """

    __hash__ = None  # events hold dicts

    def __init__(self, kept: list[Any], kernel: tuple[str, int], findings: Mapping[tuple, Finding]) -> None:
        self._length = len(kept) // VALUES
        self._sources = kept, kernel, findings

    @cached_property
    def _made(self) -> tuple[Event, ...]:
        made = _made_of(*self._sources)
        del self._sources  # the values take as much memory again
        return made

    def __getitem__(self, place: Any) -> Any:
        """Give an event, or those of a slice."""
        return self._made[place]

    def __len__(self) -> int:
        """How many there are."""
        return self._length

    def __iter__(self) -> Iterator[Event]:
        """Give one after the other."""
        return iter(self._made)

    def __eq__(self, other: object) -> bool:
        """Whether the same happened."""
        return self._made == (other._made if isinstance(other, Events) else other)

    def __repr__(self) -> str:
        """Show them as a tuple."""
        return repr(self._made)

    def __reduce__(self) -> tuple[type, tuple[tuple[Event, ...]]]:
        """Be copied and sent as a tuple: code objects, which the values have, cannot be."""
        return tuple, (self._made,)


def _made_of(
    kept: list[Any], kernel: tuple[str, int], findings: Mapping[tuple, Finding]
) -> tuple[Event, ...]:
    lines: dict[tuple[int, int], int | None] = {}  # by code and place in it; code objects are slow to hash
    made = []
    for number, (cycle, verb, block, thread, what, site, data) in enumerate(_by_event(kept)):
        line = site
        if site.__class__ is tuple or site.__class__ is Site:
            place = id(site[0]), site[1]
            if place not in lines:
                ours = (site[0].co_name, site[0].co_firstlineno) == kernel
                lines[place] = Site(*site).line if ours else None
            line = lines[place]
        if verb == "finding":
            what, data = _told(data["finding"], findings)
        made.append(Event(number, cycle, verb, block, thread, what, line, data))
    return tuple(made)


def _told(kept: Finding, findings: Mapping[tuple, Finding]) -> tuple[str, dict[str, str]]:
    """Give a finding's name and text, as it is called in the end."""
    decided = findings.get((kept.name, kept.line, kept.kernel), kept)
    return decided.name, {"text": str(decided)}


def _by_event(values: list[Any]) -> Iterator[tuple]:
    return zip(*[iter(values)] * VALUES, strict=True)
