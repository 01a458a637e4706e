"""Twins of the words that hand copies to an engine: dsmem, bulk, tma and cp_async."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from hopperlab.device.simulator.arguments import Misuse
from hopperlab.device.simulator.engines import Box, Copy, Span, issue, span_of, wait_for_groups
from hopperlab.device.simulator.numbers import CASTS
from hopperlab.device.simulator.twins import twin
from hopperlab.device.simulator.twins.mbarrier import count, use
from hopperlab.device.vocabulary import bulk, cp_async, dsmem, tma
from hopperlab.models import tma as model
from hopperlab.models.tma.copy import check_store, writes_into
from hopperlab.models.tma.elements import put, take

WRONG_BOX = "misaligned or oversized copy"


# st.async and red.async


def _store_async(word: str, amount: int) -> Callable:
    def act(world: Any, array: Any, index: Any, value: Any, barrier: Any) -> None:
        values = value if amount > 1 else (value,)
        target = _element(world, word, array, index, amount, barrier)
        cast = CASTS[array.values.dtype.name]
        bits = np.array([cast(v) for v in values], array.values.dtype).view(np.uint8)

        def land() -> None:
            target.region.octets[target.start : target.end] = bits

        issue(world, Copy(world, word, bits.size, [land], [], [target], (barrier,), remote=True))

    return act


def _element(world: Any, word: str, array: Any, index: Any, amount: int, barrier: Any) -> Span:
    """Give the bytes of the elements from an index on, in the block of the barrier."""
    use(world, barrier, word)
    if world.owner_of(array) is not barrier.block:
        raise Misuse(
            f"{word}: the array is in {world.owner_of(array)!r}, the barrier in {barrier.block!r}; one block must "
            "have both"
        )
    element = np.ravel_multi_index(index if isinstance(index, tuple) else (index,), array.shape, mode="raise")
    if amount > 1 and element % amount:
        raise Misuse(f"{word}: index is {index}; a multiple of {amount} is needed", WRONG_BOX)
    start = array.offset + int(element) * array.itemsize
    world.remote_access(array.region)
    return Span(array.region, start, start + amount * array.itemsize)


twin(dsmem.st_async)(_store_async("dsmem.st_async", 1))
twin(dsmem.st_async_v2)(_store_async("dsmem.st_async_v2", 2))
twin(dsmem.st_async_v4)(_store_async("dsmem.st_async_v4", 4))


def combined(operation: str, old: np.ndarray, new: np.ndarray) -> np.ndarray:
    """Combine elements as a reduction does."""
    with np.errstate(all="ignore"):
        if operation == "inc":
            return np.where(old >= new, 0, old + 1).astype(old.dtype)
        if operation == "dec":
            return np.where((old == 0) | (old > new), new, old - 1).astype(old.dtype)
        return {"add": np.add, "min": np.fmin, "max": np.fmax}[operation](old, new)


@twin(dsmem.red_async)
def red_async(world: Any, array: Any, index: Any, value: Any, barrier: Any, operation: str) -> None:
    """Combine a value into another block's element."""
    target = _element(world, "dsmem.red_async", array, index, 1, barrier)
    dtype = array.values.dtype
    new = np.array([CASTS[dtype.name](value)], dtype)

    def land() -> None:
        old = target.region.octets[target.start : target.end].view(dtype)
        old[...] = combined(operation, old, new)

    issue(
        world, Copy(world, "dsmem.red_async", dtype.itemsize, [land], [], [target], (barrier,), remote=True)
    )


# bulk copies


def _ends(word: str, target: Any, source: Any, nbytes: int) -> tuple[Span, Span]:
    """Give the bytes at both ends of a bulk copy, aligned and within their arrays."""
    into, out = span_of(word, "target", target, nbytes), span_of(word, "source", source, nbytes)
    try:
        model.check_bulk_copy(nbytes, source.address, target.address)
    except ValueError as refusal:
        raise Misuse(f"{word}: {refusal}", WRONG_BOX) from None
    return into, out


def _move(into: Span, out: Span) -> Callable[[], None]:
    def move() -> None:
        into.region.octets[into.start : into.end] = out.region.octets[out.start : out.end]

    return move


def _move_in_two(into: Span, change: Callable[[np.ndarray], None], out: Span) -> list[Callable[[], None]]:
    """Read the source, and later change the target: two steps, since the source is free after the first."""
    kept: list[np.ndarray] = []

    def read() -> None:
        kept.append(out.region.octets[out.start : out.end].copy())

    def write() -> None:
        change(kept[0])

    return [read, write]


