"""Arrays of a run that is timed and not checked: each access costs its cycles, and nothing else is remembered."""

from __future__ import annotations

from typing import Any

from hopperlab.device.simulator.memory import Array, Region
from hopperlab.device.simulator.numbers import SINGLES, float32


class TimedArray(Array):
    """An array whose every access takes its time."""

    __slots__ = ("load_cycles", "store_cycles")

    def __init__(self, values: Any, region: Region, world: Any) -> None:
        super().__init__(values, region, world)
        self.load_cycles, self.store_cycles = world.access_cycles(region.space)

    def __getitem__(self, index: Any) -> Any:
        """Load an element, or give the view that a slice names."""
        value = super().__getitem__(index)
        if not isinstance(value, Array):
            self.world.thread.load(self.load_cycles)
        return value

    def __setitem__(self, index: Any, value: Any) -> None:
        """Store an element, cast to the array's type."""
        super().__setitem__(index, value)
        self.world.thread.cycles += self.store_cycles

    def atomic_load(self, index: Any) -> Any:
        """Load what other threads may store atomically meanwhile."""
        value = super().__getitem__(index)
        self.world.loaded(self.world.thread, self, self.cell(index), index)
        return value

    def atomic(self, index: Any, new: Any, value: Any) -> Any:
        """Read, compute and write as one step; give the old value."""
        world = self.world
        old = super().__getitem__(index)
        if old.__class__ in SINGLES:
            value = float32(value)
        result = new(old, value)
        super().__setitem__(index, result)
        world.changed_atomically(world.thread, self, self.cell(index), index)
        if world.spins:
            world.changed(old != result)
        return old

    def cell(self, index: Any) -> Any:
        """Give what stands for an element among those of its region."""
        places = index if isinstance(index, tuple) else (index,)
        steps = zip(places, self.values.strides, strict=True)
        return self.offset + sum(int(place) * step for place, step in steps)


class TimedRemoteArray(TimedArray):
    """An array in another block's shared memory."""

    __slots__ = ()

    def __init__(self, values: Any, region: Region, world: Any) -> None:
        super().__init__(values, region, world)
        self.load_cycles, self.store_cycles = world.access_cycles("remote")

    def __getitem__(self, index: Any) -> Any:
        """Load an element, if the block is there."""
        self.world.remote_access(self.region)
        return super().__getitem__(index)

    def __setitem__(self, index: Any, value: Any) -> None:
        """Store an element, if the block is there."""
        self.world.remote_access(self.region)
        super().__setitem__(index, value)
