"""Collectives message by message: who sends what to whom, and what everyone holds after each step.

A buffer is cut into as many shards as there are ranks. What a rank holds of a shard is the set of ranks whose
values are in it: an all-reduce is done when every rank holds every shard with the values of all. Adding a rank's
values twice is found out, because sets that are united must be disjoint.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from math import ceil, log2

from hopperlab.models.arguments import whole_number
from hopperlab.models.collectives.operations import operation

SWITCH = -1
"""The switch, where it reduces or multicasts; ranks are 0 and up."""

MOST_RANKS = 64


@dataclass(frozen=True)
class Transfer:
    """One message of one shard.

    Attributes
    ----------
    step
        When: messages of one step may cross at the same time.
    source, target
        Ranks, or ``SWITCH``.
    shard
        Which shard; in an all-to-all, the rank that it is for.
    adds
        Whether the target adds it to what it holds, or takes it in place of that.
    origin
        In an all-to-all, the rank that the shard comes from.
    """

    step: int
    source: int
    target: int
    shard: int
    adds: bool = False
    origin: int = 0


Holdings = dict[tuple[int, int], frozenset[int]]
"""Whose values each (rank, shard) holds; absent where nothing."""


def transfers(op: str, algorithm: str, ranks: int) -> tuple[Transfer, ...]:
    """Every message of a collective, step by step.

    Raises
    ------
    ValueError
        If the pair is not modelled message by message, or ranks is not 2 to 64.
    """
    operation(op)
    whole_number("ranks", ranks, 2, MOST_RANKS)
    if (op, algorithm) not in _PROTOCOLS:
        known = ", ".join(f"{one} {name}" for one, name in _PROTOCOLS)
        raise ValueError(f"{op} by {algorithm!r} is not modelled message by message; there are {known}")
    return tuple(_PROTOCOLS[op, algorithm](ranks))


def _ring_reduce(n: int) -> Iterator[Transfer]:
    """N - 1 steps; in each, rank r hands on the shard that it has just added to."""
    for step in range(n - 1):
        for r in range(n):
            yield Transfer(step, r, (r + 1) % n, (r - step - 1) % n, adds=True)


def _ring_gather(n: int, first: int = 0) -> Iterator[Transfer]:
    """N - 1 steps; rank r begins with its own shard, complete."""
    for step in range(n - 1):
        for r in range(n):
            yield Transfer(first + step, r, (r + 1) % n, (r - step) % n)


def _ring(n: int) -> Iterator[Transfer]:
    yield from _ring_reduce(n)
    yield from _ring_gather(n, first=n - 1)


def _direct_reduce(n: int) -> Iterator[Transfer]:
    """Every rank sends each other rank the shard that is that one's to add; all at once."""
    for distance in range(1, n):
        for r in range(n):
            target = (r + distance) % n
            yield Transfer(0, r, target, target, adds=True)


def _direct_gather(n: int, first: int = 0) -> Iterator[Transfer]:
    for distance in range(1, n):
        for r in range(n):
            yield Transfer(first, r, (r + distance) % n, r)


def _direct(n: int) -> Iterator[Transfer]:
    yield from _direct_reduce(n)
    yield from _direct_gather(n, first=1)


def _tree(n: int) -> Iterator[Transfer]:
    """A binomial tree: whole buffers up to rank 0, adding, and down again."""
    rounds = ceil(log2(n))
    for level in range(rounds):
        for r in range(1 << level, n, 2 << level):
            for shard in range(n):
                yield Transfer(level, r, r - (1 << level), shard, adds=True)
    yield from _tree_down(n, rounds)


def _tree_down(n: int, first: int = 0) -> Iterator[Transfer]:
    rounds = ceil(log2(n))
    for level in reversed(range(rounds)):
        for r in range(1 << level, n, 2 << level):
            for shard in range(n):
                yield Transfer(first + rounds - 1 - level, r - (1 << level), r, shard)


def _switch_reduce(n: int) -> Iterator[Transfer]:
    """Rank r asks for the sum of shard r: all N send it to the switch, its own included, and one sum comes back."""
    for shard in range(n):
        for r in range(n):
            yield Transfer(0, r, SWITCH, shard, adds=True)
    for shard in range(n):
        yield Transfer(1, SWITCH, shard, shard)


def _switch_gather(n: int, first: int = 0) -> Iterator[Transfer]:
    """Rank r sends its shard once; the switch multicasts it to all N."""
    for r in range(n):
        yield Transfer(first, r, SWITCH, r)
    for shard in range(n):
        for r in range(n):
            yield Transfer(first + 1, SWITCH, r, shard)


