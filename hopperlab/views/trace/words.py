"""What happens in a step, in words."""

from __future__ import annotations

from collections.abc import Sequence

from hopperlab.device.trace import Event, Trace
from hopperlab.views.trace.steps import Step, Steps

ENGINE = ("land", "count")


def said(trace: Trace, step: Step) -> str:
    """Say what happens in a step, as a sentence without its full stop."""
    event, many = step.event, len(step.events) > 1
    if event.verb in ("start", "leave"):
        return _blocks(step.events)
    if event.verb == "part":
        together = sum(one.data["threads"] for one in step.events)
        have, go = ("has", "goes") if together == 1 else ("have", "go")
        return f"{counted(together, 'thread')} {have} met at {event.what} and {go} on"
    if event.verb == "finding":
        return f"finding: {event.what}"
    who = _who(trace, step.events)
    return f"{who} {_does(trace, step, many)}"


def cycle_and_sentence(steps: Steps, place: int) -> str:
    """Say when a step is and what happens in it."""
    step, horizon = steps[place], steps.trace.horizon
    when = f"Cycle {step.cycle:,.0f} of {horizon:,.0f}" if horizon else f"Step {place} of {steps.last}"
    return f"{when}: {said(steps.trace, step)}"


def runs(numbers: Sequence[int]) -> str:
    """Numbers in order, neighbors as a run: ``0 to 9, 12``."""
    found: list[list[int]] = []
    for number in sorted(set(numbers)):
        if found and number == found[-1][1] + 1:
            found[-1][1] = number
        else:
            found.append([number, number])
    shown = [str(a) if a == b else f"{a} to {b}" if b > a + 1 else f"{a}, {b}" for a, b in found[:6]]
    return ", ".join(shown) + (f" and {len(found) - 6} more runs" if len(found) > 6 else "")


def counted(number: float, noun: str) -> str:
    """A number with its noun: ``1 byte``, ``2,048 bytes``."""
    return f"{number:,.0f} {noun}" + ("" if number == 1 else "s")


def in_block(trace: Trace, block: int | None) -> str:
    """`` of block 3``; nothing where there is only one block."""
    return "" if block is None or trace.grid == (1, 1, 1) else f" of block {block}"


def _blocks(events: Sequence[Event]) -> str:
    numbers, sms = [event.block for event in events], [event.data["sm"] for event in events]
    starts = events[0].verb == "start"
    if len(events) == 1:
        return f"block {numbers[0]} {'starts on' if starts else 'leaves'} SM {sms[0]}"
    return f"blocks {runs(numbers)} {'start on' if starts else 'leave'} SMs {runs(sms)}"


def _who(trace: Trace, events: Sequence[Event]) -> str:
    if events[0].thread is None:
        return "an engine" if len(events) == 1 else "the engines"
    blocks = sorted({event.block for event in events})
    threads = sorted({event.thread for event in events})
    if len(blocks) > 1:
        return f"{counted(len(events), 'thread')} of blocks {runs(blocks)}"
    name = "thread" if len(threads) == 1 else "threads"
    return f"{name} {runs(threads)}{in_block(trace, blocks[0])}"


def _does(trace: Trace, step: Step, many: bool) -> str:
    event, data = step.event, step.event.data
    several = len({one.thread for one in step.events}) > 1 or many
    s = "" if several else "s"
    owner = in_block(trace, data.get("owner")) if data.get("owner") != event.block else ""
    nbytes = counted(sum(one.data.get("nbytes", 0) for one in step.events), "byte")
    arrivals = counted(data.get("pending_arrivals", 0), "arrival")
    sentences = {
        "end": f"end{s}",
        "meet": f"come{s} to {event.what}",
        "wait": f"wait{s} for {_awaited(event)}",
        "go": f"{'go' if several else 'goes'} on from {_left(event)}",
        "look": f"ask{s} {event.what}, whose phase of parity {data.get('parity')} goes on",
        "init": f"initialize{s} {event.what} for {arrivals}",
        "inval": f"invalidate{s} {event.what}",
        "arrive": f"arrive{s} on {event.what}{owner}",
        "expect": f"announce{s} {nbytes} on {event.what}{owner}",
        "count": f"count{s} {nbytes} on {event.what}{owner}",
        "issue": f"issue{s} {event.what} of {nbytes}",
        "land": f"{'have' if several else 'has'} done {event.what} of {nbytes}",
        "read": f"read{s} {nbytes} of {event.what}{owner}",
        "write": f"write{s} {nbytes} of {event.what}{owner}",
        "atomic": f"change{s} {event.what}{owner} atomically",
        "fence": f"say{s} {event.what}",
    }
    return sentences[event.verb]


def _awaited(event: Event) -> str:
    if event.what == "groups":
        return counted(event.data["pending"], "copy").replace("copys", "copies")
    return f"{event.what}, parity {event.data['parity']}" if "parity" in event.data else event.what


def _left(event: Event) -> str:
    return "its copies" if event.what == "groups" else event.what
