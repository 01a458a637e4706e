"""How long a collective takes on one switch, in closed form: a latency a step, and bytes over bandwidth."""

from math import ceil, log2

from hopperlab.models.arguments import finite_number, whole_number
from hopperlab.models.collectives.operations import MOST_RANKS, operation
from hopperlab.models.collectives.traffic import traffic


def _steps(op: str, algorithm: str, ranks: int) -> int:
    """Messages that wait for each other, one after the other."""
    rounds = ceil(log2(ranks))
    return {
        ("all-reduce", "ring"): 2 * (ranks - 1),
        ("all-reduce", "direct"): 2,
        ("all-reduce", "tree"): 2 * rounds,
        ("all-reduce", "in-network"): 2,
        ("reduce-scatter", "ring"): ranks - 1,
        ("reduce-scatter", "in-network"): 1,
        ("all-gather", "ring"): ranks - 1,
        ("all-gather", "in-network"): 1,
        ("broadcast", "tree"): rounds,
        ("broadcast", "ring"): ranks - 1,
    }.get((op, algorithm), 1)


def seconds(
    op: str,
    algorithm: str,
    ranks: int,
    nbytes: float,
    bytes_per_second: float,
    latency: float = 0.0,
    pieces: int | None = None,
) -> float:
    """Time on a switch that blocks nothing.

    Steps that wait for each other cost a latency each; the bytes of the busier direction cross the links of the
    busiest rank. A broadcast along a ring is pipelined so finely that its bytes count once. A binomial tree
    moves the whole buffer in each of its 2 ceil(log2 N) steps. In the switch, both directions are busy at once
    but for the first and the last pieces of the buffer, of which two are in flight. For a tree it is exact where
    the ranks are a power of two, and else a little long.

    Parameters
    ----------
    bytes_per_second
        The links of one rank, one direction.
    latency
        Seconds from one rank to another, through the switch.
    pieces
        Into how many the buffer is cut where the switch reduces; None for so many that the ends do not count.
    """
    finite_number("bytes_per_second", bytes_per_second, above=0)
    finite_number("latency", latency, at_least=0)
    moved = traffic(op, algorithm, ranks, nbytes).busier
    if ranks == 1:
        return 0.0
    steps = _steps(op, algorithm, ranks)
    if (op, algorithm) == ("all-reduce", "tree"):
        moved = steps * nbytes  # down again as often as up
    if algorithm == "in-network" and pieces is not None:
        in_flight = min(whole_number("pieces", pieces, 1, 4096), 2)
        moved += nbytes / pieces * (in_flight - (in_flight - 1) / ranks if op == "all-reduce" else 1 / ranks)
    return steps * latency + moved / bytes_per_second


def crossover_bytes(
    op: str, fewer_bytes: str, fewer_steps: str, ranks: int, bytes_per_second: float, latency: float
) -> float:
    """The size at which two algorithms take equally long: below it the one of fewer steps wins.

    Raises
    ------
    ValueError
        If one of them wins at every size.
    """
    at_1, at_2 = (seconds(op, name, ranks, 1, bytes_per_second, 0) for name in (fewer_bytes, fewer_steps))
    steps = [_steps(op, name, ranks) for name in (fewer_bytes, fewer_steps)]
    if at_2 <= at_1 or steps[0] <= steps[1]:
        raise ValueError(
            f"fewer_bytes={fewer_bytes!r} and fewer_steps={fewer_steps!r} never cross at {ranks} ranks: one has "
            "both fewer bytes and fewer steps"
        )
    return (steps[0] - steps[1]) * latency / (at_2 - at_1)


def all_to_all_bus_ceiling(nodes: int, adapter_bytes_per_second: float) -> float:
    """The most bus bandwidth of an all-to-all over several nodes: adapter times M / (M - 1) (lit-204).

    A share of 1 / M of the bytes stays within the node, and crosses no adapter. With the factor of
    lit-201.b taken strictly this is the algorithm bandwidth's ceiling; of n ranks, the bus bandwidth's
    lies a share of 1 / n below, which lit-204 leaves out.
    """
    whole_number("nodes", nodes, 2, MOST_RANKS)
    finite_number("adapter_bytes_per_second", adapter_bytes_per_second, above=0)
    operation("all-to-all")
    return adapter_bytes_per_second * nodes / (nodes - 1)
