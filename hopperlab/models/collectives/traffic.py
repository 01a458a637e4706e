"""Bytes through the links of one rank: by operation and algorithm, each direction by itself.

In units of the size S, as nccl-tests counts it. The counts of the talk stand beside the corrected ones.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import ceil, log2

from hopperlab.models.arguments import finite_number, whole_number
from hopperlab.models.collectives.operations import MOST_RANKS, operation

ALGORITHMS = ("ring", "direct", "tree", "in-network")


@dataclass(frozen=True)
class Traffic:
    """What the busiest rank sends and receives, in bytes."""

    sent: float
    received: float

    @property
    def busier(self) -> float:
        """The direction that carries more: it sets the time."""
        return max(self.sent, self.received)

    @property
    def both(self) -> float:
        """Sent and received together."""
        return self.sent + self.received


def _tree_rounds(n: int) -> int:
    return ceil(log2(n)) if n > 1 else 0


# (operation, algorithm): sent and received, in units of S, of the rank that moves most each way.
_PARTS: dict[tuple[str, str], Callable[[int], tuple[float, float]]] = {
    ("all-reduce", "ring"): lambda n: (2 * (n - 1) / n,) * 2,
    ("all-reduce", "direct"): lambda n: (2 * (n - 1) / n,) * 2,
    # Binomial: rank 0 takes in and gives out the whole buffer once a round.
    ("all-reduce", "tree"): lambda n: (_tree_rounds(n),) * 2,
    # N shards pulled by the switch and 1 result back; then 1 sent and N multicast (lit-202).
    ("all-reduce", "in-network"): lambda n: ((n + 1) / n,) * 2,
    ("reduce-scatter", "ring"): lambda n: ((n - 1) / n,) * 2,
    ("reduce-scatter", "direct"): lambda n: ((n - 1) / n,) * 2,
    ("reduce-scatter", "in-network"): lambda n: (1.0, 1 / n),
    ("all-gather", "ring"): lambda n: ((n - 1) / n,) * 2,
    ("all-gather", "direct"): lambda n: ((n - 1) / n,) * 2,
    ("all-gather", "in-network"): lambda n: (1 / n, 1.0),
    ("all-to-all", "direct"): lambda n: ((n - 1) / n,) * 2,
    # Shard by shard around the ring: d hops for the one d ranks on, so (n - 1) / 2 of S through each link.
    ("all-to-all", "ring"): lambda n: ((n - 1) / 2,) * 2,
    ("broadcast", "ring"): lambda n: (1.0, 1.0),
    ("broadcast", "direct"): lambda n: (n - 1.0, 1.0),
    ("broadcast", "tree"): lambda n: (_tree_rounds(n), 1.0),
    ("broadcast", "in-network"): lambda n: (1.0, 1.0),
}


def traffic(op: str, algorithm: str, ranks: int, nbytes: float) -> Traffic:
    """Bytes that the busiest rank sends and receives.

    Parameters
    ----------
    op, algorithm
        An operation, and one of ``ALGORITHMS``: "direct" is every rank to every other through a switch, "tree"
        a binomial tree of whole buffers, "in-network" a switch that reduces and multicasts.
    ranks
        1 or more.
    nbytes
        The size as nccl-tests counts it.

    Raises
    ------
    ValueError
        If there is no such pair, or a number is out of range.
    """
    operation(op)
    whole_number("ranks", ranks, 1, MOST_RANKS)
    finite_number("nbytes", nbytes, above=0)
    if (op, algorithm) not in _PARTS:
        known = ", ".join(name for one, name in _PARTS if one == op)
        raise ValueError(f"algorithm={algorithm!r} is not counted for {op}; there are {known}")
    if ranks == 1:
        return Traffic(0.0, 0.0)
    sent, received = _PARTS[op, algorithm](ranks)
    return Traffic(sent * nbytes, received * nbytes)


def spoken_shards(ranks: int) -> tuple[int, int]:
    """The talk's count, sent and received together, in shards of S / N: without SHARP and with it (talk-050)."""
    whole_number("ranks", ranks, 2, MOST_RANKS)
    return 4 * ranks, 2 * ranks + 2


def spoken_gain(ranks: int) -> float:
    """SHARP's gain as the talk counts it, 4N / (2N + 2)."""
    without, with_sharp = spoken_shards(ranks)
    return without / with_sharp


def corrected_gain(ranks: int) -> float:
    """SHARP's gain in bytes a direction, 2 (N - 1) / (N + 1) (lit-203); below 1 for two GPUs."""
    whole_number("ranks", ranks, 2, MOST_RANKS)
    plain = traffic("all-reduce", "ring", ranks, 1).busier
    return plain / traffic("all-reduce", "in-network", ranks, 1).busier
