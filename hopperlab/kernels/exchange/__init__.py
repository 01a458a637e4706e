"""Kernels that exchange data between the blocks of a cluster, and one that does it the old way."""

from hopperlab.kernels.exchange.patterns import (
    CELLS,
    TILE,
    halo,
    histogram,
    pass_on,
    ring_all_reduce,
)
from hopperlab.kernels.exchange.ping_pong import ping_pong_by_flag, ping_pong_by_st_async

__all__ = [
    "CELLS",
    "TILE",
    "halo",
    "histogram",
    "pass_on",
    "ping_pong_by_flag",
    "ping_pong_by_st_async",
    "ring_all_reduce",
]
