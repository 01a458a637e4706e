"""What an object must hold so that Perfetto's importer of JSON traces takes all of it: a strict reading of the format.

The importer drops what it cannot place: entries without a phase or time, ends that no begin of that name is open for.
It takes row and process numbers as unsigned 32-bit ones, a row as the same one in every process, and 0 as idle.
"""

import json
from collections import defaultdict
from collections.abc import Iterator
from math import isfinite
from typing import Any

REQUIRED = {"ph", "ts", "pid", "tid", "name", "cat", "args"}
METADATA = {"process_name": "name", "thread_name": "name"} | dict.fromkeys(
    ("process_sort_index", "thread_sort_index"), "sort_index"
)


def troubles(made: dict[str, Any]) -> Iterator[str]:
    """What is wrong with a trace, in words; nothing if all of it would be taken."""
    text = json.dumps(made, allow_nan=False)
    entries = json.loads(text)["traceEvents"]
    yield from _of_each(entries)
    yield from _of_rows(entries)
    yield from _of_spans([entry for entry in entries if entry["ph"] != "M"])


def _of_each(entries: list[dict]) -> Iterator[str]:
    for entry in entries:
        if missing := REQUIRED - entry.keys():
            yield f"{entry} lacks {missing}"
        if not isfinite(entry["ts"]) or entry["ts"] < 0:
            yield f"{entry}: time must be 0 or later"
        if not isinstance(entry["name"], str) or not entry["name"]:
            yield f"{entry}: a name is needed"
        if entry["ph"] == "i" and entry.get("s") not in ("t", "p", "g"):
            yield f"{entry}: an instant belongs to a thread, a process or all"
        if entry["ph"] == "C" and not all(isinstance(value, int | float) for value in entry["args"].values()):
            yield f"{entry}: a counter counts numbers"
        if entry["ph"] == "M" and METADATA.get(entry["name"]) not in entry["args"]:
            yield f"{entry}: unknown metadata"
        if entry["ph"] not in "BEiCM":
            yield f"{entry}: unknown phase"


def _of_rows(entries: list[dict]) -> Iterator[str]:
    process_of: dict[int, int] = {}
    for entry in entries:
        pid, tid = entry["pid"], entry["tid"]
        if not 0 < pid < 2**32 or not 0 <= tid < 2**32:
            yield f"{entry}: numbers of processes and rows have 32 bits, and 0 is idle"
        if entry["name"].startswith("process_"):
            continue
        if process_of.setdefault(tid, pid) != pid:
            yield f"{entry}: row {tid} is in process {process_of[tid]} already"
    if both := set(process_of) & set(process_of.values()):
        yield f"rows {both} have numbers of processes"
    named = {entry["tid"] for entry in entries if entry["name"] == "thread_name"}
    if nameless := process_of.keys() - named:
        yield f"rows {nameless} have no name"


def _of_spans(entries: list[dict]) -> Iterator[str]:
    if [entry["ts"] for entry in entries] != sorted(entry["ts"] for entry in entries):
        yield "entries are not in the order of time"
    stacks: dict[int, list[dict]] = defaultdict(list)
    for entry in entries:
        stack = stacks[entry["tid"]]
        if entry["ph"] == "B":
            if stack:
                yield f"{entry} begins within {stack[-1]}: spans of a row do not overlap"
            stack.append(entry)
        elif entry["ph"] == "E" and (not stack or stack.pop()["name"] != entry["name"]):
            yield f"{entry} ends what did not begin"
    for tid, stack in stacks.items():
        if stack:
            yield f"row {tid}: {stack[-1]} never ends"
