"""A hang in words: who waits for what, what is missing, and who could still bring it."""

from __future__ import annotations

from typing import Any

from hopperlab.device.simulator.findings import Finding
from hopperlab.device.simulator.meetings import named
from hopperlab.device.simulator.threads import Thread


def explain(world: Any, stuck: Any) -> Finding:
    """Make the finding of a run in which no thread can go on."""
    waiting = list(stuck.sites)
    groups: dict[str, list[Thread]] = {}
    for thread in waiting:
        groups.setdefault(thread.waits_for.story(thread), []).append(thread)
    sentences = [
        f"{named(threads)}: {'each ' if len(threads) > 1 else ''}{story}" for story, threads in groups.items()
    ]
    name = "spin that never ends" if stuck.spinning else "hang"
    cure = "Bring what is missing, or do not wait for it."
    site = None
    for thread in waiting:
        cause = getattr(thread.waits_for, "cause", None)
        found = cause(thread) if cause else None
        if found:
            name, cure = found
            break
    if waiting:
        world.thread = waiting[0]
        site = stuck.sites.get(waiting[0])
    told = "; ".join(sentences)
    seen = f"no thread can go on. {told[:1].upper()}{told[1:]}"
    finding = world.finding(name, seen, cure, site=site)
    return Finding(**{**vars(finding), "threads": tuple(map(repr, waiting[:8]))})
