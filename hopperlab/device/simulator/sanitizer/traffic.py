"""Copies and barriers as the checks, the clock and the trace see them."""

from __future__ import annotations

from typing import Any

from hopperlab.device.simulator.barriers import Barrier
from hopperlab.device.simulator.engines import Copy
from hopperlab.device.simulator.memory import Region
from hopperlab.device.simulator.sanitizer import flight
from hopperlab.device.simulator.sanitizer.clocks import acquire, happened_before, merged, release
from hopperlab.device.simulator.threads import Block
from hopperlab.device.simulator.traffic import Traffic

CLUSTER_SYNC = "Say cluster.sync after the barriers are initialized and fenced, before other blocks use them."
FENCE = "Say fence.mbarrier_init in the thread that initialized the barrier, before any engine or other block uses it."
SYNC_AT_START = (
    "Say cluster.sync before the first access to another block's shared memory: it may not have started."
)
SYNC_AT_END = "End all blocks of the cluster together: cluster.sync as the last thing that they do."


class CheckedTraffic(Traffic):
    """The part of a watched run that moves bytes and counts them."""

    def prepare_checks(self) -> None:
        """Begin with nothing under way."""
        self.engine_free: dict[Any, float] = {}  # by SM and engine, when it takes the next copy
        self.engines: dict[str, Any] = {}  # by word
        self.visits: dict[
            Block, dict[Any, tuple]
        ] = {}  # by block, who touched its shared memory from outside
        self.begun: dict[
            Any, list[Barrier]
        ] = {}  # by thread, the barriers that it initialized and has not fenced
        self.sources: dict[Block, list[Copy]] = {}  # by block, the copies that read its shared memory

    # Copies

    def issued(self, copy: Copy) -> None:
        """A thread handed a copy to an engine."""
        thread = copy.issuer
        thread.cycles += self.costs.word(copy.word)
        copy.cycle = self._arrival_time(copy)
        if self.checks:
            copy.seen, copy.crossed = release_to(thread)
            flight.check_issue(self, copy)
            self._remember(copy)
        thread.epoch += 1
        for barrier in copy.barriers:
            barrier.history[-1].issued += copy.nbytes
        if self.events is not None:
            self.record(
                "issue", copy.word, site=copy.site, copy=copy.number, nbytes=copy.nbytes,
                **_end("source", copy.sources), **_end("target", copy.targets),
            )  # fmt: skip

    def _arrival_time(self, copy: Copy) -> float:
        """Give when a copy's last byte lands; an engine takes one after the other."""
        engine = self.engines.get(copy.word)
        if engine is None:
            engine = self.engines[copy.word] = self.costs.copy(copy.word)
        place = copy.issuer.block.sm, engine.name
        free = max(copy.issuer.cycles, self.engine_free.get(place, 0.0))
        start = max(copy.issuer.cycles, free - engine.backlog)
        moving = copy.nbytes * engine.per_byte
        self.engine_free[place] = free + max(engine.between, moving)
        copy.read_cycle = start + engine.read + moving
        return max(start + engine.latency + moving, *(earlier.cycle for earlier in copy.after), 0.0)

    def _remember(self, copy: Copy) -> None:
        for span in copy.targets:
            if span.region.space == "shared" and span.region.owner is not copy.issuer.block:
                self._visit(span.region.owner, copy, 2, copy.site)
        for span in copy.sources:
            if span.region.space == "shared":
                self.sources.setdefault(span.region.owner, []).append(copy)
        for barrier in copy.barriers:
            if not barrier.fenced:
                self._not_fenced(barrier, f"{copy!r} counts on {barrier!r}")

    def landed(self, copy: Copy) -> None:
        """A copy's bytes are at their target: count them."""
        self.record(
            "land", copy.word, block=copy.issuer.block, cycle=copy.cycle, copy=copy.number, nbytes=copy.nbytes
        )
        super().landed(copy)

    def bytes_counted(self, barrier: Barrier, copy: Copy) -> None:
        """A copy's bytes have been counted; the phase may be about to complete."""
        if self.checks:
            clock = {**copy.seen, copy.number: 2}
            barrier.seen = merged(barrier.seen, clock)
            if not copy.remote:
                barrier.near = merged(barrier.near, clock)
            elif copy.word.endswith("load_multicast"):
                # What an engine brings is there for all who wait; what the thread that asked for it knew is not.
                barrier.near = merged(barrier.near, {copy.number: 2})
        barrier.cycle = max(barrier.cycle, copy.cycle)
        self.record(
            "count", barrier.name, block=barrier.block, cycle=copy.cycle, copy=copy.number, nbytes=copy.nbytes,
            **barrier.counts(), owner=barrier.block.number,
        )  # fmt: skip

    def groups_done(self, copies: list[Copy], reading: bool) -> None:
        """A thread has waited for these copies."""
        thread = self.thread
        if copies and self.checks:
            thread.seen = merged(thread.seen, {copy.number: 1 if reading else 2 for copy in copies})
        if copies:
            late = max(copy.read_cycle if reading else copy.cycle for copy in copies)
            thread.cycles = max(thread.cycles, late)
        self.record("go", "groups", pending=len(copies))

    # Barriers

    def initialized(self, barrier: Barrier) -> None:
        """This thread has begun a barrier."""
        thread = self.thread
        barrier.initialized = (thread, thread.epoch)
        barrier.fenced = False
        self.begun.setdefault(thread, []).append(barrier)
        thread.cycles += self.costs.word("mbarrier.init")
        self.record_barrier("init", barrier)

    def use_barrier(self, barrier: Barrier, word: str) -> None:
        """This thread uses a barrier: look whether it may."""
        super().use_barrier(barrier, word)
        if not self.checks:
            return
        thread, (who, epoch) = self.thread, barrier.initialized
        remote = barrier.block is not thread.block
        if not happened_before(who.number, epoch, thread):
            name = (
                "barrier init not visible to the cluster"
                if remote
                else "barrier used before its init is visible"
            )
            cure = CLUSTER_SYNC if remote else "Say cuda.syncthreads between mbarrier.init and the first use."
            self.note(
                self.finding(
                    name, f"{thread!r} says {word} on {barrier!r}, and nothing orders its init before", cure
                )
            )
        elif remote and not barrier.fenced:
            self._not_fenced(barrier, f"{thread!r} says {word} on {barrier!r}")
        # Of a copy it is the engine that comes, as `_remember` notes.
        if remote and word.startswith("mbarrier"):
            self._visit(barrier.block, thread, thread.epoch, self.site())

    def _not_fenced(self, barrier: Barrier, what: str) -> None:
        who = barrier.initialized[0]
        self.note(
            self.finding(
                "barrier init without a fence",
                f"{what}, which {who!r} initialized without fencing the init",
                FENCE,
            )
        )

    def arriving(self, barrier: Barrier, operation: str, numbers: tuple) -> None:
        """This thread is about to do an operation on a barrier."""
        thread = self.thread
        here = barrier.history[-1]
        if operation.startswith("arrive"):
            if self.checks:
                self._release_to(barrier)
            here.arrivals += 1 if operation.endswith("tx") else numbers[0]
            here.arrivers.append(thread)
        if operation.endswith("expect_tx"):
            here.expected += numbers[0]
            here.announcers.append(thread)
        if operation == "complete_tx":
            here.landed += numbers[0]
        thread.cycles += self.costs.word(f"mbarrier.{operation}")
        barrier.cycle = max(barrier.cycle, thread.cycles)

    def _release_to(self, barrier: Barrier) -> None:
        thread = self.thread
        seen, crossed = release(thread)
        barrier.seen = merged(barrier.seen, seen)
        barrier.crossed = merged(barrier.crossed, crossed)
        if thread.block is barrier.block:
            barrier.near = merged(barrier.near, seen)

    def counted(self, barrier: Barrier, phase: int, operation: str, numbers: tuple) -> None:
        """This thread has done an operation on a barrier."""
        if operation.endswith("expect_tx"):
            self.record_barrier("expect", barrier, nbytes=numbers[0])
        if operation.startswith("arrive"):
            self.record_barrier("arrive", barrier, count=1 if operation.endswith("tx") else numbers[0])
        if operation == "complete_tx":
            self.record_barrier("count", barrier, nbytes=numbers[0])

    def looked(self, barrier: Barrier, parity: int, answer: bool) -> None:
        """This thread asked a barrier, and the answer was no."""
        self.thread.cycles += self.costs.word("mbarrier.test_wait")
        self.record("look", barrier.name, parity=int(parity), answer=int(answer))

    def sleeps(self, barrier: Barrier, parity: int) -> None:
        """This thread begins to wait for a barrier."""
        self.record("wait", barrier.name, parity=parity)

    def passed(self, barrier: Barrier, parity: int, scope: str) -> None:
        """This thread has seen a phase completed: it knows what those knew who completed it."""
        thread = self.thread
        if self.checks:
            seen, near, crossed = barrier.last
            acquire(thread, seen if scope == "cluster" else near, crossed)
        barrier.waits.setdefault(thread, []).append((int(parity), barrier.model.phase))
        costs = self.costs
        thread.cycles = max(thread.cycles + costs["mbarrier.wait"], barrier.last_cycle + costs["wake"])
        self.record("go", barrier.name, parity=int(parity))

    def record_barrier(self, verb: str, barrier: Barrier, **data: Any) -> None:
        """Trace what happened to a barrier."""
        if self.events is not None:
            counts = barrier.counts() if barrier.model.valid else {}
            self.record(verb, barrier.name, **data, **counts, owner=barrier.block.number)

    # Fences, and other blocks

    def cross(self, name: str) -> None:
        """Let the async proxy see all that this thread has seen written."""
        thread = self.thread
        seen, _ = release(thread)
        thread.crossed = merged(thread.crossed, seen)
        thread.cycles += self.costs.word(name)
        self._fence_begun()
        self.record("fence", name)

    def fence_barriers(self) -> None:
        """Let the cluster and the engines see the barriers that this thread initialized."""
        self.thread.cycles += self.costs.word("fence.mbarrier_init")
        self._fence_begun()
        self.record("fence", "fence.mbarrier_init")

    def _fence_begun(self) -> None:
        for barrier in self.begun.pop(self.thread, ()):
            barrier.fenced = True

    def remote_access(self, region: Region) -> None:
        """This thread is about to touch a region that may be another block's."""
        super().remote_access(region)
        thread, owner = self.thread, region.owner
        if not self.checks or region.space != "shared" or owner is thread.block:
            return
        if not any(t.number in thread.seen for t in owner.threads):
            self.note(
                self.finding(
                    "missing cluster sync at the start",
                    f"{thread!r} touches {region} of {owner!r}, and nothing tells it that this block has started",
                    SYNC_AT_START,
                )
            )
        self._visit(owner, thread, thread.epoch, self.site())

    def _visit(self, block: Block, who: Any, epoch: int, site: Any) -> None:
        self.visits.setdefault(block, {})[who] = (epoch, site)

    def check_leaving(self, block: Block) -> None:
        """A block has ended: look whether all that touched its shared memory had done so before."""
        threads = block.threads
        for who, (epoch, site) in self.visits.pop(block, {}).items():
            if not any(t.seen.get(who.number, 0) >= epoch for t in threads):
                self.note(
                    self.finding(
                        "missing cluster sync at the end",
                        f"{who!r} touches shared memory of {block!r}, and that block may end before",
                        SYNC_AT_END,
                        site=site,
                    )
                )
        for copy in self.sources.pop(block, ()):
            if copy.issuer.seen.get(copy.number, 0) < 1 and not any(
                t.seen.get(copy.number, 0) for t in threads
            ):
                self.note(
                    self.finding(
                        "source reused before its copy was waited for",
                        f"{block!r} may end, and its shared memory with it, while {copy!r} still reads it",
                        copy.cure_for_source,
                        site=copy.site,
                    )
                )


def release_to(thread: Any) -> tuple[dict, dict]:
    """Give what a copy knows: all that its issuer knows now."""
    return {**thread.seen, thread.number: thread.epoch}, thread.crossed


def owner_of(region: Region) -> int | None:
    """Give the number of the block whose memory a region is; None for memory of the whole grid."""
    return None if region.owner is None else getattr(region.owner, "block", region.owner).number


def _end(which: str, spans: list) -> dict[str, Any]:
    """Tell of one end of a copy: the first bytes that it touches there, and all their names."""
    if not spans:
        return dict.fromkeys(
            (which, *(f"{which}_{part}" for part in ("space", "owner", "address", "nbytes")))
        )
    first = spans[0]
    return {
        which: ", ".join(f"{span.region}" for span in spans),
        f"{which}_space": first.region.space,
        f"{which}_owner": owner_of(first.region),
        f"{which}_address": first.region.address + first.start,
        f"{which}_nbytes": first.end - first.start,
    }
