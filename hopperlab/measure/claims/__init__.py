"""What our models and recordings answer to the claims: a module a theme, each with ``answers``."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hopperlab.ledger import Recording
    from hopperlab.measure.audit import Row


def answers(theme: str, recorded: Sequence["Recording"]) -> tuple["Row", ...]:
    """The rows of a theme's claims, from its module here; none where there is no such module.

    A module ``hopperlab.measure.claims.<theme>`` has ``answers(recorded)``, which gives a row for each
    claim that a model or a recording can answer.
    """
    name = f"{__name__}.{theme}"
    return tuple(import_module(name).answers(recorded)) if find_spec(name) else ()


def rows_by_experiment(
    recorded: Iterable["Recording"], parts: Mapping[str, Callable[["Recording"], Iterable["Row"]]]
) -> Iterator["Row"]:
    """The rows that the part of its experiment, if there is one, makes of each recording."""
    for recording in recorded:
        if recording.experiment in parts:
            yield from parts[recording.experiment](recording)
