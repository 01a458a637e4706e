"""Who runs: threads in warps in blocks in clusters, and what each of them has with it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from hopperlab.models.clusters import Hierarchy

if TYPE_CHECKING:
    from greenlet import greenlet

    from hopperlab.device.simulator.memory import Region

WARP = 32
NEXT_LOAD = 2.0  # cycles between loads of a warp that overlap; assumed
_NOTHING: dict[int, int] = {}  # what a thread has seen at first; clocks are never changed in place


class Dim3(NamedTuple):
    """Three numbers of a place or a shape, as kernels read them: `.x`, `.y`, `.z`."""

    x: int
    y: int
    z: int


class Thread:
    """One thread of the grid: where it is, what it waits for, what it has seen.

    Attributes
    ----------
    number
        Its number in the grid, block after block.
    waits_for
        What it waits for, an object with a `story(thread)`; None while it can run.
    seen, epoch, crossed
        Its clocks: see `sanitizer.clocks`.
    cycles
        Its time, in clock cycles from the launch.
    loaded, latency
        Its time after its last load, and how long that took: loads with nothing in between overlap.
    rested
        Its time after it last waited for an atomic or a shuffle.
    published, carried
        What a fence made ready for the next atomic; what atomics have brought, for the next fence.
    """

    # What nearly every kernel changes has slots, the rest begins as the class has it.
    __slots__ = (
        "__dict__", "block", "carried", "crossed", "cycles", "epoch", "greenlet", "index", "lane", "latency", "loaded",
        "number", "published", "rank", "rested", "seen", "state", "waits_for", "warp",
    )  # fmt: skip

    copies: tuple = ()  # cp.async and bulk stores not yet in a group
    groups: tuple = ()  # of bulk stores
    element_groups: tuple = ()  # of cp.async
    products: tuple = ()  # of wgmma, not yet in a group
    product_groups: tuple = ()
    products_started = 0
    product_fences = 0
    finished_products: frozenset = frozenset()

    def __init__(self, number: int, rank: int, index: Dim3, block: Block, warp: Warp) -> None:
        self.number = number
        self.rank = rank
        self.index = index
        self.block = block
        self.warp = warp
        self.lane = rank % WARP
        self.greenlet: greenlet | None = None
        self.waits_for: Any = None
        self.state = "fresh"
        self.seen = self.crossed = _NOTHING
        self.published: dict[int, int] | None = None
        self.carried: dict[int, int] | None = None
        self.epoch = 1
        self.cycles = self.latency = 0.0
        self.loaded = self.rested = -1.0

    def load(self, latency: float) -> None:
        """Take the time of a load: its latency, or the least where it directly follows one as long."""
        now = self.cycles
        now += NEXT_LOAD if now == self.loaded and self.latency >= latency > NEXT_LOAD else latency
        self.cycles = self.loaded = now
        self.latency = latency

    def __repr__(self) -> str:
        """Name the thread as findings do."""
        x, y, z = self.index
        place = f"{x}" if self.block.flat else f"({x}, {y}, {z})"
        return f"thread {place} of {self.block!r}"


class Warp:
    """The threads of a block that step together: lanes 0 to 31, fewer in a last, partly filled warp."""

    __slots__ = ("block", "live", "meetings", "number", "threads")

    def __init__(self, number: int, block: Block) -> None:
        self.number = number
        self.block = block
        self.threads: list[Thread] = []
        self.live = 0  # a bit for each lane that has not ended
        self.meetings: dict[Any, Any] = {}

    def __repr__(self) -> str:
        """Name the warp as findings do."""
        return f"warp {self.number} of {self.block!r}"


class Block:
    """A block: its threads, its shared memory, its place on the chip."""

    __slots__ = (
        "cluster", "ended", "flat", "index", "live", "number", "rank", "regions", "sm", "started",
        "thread_indices", "threads", "turnstile", "warps",
    )  # fmt: skip

    def __init__(self, number: int, index: Dim3, rank: int, cluster: Cluster, sm: int) -> None:
        self.number = number
        self.index = index
        self.rank = rank
        self.cluster = cluster
        self.sm = sm
        self.flat = cluster.shape.block[1:] == (1, 1)
        self.thread_indices = cluster.thread_indices
        self.regions: dict[Any, Region] = {}  # shared memory, by the line that asked for it
        self.turnstile: Any = None  # syncthreads
        self.started = False
        self.ended = False
        threads = len(self.thread_indices)
        self.warps = [Warp(w, self) for w in range(-(-threads // WARP))]
        first, warps = number * threads, self.warps
        self.threads = [
            Thread(first + rank, rank, place, self, warps[rank // WARP])
            for rank, place in enumerate(self.thread_indices)
        ]
        for warp in warps:
            warp.threads = self.threads[WARP * warp.number : WARP * (warp.number + 1)]
            warp.live = (1 << len(warp.threads)) - 1
        self.live = threads

    def let_go(self) -> None:
        """Forget the threads, once all have ended: they know their block, and nobody else need know them."""
        self.threads.clear()
        for warp in self.warps:
            warp.threads.clear()

    def __repr__(self) -> str:
        """Name the block as findings do."""
        x, y, z = self.index
        return f"block {x}" if self.cluster.shape.grid[1:] == (1, 1) else f"block ({x}, {y}, {z})"


class Cluster:
    """Blocks that start together on one GPC; a launch without clusters has one block in each."""

    __slots__ = ("blocks", "live", "meeting", "number", "seats", "shape", "start", "thread_indices")

    def __init__(
        self, number: int, shape: Hierarchy, seats: Any, thread_indices: list[Dim3], start: float
    ) -> None:
        self.number = number
        self.shape = shape
        self.seats = seats
        self.thread_indices = thread_indices
        self.start = start
        self.meeting: Any = None  # cluster.sync
        self.blocks: list[Block] = []
        for rank, sm in enumerate(seats.sms):
            index = Dim3(*shape.block_of(number, rank))
            self.blocks.append(Block(shape.block_rank(index), index, rank, self, sm))
        self.live = len(self.blocks) * len(thread_indices)

    def gate(self, world: Any) -> Any:
        """Give the cluster's barrier."""
        if self.meeting is None:
            from hopperlab.device.simulator.gate import Gate

            self.meeting = Gate(world, self)
        return self.meeting

    def __repr__(self) -> str:
        """Name the cluster as findings do."""
        return f"cluster {self.number}"
