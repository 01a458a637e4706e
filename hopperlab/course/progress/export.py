"""Exporting progress: the same entries as JSON or CSV, for a learner to hand in."""

import csv
import io
import json
import os
from pathlib import Path
from typing import Any

from hopperlab.course.progress.file import Lessons, dump, write
from hopperlab.course.progress.store import store

COLUMNS = ("learner", "theme", "part", "id")


def export(path: str | os.PathLike, learner: str = "") -> Path:
    """Write this process's progress to a file, as JSON or CSV by its suffix; returns the path.

    Parameters
    ----------
    path
        A file ending in ``.json`` or ``.csv``; one that is there is replaced.
    learner
        A name or number under which a lecturer finds the entries; the file's name serves if it is empty.

    Raises
    ------
    ValueError
        If the suffix is another one.
    OSError
        If the file cannot be written.
    """
    target = Path(path).expanduser()
    writers = {".json": dump, ".csv": _as_csv}
    if target.suffix not in writers:
        raise ValueError(f"path is {str(path)!r}; it must end in .json or .csv")
    write(target, writers[target.suffix](store().lessons(), learner))
    return target


def _as_csv(lessons: Lessons, learner: str) -> str:
    """One row an entry; the columns after the id are the entry's fields, each value as JSON."""
    rows = [
        ((learner, theme, part, key), entry)
        for theme, parts in sorted(lessons.items())
        for part, entries in sorted(parts.items())
        for key, entry in sorted(entries.items())
    ]
    fields = sorted({field for _, entry in rows for field in entry})
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow([*COLUMNS, *fields])
    for place, entry in rows:
        table.writerow([*place, *(_cell(entry, field) for field in fields)])
    return text.getvalue()


def _cell(entry: dict[str, Any], field: str) -> str:
    return json.dumps(entry[field], sort_keys=True, ensure_ascii=False) if field in entry else ""