@twin(bulk.load)
def bulk_load(world: Any, tile: Any, source: Any, nbytes: int, barrier: Any) -> None:
    """Copy from global to shared memory."""
    use(world, barrier, "bulk.load")
    into, out = _ends("bulk.load", tile, source, int(nbytes))
    issue(world, Copy(world, "bulk.load", int(nbytes), [_move(into, out)], [out], [into], (barrier,)))


@twin(bulk.load_multicast)
def bulk_load_multicast(world: Any, tile: Any, source: Any, nbytes: int, barrier: Any, ranks: int) -> None:
    """Copy from global memory into several blocks."""
    for block in _chosen(world, "bulk.load_multicast", ranks):
        there, full = world.in_block(tile, block), world.in_block(barrier, block)
        use(world, full, "bulk.load_multicast")
        into, out = _ends("bulk.load_multicast", there, source, int(nbytes))
        remote = block is not world.thread.block
        issue(
            world,
            Copy(
                world, "bulk.load_multicast", int(nbytes), [_move(into, out)], [out], [into], (full,), remote
            ),
        )


def _chosen(world: Any, word: str, ranks: int) -> list:
    blocks = world.thread.block.cluster.blocks
    if int(ranks) >> len(blocks):
        raise Misuse(f"{word}: ranks is {int(ranks):#x}; the cluster has {len(blocks)} blocks")
    return [block for block in blocks if int(ranks) >> block.rank & 1]


@twin(bulk.store)
def bulk_store(world: Any, target: Any, tile: Any, nbytes: int) -> None:
    """Copy from shared to global memory."""
    into, out = _ends("bulk.store", target, tile, int(nbytes))

    def change(octets: np.ndarray) -> None:
        into.region.octets[into.start : into.end] = octets

    copy = Copy(world, "bulk.store", int(nbytes), _move_in_two(into, change, out), [out], [into])
    world.thread.copies += (issue(world, copy),)


@twin(bulk.reduce)
def bulk_reduce(world: Any, target: Any, tile: Any, nbytes: int, operation: str) -> None:
    """Combine shared memory into global memory."""
    into, out = _ends("bulk.reduce", target, tile, int(nbytes))
    dtype = target.values.dtype

    def change(octets: np.ndarray) -> None:
        old = into.region.octets[into.start : into.end].view(dtype)
        old[...] = combined(operation, old, octets.view(dtype))

    copy = Copy(world, "bulk.reduce", int(nbytes), _move_in_two(into, change, out), [out], [into])
    world.thread.copies += (issue(world, copy),)


@twin(bulk.send)
def bulk_send(world: Any, target: Any, tile: Any, nbytes: int, barrier: Any) -> None:
    """Copy to another block's shared memory."""
    use(world, barrier, "bulk.send")
    into, out = _ends("bulk.send", target, tile, int(nbytes))
    world.remote_access(into.region)
    issue(
        world,
        Copy(world, "bulk.send", int(nbytes), [_move(into, out)], [out], [into], (barrier,), remote=True),
    )


@twin(bulk.send_reduce)
def bulk_send_reduce(world: Any, target: Any, tile: Any, nbytes: int, barrier: Any, operation: str) -> None:
    """Combine into another block's shared memory."""
    use(world, barrier, "bulk.send_reduce")
    into, out = _ends("bulk.send_reduce", target, tile, int(nbytes))
    world.remote_access(into.region)
    dtype = target.values.dtype

    def land() -> None:
        old = into.region.octets[into.start : into.end].view(dtype)
        old[...] = combined(operation, old, out.region.octets[out.start : out.end].view(dtype))

    issue(world, Copy(world, "bulk.send_reduce", int(nbytes), [land], [out], [into], (barrier,), remote=True))


@twin(bulk.prefetch)
def bulk_prefetch(world: Any, source: Any, nbytes: int) -> None:
    """Change nothing: caches are not modelled."""
    span_of("bulk.prefetch", "source", source, int(nbytes))


@twin(bulk.commit_group)
def commit_group(world: Any) -> None:
    """Make a group of the thread's stores."""
    thread = world.thread
    stores = [copy for copy in thread.copies if not copy.word.startswith("cp_async")]
    thread.copies = tuple(copy for copy in thread.copies if copy.word.startswith("cp_async"))
    thread.groups += (stores,)


