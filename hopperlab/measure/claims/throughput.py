"""What recordings of instruction rates answer to the claims about them."""

from collections.abc import Iterator, Sequence
from typing import Any

from hopperlab.ledger import Recording, claim
from hopperlab.measure.audit import Row

SAME_SM = "results a clock of one SM, and it is the same SM"
SUB_PARTITIONS, WARP = 4, 32

# The guide's rates, and the operations that they are of
RATES = {
    "recalled-013": "fp16x2 fma",
    "recalled-014": "exp2",
    "recalled-015": "int32 count bits",
    "recalled-016": "shuffle",
    "recalled-017": "int32 add",
    "recalled-018": "int32 multiply",
    "recalled-019": "fp32 to int32 and back",
    "recalled-020": "fp32 to fp64 and back",
    "recalled-021": "reduce over a warp",
}


def answers(recorded: Sequence[Recording]) -> Iterator[Row]:
    """Rows for the article's sub-partitions and for the guide's table."""
    for recording in recorded:
        if recording.experiment == "instruction_rates":
            yield from _measured(recording)


def _row(id: str, **legs: Any) -> Row:
    return Row("throughput", claim(id).statement, id, **legs)


def _measured(recording: Recording) -> Iterator[Row]:
    from hopperlab.measure.throughput.rates import row_of

    def rate(operation: str) -> float:
        return row_of(recording, operation)["results_per_clock_per_sm"]

    card = recording.card_name
    fp32, fp64 = rate("fp32 fma"), rate("fp64 fma")
    for id, measured in (
        ("article-032.a", fp32 / SUB_PARTITIONS),
        ("article-032.b", fp32 / SUB_PARTITIONS / WARP),
        ("article-033.a", SUB_PARTITIONS * WARP / fp64),
        ("article-034", rate("int32 multiply") / fp32),
        *((id, rate(operation)) for id, operation in RATES.items()),
    ):
        yield _row(id, measured=measured, card=card, scaling=SAME_SM, quoted_tolerance=0.10)
