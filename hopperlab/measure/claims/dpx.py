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
        yield from _apart(recording)
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


def _apart(recording: Recording) -> Iterator[Row]:
    """What an A100 makes of several instructions, beside the same spelled out on the card at hand."""
    apart = {name: found for name, how, *found in recording.results["functions"] if how == "apart"}
    remark = "measured: spelled out without DPX, as an A100 has to"
    for name, latency_id, rate_id in (
        ("viaddmax_s16x2_relu", "lit-142.b", "lit-143.b"),
        ("viaddmax_s32", "lit-144.b", "lit-144.d"),
    ):
        latency, rate = apart[name]
        yield _row(latency_id, measured=latency, card=recording.card_name, remark=remark)
        yield _row(rate_id, measured=rate, card=recording.card_name, remark=remark)
    fused = next(rate for name, _, _, rate in recording.results["functions"] if name == "vimax3_s32_relu")
    yield _row("lit-145.b", measured=fused, card=recording.card_name, remark="measured: with DPX")


def _row(id: str, **legs: Any) -> Row:
    source = claim(id)
    return Row("dpx", f"{source.statement}, {source.device}", id, **legs)
