"""The cluster's barrier, whose arriving and waiting are two steps."""

from __future__ import annotations

from typing import Any

from hopperlab.device.simulator.arguments import Misuse
from hopperlab.device.simulator.meetings import named
from hopperlab.device.simulator.sanitizer.clocks import acquire, merged, release
from hopperlab.device.simulator.threads import Cluster, Thread


class Gate:
    """A cluster's barrier: opens when every thread that has not ended has arrived.

    Attributes
    ----------
    times
        How often it has opened.
    """

    def __init__(self, world: Any, cluster: Cluster) -> None:
        self.world = world
        self.cluster = cluster
        self.times = 0
        self.arrived: dict[Thread, int] = {}  # in this round
        self.owed: dict[Thread, int] = {}  # by thread, the round that it arrived in and has not waited for
        self.waiting: list[Thread] = []
        self.seen: dict[int, int] = {}
        self.crossed: dict[int, int] = {}
        self.opened: tuple[dict, dict, float] = ({}, {}, 0.0)
        self.cycle = 0.0

    def story(self, thread: Thread) -> str:
        """Say what a thread at the gate waits for."""
        late = [
            t
            for block in self.cluster.blocks
            for t in block.threads
            if t not in self.arrived and t.state != "ended"
        ]
        verb = "has" if len(late) == 1 else "have"
        return f"waits for {self.cluster!r} at its barrier: {named(late)} {verb} not arrived"

    def arrive(self, thread: Thread, relaxed: bool) -> None:
        """Count a thread."""
        if thread in self.owed:
            raise Misuse(f"cluster.arrive: {thread!r} has arrived already and has not waited since")
        self.arrived[thread] = self.owed[thread] = self.times
        if self.world.watched:
            if self.world.checks and not relaxed:
                seen, crossed = release(thread)
                self.seen, self.crossed = merged(self.seen, seen), merged(self.crossed, crossed)
            self.cycle = max(self.cycle, thread.cycles)
            self.world.record("meet", "cluster.sync")
        self.open_if_complete()

    def wait(self, thread: Thread) -> None:
        """Wait for the round that the thread arrived in."""
        if thread not in self.owed:
            raise Misuse(f"cluster.wait: {thread!r} has not arrived")
        if self.owed[thread] == self.times:
            self.waiting.append(thread)
            self.world.scheduler.wait(thread, self)
        del self.owed[thread]
        if self.world.watched:
            seen, crossed, cycle = self.opened
            if self.world.checks:
                acquire(thread, seen, crossed)
            thread.cycles = max(thread.cycles, cycle)
            self.world.record("go", "cluster.sync")

    def open_if_complete(self) -> None:
        """Open if everybody has come who has not ended."""
        if len(self.arrived) < self.cluster.live or not self.arrived:
            return
        self.times += 1
        self.arrived.clear()
        if self.world.watched:
            cost = self.world.costs.cluster_meeting(self.world.shape.threads_per_block)
            self.opened = (self.seen, self.crossed, self.cycle + cost)
            self.seen, self.crossed, self.cycle = {}, {}, 0.0
        waiting, self.waiting = self.waiting, []
        for thread in waiting:
            self.world.scheduler.wake(thread)
