"""The state of one run: the thread that runs, the memories, the scheduler, and whoever watches."""

from __future__ import annotations

import sys
from types import FrameType
from typing import Any

import numpy as np

from hopperlab.chip import NAMES, Chip, chip
from hopperlab.device.simulator.findings import Finding, Stop
from hopperlab.device.simulator.meetings import leave
from hopperlab.device.simulator.memory import (
    Array,
    GlobalMemory,
    Region,
    RemoteArray,
    aligned_bytes,
    plain_array,
)
from hopperlab.device.simulator.placement import Placement
from hopperlab.device.simulator.rebinding import Namespace, Rebinding
from hopperlab.device.simulator.scheduler import Spin
from hopperlab.device.simulator.shared import SharedObjects, dtype_of, shape_of
from hopperlab.device.simulator.sites import Site
from hopperlab.device.simulator.threads import Block, Cluster, Dim3, Thread
from hopperlab.device.simulator.traffic import Traffic
from hopperlab.models.clusters import Hierarchy

CONSTANT_ALIGNMENT = 256  # bytes
LOCAL_LIMIT = 512 * 1024  # bytes of local memory a thread may have. Source: CUDA C++ Programming Guide


class Cuda(Namespace):
    """numba.cuda as a kernel sees it: a thread's place is that of the thread that runs."""

    @property
    def threadIdx(self) -> Dim3:  # noqa: N802 - CUDA's name
        """The thread's index in its block."""
        return self._world.thread.index

    @property
    def blockIdx(self) -> Dim3:  # noqa: N802 - CUDA's name
        """The block's index in the grid."""
        return self._world.thread.block.index

    @property
    def laneid(self) -> int:
        """The thread's lane in its warp."""
        return self._world.thread.lane


class Here:
    """`threadIdx` or `blockIdx` imported by its own name: looks up the thread each time."""

    def __init__(self, world: World, of: str) -> None:
        self._world, self._of = world, of

    def __getattr__(self, axis: str) -> int:
        """Give x, y or z."""
        thread = self._world.thread
        return getattr(thread.index if self._of == "threadIdx" else thread.block.index, axis)


