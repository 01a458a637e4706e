"""Twins of the words without a family, and of the fences."""

from __future__ import annotations

from typing import Any

from hopperlab.device.simulator.meetings import meet_in_warp
from hopperlab.device.simulator.timing import TABLE
from hopperlab.device.simulator.twins import twin
from hopperlab.device.simulator.twins.numba_cuda import load_volatile, store_through
from hopperlab.device.vocabulary import atomic_ref, fence, special

FULL = 0xFFFFFFFF


@twin(special.smid)
def smid(world: Any) -> int:
    """Give the SM that the block was placed on."""
    return world.thread.block.sm


@twin(special.clock, special.clock64)
def clock(world: Any) -> int:
    """Give this thread's time in cycles; who looks again and again, with nothing in between, sees it go on."""
    thread = world.thread
    who, when, again = world.looked_at_clock
    again = again + 1 if who is thread and when == thread.cycles else 0
    if again > 1:  # two looks may enclose what costs nothing; from the third on it is a loop
        thread.cycles += TABLE["turn"]
    world.looked_at_clock = thread, thread.cycles, again
    return int(thread.cycles)


@twin(special.global_timer)
def global_timer(world: Any) -> int:
    """Give this thread's time in nanoseconds."""
    world.thread.cycles += 2
    return int(world.thread.cycles * 1e9 / world.clock_hz())


@twin(special.nanosleep, waits=True)
def nanosleep(world: Any, duration: int) -> None:
    """Let others go first, and be that much later."""
    world.nap(duration)


@twin(special.elect, waits=True)
def elect(world: Any) -> bool:
    """Choose the lowest lane."""
    meeting = meet_in_warp(world, "elect", FULL)
    return world.thread.lane == min(thread.lane for thread in meeting.values)


@twin(special.setmaxnreg_inc, special.setmaxnreg_dec, waits=True)
def setmaxnreg(world: Any, count: int) -> None:
    """Bring the warp together; registers are not counted."""
    meet_in_warp(world, "setmaxnreg", FULL)


@twin(fence.proxy_async_shared)
def proxy_async_shared(world: Any) -> None:
    """Let the engines see what this thread has seen written to shared memory."""
    world.cross("fence.proxy_async_shared")


@twin(fence.proxy_async)
def proxy_async(world: Any) -> None:
    """Let the engines see what this thread has seen written."""
    world.cross("fence.proxy_async")


@twin(fence.mbarrier_init)
def mbarrier_init(world: Any) -> None:
    """Let the cluster and the engines see the barriers that this thread initialized."""
    world.fence_barriers()


@twin(fence.acq_rel_cluster)
def acq_rel_cluster(world: Any) -> None:
    """Order this thread's accesses as its cluster sees them."""
    world.fence("fence.acq_rel_cluster")


@twin(atomic_ref.load_acquire, waits=True)
def load_acquire(world: Any, array: Any, index: Any) -> Any:
    """Read a flag; who reads it anew in vain lets others go first."""
    value = load_volatile(world, array, index)
    world.fence("atomic_ref.load_acquire")
    return value


@twin(atomic_ref.store_release)
def store_release(world: Any, array: Any, index: Any, value: Any) -> None:
    """Write a flag, after all that this thread wrote before."""
    world.fence("atomic_ref.store_release")
    store_through(world, array, index, value)
