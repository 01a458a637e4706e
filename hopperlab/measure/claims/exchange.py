"""What recordings and the model of lanes answer to the claims about exchange between blocks."""

from collections.abc import Iterator, Sequence
from typing import Any

from hopperlab.chip import chip
from hopperlab.ledger import Recording, claim
from hopperlab.measure.audit import Row

SAME_SM = "cycles of the same SM: the H200's processor is the H100 SXM5's"
LANES, LANE_BYTES, SMS_OF_A_CPC = 4, 32, 6  # derived-007


def answers(recorded: Sequence[Recording]) -> Iterator[Row]:
    """Rows for what the experiments of this theme do not compare themselves."""
    of_cluster = chip("H100 SXM5").max_cluster_size * chip("H100 SXM5").max_shared_bytes_per_block / 1024
    yield _row("derived-011", modelled=of_cluster, no_test="the claim's own arithmetic")
    by_name = {recording.experiment: recording for recording in recorded}
    if "dsmem_bandwidth" in by_name:
        yield from _rates(by_name["dsmem_bandwidth"])
    if "dsmem_latency" in by_name:
        yield from _latencies(by_name["dsmem_latency"])
    if "exchange_round_trip" in by_name:
        yield from _round_trips(by_name["exchange_round_trip"])


def _row(id: str, **legs: Any) -> Row:
    return Row("exchange", claim(id).statement, id, **legs)


def _rates(recording: Recording) -> Iterator[Row]:
    rates = {tuple(kind): rate for *kind, rate in recording.results["rates"]}
    card = recording.card_name
    yield _row(
        "derived-007",
        modelled=LANES * LANE_BYTES / SMS_OF_A_CPC,
        measured=rates["sends", "one way", 2, False],
        card=card,
        tolerance=0.02,
        remark="measured: sends of the copy engine, one way, in a cluster of 2",
    )
    yield _row(
        "lit-102",
        measured=rates["loads", "one way", 2, False],
        card=card,
        scaling="bytes a clock of the same SM",
        quoted_tolerance=0.10,
        remark="measured: loads of 16 bytes a thread, one way, in a cluster of 2",
    )


def _latencies(recording: Recording) -> Iterator[Row]:
    found, card = recording.results, recording.card_name
    yield _row("lit-090", measured=found["16"]["remote_mean"], card=card, scaling=SAME_SM)
    yield _row(
        "lit-088",
        measured=found["2"]["own_mean"],
        card=card,
        scaling=SAME_SM,
        remark="measured with the multiply-add that makes an address of a link in it",
    )


def _round_trips(recording: Recording) -> Iterator[Row]:
    for id in ("talk-032", "lit-111.a"):
        yield _row(
            id,
            measured=recording.results["times_shorter"],
            card=recording.card_name,
            scaling="a ratio of cycles on the same SMs",
            remark="measured: a word to and fro, st.async against a flag in global memory",
        )
