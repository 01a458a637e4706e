"""Recordings: what an experiment measured on a card, with all that is needed to believe it."""

import json
import math
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, NoReturn

from hopperlab.chip import Chip, chip_of_card
from hopperlab.ledger.schema import check

FOLDER_VARIABLE = "HOPPERLAB_RECORDINGS"
"""The environment variable that names a folder with recordings of one's own."""


class RecordingError(ValueError):
    """A recording that cannot be believed: the message names file, field, what was found and what may be."""


@dataclass(frozen=True)
class RecordedCard:
    """The card that was measured, as its driver described it: see ``Recording.chip`` for its sheet."""

    name: str
    slug: str
    compute_capability: tuple[int, int]
    sms: int
    l2_bytes: int
    memory_bytes: int


@dataclass(frozen=True)
class Recording:
    """What one experiment measured on one card.

    Attributes
    ----------
    experiment
        The experiment's name.
    card
        The card.
    gpc_map
        SM ids by GPC as far as clusters proved it, or None.
    software
        Versions: driver, cuda, python, numba, numba_cuda, numpy, hopperlab.
    clocks
        ``before`` and ``after``: sm_mhz, memory_mhz, temperature_c, power_w, throttle_reasons; None where
        the driver does not tell.
    date
        When, in UTC.
    parameters, statistic
        What was varied and kept, and how the results are made of the samples, in words.
    samples, results
        What was measured, raw, and what the experiment makes of it.
    """

    experiment: str
    card: RecordedCard
    gpc_map: tuple[tuple[int, ...], ...] | None
    software: Mapping[str, str]
    clocks: Mapping[str, Mapping[str, Any]]
    date: datetime
    parameters: Mapping[str, Any]
    statistic: str
    samples: Any
    results: Any

    @property
    def chip(self) -> Chip | None:
        """The sheet of the card's chip; None where there is none."""
        return chip_of_card(self.card.name)

    @property
    def card_name(self) -> str:
        """What to call the card: its chip's name, or the driver's where there is no sheet."""
        return self.chip.name if self.chip else self.card.name

    @property
    def provenance(self) -> str:
        """Card, driver, CUDA and day in one line, to stand under a figure."""
        driver, cuda = self.software["driver"], self.software["cuda"]
        return f"{self.card.name}, driver {driver}, CUDA {cuda}, {self.date:%Y-%m-%d}"


def validate_recording(document: Mapping[str, Any]) -> None:
    """Refuse what is no recording of schema 1, before it is written or after it is read.

    Raises
    ------
    RecordingError
        Naming the first field that is wrong, what was found there and what may be.
    """
    _refuse_not_finite(document, "")
    problem = check(document)
    if problem:
        raise RecordingError(problem)
    if not datetime.fromisoformat(document["date"]).utcoffset() == timedelta(0):
        raise RecordingError(
            f"date: found {document['date']!r}; it must be in UTC, as 2026-01-31T12:00:00+00:00"
        )
    _refuse_impossible_map(document["gpc_map"] or [], document["card"]["sms"])


def load_recording(path: str | Path | Traversable) -> Recording:
    """Read and validate one recording; the file is never changed.

    Its name must be its experiment's and its folder's name its card's: ``<card-slug>/<experiment>.json``.

    Raises
    ------
    RecordingError
        If the file cannot be read, is damaged, of another schema, incomplete, or not what its name says.
    """
    file = Path(path) if isinstance(path, str) else path
    document = _document(file)
    try:
        validate_recording(document)
    except RecordingError as error:
        raise RecordingError(f"{file}: {error}") from None
    _refuse_other_name(file, "experiment", document["experiment"], file.name.removesuffix(".json"))
    if isinstance(file, Path):
        _refuse_other_name(file, "card.slug", document["card"]["slug"], file.absolute().parent.name)
    return _recording_from(document)


