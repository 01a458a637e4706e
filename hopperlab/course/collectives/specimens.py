"""Collectives that go wrong, kept to be looked at: each with its finding, computed by the model, and a cure."""

from collections.abc import Callable

from hopperlab.models.collectives import (
    Transfer,
    bus_bandwidth,
    corrected_gain,
    estimate,
    run,
    traffic,
    transfers,
)
from hopperlab.views import collectives as views
from hopperlab.views.finding import finding
from hopperlab.views.picture import Picture


def _refusal(call: Callable) -> str:
    try:
        call()
    except ValueError as refused:
        return f"refused: {refused}."
    raise AssertionError("the specimen is not refused")


def one_step_too_many() -> Picture:
    """A ring whose reducing half runs N steps instead of N - 1."""
    ranks = 4
    good = [one for one in transfers("all-reduce", "ring", ranks) if one.adds]
    last = max(one.step for one in good) + 1
    again = [Transfer(last, r, (r + 1) % ranks, (r - last - 1) % ranks, adds=True) for r in range(ranks)]
    found = _refusal(lambda: run("reduce-scatter", ranks, (*good, *again)))
    return finding(
        "One step too many",
        "A ring reduces over 4 ranks in 4 steps.",
        found,
        "N - 1 steps reduce; then N - 1 steps only copy. The first rank's values are in the sum already.",
        views.holdings("reduce-scatter", "ring", ranks, ranks - 1),
    )


def gather_before_sum() -> Picture:
    """A rank sends a shard on that it has not got."""
    found = _refusal(lambda: run("all-gather", 4, (Transfer(0, 0, 1, 3),)))
    return finding(
        "A shard sent before it came",
        "In the first step of an all-gather, rank 0 sends shard 3.",
        found,
        "In step s rank r sends the shard that it got in step s - 1: its own first, then that of its neighbor.",
        views.holdings("all-gather", "ring", 4, 0),
    )


def sharp_for_two() -> Picture:
    """Two GPUs through a switch that adds."""
    gain = corrected_gain(2)
    bytes_each = traffic("all-reduce", "in-network", 2, 2).sent
    return finding(
        "SHARP for two",
        "Two GPUs all-reduce through a switch that adds.",
        f"each direction carries {bytes_each:g} shards where a ring carries 2: {gain:.2f} times as fast.",
        "Let two GPUs exchange directly. NCCL uses its NVLS only for more than two.",
        views.one_gpu(2, 3),
    )


def above_the_link() -> Picture:
    """A busbw that no link could carry."""
    size = 8 * 2**30
    printed = bus_bandwidth("all-reduce", 8, size, estimate("NVLS", 8, size).seconds).in_unit("GB/s")
    return finding(
        "A bandwidth above the link's",
        "nccl-tests runs an all-reduce of 8 GiB over 8 GPUs of 450 GB/s each way.",
        f"it prints busbw {printed:.1f} GB/s (modelled), above 450: no fault, but the ring's factor, applied to the "
        "switch.",
        "Convert: busbw / (2 x 7/8) is algbw, and 9/8 of that is on the wire: 306.",
        views.one_gpu(8, 9),
    )


SPECIMENS = {
    "One step too many": one_step_too_many,
    "A shard sent before it came": gather_before_sum,
    "SHARP for two": sharp_for_two,
    "A bandwidth above the link's": above_the_link,
}
"""Each by name: a function that draws it."""