@twin(bulk.wait_group, waits=True)
def wait_group(world: Any, pending: int) -> None:
    """Wait until at most so many of the thread's groups are under way."""
    wait_for_groups(world, "groups", int(pending), reading=False)


@twin(bulk.wait_group_read, waits=True)
def wait_group_read(world: Any, pending: int) -> None:
    """Wait until at most so many of the thread's groups still read."""
    wait_for_groups(world, "groups", int(pending), reading=True)


# tensor copies


def _box(
    world: Any, word: str, tile: Any, tensor_map: Any, coordinates: tuple
) -> tuple[Any, Any, Span, tuple]:
    """Give descriptor, tensor bytes, the tile's bytes and plain coordinates of a tensor copy."""
    memory, descriptor = world.tensor(tensor_map)
    where = tuple(int(c) for c in coordinates)
    try:
        model.footprint(descriptor, where, tile.address)
    except ValueError as refusal:
        raise Misuse(f"{word}: {refusal}", WRONG_BOX) from None
    return descriptor, memory, span_of(word, "tile", tile, model.tile_bytes(descriptor)), where


def _load_box(
    world: Any, word: str, tile: Any, tensor_map: Any, coordinates: tuple, barrier: Any, remote: bool
) -> None:
    use(world, barrier, word)
    descriptor, memory, into, where = _box(world, word, tile, tensor_map, coordinates)

    def land() -> None:
        region = into.region
        after, _ = model.load(
            descriptor,
            memory.octets,
            where,
            shared_address=tile.address,
            shared=region.octets[into.start : into.end],
        )
        region.octets[into.start : into.end] = after

    sources = [Span(memory.region, memory.start, memory.region.octets.size)]
    copy = Copy(world, word, descriptor.box_bytes, [land], sources, [into], (barrier,), remote)
    places = model.footprint(descriptor, where, tile.address)
    offsets = places.global_offsets[places.inside]
    copy.box = Box(memory.region, memory.start, offsets, descriptor.element_type.nbytes)
    issue(world, copy)


@twin(tma.load)
def tma_load(world: Any, tile: Any, tensor_map: Any, coordinates: tuple, barrier: Any) -> None:
    """Copy a box into shared memory."""
    _load_box(world, "tma.load", tile, tensor_map, coordinates, barrier, remote=False)


@twin(tma.load_multicast)
def tma_load_multicast(
    world: Any, tile: Any, tensor_map: Any, coordinates: tuple, barrier: Any, ranks: int
) -> None:
    """Copy a box into several blocks."""
    for block in _chosen(world, "tma.load_multicast", ranks):
        there, full = world.in_block(tile, block), world.in_block(barrier, block)
        remote = block is not world.thread.block
        _load_box(world, "tma.load_multicast", there, tensor_map, coordinates, full, remote)


def _write_box(
    world: Any, word: str, tensor_map: Any, coordinates: tuple, tile: Any, operation: str | None
) -> None:
    descriptor, memory, out, where = _box(world, word, tile, tensor_map, coordinates)
    try:
        check_store(where)
    except ValueError as refusal:
        raise Misuse(f"{word}: {refusal}", WRONG_BOX) from None
    places = model.footprint(descriptor, where, tile.address)
    reached = writes_into(places, memory.octets.size, descriptor.element_type)
    offsets = places.global_offsets[reached]

    def change(octets: np.ndarray) -> None:
        if operation is None:
            elements = take("shared", octets, places.shared_offsets[reached], descriptor.element_type.dtype)
            put("memory", memory.octets, offsets, elements)
        else:
            memory.octets[...] = model.reduce(
                descriptor, memory.octets, where, octets, operation, shared_address=tile.address
            )

    if not offsets.size:
        targets = []
    else:
        last = int(offsets.max()) + descriptor.element_type.nbytes
        targets = [Span(memory.region, memory.start + int(offsets.min()), memory.start + last)]
    copy = Copy(world, word, descriptor.box_bytes, _move_in_two(out, change, out), [out], targets)
    copy.box = Box(memory.region, memory.start, offsets, descriptor.element_type.nbytes)
    world.thread.copies += (issue(world, copy),)


