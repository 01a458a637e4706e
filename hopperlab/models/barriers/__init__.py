"""Barriers that count arrivals and bytes: the object, its word in memory, and the ring built from it."""

from hopperlab.models.barriers.exploration import Exploration, explore
from hopperlab.models.barriers.mbarrier import (
    MAX_ARRIVALS,
    MAX_TX,
    OBJECT_BYTES,
    REMOTE_OPERATIONS,
    Mbarrier,
    Snapshot,
    Token,
    check_remote,
)
from hopperlab.models.barriers.mistakes import mistakes
from hopperlab.models.barriers.overlap import Lane, Schedule, arrive_then_wait, looks, syncthreads
from hopperlab.models.barriers.parity import ring_parity, ring_stage
from hopperlab.models.barriers.ring import Agent, Event, Fault, Ring, Stage, State

__all__ = [
    "MAX_ARRIVALS",
    "MAX_TX",
    "OBJECT_BYTES",
    "REMOTE_OPERATIONS",
    "Agent",
    "Event",
    "Exploration",
    "Fault",
    "Lane",
    "Mbarrier",
    "Ring",
    "Schedule",
    "Snapshot",
    "Stage",
    "State",
    "Token",
    "arrive_then_wait",
    "check_remote",
    "explore",
    "looks",
    "mistakes",
    "ring_parity",
    "ring_stage",
    "syncthreads",
]
