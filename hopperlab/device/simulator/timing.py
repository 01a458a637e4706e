"""What things cost, in clock cycles of an SM: a table, given to a run.

The numbers shipped here are quoted from published measurements (the claims are named beside them) where there
are any, and assumed otherwise; recordings of a card replace them. A run's cycles leave out: instructions that
are not words and not accesses of memory, bank conflicts, coalescing, the sharing of issue slots, caches and
bandwidth among threads, and the launch itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

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
        if word.startswith("cluster"):
            return self.cluster_sync
        if word.startswith("syncthreads"):
            return self.syncthreads + self.syncthreads_per_warp * -(-threads // 32)
        return self.word(word)

    def copy(self, nbytes: int) -> float:
        """Give the cycles from the issue of a copy to its last byte's landing."""
        return self.copy_latency + nbytes / self.copy_bytes_per_cycle
