"""What a run's trace says of one barrier: its history, event by event, and who is doing what."""

from itertools import groupby

from hopperlab.device.trace import Event, Trace
from hopperlab.views.barriers.strip import Doing, Moment

COUNTED = ("init", "arrive", "expect", "count")
TOLD = ("meet", "part", "wait", "go", "end", "arrive", "issue", "init")


def barriers_of(trace: Trace) -> list[tuple[int, str]]:
    """The barriers that something happened to, as (block, name), the one with most events first."""
    happened: dict[tuple[int, str], int] = {}
    for event in trace.of(*COUNTED):
        key = (_owner(event), event.what)
        happened[key] = happened.get(key, 0) + 1
    return sorted(happened, key=lambda key: (-happened[key], key))


def history(trace: Trace, barrier: str, block: int = 0) -> list[Moment]:
    """A barrier's counts after each event, and when waits on it returned.

    Arrivals in a row are told as one event, and so are bytes that one block sent and waits that return.
    """
    senders = {event.data["copy"]: event.block for event in trace.of("issue")}
    moments, counts = [], (0, 0, 0)
    for (kind, sender, _), run in groupby(_on(trace, barrier, block), key=_likeness(senders)):
        events = list(run)
        if kind != "go":
            last = events[-1].data
            counts = (last["phase"], last["pending_arrivals"], last["pending_bytes"])
        moments.append(Moment(_words(kind, sender, events, block), *counts, events[-1].number))
    return moments


def _owner(event: Event) -> int:
    return event.data.get("owner", event.block)


def _on(trace: Trace, barrier: str, block: int) -> list[Event]:
    """The events of one barrier; where a thread expects and arrives at once, only the arrival, with the bytes."""
    found: list[Event] = []
    for event in trace.of(*COUNTED, "go"):
        if event.what != barrier or _owner(event) != block:
            continue
        before = found[-1] if found else event
        alike = (before.verb, before.thread, before.line) == ("expect", event.thread, event.line)
        if event.verb == "arrive" and alike:
            found[-1] = event._replace(data={**event.data, "expected": before.data["nbytes"]})
        else:
            found.append(event)
    return found


def _likeness(senders: dict[int, int | None]):
    """Give events a key: those with the same key, in a row, are told as one."""
    phase = 0  # the one that an event counts in

    def key(event: Event) -> tuple:
        nonlocal phase
        counts_in, phase = phase, event.data.get("phase", phase)
        if event.verb == "count":
            return "count", senders.get(event.data.get("copy"), event.block), counts_in
        if event.verb == "arrive" and "expected" not in event.data:
            return "arrive", event.block, counts_in
        if event.verb == "go":
            return "go", event.block, event.data.get("parity")
        return event.verb, event.block, event.number

    return key


def _words(kind: str, sender: int | None, events: list[Event], block: int) -> str:
    first, number = events[0].data, len(events)
    origin = f" from block {sender}" if sender is not None and sender != block else ""
    if kind == "init":
        return f"init({first['pending_arrivals']})"
    if kind == "count":
        return f"{sum(event.data['nbytes'] for event in events)} bytes land{origin}"
    if kind == "expect":
        return f"expect_tx({first['nbytes']})"
    if kind == "go":
        wait = f"wait(parity {first['parity']})"
        return f"{wait} returns" if number == 1 else f"{wait} returns, {number} threads"
    if "expected" in first:
        return f"arrive_expect_tx({first['expected']})"
    arrivals = sum(event.data.get("count", 1) for event in events)
    return f"arrive{origin}" if arrivals == 1 else f"{arrivals} arrivals{origin}"


def doings(trace: Trace, number: int | None = None) -> list[Doing]:
    """What the threads do after the event of that number, or at the end; those that do the same, together."""
    last: dict[tuple[int, int], Event] = {}
    for event in trace.of(*TOLD):
        if number is not None and event.number > number:
            break
        if event.verb == "part":
            met = [who for who, before in last.items() if before.verb == "meet" and who[0] == event.block]
            last |= dict.fromkeys(met, event)
        elif event.thread is not None:
            last[event.block, event.thread] = event
    doing = {who: _doing(event) for who, event in sorted(last.items())}
    found = []
    for (block, kind, why), run in groupby(doing, key=lambda who: (who[0], *doing[who])):
        threads = [thread for _, thread in run]
        names = f"thread {threads[0]}" if len(threads) == 1 else f"threads {threads[0]} to {threads[-1]}"
        found.append(Doing(f"block {block}, {names}", kind, why))
    return found


def _doing(event: Event) -> tuple[str, str]:
    if event.verb == "wait":
        if event.what == "groups":
            return "asleep", f"line {event.line}, on its copies"
        return "asleep", f"line {event.line}, on {event.what}, parity {event.data['parity']}"
    if event.verb == "meet":
        return "waiting", f"line {event.line}, at {event.what}"
    if event.verb == "end":
        return "done", ""
    if event.verb == "issue":
        return "sending", f"line {event.line}, {event.data['nbytes']} bytes under way"
    return "working", f"after line {event.line}" if event.line else ""
