"""A run's trace in the Chrome trace format, which Perfetto and chrome://tracing open.

Every SM is a process and every block on it a thread row, with a row more for its copy engine. Times are in clock
cycles, written where the format has microseconds. Waits are spans with a begin and an end; everything else is
an instant, and what a barrier counts is a counter.
"""

from __future__ import annotations

from typing import Any

from hopperlab.device.trace import Event, Trace

ENGINE_ROW = 1 << 20  # row numbers from here on are those of the blocks' copies
_BARRIER = ("init", "arrive", "expect", "count")


def chrome_trace(trace: Trace) -> dict[str, Any]:
    """Give a trace as the object that is written as JSON.

    Returns
    -------
    dict
        `traceEvents`, each with the keys ph, ts, pid, tid and name; begins and ends match within a row.
    """
    made = [*_rows(trace)]
    made += _spans(trace, "start", "leave", lambda event: "block", row_of_block)
    made += _spans(trace, "issue", "land", lambda event: event.what, row_of_copy)
    for event in trace.events:
        if event.verb in ("start", "leave", "issue", "land"):
            continue
        if event.verb in _BARRIER and "phase" in event.data:
            made += _counters(trace, event)
        made.append(_instant(trace, event))
    made.sort(key=lambda entry: entry.get("ts", -1.0))
    return {
        "traceEvents": made,
        "displayTimeUnit": "ns",
        "otherData": {"kernel": trace.kernel, "unit": "cycle"},
    }


def row_of_block(event: Event) -> int:
    """The row of an event's block."""
    return event.block or 0


def row_of_copy(event: Event) -> int:
    """The row of an event's copy: each has its own, since copies overlap."""
    return ENGINE_ROW + event.data["copy"]


def _sm(trace: Trace, block: int | None) -> int:
    return trace.sms[block] if block is not None and block < len(trace.sms) else 0


def _rows(trace: Trace) -> list[dict[str, Any]]:
    named = []
    for block, sm in enumerate(trace.sms):
        named.append(
            {"ph": "M", "name": "process_name", "pid": sm, "tid": 0, "ts": 0, "args": {"name": f"SM {sm}"}}
        )
        row = {
            "ph": "M",
            "name": "thread_name",
            "pid": sm,
            "tid": block,
            "ts": 0,
            "args": {"name": f"block {block}"},
        }
        named.append(row)
    return named


def _spans(trace: Trace, begin: str, end: str, name_of: Any, row_of: Any) -> list[dict[str, Any]]:
    """Give matched begins and ends; what never ended ends with the trace."""
    made, open_rows = [], {}
    last = max((event.cycle for event in trace.events), default=0.0)
    for event in trace.events:
        key = (_sm(trace, event.block), row_of(event)) if event.verb in (begin, end) else None
        if event.verb == begin:
            open_rows[key] = event
        elif event.verb == end and key in open_rows:
            made += _pair(key, name_of(open_rows[key]), open_rows.pop(key), event.cycle)
    for key, event in open_rows.items():
        made += _pair(key, name_of(event), event, last)
    return made


def _pair(key: tuple[int, int], name: str, event: Event, end: float) -> list[dict[str, Any]]:
    common = {"pid": key[0], "tid": key[1], "name": name, "cat": event.verb}
    opened = {**common, "ph": "B", "ts": event.cycle, "args": _arguments(event)}
    return [opened, {**common, "ph": "E", "ts": max(end, event.cycle)}]


def _instant(trace: Trace, event: Event) -> dict[str, Any]:
    return {
        "ph": "i",
        "s": "t",
        "name": f"{event.verb} {event.what}".strip(),
        "cat": event.verb,
        "ts": event.cycle,
        "pid": _sm(trace, event.block),
        "tid": event.block or 0,
        "args": _arguments(event),
    }


def _counters(trace: Trace, event: Event) -> list[dict[str, Any]]:
    counts = {key: event.data[key] for key in ("phase", "pending_arrivals", "pending_bytes")}
    owner = event.data.get("owner", event.block)
    place = {"pid": _sm(trace, owner), "tid": owner or 0}
    return [{"ph": "C", "name": f"{event.what} of block {owner}", "ts": event.cycle, **place, "args": counts}]


def _arguments(event: Event) -> dict[str, Any]:
    known = {"thread": event.thread, "line": event.line, **event.data}
    return {key: value for key, value in known.items() if value is not None}
