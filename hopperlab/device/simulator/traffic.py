"""Copies and barriers as a run without checks handles them; `watched` adds what the checks want to know."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from hopperlab.device.simulator.barriers import Barrier
from hopperlab.device.simulator.engines import Copy, GroupWait
from hopperlab.device.simulator.findings import Stop
from hopperlab.device.simulator.memory import Region
from hopperlab.device.simulator.threads import Thread
from hopperlab.models.tma import Descriptor


class Tensor:
    """The bytes of a tensor from its address on: `octets`, which begin at byte `start` of `region`."""

    def __init__(self, region: Region, start: int) -> None:
        self.region = region
        self.start = start
        self.octets = region.octets[start:]


class Traffic:
    """The part of a run that moves bytes and counts them."""

    def __init__(self) -> None:
        self.copies = 0
        self.products: dict[Any, Copy] = {}  # of wgmma, by block, warpgroup and number
        self._tensors: dict[int, tuple[Any, Tensor, Descriptor]] = {}

    def next_copy(self) -> int:
        """Give a number for a copy, beyond all threads' numbers."""
        self.copies += 1
        return self.shape.threads + self.copies

    def tensor(self, tensor_map: Any) -> tuple[Tensor, Descriptor]:
        """Give a tensor map's bytes, and its descriptor with the simulated address."""
        known = self._tensors.get(id(tensor_map))
        if known is None:
            array: np.ndarray = tensor_map.array
            values = self.memory.twin(array)
            region, _ = self.memory.region_of(array)
            start = values.ctypes.data - region.octets.ctypes.data
            descriptor = tensor_map.descriptor.changed(global_address=region.address + start)
            known = self._tensors[id(tensor_map)] = (tensor_map, Tensor(region, start), descriptor)
        return known[1], known[2]

    # Copies

    def issued(self, copy: Copy) -> None:
        """A thread handed a copy to an engine."""

    def landed(self, copy: Copy) -> None:
        """A copy's bytes are at their target: count them."""
        for span in copy.targets:
            if span.region.space == "shared" and span.region.owner.ended:
                self.landed_nowhere(copy, span.region)
        for barrier in copy.barriers:
            if copy.nbytes:
                self.count_bytes(barrier, copy)

    def landed_nowhere(self, copy: Copy, region: Region) -> None:
        """A copy lands in the shared memory of a block that has ended."""
        self.thread = copy.issuer
        seen = f"{copy!r} lands in {region} of {region.owner!r}, which has ended"
        if region.owner is copy.issuer.block:
            cure = "Wait for every copy before the block ends."
            self.note(
                self.finding("copy still under way at the end of its block", seen, cure, site=copy.site)
            )
            return
        cure = (
            "Let a block end only when all that it expects has come: wait for the barrier, or cluster.sync."
        )
        raise Stop(self.finding("remote access after the peer exited", seen, cure, site=copy.site))

    def count_bytes(self, barrier: Barrier, copy: Copy) -> None:
        """Count a copy's bytes on a barrier."""
        phase = barrier.model.phase
        barrier.history[-1].landed += copy.nbytes
        try:
            barrier.model.complete_tx(copy.nbytes)
        except ValueError as refusal:
            self.thread = copy.issuer
            self.refused(barrier, copy.word, str(refusal), copy.site)
        self.bytes_counted(barrier, copy)
        barrier.after(phase)

    def bytes_counted(self, barrier: Barrier, copy: Copy) -> None:
        """A copy's bytes have been counted; the phase may be about to complete."""

    def look_at_groups(self, thread: Thread) -> None:
        """A copy of a thread's group got further: if that is all that it waits for, it goes on."""
        wait = thread.waits_for
        if isinstance(wait, GroupWait) and not wait.late():
            self.scheduler.wake(thread)

    def groups_done(self, copies: list[Copy], reading: bool) -> None:
        """A thread has waited for these copies."""

    def on_behalf(self, thread: Thread, act: Callable[[], Any]) -> None:
        """Do something as a thread that does not run."""
        running, self.thread = self.thread, thread
        act()
        self.thread = running

    # Barriers

    def initialized(self, barrier: Barrier) -> None:
        """This thread has begun a barrier."""

    def use_barrier(self, barrier: Barrier, word: str) -> None:
        """This thread uses a barrier: refuse one that is not there."""
        if barrier.block.ended:
            self.misuse(
                "remote access after the peer exited",
                f"{self.thread!r} uses {barrier!r}, which has ended",
                "End all blocks of the cluster together: cluster.sync as the last thing that they do.",
            )
        if barrier.model is None or not barrier.model.valid:
            remote = barrier.block is not self.thread.block
            self.misuse(
                "barrier init not visible to the cluster"
                if remote
                else "barrier used before its init is visible",
                f"{self.thread!r} says {word} on {barrier!r}, which nobody has initialized",
                "Let one thread call mbarrier.init, and all others wait until it has: by cuda.syncthreads, or "
                "cluster.sync for other blocks.",
            )

    def arriving(self, barrier: Barrier, operation: str, numbers: tuple) -> None:
        """This thread is about to do an operation on a barrier."""

    def counted(self, barrier: Barrier, phase: int, operation: str, numbers: tuple) -> None:
        """This thread has done an operation on a barrier, which was in `phase` before."""

    def refused(self, barrier: Barrier, word: str, refusal: str, site: Any = None) -> None:
        """The barrier refused an operation: stop, with the finding that it is."""
        name, cure = "misuse of a barrier", "Count arrivals and bytes anew."
        if "tx-count" in refusal:
            name = "tx-count overflow"
            cure = (
                "Keep at most 2**20 - 1 bytes between expecting and landing on one barrier: wait in between."
            )
        elif "arrival" in refusal or refusal.startswith("n="):
            name = "wrong arrival count"
            cure = "Initialize the barrier for as many arrivals as there are in each phase."
        seen = f"{self.thread!r} says {word} on {barrier!r}: {refusal}"
        raise Stop(self.finding(name, seen, cure, site=site))

    def looked(self, barrier: Barrier, parity: int, answer: bool) -> None:
        """This thread asked a barrier, and the answer was no."""

    def sleeps(self, barrier: Barrier, parity: int) -> None:
        """This thread begins to wait for a barrier."""

    def passed(self, barrier: Barrier, parity: int, scope: str) -> None:
        """This thread has seen a phase completed."""

    def record_barrier(self, verb: str, barrier: Barrier, **data: Any) -> None:
        """Trace what happened to a barrier."""

    # Fences, and other blocks

    def cross(self, name: str) -> None:
        """A fence between the generic and the async proxy."""

    def fence_barriers(self) -> None:
        """A fence of the barriers that this thread initialized."""

    def remote_access(self, region: Region) -> None:
        """This thread is about to touch a region that may be another block's."""
        if region.space == "shared" and region.owner.ended:
            self.misuse(
                "remote access after the peer exited",
                f"{self.thread!r} touches {region} of {region.owner!r}, which has ended",
                "End all blocks of the cluster together: cluster.sync as the last thing that they do.",
            )

    def record(self, verb: str, what: str, **data: Any) -> None:
        """Trace something."""
