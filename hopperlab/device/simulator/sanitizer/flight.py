"""Copies in flight: what a copy reads and writes, and who touches it too early."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from hopperlab.device.simulator.findings import Finding
from hopperlab.device.simulator.sanitizer import races
from hopperlab.device.simulator.sanitizer.shadow import readers_of, shadow_of

COMBINING = ("red_async", "reduce")  # words whose copies may meet in one place: each is atomic


def cells_of(copy: Any, span: Any, shadow: Any) -> Any:
    """Give the cells of a span; of a tensor's box only those that the box touches."""
    box = copy.box
    if box is not None and span.region is box.region:
        starts = (box.start + box.offsets) // shadow.unit
        wide = max(1, box.itemsize // shadow.unit)
        return np.unique(starts[:, None] + np.arange(wide)).tolist()
    return range(span.start // shadow.unit, -(-span.end // shadow.unit))


def check_issue(world: Any, copy: Any) -> None:
    """Look whether a copy may read and write where it will, and remember that it does."""
    word = copy.word
    for span in copy.sources:
        _check_source(world, copy, span, asynchronous=not word.startswith("cp_async"))
    for span in copy.targets:
        _check_target(world, copy, span)


def _shadow(region: Any) -> Any:
    return shadow_of(region, 4 if region.octets.size % 4 == 0 else 1)


def _check_source(world: Any, copy: Any, span: Any, asynchronous: bool) -> None:
    thread, shadow, region = copy.issuer, _shadow(span.region), span.region
    cells = cells_of(copy, span, shadow)
    writes = {id(w): w for w in (shadow.written[cell] for cell in cells)}
    for write in writes.values():
        if write is None:
            if region.space == "shared":
                world.note(
                    world.finding(
                        "uninitialized read",
                        f"{copy!r} reads {region}, parts of which nobody has written",
                        "Write the source before it is copied.",
                    )
                )
            continue
        who, number, epoch, code, instruction, how = write
        ordered = who is thread or thread.seen.get(number, 0) >= epoch or how == "host"
        if not ordered and how in ("copy", "reduce"):
            read_in_flight_by_copy(world, copy, region, who)
        elif not ordered:
            world.note(
                world.finding(
                    races.race_name(region, thread, who),
                    f"{copy!r} reads {region}, which {who!r} wrote {races.line_of(code, instruction)}, and nothing "
                    "orders the two",
                    "Let the thread that issues the copy wait for those that write its source.",
                )
            )
        elif asynchronous and how in ("write", "atomic") and copy.crossed.get(number, 0) < epoch:
            world.note(
                world.finding(
                    "missing proxy fence",
                    f"{copy!r} reads {region}, which {who!r} wrote {races.line_of(code, instruction)} through the "
                    "generic proxy, without a fence to the async one in between",
                    "Say fence.proxy_async_shared in the threads that wrote, before the barrier that comes before "
                    "the copy.",
                )
            )
    if copy.box is None or region.space == "shared":
        shadow.sources.append((span.start // shadow.unit, -(-span.end // shadow.unit), copy))


def _check_target(world: Any, copy: Any, span: Any) -> None:
    thread, shadow, region = copy.issuer, _shadow(span.region), span.region
    cells = cells_of(copy, span, shadow)
    how = "reduce" if copy.word.endswith(COMBINING) else "copy"
    for write in {id(w): w for w in (shadow.written[cell] for cell in cells) if w}.values():
        who, number, epoch, code, instruction, before = write
        if who is thread or thread.seen.get(number, 0) >= epoch or before == "host":
            continue
        if how == "reduce" and before in ("reduce", "atomic"):
            continue
        world.note(
            world.finding(
                "write under a copy in flight"
                if before in ("copy", "reduce")
                else races.race_name(region, thread, who),
                f"{copy!r} writes {region}, which {who!r} wrote {races.line_of(code, instruction)}, and nothing "
                "orders the two",
                "Let the thread that issues the copy wait for those that use its target.",
            )
        )
    for reads in (shadow.read[cell] for cell in cells):
        for reader, epoch, code, instruction, _ in readers_of(reads):
            if reader is not thread and thread.seen.get(reader.number, 0) < epoch:
                _overwritten(world, copy, region, reader, code, instruction)
                break
    for start, end, other in shadow.sources:
        overlapping = other is not copy and start * shadow.unit < span.end and end * shadow.unit > span.start
        if overlapping and thread.seen.get(other.number, 0) < 1 and region.space == "shared":
            world.note(
                world.finding(
                    "source reused before its copy was waited for",
                    f"{copy!r} writes {region}, which {other!r} may still read",
                    other.cure_for_source,
                )
            )
    site = copy.site
    shadow.disturb()
    mark = (copy, copy.number, 2, site.code if site else None, site.instruction if site else 0, how)
    if isinstance(cells, range):
        shadow.written[cells.start : cells.stop] = [mark] * len(cells)
        shadow.read[cells.start : cells.stop] = [None] * len(cells)
    else:
        for cell in cells:
            shadow.written[cell], shadow.read[cell] = mark, None


def _overwritten(world: Any, copy: Any, region: Any, reader: Any, code: Any, instruction: int) -> None:
    world.note(
        world.finding(
            "overwrite of a buffer still being read",
            f"{copy!r} writes {region}, which {reader!r} reads {races.line_of(code, instruction)}, and nothing tells "
            "the producer that it has been read",
            "Let readers arrive on a barrier for the empty buffer, and wait for it before the next copy.",
        )
    )


def read_in_flight_by_copy(world: Any, copy: Any, region: Any, earlier: Any) -> None:
    """Note a copy that reads what another one may not have brought yet."""
    name, cure = _why_in_flight(copy.issuer, earlier)
    seen = f"{copy!r} reads {region}, which {earlier!r} brings, and its bytes need not be there yet"
    world.note(world.finding(name, seen, cure))


def read_in_flight(world: Any, array: Any, index: Any, copy: Any) -> None:
    """Note a read of what a copy may not have brought yet, by the name of what was done wrong."""
    name, cure = _why_in_flight(world.thread, copy)
    seen = (
        f"{world.thread!r} reads {races.element(array, index)}, which {copy!r} brings, and its bytes need not be "
        "there yet"
    )
    finding = world.finding(name, seen, cure)
    world.note(finding)
    if name == "wait skipped":
        world.undecided.append((finding, copy.barriers[0], world.thread.block))


def others_waited(finding: Any, barrier: Any, block: Any) -> Finding | None:
    """Once the run is over: not the wait was missing, but the way from the thread that waited to the reader."""
    if not any(thread.block is block for thread in barrier.waits):
        return None
    cure = f"Let the block meet after the thread that waits for {barrier.name}, or let all wait."
    return replace(finding, name="read of data in flight", cure=cure)


def _why_in_flight(thread: Any, copy: Any) -> tuple[str, str]:
    plain = "read of data in flight"
    if not copy.barriers:
        if copy.word.startswith("cp_async"):
            return plain, "Wait with cp_async.wait_group, and let the block meet, before the data is read."
        return plain, "Wait for the copy's group, and fence, before the data is read."
    barrier = copy.barriers[0]
    waits = barrier.waits.get(thread, [])
    if not waits:
        if any(t.block is thread.block for t in barrier.waits):
            return (
                plain,
                f"Let the block meet after the thread that waits for {barrier.name}, or let all wait.",
            )
        return "wait skipped", f"Say mbarrier.wait on {barrier.name} before the data is read."
    parity, phase = waits[-1]
    if phase == 0 and parity == 1:
        return (
            "parity off by one",
            "Wait for parity 0 first: parity 1 of a fresh barrier is true at once, since phase 0 is still going on.",
        )
    if len(waits) > 1 and waits[-2][0] == parity:
        return "parity off by one", "Change the parity each time that the barrier has been waited for."
    completed = barrier.history[phase - 1] if phase else barrier.history[0]
    later = any(p.expected for p in barrier.history[phase:])
    if not completed.expected and not completed.landed:
        if later:
            return (
                "expect_tx late",
                "Expect the bytes before the phase's last arrival: mbarrier.arrive_expect_tx does both at once.",
            )
        return (
            "expect_tx forgotten",
            "Say mbarrier.arrive_expect_tx with the copy's bytes instead of mbarrier.arrive.",
        )
    if completed.expected < completed.issued:
        return "expect_tx too small", "Expect all the bytes that are copied in the phase."
    if thread.block is not copy.issuer.block:
        return plain, "Wait with scope 'cluster': the data comes from another block."
    return plain, "Wait for the phase in which these bytes count."
