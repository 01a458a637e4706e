"""A word handed from a producer to a consumer by four protocols: who sends what, when it lands, and how long it takes.

What a protocol costs is how often it must cross, one crossing after the other. Through global memory the
producer's fence waits for an answer, the consumer's poll comes at a bad or a good moment, and the data is
fetched last: three to four round trips (talk-033). A one-sided write crosses once (talk-034).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import NamedTuple

from hopperlab.models.arguments import finite_number

PRODUCER, MEMORY, CONSUMER = "producer", "memory", "consumer"

MEMORY_CYCLES = 272.0
"""A round trip between an SM and the near half of the L2: between lit-063.a and lit-066.a."""

NETWORK_CYCLES = 98.0
"""One way over the SM-to-SM network: half of a load's latency in clusters of 16 (lit-089.e)."""

WAKE_CYCLES = 186.0
"""From an arrival's landing until its waiter has gone on: 284 end to end (lit-118.b) less one way."""

FENCE_CYCLES = 145.0
"""What a fence takes beyond its round trip: fitted to `store_and_arrive` of the recording exchange_protocols."""


@dataclass(frozen=True)
class Latencies:
    """What one crossing takes, in clock cycles.

    Attributes
    ----------
    memory
        A round trip between an SM and the L2, where global memory is shared.
    network
        One way from one SM to another of the cluster.
    fence
        What a fence takes after the answer that it waits for.
    wake
        From what ends a phase until the waiting consumer has gone on and read the word.
    missed
        How unlucky the poll is that sees the flag: 0 reaches the memory with the flag, 1 is the one after a
        poll that just missed it.
    """

    memory: float = MEMORY_CYCLES
    network: float = NETWORK_CYCLES
    fence: float = FENCE_CYCLES
    wake: float = WAKE_CYCLES
    missed: float = 0.5

    def __post_init__(self) -> None:
        """Refuse latencies that no card could have."""
        for name in ("memory", "network", "fence", "wake", "missed"):
            finite_number(name, getattr(self, name), at_least=0)
        if self.missed > 1:
            raise ValueError(f"missed={self.missed!r} must be in 0 to 1: polls follow each other at once")


class Message(NamedTuple):
    """One crossing: what it says, from whom to whom, when it leaves and when it lands, in cycles."""

    says: str
    sender: str
    receiver: str
    leaves: float
    lands: float


class Exchange(NamedTuple):
    """One hand-over by a protocol: its messages in order, and when the consumer has the word, in cycles."""

    protocol: str
    messages: tuple[Message, ...]
    cycles: float

    @property
    def through_memory(self) -> bool:
        """Whether the word goes through global memory."""
        return any(MEMORY in (message.sender, message.receiver) for message in self.messages)


def _polls(latencies: Latencies, raised: float) -> list[Message]:
    """The polls around the moment at which the flag is up in memory: one in vain, and the one that sees it."""
    half, seen = latencies.memory / 2, raised + latencies.missed * latencies.memory
    polls = []
    for arrives, answer in ((seen - latencies.memory, "not yet"), (seen, "it is")):
        if arrives >= half:  # it left after the start
            polls.append(Message("is it there?", CONSUMER, MEMORY, arrives - half, arrives))
            polls.append(Message(answer, MEMORY, CONSUMER, arrives, arrives + half))
    return polls


def flag_in_memory(latencies: Latencies) -> Exchange:
    """Write the word, fence, raise a flag; the consumer polls the flag and then fetches the word."""
    half = latencies.memory / 2
    fenced = 2 * half + latencies.fence
    sent = [
        Message("the word", PRODUCER, MEMORY, 0, half),
        Message("it is there", MEMORY, PRODUCER, half, 2 * half),
        Message("the flag", PRODUCER, MEMORY, fenced, fenced + half),
    ]
    polls = _polls(latencies, fenced + half)
    known = fenced + 2 * half + latencies.missed * latencies.memory
    fetched = [
        Message("the word?", CONSUMER, MEMORY, known, known + half),
        Message("the word", MEMORY, CONSUMER, known + half, known + 2 * half),
    ]
    return Exchange(FLAG, (*sent, *polls, *fetched), known + 2 * half)


def tagged_word(latencies: Latencies) -> Exchange:
    """Write a word that says itself which round it is of; the consumer polls it. No fence, no second fetch."""
    half = latencies.memory / 2
    word = Message("the word", PRODUCER, MEMORY, 0, half)
    return Exchange(TAGGED, (word, *_polls(latencies, half)), (1 + latencies.missed) * latencies.memory)


def store_and_arrive(latencies: Latencies) -> Exchange:
    """Store the word in the consumer's shared memory, wait until it is there, then arrive on its barrier."""
    one_way = latencies.network
    fenced = 2 * one_way + latencies.fence
    messages = (
        Message("the word", PRODUCER, CONSUMER, 0, one_way),
        Message("it is there", CONSUMER, PRODUCER, one_way, 2 * one_way),
        Message("arrive", PRODUCER, CONSUMER, fenced, fenced + one_way),
    )
    return Exchange(STORE, messages, fenced + one_way + latencies.wake)


def one_sided(latencies: Latencies) -> Exchange:
    """Send the word by st.async: it lands in the consumer's shared memory and counts itself on the barrier."""
    word = Message("the word, 4 bytes", PRODUCER, CONSUMER, 0, latencies.network)
    return Exchange(ONE_SIDED, (word,), latencies.network + latencies.wake)


FLAG = "flag in global memory"
TAGGED = "tagged word in global memory"
STORE = "store and arrive"
ONE_SIDED = "st.async"

PROTOCOLS: Mapping[str, Callable[[Latencies], Exchange]] = MappingProxyType(
    {FLAG: flag_in_memory, TAGGED: tagged_word, STORE: store_and_arrive, ONE_SIDED: one_sided}
)
"""The four protocols by name, from the most crossings to the fewest."""


def exchange(protocol: str, latencies: Latencies | None = None) -> Exchange:
    """One hand-over by a protocol of `PROTOCOLS`; ValueError for another name."""
    if protocol not in PROTOCOLS:
        raise ValueError(f"protocol={protocol!r}: there are {', '.join(PROTOCOLS)}")
    return PROTOCOLS[protocol](latencies or Latencies())


def crossings(protocol: str) -> tuple[int, int]:
    """The fewest and the most crossings, one after the other, until the consumer has the word.

    A round trip to memory is two. The polls make the difference.
    """
    best, worst = (
        exchange(protocol, Latencies(memory=2, network=1, fence=0, wake=0, missed=missed)).cycles
        for missed in (0, 1)
    )
    return round(best), round(worst)


def round_trip(protocol: str, latencies: Latencies | None = None) -> float:
    """The cycles of a word to and fro: two hand-overs, each like the other."""
    return 2 * exchange(protocol, latencies).cycles
