"""What sheets, models and recordings answer to the claims about an SM."""

from collections.abc import Iterator, Sequence
from typing import Any

from hopperlab.chip import chip
from hopperlab.ledger import Recording, claim
from hopperlab.measure.audit import Row

HOPPER, AMPERE = chip("H100 SXM5"), chip("A100 SXM4 40GB")
KIB = 1024


def answers(recorded: Sequence[Recording]) -> Iterator[Row]:
    """Rows for the SM's size by the sheets, and for its 128 lanes as an SM was measured."""
    l1 = HOPPER.l1_bytes_per_sm
    yield _row("talk-012.a", modelled=l1 / KIB)
    yield _row("talk-012.b", modelled=100 * (l1 / AMPERE.l1_bytes_per_sm - 1))
    yield _row("talk-008", modelled=HOPPER.fp32_lanes_per_sm / AMPERE.fp32_lanes_per_sm)
    yield _row("lit-157.a", modelled=4 * HOPPER.registers_per_sm / KIB)
    yield _row("article-037.a", modelled=HOPPER.max_warps_per_sm)
    for recording in recorded:
        if recording.experiment == "instruction_rates":
            yield _lanes(recording)


def _lanes(recording: Recording) -> Row:
    from hopperlab.measure.throughput.rates import row_of

    return _row(
        "lit-157.b",
        modelled=HOPPER.fp32_lanes_per_sm,
        measured=row_of(recording, "fp32 fma")["results_per_clock_per_sm"],
        card=recording.card_name,
        scaling="results a clock of one SM, and it is the same SM",
        tolerance=0.05,
    )


def _row(id: str, **legs: Any) -> Row:
    source = claim(id)
    return Row("sm", f"{source.statement}, {source.device}", id, **legs)
