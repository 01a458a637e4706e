"""A run's trace in the Chrome trace format, which Perfetto and chrome://tracing open.

Every SM is a process. Its rows are its blocks, their threads and their copies: a block's stay, a thread's waits and
a copy's way are spans with a begin and an end; everything else is an instant on the row of who did it, and what a
barrier counts is a counter. The format has microseconds: one of them stands for one clock cycle.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from math import isfinite
from pathlib import Path
from typing import Any

from hopperlab.device.trace import Event, Trace

FIRST_ROW = 1 << 16
"""Where rows are numbered from: Perfetto takes a row with its process's number for the main thread, 0 for idle."""

FIRST_PROCESS = 1
_COUNTS = ("phase", "pending_arrivals", "pending_bytes")
_SPANNED = ("start", "leave", "issue", "land", "declare")


def chrome_trace(trace: Trace) -> dict[str, Any]:
    """Give a trace as the object that is written as JSON.

    Returns
    -------
    dict
        `traceEvents`, by time, each with the keys ph, ts, pid, tid, name, cat and args; begins and ends match
        within a row. Numbers are finite, so that the JSON is strict.
    """
    rows = _Rows(trace)
    made = [*_stays(trace, rows), *_waits(trace, rows), *_copies(trace, rows)]
    for event in trace.events:
        if event.verb not in _SPANNED:
            made.append(rows.entry("i", event, *rows.of(event), f"{event.verb} {event.what}".strip(), s="t"))
        if "phase" in event.data:
            made.append(_counter(event, rows))
    made.sort(key=lambda entry: entry["ts"])  # stable: the order within a row stays
    told = {
        "kernel": trace.kernel,
        "chip": trace.chip,
        "unit": "1 microsecond here is 1 clock cycle, modelled",
    }
    return {"traceEvents": [*rows.names(), *made], "otherData": told}


def write_chrome_trace(trace: Trace, path: Path | str) -> Path:
    """Write a trace as a file that Perfetto opens, and give its path."""
    path = Path(path)
    path.write_text(json.dumps(chrome_trace(trace), allow_nan=False), encoding="utf-8")
    return path


class _Rows:
    """The rows of all processes, numbered as they are first asked for."""

    def __init__(self, trace: Trace) -> None:
        self.sms = trace.sms
        self.numbers: dict[tuple, int] = {}
        self.busy_until: dict[tuple, float] = {}

    def of(self, event: Event) -> tuple[int, int]:
        """The process and the row of who did something."""
        if event.thread is None:
            return self.row(event.block or 0, "")
        return self.row(event.block or 0, f"thread {event.thread}")

    def row(self, block: int, name: str) -> tuple[int, int]:
        """A block's row of that name, or its own where the name is empty."""
        sm = self.sms[block] if block < len(self.sms) else 0
        number = self.numbers.setdefault((sm, block, name), FIRST_ROW + len(self.numbers))
        return FIRST_PROCESS + sm, number

    def lane(self, block: int, begin: float, end: float) -> tuple[int, int]:
        """A row of a block's copies that is free from begin to end: copies overlap, spans of a row must not."""
        lane = 0
        while self.busy_until.get((block, lane), 0.0) > begin:
            lane += 1
        self.busy_until[block, lane] = end
        return self.row(block, f"copies {lane}")

    def entry(self, ph: str, event: Event, pid: int, tid: int, name: str, **more: Any) -> dict[str, Any]:
        """One entry of the format, at the event's time and with all that it says."""
        known = {"thread": event.thread, "line": event.line, **event.data}
        told = {key: _strict(value) for key, value in known.items() if value is not None}
        return {
            "ph": ph, "ts": event.cycle, "pid": pid, "tid": tid, "name": name, "cat": event.verb, "args": told,
        } | more  # fmt: skip

    def names(self) -> Iterator[dict[str, Any]]:
        """What the processes and rows are called, and their order."""
        for sm in sorted({sm for sm, _, _ in self.numbers}):
            yield from _named("process", FIRST_PROCESS + sm, 0, f"SM {sm}", sm)
        for place, (sm, block, name) in enumerate(sorted(self.numbers, key=_in_order)):
            number = self.numbers[sm, block, name]
            yield from _named("thread", FIRST_PROCESS + sm, number, f"block {block} {name}".strip(), place)