def recordings(
    experiment: str | None = None, card: str | None = None, *, directory: str | Path | None = None
) -> tuple[Recording, ...]:
    """The recordings shipped with the package, then those of a folder of one's own.

    Parameters
    ----------
    experiment
        Only those of this experiment.
    card
        Only those of this card: a chip's name, the driver's name of the card, or the name of its folder.
    directory
        The folder of one's own, as ``hopperlab measure --into`` fills it; by default the one that the
        environment variable ``HOPPERLAB_RECORDINGS`` names, if any.

    Raises
    ------
    RecordingError
        If a recording is damaged, or the folder of one's own is missing.
    """
    found = [
        load_recording(file)
        for folder in _folders(directory)
        for file in _files(folder)
        if experiment in (None, file.name.removesuffix(".json"))
    ]
    return tuple(one for one in found if card in (None, one.card_name, one.card.name, one.card.slug))


def _folders(directory: str | Path | None) -> Iterator[Traversable]:
    yield files("hopperlab") / "data" / "recordings"
    own = directory or os.environ.get(FOLDER_VARIABLE)
    if not own:
        return
    if not Path(own).is_dir():
        named = "directory" if directory else FOLDER_VARIABLE
        raise RecordingError(f"{named}={str(own)!r} is no folder; `hopperlab measure --into DIR` makes one")
    yield Path(own)


def _files(folder: Traversable) -> list[Traversable]:
    """Every ``<card-slug>/<experiment>.json`` below a folder, in order of name."""
    if not folder.is_dir():
        return []
    cards = sorted((item for item in folder.iterdir() if item.is_dir()), key=lambda item: item.name)
    return [
        file
        for card in cards
        for file in sorted(card.iterdir(), key=lambda item: item.name)
        if file.name.endswith(".json")
    ]


def _document(file: Path | Traversable) -> Any:
    try:
        text = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not UTF-8 text"
        raise RecordingError(f"{file}: cannot be read: {reason}") from None
    try:
        return json.loads(text, object_pairs_hook=_refuse_repeated, parse_constant=_refuse_constant)
    except RecordingError as error:
        raise RecordingError(f"{file}: {error}") from None
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise RecordingError(
            f"{file}: damaged JSON in {place}: {error.msg}; the file is left as is"
        ) from None


def _refuse_repeated(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    names = [name for name, _ in pairs]
    repeated = [name for name in names if names.count(name) > 1]
    if repeated:
        raise RecordingError(f"{repeated[0]}: found twice in one object; each field may be there once")
    return dict(pairs)


def _refuse_constant(constant: str) -> NoReturn:
    raise RecordingError(f"found {constant}; every number must be finite")


def _refuse_not_finite(value: Any, where: str) -> None:
    if isinstance(value, float) and not math.isfinite(value):
        raise RecordingError(f"{where.lstrip('.')}: found {value}; every number must be finite")
    if isinstance(value, Mapping):
        for name, item in value.items():
            _refuse_not_finite(item, f"{where}.{name}")
    elif isinstance(value, list | tuple):
        for number, item in enumerate(value):
            _refuse_not_finite(item, f"{where}[{number}]")


def _refuse_impossible_map(groups: list[list[int]], sms: int) -> None:
    seen: set[int] = set()
    for number, group in enumerate(groups):
        for sm in group:
            if sm in seen or sm >= sms:
                raise RecordingError(f"gpc_map[{number}]: found SM {sm}; each of 0 to {sms - 1} once at most")
            seen.add(sm)


def _refuse_other_name(file: Path | Traversable, field: str, found: str, expected: str) -> None:
    if found != expected:
        raise RecordingError(f"{file}: {field}: found {found!r}; where the file lies it must be {expected!r}")


def _recording_from(document: Mapping[str, Any]) -> Recording:
    card = document["card"]
    groups = document["gpc_map"]
    return Recording(
        experiment=document["experiment"],
        card=RecordedCard(**card | {"compute_capability": tuple(card["compute_capability"])}),
        gpc_map=None if groups is None else tuple(map(tuple, groups)),
        software=document["software"],
        clocks=document["clocks"],
        date=datetime.fromisoformat(document["date"]),
        parameters=document["parameters"],
        statistic=document["statistic"],
        samples=document["samples"],
        results=document["results"],
    )