class World(SharedObjects, Traffic):
    """One run.

    Attributes
    ----------
    thread
        The thread that runs.
    watched
        Whether anybody wants to know what happens: checks, trace or timing.
    spins
        Whether threads may spin on atomics, so that they have to take turns.
    """

    array_type: type[Array] = Array
    remote_type: type[Array] = RemoteArray
    curious = False
    plain_float32 = False
    widths_matter = False
    watched = False
    checks = False
    timed = False
    storing = False  # whether the atomic that comes next is a mere store

    def __init__(self, kernel: str, shape: Hierarchy, chip: Chip, shared_bytes: int, seed: int) -> None:
        SharedObjects.__init__(self)
        Traffic.__init__(self)
        self.kernel = kernel
        self.shape = shape
        self.chip = chip
        self.dynamic_bytes = shared_bytes
        self.seed = seed
        self.thread: Thread | None = None
        self.scheduler: Any = None
        self.memory = GlobalMemory(self)
        self.constants: list[Region] = []
        self.spins = False
        self._looks: dict[Any, Any] = {}
        # Who looked at the clock last, when, and how often since.
        self.looked_at_clock: tuple[Thread | None, float, int] = (None, 0.0, 0)
        self.findings: dict[tuple, Finding] = {}
        from numba import cuda

        self.cuda = Cuda(cuda, self._translate)
        self.cuda.__dict__.update(
            _world=self,
            blockDim=Dim3(*shape.block),
            gridDim=Dim3(*shape.grid),
            warpsize=chip.threads_per_warp,
        )
        self._here = {id(cuda.threadIdx): "threadIdx", id(cuda.blockIdx): "blockIdx"}
        self._fixed = {id(cuda.blockDim): Dim3(*shape.block), id(cuda.gridDim): Dim3(*shape.grid)}
        self.rebinding = Rebinding(self, self.cuda)
        self.placement = Placement(shape, chip, shared_bytes)
        self.resident: dict[Cluster, None] = {}

    def _translate(self, value: Any, name: str) -> Any:
        return self.rebinding.translate(value, name)

    def place_name(self, value: Any) -> Any:
        """Give what stands for `threadIdx` and its like where a kernel imported them by name."""
        if id(value) in self._here:
            return Here(self, self._here[id(value)])
        return self._fixed.get(id(value))

    # Threads come and go

    def next_cluster(self) -> Cluster | None:
        """Start the next cluster that has its places."""
        cluster = self.placement.next_cluster()
        if cluster is not None:
            self.resident[cluster] = None
        return cluster

    def resident_threads(self) -> list[Thread]:
        """Give the threads of all clusters that have started and not ended."""
        return [t for cluster in self.resident for block in cluster.blocks for t in block.threads]

    def ended(self, thread: Thread) -> None:
        """This thread has ended."""
        thread.state = "ended"
        leave(self, thread)
        block = thread.block
        cluster = block.cluster
        cluster.live -= 1
        if not block.live:
            self.block_ended(block)
        if cluster.meeting is not None and cluster.live:
            cluster.meeting.open_if_complete()
        if not cluster.live:
            self._free(cluster)

    def grow_curious(self) -> None:
        """From now on look at every access: a thread runs suspiciously long."""

    def all_ended(self, cluster: Cluster) -> None:
        """All threads of a cluster have ended, none of which ever waited."""
        for block in cluster.blocks:
            block.live = 0
            self.block_ended(block)
        self._free(cluster)

    def _free(self, cluster: Cluster) -> None:
        """Take back the places of a cluster that has ended, and let go of its threads."""
        del self.resident[cluster]
        self.placement.free(cluster, self.cycle_of(cluster))
        for block in cluster.blocks:
            block.let_go()

    def block_ended(self, block: Block) -> None:
        """This block has ended, and its shared memory is gone."""
        block.ended = True
        block.regions.clear()

    def cycle_of(self, cluster: Any) -> float:
        """When a cluster has ended, in cycles."""
        return max(thread.cycles for block in cluster.blocks for thread in block.threads)

    def changed(self, really: bool) -> None:
        """An atomic changed memory, or not: those that spin may look again, or this one lets others go first."""
        if really:
            self.scheduler.something_new()
            self.scheduler.give_way(self.thread)
        else:
            self.scheduler.ask_again(self.thread, Spin("memory that only another thread can change"))

    def news(self, array: Array, index: Any, value: Any) -> bool:
        """Whether this thread finds another value in an element than when it last looked."""
        key = (self.thread, id(array.region), index)
        before = self._looks.get(key, self)
        self._looks[key] = value
        if before != value:
            self.scheduler.idle_rounds = 0
            return True
        return False

    def fence(self, name: str) -> None:
        """A fence of memory."""

    def clock_hz(self) -> int:
        """Give the chip's clock rate, by which nanoseconds are told; stop the run where the chip has none."""
        rate = self.chip.boost_clock_hz
        if rate is None:
            with_clocks = [name for name in NAMES if chip(name).boost_clock_hz is not None]
            self.misuse(
                "chip without a clock",
                f"chip={self.chip.name!r} has no clock rate ({self.chip.why('boost_clock_hz')}), "
                "and this line takes nanoseconds",
                f"Simulate on a chip with a clock: {', '.join(with_clocks)}. Or count cycles, by clock64.",
            )
        return rate

    def nap(self, duration: int) -> None:
        """Sleep: everything else goes first."""
        self.thread.cycles += duration * self.clock_hz() / 1e9
        self.scheduler.ask_again(self.thread, Spin("what it naps for"))

    # Memory

    def array(self, values: np.ndarray, region: Region, remote: bool = False) -> Any:
        """Give an array of a region as kernels see it; `remote` if another block's."""
        if remote:
            return self.remote_type(values, region, self)
        name = values.dtype.name
        if self.array_type is Array and (name == "float64" or (name == "float32" and self.plain_float32)):
            return plain_array(values, region, self)
        return self.array_type(values, region, self)

    def local_array(self, shape: Any, dtype: Any) -> Array:
        """Give a new array in this thread's local memory."""
        kind, sizes = dtype_of(dtype), shape_of(shape)
        nbytes = int(np.prod(sizes)) * kind.itemsize
        if nbytes > LOCAL_LIMIT:
            self.misuse(
                "too much local memory",
                f"a local array of {nbytes} bytes; a thread has {LOCAL_LIMIT}",
                "Put it in shared or global memory.",
            )
        region = self.watch(Region("local", 0, nbytes, self.thread, "a local array"))
        return self.array(np.ndarray(sizes, kind, region.octets), region)

    def constant(self, values: np.ndarray, name: str) -> Array:
        """Give an array that was known when the kernel was made."""
        octets = aligned_bytes(values.nbytes)
        last = self.constants[-1] if self.constants else None
        free = 0 if last is None else last.address + last.octets.size
        region = Region(
            "const", -(-free // CONSTANT_ALIGNMENT) * CONSTANT_ALIGNMENT, values.nbytes, None, name, octets
        )
        self.constants.append(region)
        copy = np.ndarray(values.shape, values.dtype, octets)
        copy[...] = values
        copy.flags.writeable = False
        return Array(copy, region, self)

    def watch(self, region: Region) -> Region:
        """Let the checks know a new region."""
        return region

    # What a run ends with

    def decide(self) -> None:
        """Give the findings that were open their names."""

    def at_end(self) -> Finding | None:
        """All threads have ended: look once more."""
        return None

    def cycles(self) -> float | None:
        """Clock cycles that the run took; None where nobody counted."""
        return None

    def trace(self, function: Any) -> Any:
        """The trace; None where nobody kept one."""
        return None

    def let_go(self) -> None:
        """Forget everything: what the run needed is freed at once, though it all knows the run."""
        self.__dict__.clear()

    # Places in the kernel, and what goes wrong there

    def site(self) -> Site | None:
        """Give the place in the kernel where the current thread is."""
        frame: FrameType | None = sys._getframe(1)
        codes = self.rebinding.codes
        while frame is not None:
            if id(frame.f_code) in codes:
                return Site(frame.f_code, frame.f_lasti)
            frame = frame.f_back
        return None

    def site_of(self, thread: Thread) -> Site | None:
        """Give the place in the kernel where a thread waits."""
        frame = thread.greenlet.gr_frame if thread.greenlet is not None else None
        while frame is not None:
            if id(frame.f_code) in self.rebinding.codes:
                return Site(frame.f_code, frame.f_lasti)
            frame = frame.f_back
        return None

    def misuse(self, name: str, seen: str, cure: str, expected: str = "") -> Any:
        """Stop the run with a finding at the current line."""
        raise Stop(self.finding(name, seen, cure, expected))

    def finding(
        self, name: str, seen: str, cure: str, expected: str = "", site: Site | None = None
    ) -> Finding:
        """Make a finding about the current thread."""
        threads = (repr(self.thread),) if self.thread is not None else ()
        return Finding.at(site or self.site(), name, self.kernel, threads, seen, cure, expected)

    def note(self, finding: Finding) -> None:
        """Keep a finding that does not stop the run; the same one at the same line is kept once."""
        self.findings.setdefault((finding.name, finding.line, finding.kernel), finding)

    def tell(self, finding: Finding) -> None:
        """Trace a finding."""
