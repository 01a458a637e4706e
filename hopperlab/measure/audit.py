"""The audit: quoted, modelled and measured side by side, theme by theme, with a verdict where one is due.

A row whose claim is about another card than the one that was measured gets no verdict: both numbers are
shown, as "other card", unless the row states how the number carries over. What a source says may well be
wrong: a difference from it is a finding ("differs"). That a model misses what a card does, by more than the
experiment allows, is a failure ("missed"), and so is a theme with nothing to compare, unless there is a
reason for each of its claims: see ``hopperlab.measure.untested``. A row to which the model was fitted is
shown, and is "no test". Claims that have no number are in ``hopperlab.measure.statements``.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hopperlab.ledger import THEMES, Recording, claims, recordings
from hopperlab.measure.rows import VERDICTS, Comparison, Row
from hopperlab.measure.statements import Statement, statements

if TYPE_CHECKING:
    from hopperlab.measure.experiment import Experiment


AUDITED = (*THEMES, "timing")
"""What an audit goes through: the themes that own claims, and the tool's own times."""


@dataclass(frozen=True)
class ThemeReport:
    """The audit of one theme.

    Attributes
    ----------
    theme
        Its name.
    rows
        Its quantities with two legs or three.
    comparisons
        What its experiments say, a comparison a card.
    unmeasured
        Experiments of which there is no recording.
    edited
        Recordings whose results are not what their own samples give.
    statements
        What is found of its claims that have no number.
    """

    theme: str
    rows: tuple[Row, ...]
    comparisons: tuple[Comparison, ...]
    unmeasured: tuple[str, ...] = ()
    edited: tuple[str, ...] = ()
    statements: tuple[Statement, ...] = ()

    @property
    def failures(self) -> tuple[str, ...]:
        """Why the theme fails the audit, a sentence each; empty where it does not."""
        found = [
            f"{self.theme}: {c.experiment} on {c.card}: {c.mismatches} of {c.compared} miss the model"
            for c in self.comparisons
            if c.mismatches
        ]
        counted = {row for c in self.comparisons if c.mismatches for row in c.rows}
        found += [
            f"{self.theme}: {row.subject}: missed by {row.error:+.1%}"
            for row in self.rows
            if row.missed and row not in counted
        ]
        found += [f"{self.theme}: {name}: its results are not what its samples give" for name in self.edited]
        excused = not self.rows and not self.cited_only
        if all(row.no_test for row in self.rows) and not excused:
            found.append(f"{self.theme}: no row that tests anything has two of quoted, modelled and measured")
        return tuple(found)

    @property
    def verdicts(self) -> dict[str, int]:
        """How many rows have which verdict."""
        names = [row.verdict for row in self.rows]
        return {name: names.count(name) for name in VERDICTS}

    @property
    def untested(self) -> dict[str, tuple[str, ...]]:
        """Why some claims with a number cannot be tested here, a sentence each, and their ids."""
        from hopperlab.measure.untested import reasons

        return reasons(self._not_compared)

    @property
    def cited_only(self) -> int:
        """Claims with a number that nothing is held against, though nothing is said to be in the way."""
        return len(self._not_compared) - sum(map(len, self.untested.values()))

    @property
    def _not_compared(self) -> set[str]:
        compared = {row.claim for row in self.rows}
        own = claims(self.theme) if self.theme in THEMES else ()
        return {row.id for row in own if row.is_numeric and row.id not in compared}


@dataclass(frozen=True)
class Report:
    """The audit of some themes; ``hopperlab.measure.audit_text.as_text`` writes it out."""

    themes: tuple[ThemeReport, ...]

    @property
    def failures(self) -> tuple[str, ...]:
        """Why the audit fails, a sentence each; empty where it passes."""
        return tuple(failure for theme in self.themes for failure in theme.failures)


def audit(themes: Sequence[str] = (), *, directory: str | Path | None = None) -> Report:
    """Hold models and recordings against the claims of some themes, or of all.

    Parameters
    ----------
    themes
        Names of themes; all if there are none.
    directory
        A folder with recordings of one's own: see ``hopperlab.ledger.recordings``.

    Raises
    ------
    ValueError
        For a name that is no theme.
    RecordingError
        For a recording that cannot be believed.
    """
    unknown = [name for name in themes if name not in AUDITED]
    if unknown:
        raise ValueError(f"themes: {unknown[0]!r} is no theme; there are {', '.join(AUDITED)}")
    recorded = recordings(directory=directory)
    return Report(tuple(_audit_theme(theme, recorded) for theme in dict.fromkeys(themes or AUDITED)))


def _audit_theme(theme: str, recorded: Sequence[Recording]) -> ThemeReport:
    from hopperlab.measure.claims import answers
    from hopperlab.measure.experiment import experiments

    comparisons, unmeasured, edited = [], [], []
    for experiment in experiments().values():
        if experiment.theme != theme:
            continue
        own = [one for one in recorded if one.experiment == experiment.name]
        comparisons += [experiment.compare(of_card) for of_card in _by_card(own)]
        unmeasured += [] if own else [experiment.name]
        edited += [f"{one.experiment} of {one.card.slug}" for one in own if not _derived(experiment, one)]
    rows = [*answers(theme, recorded), *(row for one in comparisons for row in one.rows)]
    with_two_legs = tuple(row for row in rows if row.legs >= 2)
    found = statements(theme, recorded)
    return ThemeReport(theme, with_two_legs, tuple(comparisons), tuple(unmeasured), tuple(edited), found)


def _derived(experiment: "Experiment", recording: Recording) -> bool:
    """Whether the recorded results are what the experiment makes of the recorded samples."""
    derived = json.loads(json.dumps(experiment.results(recording.samples)))
    return _without_sentences(derived) == _without_sentences(recording.results)


def _without_sentences(value: Any) -> Any:
    """The same with every sentence emptied: what is said of a result may be said better since, no more."""
    if isinstance(value, dict):
        return {name: _without_sentences(item) for name, item in value.items()}
    if isinstance(value, list):
        return [_without_sentences(item) for item in value]
    return "" if isinstance(value, str) and value.endswith(".") else value


def _by_card(recorded: Iterable[Recording]) -> Iterator[list[Recording]]:
    """The recordings of each card: no number of one is ever held against another's."""
    cards: dict[str, list[Recording]] = {}
    for one in recorded:
        cards.setdefault(one.card.slug, []).append(one)
    yield from cards.values()


__all__ = ["VERDICTS", "Comparison", "Report", "Row", "ThemeReport", "audit"]
