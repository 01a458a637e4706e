"""What things cost, in clock cycles of an SM: a table, given to a run.

The table was derived from the recording `timing_costs` of an H200, by `hopperlab.measure.cycles.costs`: each number is
that at which the simulator takes as long for a kernel that repeats one thing as the card did. A few are assumed:
`ASSUMED` names them. `LEFT_OUT` says what a run's cycles do not tell.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from hopperlab.device.simulator.threads import WARP

TABLE: dict[str, float] = {
    "word": 2.0,
    "load shared": 28.95,
    "load remote": 190.3,
    "load global": 288.7,
    "load const": 8.0,
    "store shared": 0.215,
    "store global": 5.925,
    "atomic shared": 29.49,
    "atomic remote": 197.9,
    "atomic global": 280.3,
    "turn": 18.73,
    "turn per warp": 2.035,
    "operation": 7.335,
    "fma": 3.503,
    "shuffle": 24.17,
    "syncthreads": 11.86,
    "syncthreads per warp": 1.278,
    "cluster.sync": 352.6,
    "cluster.sync of many": 318.8,
    "cluster.sync per warp": 7.735,
    "mbarrier.wait": 31.88,
    "wake": 53.72,
    "threadfence_block": 7.807,
    "threadfence": 423.8,
    "threadfence_system": 982.6,
    "fence.acq_rel_cluster": 432.7,
    "fence.proxy_async_shared": 6.941,
    "atomic_ref.store_release": 561.0,
    "atomic_ref.load_acquire": 18.9,
    "dsmem.st_async": 37.54,
    "dsmem.st_async_v4": 56.03,
    "words latency": 169.2,
    "words per byte": 0.06559,
    "words backlog": 104.2,
    "bulk.send latency": 239.7,
    "bulk.send per byte": 0.04941,
    "bulk.send_reduce latency": 244.6,
    "bulk.send_reduce per byte": 0.05835,
    "bulk.load latency": 253.4,
    "bulk.load per byte": 0.008775,
    "tma.load latency": 350.7,
    "tma.load per byte": 0.009175,
    "tma.load between": 110.0,
    "bulk.store latency": 26.33,
    "bulk.store read": 0.0,
    "bulk.store per byte": 0.03034,
    "product latency": 128.0,
}
"""Cycles by what they are for, of an H200."""

ASSUMED = ("word", "load const", "product latency")
"""What no recording sets: a warp's issue of a word, a load of a constant, a wgmma."""

LEFT_OUT = (
    "arithmetic outside of loops over range, and in loops of while",
    "conflicts of banks, and how a warp's accesses of global memory are put together",
    "what warps take from each other, but at barriers and in the turns of loops",
    "caches: global memory answers as the L2 does, whatever its size; no memory's rate is limited but an engine's",
    "the launch itself",
)
"""What a run's cycles do not tell."""

_LIKE = {
    "load local": "load shared",
    "store local": "store shared",
    "store remote": "store shared",
    "atomic local": "atomic shared",
    "fence.proxy_async": "fence.proxy_async_shared",
    "dsmem.st_async_v2": "dsmem.st_async",
    "dsmem.red_async": "dsmem.st_async",
}
"""Costs that were not measured and are taken from others."""

_ENGINES = {
    "dsmem": "words",
    "bulk.send_reduce": "bulk.send_reduce",
    "bulk.send": "bulk.send",
    "bulk.load": "bulk.load",
    "tma.load": "tma.load",
    "bulk": "bulk.store",
    "tma": "bulk.store",
    "wgmma": "product",
}
"""By how a word begins, what it is done by: the first that fits."""

_FREE = ("store const", "atomic const")
_SHUFFLES = ("shfl", "all_sync", "any_sync", "eq_sync", "ballot", "match")


class Engine(NamedTuple):
    """What copies of a word take, in cycles.

    Attributes
    ----------
    name
        Words with the same engine wait for each other on an SM.
    latency
        From the word to the landing of the last byte, beside the time that the bytes take to move.
    per_byte
        How long a byte takes to move.
    between
        The least from one copy's start to the next one's.
    backlog
        How far the engine may lag behind before what follows is late.
    read
        As `latency`, until the source has been read.
    """

    name: str
    latency: float
    per_byte: float = 0.0
    between: float = 0.0
    backlog: float = 0.0
    read: float = 0.0


@dataclass(frozen=True)
class Costs:
    """A cost table.

    Attributes
    ----------
    table
        Cycles by what they are for; what is not named there is that of `TABLE`.
    source
        Where the numbers are from.
    """

    table: Mapping[str, float] = field(default_factory=lambda: TABLE)
    source: str = "the recording timing_costs of an H200"

    @classmethod
    def nothing(cls) -> Costs:
        """Give a table in which nothing costs anything."""
        return cls(dict.fromkeys(TABLE, 0.0), "nothing costs anything")

    def __getitem__(self, name: str) -> float:
        """Give the cycles of an entry.

        Raises
        ------
        KeyError
            If there is none of that name.
        """
        return self.table[name] if name in self.table else TABLE[name]

    def word(self, name: str) -> float:
        """Give the cycles that a thread spends in a word, waiting not counted."""
        name = "shuffle" if is_shuffle(name) else _LIKE.get(name, name)
        return self[name] if name in TABLE else self["word"]

    def access(self, verb: str, space: str) -> float:
        """Give the cycles of a load, a store or an atomic in a space ("shared", "remote", "global", ...)."""
        name = f"{verb} {space}"
        return 0.0 if name in _FREE else self[_LIKE.get(name, name)]

    def turn(self, threads: int) -> float:
        """Give the cycles of a loop's own counting, a turn, where all threads of a block count."""
        return max(self["turn"], self["turn per warp"] * _warps(threads))

    def meeting(self, word: str, threads: int) -> float:
        """Give the cycles from the last one's coming to a meeting of a block or a warp to all going on."""
        if word.startswith("syncthreads"):
            return self["syncthreads"] + self["syncthreads per warp"] * _warps(threads)
        return self.word(word)

    def cluster_meeting(self, threads: int) -> float:
        """Give the cycles from the last one's coming to a cluster's barrier to all going on, by a block's threads."""
        many = self["cluster.sync of many"] + self["cluster.sync per warp"] * _warps(threads)
        return max(self["cluster.sync"], many)

    def copy(self, word: str) -> Engine:
        """Give what a word's copies are done by."""
        if word.startswith("cp_async"):
            return Engine("cp_async", self["load global"])
        name = next(name for start, name in _ENGINES.items() if word.startswith(start))
        parts = {part: f"{name} {part.replace('_', ' ')}" for part in Engine._fields[1:]}
        return Engine(name, **{part: self[entry] for part, entry in parts.items() if entry in TABLE})


def is_shuffle(word: str) -> bool:
    """Whether the lanes of a warp exchange something in a word, and wait for it."""
    return word.startswith(_SHUFFLES)


def _warps(threads: Any) -> int:
    return -(-threads // WARP)
