"""Public suites beside our recordings: the same quantity by their program and by ours, and why they differ.

Where the card is the same, the difference is of programs. Where it is another, what is known to differ of it is said.
What could not be explained says so.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence

from hopperlab.ledger import Recording
from hopperlab.measure.peers import arithmetic, memory
from hopperlab.measure.peers.peer import SUITES, Peer

TOPICS: Mapping[str, Mapping[str, Callable[[Recording], Iterator[Peer]]]] = {
    "latency": {"memory_latency": memory.latency},
    "bandwidth": {"bandwidth": memory.bandwidth, "roofline_sweep": memory.intensities},
    "arithmetic": {
        "dpx_rates": arithmetic.instructions,
        "wgmma_rates": arithmetic.products,
        "clocks_and_power": arithmetic.peak,
    },
}
"""By topic, the experiments that answer to it, and what they say."""


def peers(topic: str, recorded: Sequence[Recording]) -> tuple[Peer, ...]:
    """The comparisons of one topic, as far as there are recordings for them.

    Parameters
    ----------
    topic
        One of ``TOPICS``.
    recorded
        Recordings of one card.

    Raises
    ------
    ValueError
        For another topic.
    """
    by_name = {one.experiment: one for one in recorded}
    return tuple(
        peer
        for experiment in experiments_of(topic)
        if experiment in by_name
        for peer in TOPICS[topic][experiment](by_name[experiment])
    )


def experiments_of(topic: str) -> tuple[str, ...]:
    """The experiments that answer to a topic; see ``peers`` for errors."""
    if topic not in TOPICS:
        raise ValueError(f"topic={topic!r} must be one of {', '.join(TOPICS)}")
    return tuple(TOPICS[topic])


__all__ = ["SUITES", "TOPICS", "Peer", "experiments_of", "peers"]
