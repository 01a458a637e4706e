"""A run that is watched: clocks for the checks, costs for the time, events for the trace."""

from __future__ import annotations

import inspect
import sys
import textwrap
from typing import Any

from hopperlab.device.simulator.findings import Finding
from hopperlab.device.simulator.kept import VALUES, Events
from hopperlab.device.simulator.meetings import Meeting, named, threads_of
from hopperlab.device.simulator.memory import Region
from hopperlab.device.simulator.sanitizer import clocks
from hopperlab.device.simulator.sanitizer.arrays import CheckedArray, CheckedRemoteArray
from hopperlab.device.simulator.sanitizer.flight import others_waited
from hopperlab.device.simulator.sanitizer.traffic import CheckedTraffic, owner_of
from hopperlab.device.simulator.shared import extent, regions_of
from hopperlab.device.simulator.sites import Site
from hopperlab.device.simulator.threads import Block, Cluster, Thread
from hopperlab.device.simulator.timed import TimedArray, TimedRemoteArray
from hopperlab.device.simulator.timing import Costs, is_shuffle
from hopperlab.device.simulator.world import World
from hopperlab.device.trace import Trace

ALIGNED = ("elect", "setmaxnreg")  # words that a whole warp says as one
SPACES = ("shared", "remote", "global", "local", "const")
_NOTHING: dict[str, Any] = {}
SAME_READ = 5_000  # reads of one element by one thread, with nothing else between, that make a spin


