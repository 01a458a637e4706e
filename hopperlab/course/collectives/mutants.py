"""Wrong solutions of lesson 12's exercises, each written as someone with that misconception would."""

from math import ceil, log2


def as_spoken(ranks, nbytes, in_switch):
    """Use the talk's counts, both directions together."""
    return (2 * ranks + 2 if in_switch else 4 * ranks) * nbytes / ranks


def halved(ranks, nbytes, in_switch):
    """Half of the ring."""
    ring = 2 * (ranks - 1) * nbytes / ranks
    return ring / 2 if in_switch else ring


def own_stays(ranks, nbytes, in_switch):
    """Leave the own shard out."""
    return (ranks if in_switch else 2 * (ranks - 1)) * nbytes / ranks


def ring_of_all(ranks, nbytes, in_switch):
    """Count a shard to oneself in the ring."""
    return (ranks + 1 if in_switch else 2 * ranks) * nbytes / ranks


def _factor(operation, ranks):
    return 2 * (ranks - 1) / ranks if operation == "all-reduce" else (ranks - 1) / ranks


def printed_is_wire(operation, ranks, busbw, in_switch):
    """Take the printed number."""
    return busbw


def algbw_is_wire(operation, ranks, busbw, in_switch):
    """Divide by the factor and stop."""
    return busbw / _factor(operation, ranks)


def both_directions(operation, ranks, busbw, in_switch):
    """Add sent and received."""
    return 2 * gather_like_reduce(operation, ranks, busbw, in_switch)


def gather_like_reduce(operation, ranks, busbw, in_switch):
    """Use the all-reduce's (N + 1)/N for both."""
    if not in_switch:
        return busbw
    return busbw / _factor(operation, ranks) * (ranks + 1) / ranks


def ring_without_bytes(ranks, bytes_per_second, latency):
    """Forget that the ring moves bytes, too."""
    ring, tree = 2 * (ranks - 1), 2 * ceil(log2(ranks))
    return (ring - tree) * latency * bytes_per_second / tree


def up_only(ranks, bytes_per_second, latency):
    """Let the tree go up and not down."""
    ring, tree = 2 * (ranks - 1), ceil(log2(ranks))
    return (ring - tree) * latency * bytes_per_second / (tree - ring / ranks)


def latency_only(ranks, bytes_per_second, latency):
    """One latency's worth of bytes."""
    return latency * bytes_per_second


def fraction_of_a_step(ranks, bytes_per_second, latency):
    """Leave out the rounding up."""
    ring, tree = 2 * (ranks - 1), 2 * log2(ranks)
    return (ring - tree) * latency * bytes_per_second / (tree - ring / ranks)
