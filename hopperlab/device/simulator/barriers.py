"""Barriers in shared memory: the state machine of models.barriers, with the threads that wait for its phases."""

from __future__ import annotations

from typing import Any

from hopperlab.device.simulator.threads import Block, Thread
from hopperlab.models.barriers import Mbarrier

TOKEN_SHIFT = 20  # of the phase in a token; below it, the pending arrivals


class Waiting:
    """Why a thread waits: a barrier, and the phase of a parity."""

    __slots__ = ("barrier", "parity", "phase")

    def __init__(self, barrier: Barrier, parity: int) -> None:
        self.barrier = barrier
        self.parity = parity
        self.phase = barrier.model.phase

    def story(self, thread: Thread) -> str:
        """Say what the thread waits for, and what is missing."""
        barrier, model = self.barrier, self.barrier.model
        bringing = barrier.who_could_bring()
        return (
            f"waits for {barrier!r}, phase {model.phase} (parity {self.parity}), which needs "
            f"{model.missing()}; {bringing}"
        )

    def cause(self, thread: Thread) -> tuple[str, str] | None:
        """Name what is wrong, and its cure, where the barrier's history tells."""
        from hopperlab.device.simulator.sanitizer.hangs import cause_of_waiting

        return cause_of_waiting(self, thread)


class Barrier:
    """One barrier.

    Attributes
    ----------
    model
        Its counts; None before `init`.
    seen, near, crossed
        What those that arrived in the current phase have released: to the cluster, and to this block alone.
    last
        The same three of all completed phases, for those that wait.
    initialized
        Who began it, in which epoch; `fenced` once that thread has fenced it.
    history
        For each phase since `init`: arrivals, bytes expected, bytes that came, and who arrived.
    """

    __slots__ = (
        "address", "block", "crossed", "cycle", "fenced", "history", "initialized", "last", "last_cycle", "model",
        "name", "near", "number", "ring", "seen", "waiters", "waits", "world",
    )  # fmt: skip

    def __init__(self, world: Any, block: Block, address: int, name: str, ring: Any, number: int) -> None:
        self.world = world
        self.block = block
        self.address = address
        self.name = name
        self.ring = ring  # the site that made it, by which its twin in another block is found
        self.number = number
        self.model: Mbarrier | None = None
        self.waiters: list[tuple[Thread, int]] = []
        self.fenced = False
        self.initialized: tuple[Thread, int] | None = None
        self.seen: dict[int, int] = {}
        self.near: dict[int, int] = {}
        self.crossed: dict[int, int] = {}
        self.last: tuple[dict, dict, dict] = ({}, {}, {})
        self.cycle = self.last_cycle = 0.0
        self.history: list[Phase] = []
        self.waits: dict[
            Thread, list[tuple[int, int]]
        ] = {}  # by thread, the parities and phases it waited for

    def __repr__(self) -> str:
        """Name the barrier as findings do."""
        return f"barrier {self.name} of {self.block!r}"

    def begin(self, count: int) -> None:
        """Begin phase 0."""
        if self.model is None:
            self.model = Mbarrier(count)
        else:
            self.model.init(count)
        self.seen, self.near, self.crossed, self.last = {}, {}, {}, ({}, {}, {})
        self.history = [Phase()]
        self.waits = {}

    def after(self, phase: int) -> bool:
        """After an operation: if the phase has completed, tell those that wait; say whether it has."""
        if self.model.phase == phase:
            return False
        from hopperlab.device.simulator.sanitizer.clocks import merged

        self.last = tuple(
            merged(old, new) for old, new in zip(self.last, (self.seen, self.near, self.crossed), strict=True)
        )
        self.seen, self.near, self.crossed = {}, {}, {}
        self.last_cycle = self.cycle
        self.history.append(Phase())
        for thread, _ in self.waiters:
            self.world.scheduler.wake(thread)
        self.waiters.clear()
        return True

    def who_could_bring(self) -> str:
        """Say who could still bring what the phase needs."""
        scheduler = self.world.scheduler
        coming = [copy for copy in scheduler.under_way if self in copy.barriers]
        if coming:
            return f"{len(coming)} copies are under way to it"
        here = self.history[-1]
        came = f"so far, arrivals: {here.arrivals}, bytes: {here.landed}"
        others = [
            t
            for t in self.world.resident_threads()
            if t.state != "ended" and not (isinstance(t.waits_for, Waiting) and t.waits_for.barrier is self)
        ]
        if not others:
            return f"{came}, and nobody is left who could bring more"
        return f"{came}; who could bring more waits too"

    def counts(self) -> dict[str, int]:
        """Give the counts for the trace."""
        model = self.model
        return {
            "phase": model.phase,
            "pending_arrivals": model.pending_arrivals,
            "pending_bytes": model.pending_tx,
        }


class Phase:
    """What happened in one phase of a barrier."""

    __slots__ = ("announcers", "arrivals", "arrivers", "expected", "issued", "landed")

    def __init__(self) -> None:
        self.arrivals = 0
        self.expected = 0
        self.issued = 0  # bytes of the copies that were handed over
        self.landed = 0
        self.arrivers: list[Thread] = []
        self.announcers: list[Thread] = []


class Ring:
    """Several barriers: `ring[stage]` is one."""

    __slots__ = ("barriers",)

    def __init__(self, barriers: list[Barrier]) -> None:
        self.barriers = barriers

    def __getitem__(self, stage: int) -> Barrier:
        """Give one barrier of the ring."""
        if not 0 <= stage < len(self.barriers):
            raise IndexError(f"[{int(stage)}] is outside of a ring of {len(self.barriers)} barriers")
        return self.barriers[stage]

    def __len__(self) -> int:
        """How many barriers there are."""
        return len(self.barriers)
