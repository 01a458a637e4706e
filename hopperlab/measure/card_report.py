"""What is to be said of one card: every experiment that was recorded on it, with its comparisons."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from hopperlab.ledger import Recording, recordings
from hopperlab.measure.experiment import Experiment, experiments
from hopperlab.measure.peers import TOPICS, Peer, peers
from hopperlab.measure.rows import Row


@dataclass(frozen=True)
class Line:
    """One quantity: its subject with its unit, up to three numbers, and a verdict."""

    subject: str
    quoted: float | None
    modelled: float | None
    measured: float | None
    verdict: str
    remark: str = ""


@dataclass(frozen=True)
class Section:
    """One experiment: its question, when and how it was measured, its quantities, and sentences that belong to it."""

    title: str
    question: str
    provenance: str
    lines: tuple[Line, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class CardReport:
    """Everything on the page.

    Attributes
    ----------
    card
        The card's name.
    facts
        What is known of it, by name.
    sections
        One for each experiment.
    unmeasured
        Questions that were not put to this card.
    """

    card: str
    facts: dict[str, str]
    sections: tuple[Section, ...]
    unmeasured: tuple[str, ...] = field(default=())


def cards(directory: str | Path | None = None) -> tuple[str, ...]:
    """The names of all cards that were recorded, in alphabetical order."""
    return tuple(sorted({one.card_name for one in recordings(directory=directory)}))


def card_report(
    card: str | None = None,
    directory: str | Path | None = None,
    told: Callable[[str, int, int], None] = lambda name, number, of: None,
) -> CardReport:
    """Gather the report of a card.

    Parameters
    ----------
    card
        Its name, as `cards` gives it; where there is one card only it may be left out.
    directory
        A folder with recordings of one's own: see ``hopperlab.ledger.recordings``.
    told
        Called with each experiment's name, its number from 1, and how many there are: comparing takes a minute.

    Raises
    ------
    ValueError
        If no card, or no such card, was recorded, or several were and none is named.
    """
    known = cards(directory)
    name = _chosen(card, known)
    own = [one for one in recordings(directory=directory) if one.card_name == name]
    by_name = {
        experiment: [one for one in own if one.experiment == experiment] for experiment in experiments()
    }
    measured = [name for name, of in by_name.items() if of]
    sections = []
    for number, experiment in enumerate(measured, 1):
        told(experiment, number, len(measured))
        sections.append(_section(experiments()[experiment], by_name[experiment]))
    sections += _beside_peers(own)
    unmeasured = [experiments()[name].question for name, of in by_name.items() if not of]
    return CardReport(name, _facts(own), tuple(sections), tuple(unmeasured))


def _chosen(card: str | None, known: Sequence[str]) -> str:
    if not known:
        raise ValueError("no card was recorded yet; on a card, `hopperlab measure` does")
    if card is None and len(known) == 1:
        return known[0]
    if card not in known:
        raise ValueError(f"card={card!r} must be one of {', '.join(known)}")
    return card


def _facts(own: Sequence[Recording]) -> dict[str, str]:
    newest = max(own, key=lambda one: one.date)
    days = sorted({f"{one.date:%Y-%m-%d}" for one in own})
    return {
        "card": newest.card.name,
        "compute capability": ".".join(map(str, newest.card.compute_capability)),
        "SMs": str(newest.card.sms),
        "L2": f"{newest.card.l2_bytes / 2**20:g} MiB",
        "memory": f"{newest.card.memory_bytes / 2**30:.1f} GiB",
        "driver": newest.software["driver"],
        "CUDA": newest.software["cuda"],
        "measured": days[0] if len(days) == 1 else f"{days[0]} to {days[-1]}",
        "experiments": str(len({one.experiment for one in own})),
    }


def _section(experiment: Experiment, own: Sequence[Recording]) -> Section:
    found = experiment.compare(own)
    newest = max(own, key=lambda one: one.date)
    counted = (
        f"{found.compared:,} compared with the model, {found.mismatches:,} mismatches."
        if found.compared
        else ""
    )
    notes = [*found.notes, counted, f"Statistic: {experiment.statistic}."]
    lines = tuple(_line(row) for row in found.rows)
    provenance = f"Measured on {newest.provenance}."
    return Section(experiment.name, experiment.question, provenance, lines, tuple(filter(None, notes)))


def _beside_peers(own: Sequence[Recording]) -> Iterator[Section]:
    """A section for each topic in which public suites have measured what was recorded here."""
    for topic in TOPICS:
        lines = tuple(_peer_line(one) for one in peers(topic, own))
        if lines:
            yield Section(
                f"{topic} beside public suites",
                "What do other people's programs measure, on this card or on others, and why does it differ?",
                "Quoted: each claim's own source. Measured: the recordings above.",
                lines,
            )


def _peer_line(one: Peer) -> Line:
    source = one.source
    span = f", quoted {source.quoted}" if source.number is None else ""
    subject = f"{one.suite}, {source.device}: {one.what}{span} ({source.unit}) [{one.claim}]"
    difference = f"{one.difference:+.1%}" if one.difference else "no difference"
    return Line(subject, source.number, None, one.ours, difference, f"{one.why}.")


def _line(row: Row) -> Line:
    subject = f"{row.subject} ({row.unit})" if row.unit else row.subject
    named = f"{subject} [{row.claim}]" if row.claim else subject
    return Line(named, row.quoted, row.modelled, row.measured, row.verdict, row.remark)
