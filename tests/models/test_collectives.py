"""Collectives: identities of the three bandwidths, protocols that do what they promise, and NCCL's own numbers."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hopperlab.models import collectives as model
from hopperlab.models.collectives import tuner
from hopperlab.models.collectives.protocol import _PROTOCOLS, SWITCH

RANKS = st.integers(2, 64)
SIZES = st.integers(8, 2**33)
TIMES = st.floats(1e-6, 10)
PAIRS = sorted(_PROTOCOLS)


@given(st.sampled_from(sorted(model.OPERATIONS)), RANKS, SIZES, TIMES)
def test_busbw_is_algbw_times_the_operations_factor(op, ranks, size, seconds):
    algorithm = model.algorithm_bandwidth(op, ranks, size, seconds)
    bus = model.bus_bandwidth(op, ranks, size, seconds)
    factor = {"all-reduce": 2 * (ranks - 1) / ranks, "broadcast": 1}.get(op, (ranks - 1) / ranks)
    assert algorithm.bytes_per_second == pytest.approx(size / seconds)
    assert bus.bytes_per_second == pytest.approx(algorithm.bytes_per_second * factor)
    assert model.seconds_from_bus_bandwidth(op, ranks, size, bus) == pytest.approx(seconds)


@given(RANKS, SIZES, TIMES)
def test_on_a_ring_the_wire_carries_the_busbw(ranks, size, seconds):
    for op in ("all-reduce", "all-gather", "reduce-scatter"):
        bus = model.bus_bandwidth(op, ranks, size, seconds)
        assert model.wire_bandwidth(op, ranks, size, seconds).bytes_per_second == pytest.approx(
            bus.bytes_per_second
        )


@given(st.integers(2, 256).filter(lambda n: n != 3), SIZES, TIMES)
def test_in_the_switch_the_wire_carries_less_than_the_busbw(ranks, size, seconds):
    bus = model.bus_bandwidth("all-reduce", ranks, size, seconds).bytes_per_second
    wire = model.wire_bandwidth("all-reduce", ranks, size, seconds, "in-network").bytes_per_second
    assert wire == pytest.approx(size / seconds * (ranks + 1) / ranks)
    assert (wire < bus) == (ranks > 3)
    assert bus / wire == pytest.approx(model.corrected_gain(ranks))


@given(st.floats(0, 1e12), st.sampled_from(["algorithm", "bus", "wire"]))
def test_units_and_directions_convert_back_and_forth(amount, counts):
    rate = model.Rate(amount, counts)
    assert rate.in_directions("both").bytes_per_second == pytest.approx(2 * amount)
    assert rate.in_directions("both").in_directions("one").bytes_per_second == pytest.approx(amount)
    assert rate.in_unit("Gb/s") == pytest.approx(8 * rate.in_unit("GB/s"))
    assert rate.in_unit("GiB/s") * 2**30 == pytest.approx(rate.in_unit("GB/s") * 10**9)


def test_the_one_line_that_most_users_ask_about():
    seconds = 8 * 2**30 / 272e9
    shown = model.bus_bandwidth("all-reduce", 8, 8 * 2**30, seconds)
    wire = model.wire_bandwidth("all-reduce", 8, 8 * 2**30, seconds, "in-network")
    assert shown.in_unit("GB/s") == pytest.approx(476.0)  # above the 450 of a link, and no bug
    assert wire.in_unit("GB/s") == pytest.approx(306.0)


@pytest.mark.parametrize(("op", "algorithm"), PAIRS)
@pytest.mark.parametrize("ranks", [2, 3, 4, 5, 7, 8, 13, 16])
def test_a_protocol_gives_everyone_what_it_promises(op, algorithm, ranks):
    messages = model.transfers(op, algorithm, ranks)
    assert model.complete(op, ranks, model.run(op, ranks, messages))
    last = messages[-1].step
    unfinished = tuple(one for one in messages if one.step < last)
    assert not model.complete(op, ranks, model.run(op, ranks, unfinished))


@pytest.mark.parametrize(("op", "algorithm"), PAIRS)
@pytest.mark.parametrize("ranks", [2, 3, 4, 8, 12])
def test_bytes_counted_message_by_message_are_those_of_the_formula(op, algorithm, ranks):
    messages = model.transfers(op, algorithm, ranks)
    sent = Counter(one.source for one in messages)
    received = Counter(one.target for one in messages)
    counted = model.traffic(op, algorithm, ranks, ranks)  # a shard is one byte
    assert max(sent[r] for r in range(ranks)) == pytest.approx(counted.sent)
    assert max(received[r] for r in range(ranks)) == pytest.approx(counted.received)


def test_the_talks_count_the_corrected_one_and_where_sharp_loses():
    assert model.spoken_shards(8) == (32, 18)
    assert [round(model.spoken_gain(n), 3) for n in (2, 4, 8, 16, 256)] == [1.333, 1.6, 1.778, 1.882, 1.992]
    assert [round(model.corrected_gain(n), 3) for n in (2, 4, 8, 16, 256)] == [
        0.667,
        1.2,
        1.556,
        1.765,
        1.984,
    ]


def test_a_value_added_twice_is_found_out():
    messages = model.transfers("all-reduce", "ring", 4)
    with pytest.raises(ValueError, match="a second time"):
        model.run("all-reduce", 4, (*messages, model.Transfer(99, 0, 1, 0, adds=True)))


def test_a_shard_that_nobody_has_cannot_be_sent():
    with pytest.raises(ValueError, match="does not hold shard 2"):
        model.run("all-gather", 4, (model.Transfer(0, 0, 1, 2),))


def test_the_switch_keeps_nothing():
    held = model.run("all-reduce", 4, model.transfers("all-reduce", "in-network", 4))
    assert not [place for place in held if place[0] == SWITCH]


def test_nccls_model_of_eight_gpus_gives_476_and_272():
    nvls = model.estimate("NVLS", 8, 2**40)
    assert nvls.algorithm_gb_per_s == pytest.approx(272.0, rel=1e-12)
    assert nvls.algorithm_gb_per_s * 7 / 4 == pytest.approx(476.0, rel=1e-12)
    assert pytest.approx(370.8) == tuner.NODE_GB_PER_S


@pytest.mark.parametrize(
    ("size", "microseconds", "bus"),
    [(2**20, 28.9, 63.6), (2**24, 86.7, 339), (2**28, 1012, 464), (2**33, 31606, 475.6)],
)
def test_nccls_model_over_sizes(size, microseconds, bus):
    found = model.estimate("NVLS", 8, size)
    assert found.seconds * 1e6 == pytest.approx(microseconds, rel=2e-3)
    assert found.bus_gb_per_s == pytest.approx(bus, rel=2e-3)


def test_a_small_message_goes_by_ring_and_a_large_one_through_the_switch():
    assert model.best(8, 1024).algorithm in ("ring", "tree")
    assert model.best(8, 2**30).algorithm == "NVLS"
    assert model.best(8, 2**30, multicast=False).algorithm == "ring"


@given(RANKS.filter(lambda n: n > 3), st.floats(1e9, 1e12), st.floats(1e-7, 1e-4))
def test_below_the_crossover_the_tree_wins_and_above_it_the_ring(ranks, rate, latency):
    size = model.crossover_bytes("all-reduce", "ring", "tree", ranks, rate, latency)

    def time(name, nbytes):
        return model.seconds("all-reduce", name, ranks, nbytes, rate, latency)

    assert time("tree", size / 2) < time("ring", size / 2)
    assert time("tree", size * 2) > time("ring", size * 2)
    assert time("tree", size) == pytest.approx(time("ring", size))


def test_two_that_never_cross_are_refused():
    with pytest.raises(ValueError, match="never cross"):
        model.crossover_bytes("all-reduce", "tree", "ring", 8, 1e9, 1e-6)


def test_an_all_to_all_over_two_nodes_may_show_twice_the_adapter():
    assert model.all_to_all_bus_ceiling(2, 50e9) == 100e9
    assert model.all_to_all_bus_ceiling(1000, 50e9) == pytest.approx(50e9, rel=2e-3)


def test_sms_are_freed_and_few_of_them_limit_a_ring():
    ring, switch = (model.reduction_work(name, 8, 2**30) for name in ("ring", "in-network"))
    assert switch.additions == 0 < ring.additions
    assert ring.bytes_through_sms / switch.bytes_through_sms == pytest.approx(14)
    few = model.reduction_limit("ring", 8, 450e9, 4, 20e9)
    many = model.reduction_limit("ring", 8, 450e9, 64, 20e9)
    assert few < many == pytest.approx(450e9 / 1.75)
    assert model.reduction_limit("in-network", 8, 450e9, 6, 20e9) == pytest.approx(450e9 * 8 / 9)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: model.bus_bandwidth("all-reduce", 0, 8, 1), "ranks=0 must be in 1 to"),
        (lambda: model.bus_bandwidth("all-reduce", 8, 0, 1), "nbytes=0"),
        (lambda: model.bus_bandwidth("all-reduce", 8, -8, 1), "nbytes=-8"),
        (lambda: model.bus_bandwidth("all-reduce", 8, 8, 0), "seconds=0"),
        (lambda: model.bus_bandwidth("gather-all", 8, 8, 1), "is none of all-reduce"),
        (lambda: model.traffic("all-to-all", "tree", 8, 8), "not counted for all-to-all; there are direct"),
        (lambda: model.estimate("NVLS", 9, 8), "ranks=9 must be in 2 to 8"),
        (lambda: model.estimate("NVLS", 8, 8, "LL"), "NVLS has Simple"),
        (lambda: model.estimate("star", 8, 8), "must be one of ring, tree, NVLS"),
        (lambda: model.transfers("all-reduce", "ring", 1), "ranks=1 must be in 2 to 64"),
        (lambda: model.transfers("broadcast", "ring", 4), "not modelled message by message"),
        (lambda: model.Rate(1, "line"), "counts='line'"),
        (lambda: model.Rate(1, "bus").in_unit("MB/s"), "unit='MB/s'"),
        (
            lambda: model.seconds_from_bus_bandwidth("all-reduce", 8, 8, model.Rate(1, "wire")),
            "must be a bus bandwidth",
        ),
    ],
)
def test_what_cannot_be_is_refused_by_name(call, words):
    with pytest.raises(ValueError, match=words):
        call()


def test_a_rank_count_that_is_no_number_is_a_type_error():
    with pytest.raises(TypeError, match="ranks='8'"):
        model.traffic("all-reduce", "ring", "8", 8)
