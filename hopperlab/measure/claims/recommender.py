"""What arithmetic and two equations answer to the claims about the talk's recommender.

The talk's two speed-ups are projections (lit-211). They are inverted here into a share of communication, and put
in again: that they come out is no test; that the share is plausible is.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from hopperlab.ledger import Recording, claim
from hopperlab.measure.audit import Row
from hopperlab.models.recommender import communication_speedups, gpus_needed, invert, step_speedup

INVERTED = "the model was solved for it"


def answers(recorded: Sequence[Recording]) -> Iterator[Row]:
    """Rows for the claims about recommenders."""
    tables = claim("talk-054").number * 1e12
    yield _row("derived-016.c", modelled=gpus_needed(tables, 80e9), quoted_tolerance=0)
    yield _row("derived-016.d", modelled=gpus_needed(tables, 640e9), quoted_tolerance=0)
    fabrics = communication_speedups()
    slow, fast = fabrics["H100, NDR"], fabrics["H100, NVLink Network"]
    found = invert((slow, claim("talk-055.a").number), (fast, claim("talk-055.b").number))
    yield _row("derived-016.a", modelled=100 * found.communication_share, quoted_tolerance=0.001)
    yield _row("derived-016.b", modelled=found.compute_speedup, quoted_tolerance=0.002)
    for id, fabric in (("talk-055.a", slow), ("talk-055.b", fast)):
        again = step_speedup(found.communication_share, found.compute_speedup, fabric)
        yield _row(id, modelled=again, no_test=INVERTED)


def _row(id: str, **legs: Any) -> Row:
    return Row("recommender", claim(id).statement, id, **legs)
