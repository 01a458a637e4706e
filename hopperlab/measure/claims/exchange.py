"""What recordings and the model of lanes answer to the claims about exchange between blocks."""

from collections.abc import Iterator, Sequence
from typing import Any

from hopperlab.chip import chip
from hopperlab.ledger import Recording, claim
from hopperlab.measure.audit import Row
from hopperlab.models.exchange import FLAG, all_to_all_rate, crossings, port_rate

SAME_SM = "cycles of the same SM: the H200's processor is the H100 SXM5's"
PORT_BOUND = (8, 16)
"""Blocks of the clusters for which the model of one shared port is held against a card: in smaller ones an SM
waits for latency too, which the model leaves out."""


def answers(recorded: Sequence[Recording]) -> Iterator[Row]:
    """Rows for what the experiments of this theme do not compare themselves."""
    of_cluster = chip("H100 SXM5").max_cluster_size * chip("H100 SXM5").max_shared_bytes_per_block / 1024
    yield _row("derived-011", modelled=of_cluster, no_test="the claim's own arithmetic")
    fewest, most = crossings(FLAG)
    yield _row("talk-033", modelled=(fewest + most) / 4, remark="modelled: two crossings are a round trip")
    by_name = {recording.experiment: recording for recording in recorded}
    if "dsmem_bandwidth" in by_name:
        yield from _rates(by_name["dsmem_bandwidth"])
        if "dsmem_all_to_all" in by_name:
            yield from _all_to_all(by_name["dsmem_bandwidth"], by_name["dsmem_all_to_all"])
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
        modelled=port_rate(),
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


def _all_to_all(alone: Recording, together: Recording) -> Iterator[Row]:
    """The ports are measured by one reader and by a ring; what all of a cluster get of them is modelled."""
    ports = {tuple(kind): rate for *kind, rate in alone.results["rates"]}
    one_way, both_ways = ports["loads", "one way", 16, True], ports["loads", "ring", 16, True]
    for order, width, blocks, rate in together.results["rates"]:
        in_step = order == "same order, in step"
        used = 4 if width == "4 bytes, scattered" else 32
        if blocks not in PORT_BOUND or width == "4 bytes" or not (in_step or order == "staggered"):
            continue
        if in_step and used < 32:
            continue
        yield Row(
            "exchange",
            f"all {blocks} blocks read all others, {order}, {width}",
            modelled=all_to_all_rate(blocks, in_step, one_way if in_step else both_ways, used),
            measured=rate,
            unit="B/clk/SM",
            card=together.card_name,
            tolerance=0.20,
            remark="modelled: the port, as dsmem_bandwidth measured it, shared by its readers",
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