@twin(tma.store)
def tma_store(world: Any, tensor_map: Any, coordinates: tuple, tile: Any) -> None:
    """Copy a tile to a box."""
    _write_box(world, "tma.store", tensor_map, coordinates, tile, None)


@twin(tma.reduce)
def tma_reduce(world: Any, tensor_map: Any, coordinates: tuple, tile: Any, operation: str) -> None:
    """Combine a tile into a box."""
    _write_box(world, "tma.reduce", tensor_map, coordinates, tile, operation)


@twin(tma.prefetch)
def tma_prefetch(world: Any, tensor_map: Any, coordinates: tuple) -> None:
    """Change nothing: caches are not modelled."""


@twin(tma.prefetch_map)
def tma_prefetch_map(world: Any, tensor_map: Any) -> None:
    """Change nothing: caches are not modelled."""


# cp.async


@twin(cp_async.copy)
def cp_async_copy(world: Any, tile: Any, i: Any, source: Any, j: Any, nbytes: int, cache: str) -> None:
    """Copy 4, 8 or 16 bytes."""
    nbytes = int(nbytes)
    if nbytes not in (4, 8, 16) or (cache == "cg" and nbytes != 16):
        raise Misuse(
            f"cp_async.copy: nbytes is {nbytes}; with {cache!r} allowed are {'16' if cache == 'cg' else '4, 8 or 16'}",
            WRONG_BOX,
        )
    into, out = _place(tile, i, nbytes), _place(source, j, nbytes)
    for name, end in (("tile", into), ("source", out)):
        if (end.region.address + end.start) % nbytes:
            raise Misuse(
                f"cp_async.copy: {name} is at byte {end.start} of {end.region}; a multiple of {nbytes} is needed",
                WRONG_BOX,
            )
    world.thread.copies += (
        issue(world, Copy(world, "cp_async.copy", nbytes, [_move(into, out)], [out], [into])),
    )


def _place(array: Any, index: Any, nbytes: int) -> Span:
    index = index if isinstance(index, tuple) else (index,)
    try:
        element = int(np.ravel_multi_index(tuple(int(n) for n in index), array.shape))
    except ValueError:
        raise array.outside(index) from None
    start = array.offset + element * array.itemsize
    if start + nbytes > array.region.octets.size:
        raise array.outside(index)
    return Span(array.region, start, start + nbytes)


def _own_copies(thread: Any) -> list[Copy]:
    return [copy for copy in thread.copies if copy.word.startswith("cp_async")]


@twin(cp_async.commit_group)
def cp_async_commit(world: Any) -> None:
    """Make a group of the thread's copies."""
    thread = world.thread
    group = _own_copies(thread)
    thread.copies = tuple(copy for copy in thread.copies if copy not in group)
    thread.element_groups += (group,)


@twin(cp_async.wait_group, waits=True)
def cp_async_wait_group(world: Any, pending: int) -> None:
    """Wait until at most so many of the thread's groups are under way."""
    wait_for_groups(world, "element_groups", int(pending), reading=False)


@twin(cp_async.wait_all, waits=True)
def cp_async_wait_all(world: Any) -> None:
    """Wait for all of the thread's copies."""
    cp_async_commit(world)
    wait_for_groups(world, "element_groups", 0, reading=False)


def _arrive_when_landed(world: Any, barrier: Any, word: str) -> None:
    thread = world.thread
    pending = [c for group in [*thread.element_groups, _own_copies(thread)] for c in group if not c.done]

    def arrive() -> None:
        world.on_behalf(thread, lambda: count(world, barrier, word, "arrive", 1))

    copy = Copy(world, word, 0, [arrive], [], [], (barrier,))
    copy.after = pending
    issue(world, copy)


@twin(cp_async.mbarrier_arrive)
def mbarrier_arrive(world: Any, barrier: Any) -> None:
    """Add an arrival to the phase, and arrive when the thread's copies have landed."""
    use(world, barrier, "cp_async.mbarrier_arrive")
    barrier.model.pending_arrivals += 1
    _arrive_when_landed(world, barrier, "cp_async.mbarrier_arrive")


@twin(cp_async.mbarrier_arrive_noinc)
def mbarrier_arrive_noinc(world: Any, barrier: Any) -> None:
    """Arrive when the thread's copies have landed."""
    use(world, barrier, "cp_async.mbarrier_arrive_noinc")
    _arrive_when_landed(world, barrier, "cp_async.mbarrier_arrive_noinc")
