"""The schema of a recording, as a description that is checked field by field.

A description is a dict (every field, and no other), a list of one description (a list of such), a tuple of
descriptions (any of them), or a ``Kind`` (a predicate, and what it allows in words).
"""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, NamedTuple

SCHEMA = 1
"""The version of the schema that is written and read."""


class Kind(NamedTuple):
    """What a field may hold: a test, and the same in words."""

    holds: Callable[[Any], bool]
    allowed: str


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_whole(value: Any, least: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= least


def _is_date(value: Any) -> bool:
    try:
        return datetime.fromisoformat(value).tzinfo is not None
    except (TypeError, ValueError):
        return False


NULL = Kind(lambda value: value is None, "null")
TEXT = Kind(lambda value: isinstance(value, str) and bool(value.strip()), "a text that is not empty")
NUMBER = Kind(_is_number, "a number")
COUNT = Kind(lambda value: _is_whole(value, 1), "a whole number from 1")
INDEX = Kind(lambda value: _is_whole(value, 0), "a whole number from 0")
DATE = Kind(_is_date, "a date and time of ISO 8601 in UTC")
OBJECT = Kind(lambda value: isinstance(value, Mapping), "an object")
FILLED = Kind(
    lambda value: isinstance(value, Mapping | list) and len(value) > 0, "an object or list, not empty"
)
CAPABILITY = Kind(
    lambda value: isinstance(value, list) and len(value) == 2 and all(_is_whole(part, 0) for part in value),
    "two whole numbers",
)
VERSION = Kind(
    lambda value: _is_whole(value, SCHEMA) and value == SCHEMA,
    f"{SCHEMA}, the version that this hopperlab reads",
)

READING = {
    "sm_mhz": (NUMBER, NULL),
    "memory_mhz": (NUMBER, NULL),
    "temperature_c": (NUMBER, NULL),
    "power_w": (NUMBER, NULL),
    "throttle_reasons": ([TEXT], NULL),
}

RECORDING = {
    "schema": VERSION,
    "experiment": TEXT,
    "card": {
        "name": TEXT,
        "slug": TEXT,
        "compute_capability": CAPABILITY,
        "sms": COUNT,
        "l2_bytes": COUNT,
        "memory_bytes": COUNT,
    },
    "gpc_map": ([[INDEX]], NULL),
    "software": {
        "driver": TEXT,
        "cuda": TEXT,
        "python": TEXT,
        "numba": TEXT,
        "numba_cuda": TEXT,
        "numpy": TEXT,
        "hopperlab": TEXT,
    },
    "clocks": {"before": READING, "after": READING},
    "date": DATE,
    "parameters": OBJECT,
    "statistic": TEXT,
    "samples": FILLED,
    "results": FILLED,
}
"""What a recording holds."""


def check(document: Any) -> str | None:
    """The first thing wrong with a recording, in words; None where all is right."""
    return _problem(document, RECORDING, "")


def _problem(value: Any, description: Any, where: str) -> str | None:
    if isinstance(description, Kind):
        return None if description.holds(value) else _found(value, description.allowed, where)
    if isinstance(description, tuple):
        problems = [_problem(value, one, where) for one in description]
        return None if None in problems else problems[0]
    if isinstance(description, list):
        return _problem_in_list(value, description[0], where)
    return _problem_in_object(value, description, where)


def _problem_in_list(value: Any, description: Any, where: str) -> str | None:
    if not isinstance(value, list):
        return _found(value, "a list", where)
    problems = (_problem(item, description, f"{where}[{number}]") for number, item in enumerate(value))
    return next((problem for problem in problems if problem), None)


def _problem_in_object(value: Any, description: Mapping[str, Any], where: str) -> str | None:
    if not isinstance(value, Mapping):
        return _found(value, "an object", where)
    prefix = f"{where}." if where else ""
    for name, part in description.items():
        if name not in value:
            return f"{prefix}{name}: missing; it must be there"
        problem = _problem(value[name], part, prefix + name)
        if problem:
            return problem
    unknown = [name for name in value if name not in description]
    return f"{prefix}{unknown[0]}: unknown; there may be {', '.join(description)}" if unknown else None


def _found(value: Any, allowed: str, where: str) -> str:
    shown = repr(value)
    if len(shown) > 60:
        shown = f"{shown[:57]}..."
    return f"{where or 'the recording'}: found {shown}; it must be {allowed}"
