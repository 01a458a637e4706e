"""The ring of S buffers between producers and consumers, as a small machine that can be explored whole.

Each stage of the ring has a buffer and two barriers. *Full* says that the bytes are there: every producer
arrives on it and announces its bytes, and the copy engine counts them in. *Empty* says that the buffer may
be written again: every consumer arrives on it. Producers and consumers run their steps for item 0, 1, 2 and
so on; item k uses stage ``k % S``, and the parity to wait for changes once a lap.

A state is plain data, so equal states compare equal, and all that can happen next is ``Ring.successors``.
Iterations are kept modulo two laps and phases modulo two, which is what the hardware keeps too: so the
states of an endless run are finitely many, and a walk over all of them is a proof for every length.

What the machine leaves out: time, the memory model's fences, and blocks that exit.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from hopperlab.models.arguments import whole_number
from hopperlab.models.barriers.mbarrier import MAX_ARRIVALS, MAX_TX, Mbarrier, Snapshot
from hopperlab.models.barriers.parity import ring_parity, ring_stage

PRODUCER_STEPS = ("wait", "arrive_expect_tx", "copy", "expect_tx", "arrive")
CONSUMER_STEPS = ("wait", "read", "arrive")
FLIPS = ("lap", "item", "never")
_AWAITED = {"producer": "empty", "consumer": "full"}


class Stage(NamedTuple):
    """One buffer: its barriers, what has been sent into it, and who has read it."""

    full: Snapshot
    empty: Snapshot
    pieces_to_land: tuple[int, ...]  # for each producer; -1 where this lap's copy is not issued yet
    readers: int  # bit c is set when consumer c has read this lap's bytes


class Agent(NamedTuple):
    """Where a producer or a consumer stands: its iteration (modulo two laps, if endless) and its step."""

    iteration: int
    step: int


class State(NamedTuple):
    """The whole ring at one moment."""

    stages: tuple[Stage, ...]
    producers: tuple[Agent, ...]
    consumers: tuple[Agent, ...]


class Event(NamedTuple):
    """One indivisible thing that happened: who, what, in which stage, and the sentence that says so."""

    agent: str
    action: str
    stage: int
    text: str


class Fault(NamedTuple):
    """An event that must not happen: ``overwrite``, ``early read`` or ``misuse``, and why."""

    kind: str
    text: str


@dataclass(frozen=True)
class Ring:
    """A ring as a program would set it up; the defaults are the right ones, everything can be set wrong.

    Parameters
    ----------
    stages, producers, consumers
        How many buffers, and how many agents on each side, at least 1 each.
    nbytes
        Bytes that each producer sends for one item; one number for all, or one a producer.
    full_count, empty_count
        Arrivals the barriers are initialized for; right are ``producers`` and ``consumers``.
    producer_parity, consumer_parity
        The parity each side waits for first; right are 1 and 0.
    producer_flips, consumer_flips
        When each side changes that parity, from FLIPS; right is once a lap.
    producer_steps, consumer_steps
        The program of one iteration, from PRODUCER_STEPS and CONSUMER_STEPS: leave out a wait, or swap two.
    expect_difference
        Bytes that producer 0 announces beyond those it sends; negative when it announces too few.
    pieces
        In how many parts the copy engine counts a copy's bytes in. PTX does not say.
    items
        How many items are sent; None runs for ever.

    Raises
    ------
    ValueError
        For a number out of range, an unknown step, or bytes that do not divide into the pieces.
    """

    stages: int = 2
    producers: int = 1
    consumers: int = 1
    nbytes: int | tuple[int, ...] = 64
    full_count: int | None = None
    empty_count: int | None = None
    producer_parity: int = 1
    consumer_parity: int = 0
    producer_flips: str = "lap"
    consumer_flips: str = "lap"
    producer_steps: tuple[str, ...] = ("wait", "arrive_expect_tx", "copy")
    consumer_steps: tuple[str, ...] = ("wait", "read", "arrive")
    expect_difference: int = 0
    pieces: int = 1
    items: int | None = None

    def __post_init__(self) -> None:
        """Refuse what no program could say."""
        for name in ("stages", "producers", "consumers", "pieces"):
            whole_number(name, getattr(self, name), 1, MAX_ARRIVALS)
        for name in ("producer_parity", "consumer_parity"):
            whole_number(name, getattr(self, name), 0, 1)
        if self.items is not None:
            whole_number("items", self.items, 1, 2**31 - 1)
        if len(self.sizes) != self.producers:
            raise ValueError(f"nbytes={self.nbytes}: one number is needed, or {self.producers}")
        for size in self.sizes:
            if whole_number("nbytes", size, 1, MAX_TX) % self.pieces:
                raise ValueError(f"pieces={self.pieces}: it must divide nbytes, {size}")
        whole_number("expect_difference", self.expect_difference, -self.sizes[0], MAX_TX - self.sizes[0])
        for name in ("producer_flips", "consumer_flips"):
            if getattr(self, name) not in FLIPS:
                raise ValueError(f"{name}={getattr(self, name)!r}: allowed are {', '.join(FLIPS)}")
        for name, known in (("producer_steps", PRODUCER_STEPS), ("consumer_steps", CONSUMER_STEPS)):
            steps = getattr(self, name)
            if not steps or not set(steps) <= set(known):
                raise ValueError(f"{name}={steps}: allowed are one or more of {', '.join(known)}")

    @property
    def sizes(self) -> tuple[int, ...]:
        """Bytes that each producer sends for one item."""
        return self.nbytes if isinstance(self.nbytes, tuple) else (self.nbytes,) * self.producers

    def start(self) -> State:
        """Both barriers of each stage fresh, nothing sent, every agent before its first step."""
        full = Mbarrier(self.producers if self.full_count is None else self.full_count).snapshot()
        empty = Mbarrier(self.consumers if self.empty_count is None else self.empty_count).snapshot()
        stage = Stage(full, empty, (-1,) * self.producers, 0)
        first = Agent(0, 0)
        return State((stage,) * self.stages, (first,) * self.producers, (first,) * self.consumers)

    def finished(self, state: State) -> bool:
        """Whether all items are sent and read and nothing is under way; never true of an endless run."""
        agents = state.producers + state.consumers
        landing = any(left > 0 for stage in state.stages for left in stage.pieces_to_land)
        return self.items is not None and all(a.iteration == self.items for a in agents) and not landing

    def successors(self, state: State) -> Iterator[tuple[Event, State | Fault]]:
        """Everything that can happen next, each with the state it leads to, or the fault it is."""
        for who, agent in enumerate(state.producers):
            yield from self._producer_step(state, who, agent)
        for who, agent in enumerate(state.consumers):
            yield from self._consumer_step(state, who, agent)
        for where, stage in enumerate(state.stages):
            for who, left in enumerate(stage.pieces_to_land):
                if left > 0:
                    yield self._land(state, where, who)

    def waiting(self, state: State) -> list[str]:
        """A sentence for each agent that waits in `state`: for which barrier, and what that still needs."""
        sides = (("producer", state.producers), ("consumer", state.consumers))
        agents = [(side, who, agent) for side, agents in sides for who, agent in enumerate(agents)]
        sentences = (self._why_waiting(state, *one) for one in agents)
        return [sentence for sentence in sentences if sentence]

    def _producer_step(self, state: State, who: int, agent: Agent) -> Iterator[tuple[Event, State | Fault]]:
        if agent.iteration == self.items:
            return
        where, step = ring_stage(agent.iteration, self.stages), self.producer_steps[agent.step]
        after = self._advance(state, "producers", who)
        if step == "copy":
            yield self._copy(after, where, who)
        elif step != "wait":
            yield self._announce(after, where, who, step)
        elif self._may_pass(state, where, "producer", agent):
            text = f"producer {who} sees that stage {where} may be written"
            yield Event(f"producer {who}", step, where, text), after

    def _consumer_step(self, state: State, who: int, agent: Agent) -> Iterator[tuple[Event, State | Fault]]:
        if agent.iteration == self.items:
            return
        where, step = ring_stage(agent.iteration, self.stages), self.consumer_steps[agent.step]
        name, after = f"consumer {who}", self._advance(state, "consumers", who)
        if step == "read":
            yield Event(name, step, where, f"{name} reads stage {where}"), self._read(after, where, who)
        elif step == "arrive":
            event = Event(name, step, where, f"{name} arrives on empty[{where}]")
            yield event, self._on_barrier(after, where, "empty", "arrive")
        elif self._may_pass(state, where, "consumer", agent):
            yield Event(name, step, where, f"{name} sees that stage {where} is full"), after

    def _announce(self, after: State, where: int, who: int, step: str) -> tuple[Event, State | Fault]:
        announced = self.sizes[who] + (self.expect_difference if who == 0 else 0)
        text = {
            "arrive": f"arrives on full[{where}]",
            "expect_tx": f"expects {announced} bytes on full[{where}] and does not arrive",
            "arrive_expect_tx": f"arrives on full[{where}] and expects {announced} bytes",
        }[step]
        event = Event(f"producer {who}", step, where, f"producer {who} {text}")
        arguments = () if step == "arrive" else (announced,)
        return event, self._on_barrier(after, where, "full", step, *arguments)

    def _copy(self, after: State, where: int, who: int) -> tuple[Event, State | Fault]:
        text = f"producer {who} starts a copy of {self.sizes[who]} bytes to stage {where}"
        event, stage = Event(f"producer {who}", "copy", where, text), after.stages[where]
        if stage.pieces_to_land[who] < 0:
            landing = _replaced(stage.pieces_to_land, who, self.pieces)
            return event, _with_stage(after, where, stage._replace(pieces_to_land=landing))
        late = " and ".join(str(c) for c in range(self.consumers) if not stage.readers >> c & 1)
        text = f"producer {who} writes stage {where}, where consumer {late} has not read the bytes before"
        return event, Fault("overwrite", text)

    def _read(self, after: State, where: int, who: int) -> State | Fault:
        stage = after.stages[where]
        if any(stage.pieces_to_land) or stage.readers >> who & 1:
            return Fault("early read", f"consumer {who} reads stage {where} before its new bytes have landed")
        readers = stage.readers | 1 << who
        if readers == 2**self.consumers - 1:  # read by all: the buffer is free for the next lap
            return _with_stage(after, where, stage._replace(pieces_to_land=(-1,) * self.producers, readers=0))
        return _with_stage(after, where, stage._replace(readers=readers))

    def _land(self, state: State, where: int, who: int) -> tuple[Event, State | Fault]:
        stage = state.stages[where]
        left = stage.pieces_to_land[who] - 1
        nbytes = self.sizes[who] // self.pieces
        event = Event("copy engine", "land", where, f"{nbytes} bytes of producer {who} land in stage {where}")
        landed = stage._replace(pieces_to_land=_replaced(stage.pieces_to_land, who, left))
        return event, self._on_barrier(
            _with_stage(state, where, landed), where, "full", "complete_tx", nbytes
        )

    def _on_barrier(self, state: State, where: int, which: str, operation: str, *args: int) -> State | Fault:
        stage = state.stages[where]
        barrier = Mbarrier.restore(getattr(stage, which))
        try:
            getattr(barrier, operation)(*args)
        except ValueError as refusal:
            return Fault("misuse", f"{operation} on {which}[{where}]: {refusal}")
        snapshot = barrier.snapshot()
        snapshot = snapshot._replace(phase=snapshot.phase % 2)  # all that test_wait can see of it
        return _with_stage(state, where, stage._replace(**{which: snapshot}))

    def _advance(self, state: State, side: str, who: int) -> State:
        agents = getattr(state, side)
        steps = self.producer_steps if side == "producers" else self.consumer_steps
        iteration, step = agents[who]
        step += 1
        if step == len(steps):
            iteration, step = iteration + 1, 0
        if self.items is None:
            iteration %= 2 * self.stages
        return state._replace(**{side: _replaced(agents, who, Agent(iteration, step))})

    def _parity(self, agent: Agent, side: str) -> int:
        first, flips = getattr(self, f"{side}_parity"), getattr(self, f"{side}_flips")
        if flips == "never":
            return first
        return first ^ ring_parity(agent.iteration, self.stages if flips == "lap" else 1)

    def _may_pass(self, state: State, where: int, side: str, agent: Agent) -> bool:
        barrier = Mbarrier.restore(getattr(state.stages[where], _AWAITED[side]))
        return barrier.test_wait(self._parity(agent, side))

    def _why_waiting(self, state: State, side: str, who: int, agent: Agent) -> str:
        steps = self.producer_steps if side == "producer" else self.consumer_steps
        where = ring_stage(agent.iteration, self.stages)
        if agent.iteration == self.items or steps[agent.step] != "wait":
            return ""
        if self._may_pass(state, where, side, agent):
            return ""
        which, parity = _AWAITED[side], self._parity(agent, side)
        needs = Mbarrier.restore(getattr(state.stages[where], which)).missing()
        return (
            f"{side} {who} waits for the phase of parity {parity} of {which}[{where}]; "
            f"that phase needs {needs}."
        )


def _replaced(values: tuple, index: int, value: object) -> tuple:
    return (*values[:index], value, *values[index + 1 :])


def _with_stage(state: State, where: int, stage: Stage) -> State:
    return state._replace(stages=_replaced(state.stages, where, stage))
