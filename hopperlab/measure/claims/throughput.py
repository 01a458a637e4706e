"""What recordings of instruction rates answer to the claims about them."""

from collections.abc import Iterator, Sequence
from typing import Any

from hopperlab.chip import chip
from hopperlab.ledger import Recording, claim
from hopperlab.measure.audit import Row

SAME_SM = "results a clock of one SM, and it is the same SM"
HOPPER = chip("H100 SXM5")
SUB_PARTITIONS, WARP = 4, HOPPER.threads_per_warp

# The guide's rates, and the operations that they are of
RATES = {
    "recalled-013": "fp16x2 fma",
    "recalled-014": "exp2",
    "recalled-015": "int32 count bits",
    "recalled-016": "shuffle",
    "recalled-017": "int32 add",
    "recalled-018": "int32 multiply",
    "recalled-019": "fp32 to fp64 and back",
    "recalled-020": "reduce over a warp",
}


def answers(recorded: Sequence[Recording]) -> Iterator[Row]:
    """Rows for the article's sub-partitions and for the guide's table: by lanes, and as measured."""
    a100 = SUB_PARTITIONS * WARP / chip("A100 SXM4 40GB").fp64_lanes_per_sm
    yield _row("article-033.b", modelled=a100, remark="by lanes")
    measured = [recording for recording in recorded if recording.experiment == "instruction_rates"]
    if not measured:
        yield from (_row(id, modelled=number) for id, number in _by_lanes().items())
    for recording in measured:
        yield from _rows(recording)


def _by_lanes() -> dict[str, float]:
    """The article's numbers from the lanes of the white paper."""
    fp32, fp64 = HOPPER.fp32_lanes_per_sm, HOPPER.fp64_lanes_per_sm
    return {
        "article-032.a": fp32 / SUB_PARTITIONS,
        "article-032.b": fp32 / SUB_PARTITIONS / WARP,
        "article-033.a": SUB_PARTITIONS * WARP / fp64,
        "article-034": HOPPER.int32_lanes_per_sm / fp32,
    }


def _row(id: str, **legs: Any) -> Row:
    return Row("throughput", claim(id).statement, id, **legs)


def _rows(recording: Recording) -> Iterator[Row]:
    from hopperlab.measure.throughput.rates import row_of

    def rate(operation: str) -> float:
        return row_of(recording, operation)["results_per_clock_per_sm"]

    fp32, fp64 = rate("fp32 fma"), rate("fp64 fma")
    found = {
        "article-032.a": fp32 / SUB_PARTITIONS,
        "article-032.b": fp32 / SUB_PARTITIONS / WARP,
        "article-033.a": SUB_PARTITIONS * WARP / fp64,
        "article-034": rate("int32 multiply") / fp32,
        **{id: rate(operation) for id, operation in RATES.items()},
    }
    modelled = _by_lanes()
    for id, measured in found.items():
        yield _row(
            id,
            modelled=modelled.get(id),
            measured=measured,
            card=recording.card_name,
            scaling=SAME_SM,
            tolerance=0.05 if id in modelled else None,
            quoted_tolerance=0.10,
        )
