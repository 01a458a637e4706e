"""Broken kernels as specimens: run in the simulator when they are looked at, with what it finds."""

from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from typing import Any

from hopperlab.course.report import sentence
from hopperlab.kernels.specimens import kernel_of
from hopperlab.views import barriers as views
from hopperlab.views.finding import finding
from hopperlab.views.picture import Picture

PACKAGE = "hopperlab.kernels.specimens"


@dataclass(frozen=True)
class BrokenKernel:
    """A kernel of `hopperlab.kernels.specimens`, by its module's name, with what a reader calls the bug."""

    name: str
    module: str

    @cached_property
    def _broken(self) -> Any:
        return import_module(f"{PACKAGE}.{self.module}")

    @property
    def story(self) -> str:
        """What the kernel does wrong, and where it was met."""
        return " ".join(self._broken.__doc__.split())

    @property
    def kernel(self) -> Any:
        """The kernel."""
        return kernel_of(self._broken)

    @cached_property
    def run(self) -> Any:
        """What the simulator makes of it."""
        grid, block, arguments, options = self._broken.launch(0)
        return self.kernel.simulate(grid, block, arguments, **options)

    def picture(self) -> Picture:
        """The first finding above the history of the barrier that it is about."""
        return shown_under(self.run.findings[0], self.name, self.story, _history(self.run.trace))


def shown_under(found: Any, name: str, launch: str, shown: Picture) -> Picture:
    """A simulator's finding, with its line, above a picture."""
    where = f" Line {found.line}: {found.text}" if found.line else ""
    seen = sentence(found.seen[0].upper() + found.seen[1:])
    return finding(f"{name}: {found.name}", launch, f"{seen}{where}", found.cure, shown)


def _history(trace: Any) -> Picture:
    """The barrier that most happened to; some threads over time where there is none."""
    barriers = views.barriers_of(trace)
    blocks = trace.grid[0]
    if not barriers:
        last = trace.block[0] - 1
        return views.timeline(views.Lanes(trace, [(0, 0), (1, 0) if blocks > 1 else (0, last)]))
    block, barrier = barriers[0]
    owner = f"{barrier} of block {block}" if blocks > 1 else barrier
    moments = views.history(trace, barrier, block)
    return views.strip(moments, doings=views.doings(trace), title=f"The history of {owner}")
