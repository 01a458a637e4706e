"""Broken kernels, run in the simulator when they are looked at: what it finds, and the barrier's history."""

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
class Specimen:
    """A broken kernel of `hopperlab.kernels.specimens`, by its module's name, with what a reader calls the bug."""

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
        found = self.run.findings[0]
        where = f" Line {found.line}: {found.text}" if found.line else ""
        return finding(
            f"{self.name}: {found.name}",
            self.story,
            f"{sentence(found.seen[0].upper() + found.seen[1:])}{where}",
            found.cure,
            self._strip(),
        )

    def _strip(self) -> Picture:
        trace = self.run.trace
        barriers = views.barriers_of(trace)
        if not barriers:
            return views.timeline(trace, [(0, 0), (1, 0)])
        block, barrier = barriers[0]
        owner = f"{barrier} of block {block}" if trace.grid != (1, 1, 1) else barrier
        moments = views.history(trace, barrier, block)
        return views.strip(moments, doings=views.doings(trace), title=f"The history of {owner}")


SPECIMENS = (
    Specimen("Bytes fall short", "expect_tx_too_large"),
    Specimen("Half expected", "expect_tx_too_small"),
    Specimen("Nothing expected", "expect_tx_forgotten"),
    Specimen("Expected too late", "expect_tx_late"),
    Specimen("A warp counted, a lane arrived", "wrong_arrival_count"),
    Specimen("A wait for the wrong parity", "parity_off_by_one"),
    Specimen("A producer that waits for readers of nothing", "producer_on_the_wrong_phase"),
    Specimen("A ring without empty barriers", "overwritten_while_read"),
    Specimen("More bytes than it can count", "tx_count_overflow"),
    Specimen("No fence after init", "init_without_fence"),
    Specimen("A peer's barrier too soon", "init_not_visible_to_the_cluster"),
    Specimen("No wait at all", "wait_skipped"),
    Specimen("A peer that has left", "peer_exited"),
)
