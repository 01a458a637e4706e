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


class Events(Sequence):
    """The events of a run: a sequence like a tuple of them.

    Parameters
    ----------
    kept
        The values of all events, one after the other.
    kernel
        The kernel's own code by its name and first line: events elsewhere have no line.
    findings
        The findings as they are called in the end, by the name that they had when they were traced, line and kernel.
    """

    def __init__(self, kept: list[Any], kernel: tuple[str, int], findings: Mapping[tuple, Finding]) -> None:
        self._kept = kept
        self._kernel = kernel
        self._findings = findings

    @cached_property
    def _made(self) -> tuple[Event, ...]:
        # By code and place in it; code objects are slow to hash.
        lines: dict[tuple[int, int], int | None] = {}
        made = []
        for number, (cycle, verb, block, thread, what, site, data) in enumerate(_by_event(self._kept)):
            line = site
            if site.__class__ is tuple or site.__class__ is Site:
                place = id(site[0]), site[1]
                if place not in lines:
                    ours = (site[0].co_name, site[0].co_firstlineno) == self._kernel
                    lines[place] = Site(*site).line if ours else None
                line = lines[place]
            if verb == "finding":
                what, data = self._told(data["finding"])
            made.append(Event(number, cycle, verb, block, thread, what, line, data))
        return tuple(made)

    def _told(self, kept: Finding) -> tuple[str, dict[str, str]]:
        """Give a finding's name and text, as it is called in the end."""
        decided = self._findings.get((kept.name, kept.line, kept.kernel), kept)
        return decided.name, {"text": str(decided)}

    def __getitem__(self, place: Any) -> Any:
        """Give an event, or those of a slice."""
        return self._made[place]

    def __len__(self) -> int:
        """How many there are."""
        return len(self._kept) // VALUES

    def __iter__(self) -> Iterator[Event]:
        """Give one after the other."""
        return iter(self._made)

    def __eq__(self, other: object) -> bool:
        """Whether the same happened."""
        return self._made == (other._made if isinstance(other, Events) else other)

    def __hash__(self) -> int:
        """Give the hash of the tuple."""
        return hash(self._made)

    def __repr__(self) -> str:
        """Show them as a tuple."""
        return repr(self._made)


def _by_event(values: list[Any]) -> Iterator[tuple]:
    return zip(*[iter(values)] * VALUES, strict=True)