class WatchedWorld(CheckedTraffic, World):
    """A run with checks, timing or a trace.

    Attributes
    ----------
    checks
        Whether races and misuses are looked for.
    costs
        What words and accesses cost, in cycles.
    events
        The trace so far, see `kept`; None if there is none.
    """

    watched = True

    def __init__(self, *launch: Any, timing: Any, checks: bool, tracing: Any) -> None:
        World.__init__(self, *launch)
        self.prepare_checks()
        self.checks = checks
        self.costs = Costs() if timing in (None, True) else Costs.nothing() if timing is False else timing
        self.timed = timing is not False
        self.events: list[Any] | None = [] if tracing else None
        self.tracing_accesses = tracing == "accesses"
        self.curious = self.tracing_accesses  # whether accesses are looked at one by one
        self.last_cycle = 0.0
        self.undecided: list[tuple] = []  # findings whose name depends on what happens later
        self.flags: dict[tuple, tuple] = {}  # atomically changed cells: what was released there, and when
        self.access_costs = {
            (verb, space): self.costs.access(verb, space)
            for verb in ("load", "store", "atomic")
            for space in SPACES
        }
        self._reads: tuple = (None, 0)
        if checks or self.tracing_accesses:
            self.array_type, self.remote_type = CheckedArray, CheckedRemoteArray
        elif self.timed:
            self.array_type, self.remote_type = TimedArray, TimedRemoteArray

    # Threads come and go

    def next_cluster(self) -> Cluster | None:
        """Start the next cluster, at the time when its places became free."""
        cluster = super().next_cluster()
        if cluster is not None:
            for block in cluster.blocks:
                for thread in block.threads:
                    thread.cycles = cluster.start
                self.record(
                    "start", "", block=block, cycle=cluster.start, sm=block.sm, cluster=cluster.number
                )
        return cluster

    def ended(self, thread: Thread) -> None:
        """This thread has ended."""
        if thread.cycles > self.last_cycle:
            self.last_cycle = thread.cycles
        if self.events is not None:
            self.events += (thread.cycles, "end", thread.block.number, thread.rank, "", None, _NOTHING)
        super().ended(thread)

    def block_ended(self, block: Block) -> None:
        """This block has ended, and its shared memory is gone."""
        if self.checks:
            self.check_leaving(block)
        cycle = max(thread.cycles for thread in block.threads)
        self.record("leave", "", block=block, cycle=cycle, sm=block.sm)
        for region in regions_of(block):
            if region.shadow is not None:
                region.shadow.forget()
        super().block_ended(block)

    def made(self, block: Block, key: Any) -> Any:
        """Give the object of a line in a block, and tell of it when it is new."""
        new = key not in block.regions
        thing = super().made(block, key)
        if new and self.events is not None:
            name, address, nbytes = extent(thing)
            self.record("declare", name, owner=block.number, address=address, nbytes=nbytes)
        return thing

    # Meetings

    def came(self, meeting: Meeting, thread: Thread) -> None:
        """A thread has come to a meeting."""
        frame = sys._getframe(3)  # this method, the meeting's, the word's, the kernel
        site = meeting.site
        if site is None or frame.f_code is not site[0] or frame.f_lasti != site[1]:
            here = (frame.f_code, frame.f_lasti) if id(frame.f_code) in self.rebinding.codes else self.site()
            if site is None:
                meeting.site = site = here
            elif here != site:
                if self.checks:
                    self._parted(meeting, thread, Site(*here), Site(*site))
                site = here
        if self.events is not None:
            self.events += (
                thread.cycles, "meet", thread.block.number, thread.rank, meeting.word, site, _NOTHING,
            )  # fmt: skip

    def _parted(self, meeting: Meeting, thread: Thread, site: Any, other: Any) -> None:
        """Threads meet at different lines: refuse it where all must say the same word."""
        if meeting.word == "syncthreads":
            self.misuse(
                "divergent barrier",
                f"{thread!r} comes to the barrier of line {site.line} while others of its block wait at the one "
                f"of line {other.line} ({other.text})",
                "Let all threads of the block reach the same syncthreads: take it out of the branch.",
            )
        if meeting.word in ALIGNED:
            self.misuse(
                "aligned instruction after divergent code",
                f"{thread!r} says {meeting.word} at line {site.line} while others of its warp say it at line "
                f"{other.line} ({other.text})",
                "Bring the warp together first, with cuda.syncwarp, and say the word once for all of its threads.",
            )

    def met(self, meeting: Meeting) -> None:
        """All have come: they learn of each other, and go on at the same time."""
        if self.checks:
            clocks.meet(meeting.values)
            if meeting.word.startswith("syncthreads") and len(meeting.values) < len(meeting.place.threads):
                self._some_have_ended(meeting)
        cost = self.costs.meeting(meeting.word, len(meeting.values))
        cycle = max(thread.cycles for thread in meeting.values) + cost
        for thread in meeting.values:
            thread.cycles = cycle
        if is_shuffle(meeting.word):
            for thread in meeting.values:
                thread.rested = cycle
        self.record("part", meeting.word, cycle=cycle, threads=len(meeting.values))

    def _some_have_ended(self, meeting: Meeting) -> None:
        """A barrier opens although threads of its block have ended and never come."""
        ended = [thread for thread in threads_of(meeting.place) if thread not in meeting.values]
        told = f"{named(list(meeting.values))} wait at the barrier, which {named(ended)} will never reach: it has ended"
        if len(ended) > 1:
            told = told.replace("it has ended", "they have ended")
        running, self.thread = self.thread, next(iter(meeting.values))
        self.note(
            self.finding(
                "divergent barrier",
                told,
                "Let all threads of the block reach the same syncthreads: do not return before it.",
                site=Site(*meeting.site),
            )
        )
        self.thread = running

    # Memory and its order

    def watch(self, region: Region) -> Region:
        """Name a new region by what its line assigns it to."""
        site = self.site()
        if site is not None and site.assigned:
            region.name = site.assigned
        return region

    def access_cycles(self, space: str) -> tuple[float, float]:
        """Give what a load and a store in a space cost."""
        return self.access_costs["load", space], self.access_costs["store", space]

    def grow_curious(self) -> None:
        """From now on look at every access: a thread runs suspiciously long."""
        self.curious = True
        blocks = [block for cluster in self.resident for block in cluster.blocks]
        for region in [*self.memory.regions, *(region for block in blocks for region in regions_of(block))]:
            if region.shadow is not None:
                region.shadow.disturb()

    def look_at_read(self, thread: Thread, array: Any, index: Any) -> None:
        """Trace a read, and count how often a thread reads one element with nothing in between."""
        if self.tracing_accesses:
            self.access("read", array, index)
        key = (thread.number, id(array.region), index)
        last, times = self._reads
        self._reads = (key, times + 1) if key == last else (key, 0)
        if times > SAME_READ:
            self.misuse(
                "spin that never yields",
                f"{thread!r} reads {array.region} again and again, and no other thread gets its turn",
                "Wait on a barrier; or read by cuda.ldcv or an atomic, which sees what other threads write meanwhile.",
            )

    def look_at_write(self, thread: Thread, array: Any, index: Any) -> None:
        """Trace a write."""
        self._reads = (None, 0)
        if self.tracing_accesses:
            self.access("write", array, index)

    def fence(self, name: str) -> None:
        """Order a thread's accesses before and after: what it reads of flags so far, it now has seen."""
        thread = self.thread
        thread.cycles += self.costs.word(name)
        if self.checks:
            self._order(thread)
        self.record("fence", name)

    @staticmethod
    def _order(thread: Thread) -> None:
        if thread.carried:
            clocks.acquire(thread, thread.carried, {})
            thread.carried = None
        thread.published, _ = clocks.release(thread)

    def changed_atomically(self, thread: Thread, array: Any, cell: int, index: Any) -> None:
        """An atomic read and wrote a cell: what was released there before can be acquired by a fence."""
        stored, self.storing = self.storing, False
        region = array.region
        remote = region.space == "shared" and region.owner is not thread.block
        space = "remote" if remote else region.space
        cost = self.access_costs["store" if stored else "atomic", space]
        thread.cycles += cost
        key = (id(region), cell)
        found = self.flags.get(key)
        self._carry(thread, found, cost)
        thread.rested = thread.cycles
        published = clocks.merged(found[0] if found else {}, thread.published or {})
        self.flags[key] = (published, thread.cycles)
        if self.tracing_accesses:
            self.access("atomic", array, index)

    def loaded(self, thread: Thread, array: Any, cell: int, index: Any) -> None:
        """An atomic load read a cell."""
        cost = self.access_costs["load", array.region.space]
        thread.cycles += cost
        thread.rested = thread.cycles
        self._carry(thread, self.flags.get((id(array.region), cell)), cost)

    @staticmethod
    def _carry(thread: Thread, found: tuple | None, cost: float) -> None:
        """What was released where a thread looks is its own after its next fence; it has waited for it, too."""
        if found is None:
            return
        clock, cycle = found
        if cycle + cost > thread.cycles:
            thread.cycles = cycle + cost
        if clock:
            thread.carried = clocks.merged(thread.carried or {}, clock)

    def access(self, verb: str, array: Any, index: Any) -> None:
        """Trace an access."""
        offset, region = array.first_cell(index) * array.shadow.unit, array.region
        self.record(
            verb, region.name, space=region.space, owner=owner_of(region), address=region.address + offset,
            offset=offset, nbytes=array.itemsize, value=array.values[index].item(),
        )  # fmt: skip

    # The trace

    def record(
        self, verb: str, what: str, *, block: Block | None = None, cycle: float | None = None,
        site: Any = None, line: int | None = -1, **data: Any,
    ) -> None:  # fmt: skip
        """Add an event of the current thread, or of a block."""
        if self.events is None:
            return
        thread = None if block is not None else self.thread
        if block is None and thread is not None:
            block = thread.block
        if site is None and line == -1 and thread is not None:
            site = self.site()
        number = None if block is None else block.number
        when = thread.cycles if cycle is None and thread is not None else cycle or 0.0
        rank = None if thread is None else thread.rank
        self.events += (when, verb, number, rank, what, site, data)

    def note(self, finding: Finding) -> None:
        """Keep a finding that does not stop the run, if anybody checks."""
        if self.checks:
            known = len(self.findings)
            super().note(finding)
            if len(self.findings) > known:
                self.tell(finding)

    def tell(self, finding: Finding) -> None:
        """Trace a finding; that of a hang comes after all else."""
        if self.events is None:
            return
        line = finding.line if finding.kernel == self.kernel else None
        hangs = self.thread is not None and self.thread.waits_for is not None
        cycle = max(self.events[::VALUES]) if hangs and self.events else None
        self.record("finding", finding.name, cycle=cycle, site=line, line=None, finding=finding)

    # What a run ends with

    def decide(self) -> None:
        """Give the findings that were open their names."""
        for finding, barrier, block in self.undecided:
            better = others_waited(finding, barrier, block)
            key = (finding.name, finding.line, finding.kernel)
            if better is not None and key in self.findings:
                self.findings[key] = better

    def cycles(self) -> float | None:
        """Clock cycles from the launch to the end of the last thread."""
        return max([self.last_cycle, *(t.cycles for t in self.resident_threads())]) if self.timed else None

    def trace(self, function: Any) -> Trace | None:
        """The trace; None if it was not asked for."""
        if self.events is None:
            return None
        try:
            source = tuple(textwrap.dedent(inspect.getsource(function)).rstrip().split("\n"))
        except OSError:
            source = ()
        sms = tuple(sm for _, sm in sorted(self.placement.sms.items()))
        shape = self.shape
        own = function.__code__.co_name, function.__code__.co_firstlineno
        events = Events(self.events, own, self.findings)
        return Trace(
            self.kernel, source, shape.grid, shape.block, shape.cluster, sms, events, self.chip.name,
            self.tracing_accesses,
        )  # fmt: skip
