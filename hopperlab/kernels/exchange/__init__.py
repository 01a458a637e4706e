"""Kernels that exchange data between the blocks of a cluster, and others that do it the old way."""

from hopperlab.kernels.exchange.patterns import (
    CELLS,
    TILE,
    halo,
    histogram,
    pass_on,
    ring_all_reduce,
)
from hopperlab.kernels.exchange.ping_pong import (
    ping_pong_by_atomics,
    ping_pong_by_flag,
    ping_pong_by_st_async,
    ping_pong_by_store_and_arrive,
    ping_pong_by_tagged_word,
)
from hopperlab.kernels.exchange.programs import (
    all_reduce_in_a_cluster,
    all_reduce_in_global_memory,
    histogram_in_a_block,
    histogram_in_global_memory,
    wide_histogram,
)
from hopperlab.kernels.exchange.swaps import swap_by_flag, swap_by_st_async

__all__ = [
    "CELLS",
    "TILE",
    "all_reduce_in_a_cluster",
    "all_reduce_in_global_memory",
    "halo",
    "histogram",
    "histogram_in_a_block",
    "histogram_in_global_memory",
    "pass_on",
    "ping_pong_by_atomics",
    "ping_pong_by_flag",
    "ping_pong_by_st_async",
    "ping_pong_by_store_and_arrive",
    "ping_pong_by_tagged_word",
    "ring_all_reduce",
    "swap_by_flag",
    "swap_by_st_async",
    "wide_histogram",
]
