"""The progress file: one JSON object, ``{"schema": 1, "lessons": {theme: {part: {id: entry}}}}``."""

import json
import os
import tempfile
from pathlib import Path
from typing import Any

SCHEMA = 1
Entry = dict[str, Any]
Lessons = dict[str, dict[str, dict[str, Entry]]]


class DamagedError(ValueError):
    """The file is not a progress file; the message says why."""


class NewerError(ValueError):
    """The file was written by a newer hopperlab; the message says so."""


def load(path: Path) -> dict[str, Any]:
    """The content of a progress file, its shape checked.

    Raises
    ------
    FileNotFoundError
        If there is no such file.
    OSError
        If it cannot be read.
    DamagedError, NewerError
        If it is no progress file, or a later version's.
    """
    try:
        content = json.loads(path.read_bytes())
    except ValueError as error:
        raise DamagedError(f"it is not JSON: {error}") from None
    if not isinstance(content, dict) or type(content.get("schema")) is not int:
        raise DamagedError("it has no schema version")
    if content["schema"] > SCHEMA:
        raise NewerError(
            f"The progress file {path} has schema version {content['schema']}, and this hopperlab reads "
            f"version {SCHEMA}; the file is left untouched. Update hopperlab to use it."
        )
    if content["schema"] < 1 or not _has_lessons(content):
        raise DamagedError("its lessons are not theme, part, id, entry")
    return content


def _has_lessons(content: dict[str, Any]) -> bool:
    level = [content.get("lessons")]
    for _ in ("lessons", "themes", "parts", "entries"):
        if not all(isinstance(item, dict) for item in level):
            return False
        level = [value for item in level for value in item.values()]
    return True


def dump(lessons: Lessons, learner: str = "") -> str:
    """The text of a progress file; ``learner`` is a name to tell several files apart."""
    content: dict[str, Any] = {"schema": SCHEMA, "lessons": lessons}
    if learner:
        content["learner"] = learner
    return json.dumps(content, indent=1, sort_keys=True, ensure_ascii=False) + "\n"


def set_aside(path: Path) -> Path:
    """Rename a damaged file to a free name beside it; returns the new path."""
    number = 1
    while (aside := path.with_name(f"{path.name}.damaged-{number}")).exists():
        number += 1
    os.rename(path, aside)
    return aside


def write(path: Path, text: str) -> None:
    """Replace a file's text, all or nothing: a temporary file beside it, then a rename."""
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=path.name, suffix=".tmp")
    try:
        with open(handle, "w", encoding="utf-8", newline="") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(temporary, _permissions(path))
        os.replace(temporary, path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def _permissions(path: Path) -> int:
    """The old file's permissions, or those that a plain ``open`` would give a new one."""
    if path.exists():
        return path.stat().st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
