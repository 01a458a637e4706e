"""What the hand-off of a word answers to the claims about an A100: the same on the card at hand."""

from collections.abc import Iterator, Sequence

from hopperlab.ledger import Recording, claim
from hopperlab.measure.audit import Row

OF_AN_A100 = {"article-021.b": "shared, two threads of a warp", "article-022.b": "global"}
"""By claim, where the word lay; what is quoted of an H100 the experiment itself compares."""


def answers(recorded: Sequence[Recording]) -> Iterator[Row]:
    """Rows for the hand-offs of an A100."""
    for recording in recorded:
        if recording.experiment != "hand_off":
            continue
        for id, place in OF_AN_A100.items():
            yield Row(
                "atomics",
                f"{claim(id).statement}, one way",
                id,
                measured=recording.results["hand_off_ns"][place],
                card=recording.card_name,
                remark=f"{place}, at {recording.results['clock_mhz']:.0f} MHz",
            )
