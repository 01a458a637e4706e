"""Protocols and their crossings, latency in two parts, and ports that are shared."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hopperlab import ledger
from hopperlab.models import exchange
from hopperlab.models.exchange import (
    FLAG,
    MEMORY,
    ONE_SIDED,
    PROTOCOLS,
    STORE,
    TAGGED,
    Latencies,
    all_to_all_rate,
    crossings,
    fit,
    latency,
    left_over,
    pairs_of,
    port_rate,
    rms,
    round_trip,
)

cycles = st.floats(0, 1e4, allow_nan=False)
LATENCIES = st.builds(
    Latencies, memory=cycles, network=cycles, fence=cycles, wake=cycles, missed=st.floats(0, 1)
)


def test_a_flag_takes_the_talks_three_to_four_round_trips_and_a_one_sided_write_one_crossing():
    claim = ledger.claim("talk-033")
    assert crossings(FLAG) == (2 * claim.low, 2 * claim.high)
    assert crossings(TAGGED) == (2, 4)
    assert crossings(STORE) == (3, 3)
    assert crossings(ONE_SIDED) == (1, ledger.claim("talk-034").value)


@given(latencies=LATENCIES)
def test_messages_follow_each_other_in_time_and_the_last_one_ends_the_exchange(latencies):
    for protocol in PROTOCOLS:
        told = exchange.exchange(protocol, latencies)
        assert all(0 <= message.leaves <= message.lands <= told.cycles + 1e-6 for message in told.messages)
        assert all(message.sender != message.receiver for message in told.messages)
        assert told.through_memory == (protocol in (FLAG, TAGGED))
        last = max(message.lands for message in told.messages)
        assert told.cycles == pytest.approx(last + (0 if told.through_memory else latencies.wake))
        assert round_trip(protocol, latencies) == 2 * told.cycles


@given(latencies=LATENCIES)
def test_what_a_message_takes_is_its_own_ways_latency(latencies):
    for protocol in PROTOCOLS:
        for message in exchange.exchange(protocol, latencies).messages:
            way = latencies.memory / 2 if MEMORY in message[1:3] else latencies.network
            assert message.lands - message.leaves == pytest.approx(way)


@given(latencies=LATENCIES, more=st.floats(0.1, 100))
def test_nothing_gets_faster_by_a_slower_part(latencies, more):
    from dataclasses import replace

    for name in ("memory", "network", "fence", "wake"):
        slower = replace(latencies, **{name: getattr(latencies, name) + more})
        assert all(round_trip(p, slower) >= round_trip(p, latencies) for p in PROTOCOLS)


@pytest.mark.parametrize(
    "wrong", [{"memory": -1}, {"network": float("nan")}, {"missed": 1.5}, {"wake": "soon"}]
)
def test_latencies_that_no_card_has_are_refused_by_name(wrong):
    with pytest.raises((ValueError, TypeError), match=next(iter(wrong))):
        Latencies(**wrong)


def test_an_unknown_protocol_is_refused_with_the_known_ones():
    with pytest.raises(ValueError, match=r"carrier pigeon.*st\.async"):
        exchange.exchange("carrier pigeon")


@given(parts=st.lists(st.floats(50, 150), min_size=3, max_size=16))
def test_parts_are_found_again_from_their_sums(parts):
    matrix = np.add.outer(parts, parts)
    found = fit(pairs_of(matrix))
    assert [found[sm] for sm in range(len(parts))] == pytest.approx(parts)
    assert rms(left_over(found, pairs_of(matrix))) < 1e-6
    assert latency(found, 0, 2) == pytest.approx(parts[0] + parts[2])


def test_two_sms_alone_do_not_tell_their_parts():
    with pytest.raises(ValueError, match="triangle"):
        fit([(0, 1, 190.0), (1, 0, 192.0)])
    with pytest.raises(ValueError, match="itself"):
        fit([(0, 0, 41.0)])
    with pytest.raises(ValueError, match="no part"):
        latency({0: 100.0}, 0, 7)
    with pytest.raises(ValueError, match="square"):
        pairs_of([[0, 1]])
    with pytest.raises(ValueError, match="empty"):
        rms([])


def test_the_sum_of_two_parts_tells_the_cards_pairs_that_were_not_fitted():
    recording = ledger.recordings("dsmem_latency", card="H200 SXM")[0]
    pairs = [
        (sample["sms"][reader][reader], sample["sms"][reader][owner], cycles)
        for sample in recording.samples
        if sample["size"] == 16
        for reader, owner, cycles in pairs_of(sample["cycles"])
    ]
    left = left_over(fit(pairs[::2]), pairs[1::2])
    assert rms(left) == pytest.approx(recording.results["separable"]["rms"], abs=1e-3)
    assert rms(left) < 0.1 * recording.results["separable"]["by_mean"]


def test_a_port_is_shared_by_its_readers_and_by_what_they_do_not_use():
    assert port_rate() == pytest.approx(ledger.claim("derived-007").value, abs=0.01)
    for blocks in range(2, 17):
        alone = all_to_all_rate(blocks, in_step=False)
        assert alone == port_rate()
        assert all_to_all_rate(blocks, in_step=True) == pytest.approx(alone / blocks)
        assert all_to_all_rate(blocks, in_step=False, used_bytes=4) == pytest.approx(alone / 8)


@pytest.mark.parametrize(
    "wrong", [{"blocks": 1}, {"blocks": 17}, {"port": 0}, {"used_bytes": 33}], ids=lambda w: next(iter(w))
)
def test_rates_refuse_what_no_cluster_has(wrong):
    with pytest.raises(ValueError, match=next(iter(wrong))):
        all_to_all_rate(**({"blocks": 4, "in_step": True} | wrong))
