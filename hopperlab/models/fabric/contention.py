"""Messages that meet: an event simulation of links, each of which carries one message a lane at a time.

A message waits its turn at each link of its path, first come, first served. It moves on as soon as its first
packet is over ("cut-through"); with ``packet_bytes=None`` it moves on whole, link by link. The clock counts
nanoseconds.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field

from hopperlab.models.arguments import finite_number, whole_number


@dataclass(frozen=True)
class Path:
    """One directed bundle of equal links.

    Attributes
    ----------
    bytes_per_second
        Of one lane.
    latency_ns
        From its one end to the other.
    lanes
        Messages that it carries at a time.
    """

    bytes_per_second: float
    latency_ns: float = 0.0
    lanes: int = 1

    def __post_init__(self) -> None:
        """Refuse what is no link."""
        finite_number("bytes_per_second", self.bytes_per_second, above=0)
        finite_number("latency_ns", self.latency_ns, at_least=0)
        whole_number("lanes", self.lanes, 1, 65_536)

    def nanoseconds(self, nbytes: float) -> float:
        """How long it is taken by so many bytes."""
        return nbytes / self.bytes_per_second * 1e9


@dataclass(frozen=True)
class Network:
    """Links by name, and the route between any two ends.

    Attributes
    ----------
    paths
        Every directed link.
    route
        From a source and a target to the names of the links between them, in order.
    ranks
        How many GPUs it joins.
    """

    name: str
    paths: Mapping[Hashable, Path]
    route: Callable[[int, int], Sequence[Hashable]]
    ranks: int


@dataclass(frozen=True)
class Message:
    """Something to be sent.

    Attributes
    ----------
    source, target, nbytes
        From where to where, and how much.
    after
        Numbers of messages in the list that must have arrived before.
    job
        Whose it is.
    """

    source: int
    target: int
    nbytes: float
    after: tuple[int, ...] = ()
    job: str = ""

    def __post_init__(self) -> None:
        """Refuse an empty message."""
        finite_number("nbytes", self.nbytes, above=0)


@dataclass(frozen=True)
class Passage:
    """A message on one link: which, and from when to when, in ns."""

    message: int
    path: Hashable
    begins: float
    ends: float


@dataclass(frozen=True)
class Finish:
    """When a job was done, and how long its messages waited for links, in ns."""

    job: str
    nanoseconds: float
    waited: float


@dataclass
class Simulation:
    """What happened.

    Attributes
    ----------
    arrivals
        When each message had arrived whole, ns.
    passages
        Every link that every message crossed.
    jobs
        Each job's end.
    """

    messages: tuple[Message, ...]
    arrivals: list[float]
    passages: list[Passage] = field(default_factory=list)
    jobs: tuple[Finish, ...] = ()

    @property
    def nanoseconds(self) -> float:
        """When all was done."""
        return max(self.arrivals)

    def busy(self, path: Hashable) -> float:
        """How long a link was taken, in ns, summed over its lanes."""
        return sum(one.ends - one.begins for one in self.passages if one.path == path)


class _Run:
    """One simulation in progress."""

    def __init__(self, network: Network, messages: Sequence[Message], packet: float | None, whole: bool):
        import simpy

        self.simpy = simpy
        self.clock = simpy.Environment()
        self.network = network
        self.messages = tuple(messages)
        self.packet = packet
        self.rounded = math.floor if whole else float
        self.lanes = {name: simpy.Resource(self.clock, path.lanes) for name, path in network.paths.items()}
        self.arrived = [self.clock.event() for _ in messages]
        self.passages: list[Passage] = []
        self.arrivals = [math.nan] * len(self.messages)
        self.waited = [0.0] * len(self.messages)

    def finished(self) -> Simulation:
        for number in range(len(self.messages)):
            self.clock.process(self._send(number))
        self.clock.run()
        stuck = [n for n, time in enumerate(self.arrivals) if math.isnan(time)]
        if stuck:
            raise ValueError(f"messages: number {stuck[0]} waits for messages that wait for it")
        return Simulation(self.messages, self.arrivals, self.passages, self._jobs())

    def _jobs(self) -> tuple[Finish, ...]:
        names = dict.fromkeys(message.job for message in self.messages)
        own = {name: [n for n, m in enumerate(self.messages) if m.job == name] for name in names}
        return tuple(
            Finish(name, max(self.arrivals[n] for n in numbers), sum(self.waited[n] for n in numbers))
            for name, numbers in own.items()
        )

    def _send(self, number: int):
        message, clock = self.messages[number], self.clock
        for before in message.after:
            if not self.arrived[before].triggered:
                yield self.arrived[before]
        head = math.inf if self.packet is None else self.packet
        tail, path = clock.now, None
        for name in self.network.route(message.source, message.target):
            path = self.network.paths[name]
            lane = self.lanes[name].request()
            asked = clock.now
            yield lane
            self.waited[number] += clock.now - asked
            first = min(message.nbytes, head)
            taken = self.rounded(path.nanoseconds(message.nbytes))
            ends = max(
                clock.now + taken, tail + self.rounded(path.nanoseconds(first)) if head < math.inf else 0
            )
            self.passages.append(Passage(number, name, clock.now, ends))
            clock.timeout(ends - clock.now).callbacks.append(
                lambda _, name=name, lane=lane: self.lanes[name].release(lane)
            )
            tail = ends + path.latency_ns
            reaches = self.rounded(path.nanoseconds(first) + path.latency_ns)
            yield clock.timeout(reaches)
        if path is not None and tail > clock.now:
            yield clock.timeout(tail - clock.now)
        self.arrivals[number] = clock.now
        self.arrived[number].succeed()


def simulate(
    network: Network,
    messages: Sequence[Message],
    packet_bytes: float | None = 4096,
    whole_nanoseconds: bool = False,
) -> Simulation:
    """Send messages over a network and see when each arrives.

    Parameters
    ----------
    packet_bytes
        How much of a message must be over a link before it goes on; None for all of it.
    whole_nanoseconds
        Cut every duration to whole ns, as ASTRA-sim does; for comparing with its published values.

    Raises
    ------
    ValueError
        If there is no message, an end is not in the network, or messages wait for each other in a circle.
    """
    if not messages:
        raise ValueError("messages is empty: there is nothing to send")
    for message in messages:
        for end in (message.source, message.target):
            if not -1 <= end < network.ranks:
                raise ValueError(
                    f"rank {end} is not in {network.name}, which has ranks 0 to {network.ranks - 1}"
                )
    if packet_bytes is not None:
        finite_number("packet_bytes", packet_bytes, above=0)
    return _Run(network, messages, packet_bytes, whole_nanoseconds).finished()
