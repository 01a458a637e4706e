"""The table that sets public suites beside our recordings, for any lesson."""

from hopperlab.course.report import Report, Table
from hopperlab.ledger import recordings
from hopperlab.measure.peers import Peer, experiments_of, peers


def beside_peers(topic: str, card: str) -> Report:
    """Each quantity by a public suite's program and by ours, and below the table why they differ.

    Parameters
    ----------
    topic
        One of ``hopperlab.measure.peers.TOPICS``.
    card
        The card whose recordings are ours.

    Raises
    ------
    ValueError
        For another topic.
    """
    recorded = [one for experiment in experiments_of(topic) for one in recordings(experiment, card)]
    found = peers(topic, recorded)
    reasons = list(dict.fromkeys(one.why for one in found))
    heads = ["suite", "claim", "what", "its card", "quoted", f"measured, {card}", "difference", "because"]
    rows = [_row(one, reasons.index(one.why) + 1) for one in found]
    return Report(Table(heads, rows), *(f"({number}) {why}." for number, why in enumerate(reasons, 1)))


def _row(one: Peer, reason: int) -> list[str]:
    source = one.source
    return [
        one.suite,
        one.claim,
        one.what,
        source.device,
        f"{source.quoted} {source.unit}",
        f"{one.ours:.4g}" if one.ours < 1000 else f"{one.ours:.0f}",
        f"{one.difference:+.1%}" if one.difference else "none",
        f"({reason})",
    ]
