"""A lecturer's view: the progress of several learners, pooled."""

import csv
import io
import json
import os
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hopperlab.course.progress.export import COLUMNS
from hopperlab.course.progress.file import Entry, Lessons, load
from hopperlab.course.progress.store import store
from hopperlab.course.report import Report, Table


@dataclass(frozen=True)
class Row:
    """One entry of one learner."""

    learner: str
    theme: str
    part: str
    id: str
    entry: Entry


@dataclass(frozen=True)
class Pool:
    """The entries of several learners, and the files that could not be read, each with the reason."""

    rows: tuple[Row, ...]
    unread: tuple[tuple[str, str], ...] = ()

    @property
    def learners(self) -> tuple[str, ...]:
        """The learners, sorted."""
        return tuple(sorted({row.learner for row in self.rows}))

    def entries(self, part: str, theme: str | None = None) -> dict[tuple[str, str], list[Entry]]:
        """The entries of one part, by theme and id; of all themes, or of one."""
        found: dict[tuple[str, str], list[Entry]] = {}
        for row in sorted(self.rows, key=lambda row: (row.theme, row.id, row.learner)):
            if row.part == part and theme in (None, row.theme):
                found.setdefault((row.theme, row.id), []).append(row.entry)
        return found

    def report(self, theme: str | None = None) -> Report:
        """Three tables: predictions with the misconceptions they showed, quizzes, exercises."""
        blocks: list[str | Table] = [f"Learners: {len(self.learners)}."]
        for part, header, line in _TABLES:
            rows = [[*place, *line(entries)] for place, entries in self.entries(part, theme).items()]
            if rows:
                blocks.append(Table(["theme", part, *header], rows))
        blocks += [f"Not read: {name}. {reason}" for name, reason in self.unread]
        return Report(*blocks)

    def __repr__(self) -> str:
        """The report on all themes."""
        return self.report().text

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        return self.report()._repr_mimebundle_()


def _prediction_line(entries: list[Entry]) -> list[str]:
    committed = [entry for entry in entries if "guess" in entry]
    revealed = [entry for entry in committed if "of" in entry]
    guesses = Counter(json.dumps(entry["guess"], ensure_ascii=False) for entry in committed)
    shown = Counter(name for entry in revealed for name in entry.get("misconceptions", []))
    return [str(len(committed)), _points(revealed), _counted(guesses), _counted(shown)]


def _quiz_line(entries: list[Entry]) -> list[str]:
    return [str(len(entries)), _points([entry for entry in entries if "of" in entry])]


def _exercise_line(entries: list[Entry]) -> list[str]:
    passed = sum(1 for entry in entries if entry.get("passed"))
    tries = sum(len(entry.get("tries", [])) for entry in entries)
    hints = sum(entry.get("hints", 0) for entry in entries)
    shown = Counter(name for entry in entries for name in entry.get("misconceptions", []))
    return [str(len(entries)), str(passed), str(tries), str(hints), _counted(shown)]


_TABLES = (
    ("predictions", ["committed", "points", "guesses", "misconceptions"], _prediction_line),
    ("quizzes", ["learners", "points"], _quiz_line),
    ("exercises", ["learners", "passed", "tries", "hints", "misconceptions"], _exercise_line),
)


def _points(entries: list[Entry]) -> str:
    return f"{sum(entry['points'] for entry in entries)} of {sum(entry['of'] for entry in entries)}"


def _counted(counts: Counter) -> str:
    """The most frequent first, then by name."""
    return "; ".join(
        f"{name} x {count}" for name, count in sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    )


def read(paths: str | os.PathLike | Iterable[str | os.PathLike]) -> Pool:
    """Pool the progress of several learners.

    Parameters
    ----------
    paths
        Progress files or exports (``.json``, ``.csv``), or folders of them; one or several. A file that
        cannot be read is named in the pool and stops nothing.

    Raises
    ------
    ValueError
        If there is no file among the paths.
    """
    given = [paths] if isinstance(paths, str | os.PathLike) else list(paths)
    files = [file for path in given for file in _files(Path(path).expanduser())]
    if not files:
        raise ValueError(f"paths is {[str(path) for path in given]!r}; it must name .json or .csv files")
    rows: list[Row] = []
    unread = []
    for file, name in zip(files, _names(files), strict=True):
        try:
            rows += _read_file(file, name)
        except (OSError, ValueError, KeyError) as error:
            unread.append((name, str(error)))
    return Pool(tuple(rows), tuple(unread))


def overview() -> Pool:
    """This learner's own entries, of all lessons."""
    return Pool(tuple(_rows(store().lessons(), "")))


def _files(path: Path) -> list[Path]:
    if path.is_dir():
        return sorted(file for file in path.rglob("*") if file.suffix in (".json", ".csv"))
    return [path]


def _names(files: list[Path]) -> list[str]:
    """A name for each file: its stem, with its folder where two stems are the same."""
    stems = Counter(file.stem for file in files)
    return [file.stem if stems[file.stem] == 1 else f"{file.parent.name}/{file.stem}" for file in files]


def _read_file(file: Path, name: str) -> list[Row]:
    if file.suffix == ".csv":
        return [_row_of_csv(line, name) for line in csv.DictReader(io.StringIO(file.read_text("utf-8")))]
    content = load(file)
    return _rows(content["lessons"], content.get("learner") or name)


def _rows(lessons: Lessons, learner: str) -> list[Row]:
    return [
        Row(learner, theme, part, key, entry)
        for theme, parts in lessons.items()
        for part, entries in parts.items()
        for key, entry in entries.items()
    ]


def _row_of_csv(line: dict[str, str], name: str) -> Row:
    learner, theme, part, key = (line[column] for column in COLUMNS)
    entry = {field: json.loads(cell) for field, cell in line.items() if field not in COLUMNS and cell}
    return Row(learner or name, theme, part, key, entry)
