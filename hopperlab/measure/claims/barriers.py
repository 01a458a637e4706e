"""What the model of the transaction barrier answers to the claims about it; a card's counts are its experiments'."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from hopperlab.ledger import Recording, claim
from hopperlab.measure.audit import Row
from hopperlab.models.barriers import MAX_ARRIVALS, MAX_TX, OBJECT_BYTES, Mbarrier

OWN_LIMIT = "the model has its limit from this claim"


def answers(recorded: Sequence[Recording]) -> Iterator[Row]:
    """Rows for the claims that the model answers; limits are found by trying, one step below and beyond."""
    yield _row("lit-022", modelled=_largest(MAX_ARRIVALS, Mbarrier), no_test=OWN_LIMIT)
    yield _row("lit-023", modelled=Mbarrier(MAX_ARRIVALS).pending_arrivals, no_test=OWN_LIMIT)
    yield _row("lit-024", modelled=_largest(MAX_TX, lambda n: Mbarrier(1).expect_tx(n)), no_test=OWN_LIMIT)
    barrier = Mbarrier(2)
    barrier.arrive_expect_tx(16)
    yield _row("lit-027", modelled=2 - barrier.pending_arrivals)
    for id in ("lit-028.a", "lit-028.b"):
        yield _row(id, modelled=OBJECT_BYTES, no_test=OWN_LIMIT)


def _row(id: str, **legs: Any) -> Row:
    return Row("barriers", claim(id).statement, id, quoted_tolerance=0, **legs)


def _largest(limit: int, accept: Callable[[int], object]) -> int:
    """Give the limit if it is accepted and one more is refused; 0 otherwise."""
    accept(limit)
    try:
        accept(limit + 1)
    except ValueError:
        return limit
    return 0