def _in_network(n: int) -> Iterator[Transfer]:
    yield from _switch_reduce(n)
    yield from _switch_gather(n, first=2)


def _all_to_all(n: int) -> Iterator[Transfer]:
    """At distance 1, 2, ...: so each rank receives from one rank at a time."""
    for distance in range(1, n):
        for r in range(n):
            target = (r + distance) % n
            yield Transfer(0, r, target, target, origin=r)


_PROTOCOLS = {
    ("all-reduce", "ring"): _ring,
    ("all-reduce", "direct"): _direct,
    ("all-reduce", "tree"): _tree,
    ("all-reduce", "in-network"): _in_network,
    ("reduce-scatter", "ring"): _ring_reduce,
    ("reduce-scatter", "direct"): _direct_reduce,
    ("reduce-scatter", "in-network"): _switch_reduce,
    ("all-gather", "ring"): _ring_gather,
    ("all-gather", "direct"): _direct_gather,
    ("all-gather", "in-network"): _switch_gather,
    ("all-to-all", "direct"): _all_to_all,
    ("broadcast", "tree"): _tree_down,
}


def hold_at_start(op: str, ranks: int) -> Holdings:
    """What everyone holds before the first message."""
    n = ranks
    if op in ("all-reduce", "reduce-scatter"):
        return {(r, shard): frozenset({r}) for r in range(n) for shard in range(n)}
    if op == "all-gather":
        return {(r, r): frozenset({r}) for r in range(n)}
    if op == "broadcast":
        return {(0, shard): frozenset({0}) for shard in range(n)}
    return {(r, r): frozenset({r}) for r in range(n)}  # all-to-all: what is for oneself


def complete(op: str, ranks: int, holdings: Holdings) -> bool:
    """Whether everyone holds what the operation promises."""
    n, everyone = ranks, frozenset(range(ranks))
    wanted: Holdings = {}
    if op == "all-reduce":
        wanted = {(r, shard): everyone for r in range(n) for shard in range(n)}
    elif op == "reduce-scatter":
        wanted = {(r, r): everyone for r in range(n)}
    elif op == "all-gather":
        wanted = {(r, shard): frozenset({shard}) for r in range(n) for shard in range(n)}
    elif op == "broadcast":
        wanted = {(r, shard): frozenset({0}) for r in range(n) for shard in range(n)}
    elif op == "all-to-all":
        wanted = {(r, r): everyone for r in range(n)}
    return all(holdings.get(place) == values for place, values in wanted.items())


def run(op: str, ranks: int, messages: tuple[Transfer, ...], steps: int | None = None) -> Holdings:
    """What everyone holds after some steps, or after all.

    Messages of one step leave with what their senders held when it began.

    Raises
    ------
    ValueError
        If a message sends what its sender does not hold, or adds a rank's values twice.
    """
    held = dict(hold_at_start(op, ranks))
    last = max((one.step for one in messages), default=-1) + 1
    for step in range(last if steps is None else min(steps, last)):
        before = dict(held)
        for one in messages:
            if one.step == step:
                _deliver(op, one, before, held)
        if op in ("all-reduce", "reduce-scatter", "all-gather"):
            _empty_switch(held, messages, step)
    return held


def _deliver(op: str, one: Transfer, before: Holdings, held: Holdings) -> None:
    if op == "all-to-all":
        place = (one.target, one.target)
        held[place] = _united(held.get(place, frozenset()), frozenset({one.origin}), one)
        return
    sent = before.get((one.source, one.shard))
    if sent is None:
        raise ValueError(f"step {one.step}: rank {one.source} does not hold shard {one.shard} that it sends")
    place = (one.target, one.shard)
    held[place] = _united(held.get(place, frozenset()), sent, one) if one.adds else sent


def _united(held: frozenset[int], sent: frozenset[int], one: Transfer) -> frozenset[int]:
    twice = held & sent
    if twice:
        raise ValueError(
            f"step {one.step}: rank {one.target} adds shard {one.shard} of rank {min(twice)} a second time"
        )
    return held | sent


def _empty_switch(held: Holdings, messages: tuple[Transfer, ...], step: int) -> None:
    """The switch keeps nothing once it has passed a sum or a shard on."""
    for one in messages:
        if one.step == step and one.source == SWITCH:
            held.pop((SWITCH, one.shard), None)
