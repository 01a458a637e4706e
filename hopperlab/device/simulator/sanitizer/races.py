"""Races and their kin: two accesses without an order, a read of what nobody wrote, data still in flight."""

from __future__ import annotations

from typing import Any

from hopperlab.device.simulator.sites import Site


def element(array: Any, index: Any) -> str:
    """Name an element as the kernel does."""
    numbers = index if isinstance(index, tuple) else (index,)
    return f"{array.region.name}[{', '.join(str(int(i)) for i in numbers)}]"


def uninitialized(world: Any, array: Any, index: Any) -> None:
    """Note a read of memory that nobody has written."""
    world.note(
        world.finding(
            "uninitialized read",
            f"{world.thread!r} reads {element(array, index)}, which nobody has written",
            "Write it first, and wait for whoever writes it.",
        )
    )


def line_of(code: Any, instruction: int) -> str:
    """Name a line of the kernel."""
    if code is None:
        return "before"
    if "simulator" in code.co_filename:
        return "by a word"
    site = Site(code, instruction)
    return f"at line {site.line} ({site.text})"


def race_name(region: Any, one: Any, other: Any) -> str:
    """Name a race by where it is."""
    if region.space != "shared":
        return "race in global memory"
    same = getattr(one, "block", None) is getattr(other, "block", None) is region.owner
    return "race in shared memory within a block" if same else "race in shared memory across blocks"


_CURE = {
    "race in shared memory within a block": "Put a barrier (cuda.syncthreads, or an mbarrier) between the two lines.",
    "race in shared memory across blocks": "Put cluster.sync, or an mbarrier waited for with scope 'cluster', between.",
    "race in global memory": "Order them by an atomic flag between threadfences, or by two launches.",
}


def _note_race(world: Any, array: Any, index: Any, other: Any, verb: str, did: str, where: str) -> None:
    name = race_name(array.region, world.thread, other)
    world.note(
        world.finding(
            name,
            f"{world.thread!r} {verb} {element(array, index)}, which {other!r} {did} {where}, "
            "and nothing orders the two",
            _CURE[name],
        )
    )


def read_conflict(world: Any, array: Any, index: Any, write: tuple) -> None:
    """Note a read that is not ordered after the last write."""
    other, _, _, code, instruction, how = write
    if how in ("copy", "reduce"):
        from hopperlab.device.simulator.sanitizer import flight

        flight.read_in_flight(world, array, index, other)
        return
    did = "changed atomically" if how == "atomic" else "wrote"
    _note_race(world, array, index, other, "reads", did, line_of(code, instruction))


def write_conflict(world: Any, array: Any, index: Any, write: tuple) -> None:
    """Note a write that is not ordered after the last one."""
    other, _, _, code, instruction, how = write
    if how in ("copy", "reduce"):
        world.note(
            world.finding(
                "write under a copy in flight",
                f"{world.thread!r} writes {element(array, index)} while {other!r} may still write it",
                "Wait for the copy's barrier, or group, first.",
            )
        )
        return
    _note_race(world, array, index, other, "writes", "wrote", line_of(code, instruction))


def overwrite(world: Any, array: Any, index: Any, reader: Any, code: Any, instruction: int, how: str) -> None:
    """Note a write that is not ordered after a read."""
    verb = "changes" if how == "atomic" else "writes"
    _note_race(world, array, index, reader, verb, "read", line_of(code, instruction))


def check_sources(world: Any, array: Any, index: Any, first: int, end: int) -> None:
    """Note a write to what a copy may still read."""
    sources, thread = array.shadow.sources, world.thread
    for span in list(sources):
        start, stop, copy = span
        if start >= end or stop <= first:
            continue
        if thread.seen.get(copy.number, 0) >= 1:
            sources.remove(span)
            continue
        world.note(
            world.finding(
                "source reused before its copy was waited for",
                f"{thread!r} writes {element(array, index)}, which {copy!r} may still read",
                copy.cure_for_source,
            )
        )
