"""What the pipes' model and the recordings answer to the claims about DPX."""

from collections.abc import Iterator, Sequence
from typing import Any

from hopperlab.ledger import Recording, claim
from hopperlab.measure.audit import Row
from hopperlab.models.dpx import results_per_clock

ONE_FUSED = ("VIADDMNMX",)


def answers(recorded: Sequence[Recording]) -> Iterator[Row]:
    """Rows for what the experiments of this theme do not compare themselves."""
    by_name = {recording.experiment: recording for recording in recorded}
    ceiling = results_per_clock(ONE_FUSED)
    if "dpx_rates" in by_name:
        recording = by_name["dpx_rates"]
        fused = [rate for _, how, _, rate in recording.results["functions"] if how == "fused"]
        yield _row(
            "recalled-011",
            modelled=ceiling,
            measured=max(fused),
            card=recording.card_name,
            tolerance=0.05,
            scaling="results a clock of the same SM",
            remark="measured: the fastest of all forms",
        )
    remark = "more than the pipe has lanes: the loop had been removed"
    yield _row("lit-147.a", modelled=ceiling, remark=remark)
    if "dpx_programs" in by_name:
        recording = by_name["dpx_programs"]
        gains = recording.results["times_faster_with_dpx"]["Smith-Waterman"]
        yield _row(
            "lit-148",
            measured=max(gains.values()),
            card=recording.card_name,
            scaling="a ratio",
            remark="measured: with DPX over without, on one card; quoted: one card over another",
        )


def _row(id: str, **legs: Any) -> Row:
    source = claim(id)
    return Row("dpx", f"{source.statement}, {source.device}", id, **legs)
