"""Where the entries of a learner live: memory first, and a file where one is named.

An entry belongs to a theme, a part ("predictions", "quizzes", "exercises") and an id. It changes only through
a function of the entry, run under the file's lock on what the file holds at that moment. So two notebooks can
write at once; and a change that could not be written is kept, and tried again with the next one.
"""

import copy
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from hopperlab.course.progress.file import (
    DamagedError,
    Entry,
    Lessons,
    NewerError,
    dump,
    load,
    set_aside,
    write,
)
from hopperlab.course.progress.lock import locked

VARIABLE = "HOPPERLAB_PROGRESS"


class _Change(NamedTuple):
    theme: str
    part: str
    key: str
    function: Callable[[Entry], Entry]

    def apply(self, lessons: Lessons) -> None:
        entries = lessons.setdefault(self.theme, {}).setdefault(self.part, {})
        entries[self.key] = self.function(copy.deepcopy(entries.get(self.key, {})))


class Store:
    """The progress of one learner.

    Parameters
    ----------
    path
        The JSON file to keep it in; None keeps it in memory only.
    """

    def __init__(self, path: str | os.PathLike | None = None) -> None:
        self.path = Path(path).expanduser().resolve() if path else None
        self._saved: Lessons = {}
        self._unsaved: list[_Change] = []
        self._notices: list[str] = []
        self._told: set[str] = set()

    def lessons(self) -> Lessons:
        """All entries by theme, part and id: what the file holds now, and what could not be written to it."""
        self._refresh()
        lessons = copy.deepcopy(self._saved)
        for change in self._unsaved:
            change.apply(lessons)
        return lessons

    def entry(self, theme: str, part: str, key: str) -> Entry:
        """One entry; empty if there is none yet."""
        return self.lessons().get(theme, {}).get(part, {}).get(key, {})

    def update(self, theme: str, part: str, key: str, function: Callable[[Entry], Entry]) -> Entry:
        """Change one entry by a function of it, and write the file; returns the entry as it is now."""
        change = _Change(theme, part, key, function)
        if self.path is None:
            change.apply(self._saved)
        else:
            self._unsaved.append(change)
            with self._going_on_in_memory():
                self._exchange()
        return self.entry(theme, part, key)

    def where(self) -> str:
        """One sentence on where the progress is kept."""
        if self.path is None:
            return "Progress is kept in memory, until the kernel stops."
        if self._unsaved:
            return f"Progress is kept in memory; {self.path} could not be written."
        return f"Progress is kept in {self.path}."

    def take_notice(self) -> str:
        """What went wrong with the file since the last call; each message is given once."""
        notice = " ".join(self._notices)
        self._notices.clear()
        return notice

    def _tell(self, message: str) -> None:
        if message not in self._told:
            self._told.add(message)
            self._notices.append(message)

    @contextmanager
    def _going_on_in_memory(self) -> Iterator[None]:
        """Turn a file that cannot be used into a message."""
        try:
            yield
        except OSError as error:
            why = error.strerror or error
            self._tell(
                f"The progress file {self.path} cannot be used: {why}. Progress is kept in memory for now."
            )
        except NewerError as error:
            self._tell(f"{error} Progress is kept in memory for now.")

    def _refresh(self) -> None:
        """Take in what other notebooks wrote."""
        if self.path is None:
            return
        with self._going_on_in_memory():
            try:
                self._saved = load(self.path)["lessons"]
            except FileNotFoundError:
                return
            except DamagedError:
                self._exchange()

    def _exchange(self) -> None:
        """Under the lock: read what the file holds, apply the unsaved changes, write the whole."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with locked(self.path):
            lessons = self._held()
            for change in self._unsaved:
                change.apply(lessons)
            write(self.path, dump(lessons))
        self._saved = lessons
        self._unsaved.clear()

    def _held(self) -> Lessons:
        """The lessons in the file, or the last known if it is gone, or damaged and now set aside."""
        try:
            return load(self.path)["lessons"]
        except FileNotFoundError:
            pass
        except DamagedError as error:
            aside = set_aside(self.path)
            self._tell(f"The progress file {self.path} was damaged ({error}). It is kept as {aside.name}.")
        return copy.deepcopy(self._saved)


_current: Store | None = None


def store() -> Store:
    """The store of this process; the file is named by ``HOPPERLAB_PROGRESS`` when first asked."""
    if _current is None:
        use(Store(os.environ.get(VARIABLE) or None))
    return _current


def use(new: Store | None) -> None:
    """Make a store the one of this process; None lets the environment decide again."""
    global _current
    _current = new


def now() -> str:
    """The time, UTC, to the second; kept in entries and never shown in a cell."""
    return datetime.now(UTC).isoformat(timespec="seconds")