def _in_order(row: tuple[int, int, str]) -> tuple:
    sm, block, name = row
    kind, _, number = name.partition(" ")
    return sm, block, kind == "thread", kind, int(number or 0)


def _named(kind: str, pid: int, tid: int, name: str, place: int) -> Iterator[dict[str, Any]]:
    for what, args in ((f"{kind}_name", {"name": name}), (f"{kind}_sort_index", {"sort_index": place})):
        yield {"ph": "M", "ts": 0, "pid": pid, "tid": tid, "name": what, "cat": "__metadata", "args": args}


def _strict(value: Any) -> Any:
    return str(value) if isinstance(value, float) and not isfinite(value) else value


def _span(rows: _Rows, begin: Event, end: float, row: tuple[int, int], name: str) -> list[dict[str, Any]]:
    opened = rows.entry("B", begin, *row, name)
    return [opened, {**opened, "ph": "E", "ts": max(end, begin.cycle), "args": {}}]


def _stays(trace: Trace, rows: _Rows) -> Iterator[dict[str, Any]]:
    """Each block's stay on its SM; one that never left stays to the end."""
    left = {event.block: event.cycle for event in trace.of("leave")}
    for event in trace.of("start"):
        row = rows.row(event.block, "")
        yield from _span(rows, event, left.get(event.block, trace.horizon), row, f"block {event.block}")


def _waits(trace: Trace, rows: _Rows) -> Iterator[dict[str, Any]]:
    """Each thread's waits, for barriers, copies and each other; one that never ended lasts to the end."""
    open_waits: dict[tuple[int, int], Event] = {}
    for event in trace.of("wait", "meet", "go", "part", "end"):
        if event.verb in ("wait", "meet"):
            open_waits.setdefault((event.block, event.thread), event)
            continue
        for who in freed(trace, event, open_waits):
            begun = open_waits.pop(who)
            yield from _span(rows, begun, event.cycle, rows.of(begun), f"waits: {begun.what}")
    for begun in open_waits.values():
        yield from _span(rows, begun, trace.horizon, rows.of(begun), f"waits: {begun.what}")


def freed(trace: Trace, event: Event, waiting: dict[tuple[int, int], Event]) -> list[tuple[int, int]]:
    """Which of the waiting threads, (block, thread) each with the event that it waits since, an event frees."""
    if event.verb != "part":
        return [(event.block, event.thread)] if (event.block, event.thread) in waiting else []
    whole_block = event.what.startswith("syncthreads")
    return [
        who
        for who, begun in waiting.items()
        if who[0] == event.block and begun.what == event.what and (begun.verb == "meet")
        and (whole_block or who[1] // 32 == event.thread // 32)
    ]  # fmt: skip


def _copies(trace: Trace, rows: _Rows) -> Iterator[dict[str, Any]]:
    """Each copy's way, from its issue until it has landed."""
    landed = {event.data["copy"]: event.cycle for event in trace.of("land")}
    for event in sorted(trace.of("issue"), key=lambda event: event.cycle):
        end = max(landed.get(event.data["copy"], trace.horizon), event.cycle)
        yield from _span(rows, event, end, rows.lane(event.block, event.cycle, end), event.what)


def _counter(event: Event, rows: _Rows) -> dict[str, Any]:
    owner = event.data["owner"]
    counts = {key: event.data[key] for key in _COUNTS}
    return rows.entry("C", event, *rows.row(owner, ""), f"{event.what} of block {owner}") | {"args": counts}
