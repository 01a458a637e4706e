"""What things cost, in clock cycles of an SM: a table, given to a run.

The numbers shipped here are quoted from published measurements (the claims are named beside them) where there
are any, and assumed otherwise; recordings of a card replace them. A run's cycles leave out: instructions that
are not words and not accesses of memory, bank conflicts, coalescing, the sharing of issue slots, caches and
bandwidth among threads, and the launch itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

# notes of published figures: shared load 29-37 cycles, DSMEM 180-213, L2 near 258-295, DRAM about 600
_LOAD = {"shared": 30.0, "remote": 196.0, "global": 600.0, "local": 32.0, "const": 8.0}
_STORE = {"shared": 4.0, "remote": 4.0, "global": 4.0, "local": 4.0, "const": 0.0}
_ATOMIC = {"shared": 40.0, "remote": 220.0, "global": 400.0, "local": 0.0, "const": 0.0}
_WORDS = {
    "mbarrier.arrive": 6.0,
    "mbarrier.arrive_expect_tx": 12.0,
    "mbarrier.expect_tx": 6.0,
    "mbarrier.wait": 43.0,
    "mbarrier.test_wait": 20.0,
    "threadfence": 200.0,
    "threadfence_system": 500.0,
    "threadfence_block": 8.0,
}


class Engine(NamedTuple):
    """What copies of a word take.

    Attributes
    ----------
    name
        Words with the same engine wait for each other on an SM.
    latency
        Cycles from the word to the landing of the last byte, beside the time that the bytes take to move.
    bytes_per_cycle
        How fast they move.
    between
        The least cycles from one copy's start to the next one's.
    read_latency
        As `latency`, until the source has been read.
    """

    name: str
    latency: float
    bytes_per_cycle: float
    between: float = 0.0
    read_latency: float = 0.0


@dataclass(frozen=True)
class Costs:
    """A cost table.

    Attributes
    ----------
    load, store, atomic
        By space ("shared", "remote" shared memory of another block, "global", "local", "const"), cycles of one
        access.
    words
        By word, cycles that a thread spends in it, waiting not counted; words not named cost `word_default`.
    syncthreads, syncthreads_per_warp
        Cycles of a block's barrier, and more of them for each warp.
    cluster_sync
        Cycles of the cluster's barrier.
    copy_latency, copy_bytes_per_cycle
        Of a bulk or tensor copy: cycles until its first byte lands, and bytes a cycle after that.
    store_async
        Cycles from a st.async to its bytes' being counted in the other block.
    source
        Where the numbers are from.
    """

    load: Mapping[str, float] = field(default_factory=lambda: dict(_LOAD))
    store: Mapping[str, float] = field(default_factory=lambda: dict(_STORE))
    atomic: Mapping[str, float] = field(default_factory=lambda: dict(_ATOMIC))
    words: Mapping[str, float] = field(default_factory=lambda: dict(_WORDS))
    word_default: float = 4.0
    syncthreads: float = 20.0
    syncthreads_per_warp: float = 1.0
    cluster_sync: float = 190.0
    copy_latency: float = 600.0
    copy_bytes_per_cycle: float = 20.0
    store_async: float = 220.0
    source: str = "published figures, and assumptions where there are none"

    @classmethod
    def nothing(cls) -> Costs:
        """Give a table in which nothing costs anything."""
        free = dict.fromkeys(_LOAD, 0.0)
        return cls(free, free, free, {}, 0.0, 0.0, 0.0, 0.0, 0.0, 1e30, 0.0, "nothing costs anything")

    def word(self, name: str) -> float:
        """Give the cycles of a word."""
        return self.words.get(name, self.word_default)

    def meeting(self, word: str, threads: int, shape: Any) -> float:
        """Give the cycles from the last one's coming to a meeting to all going on."""
        if word.startswith("syncthreads"):
            return self.syncthreads + self.syncthreads_per_warp * -(-threads // 32)
        return self.word(word)

    def cluster_meeting(self, shape: Any) -> float:
        """Give the cycles from the last one's coming to a cluster's barrier to all going on."""
        return self.cluster_sync

    def copy(self, word: str) -> Engine:
        """Give the engine of a word."""
        if word.startswith(("dsmem", "cp_async")):
            return Engine(word, self.store_async, 1e30)
        return Engine("copies", self.copy_latency, self.copy_bytes_per_cycle)
