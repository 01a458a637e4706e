"""Factors between chips: who can spend them, what the memory decides, and what of a die is sold."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hopperlab.chip import chip
from hopperlab.models.chip import FACTORS, WORKLOADS, Workload, effective_bandwidth, factor, gain, harvest
from hopperlab.models.chip.harvest import clock_for
from hopperlab.models.roofline import LANES, roofline

SPENDINGS = [spent for count in range(len(FACTORS) + 1) for spent in combinations(FACTORS, count)]


@pytest.mark.parametrize("workload", WORKLOADS, ids=lambda one: one.name)
def test_a_factor_more_is_never_slower_and_an_idle_one_changes_nothing(workload):
    for spent in SPENDINGS:
        got = gain(workload, spent)
        assert got.times >= 1
        for name in FACTORS:
            assert gain(workload, {*spent, name}).times >= got.times
        for name in (*got.idle, *got.refused):
            assert gain(workload, set(spent) - {name}).times == pytest.approx(got.times)


def test_only_one_workload_reaches_six():
    reached = [one.name for one in WORKLOADS if gain(one, FACTORS).times >= 6]
    assert reached == ["Training a large language model"]


@pytest.mark.parametrize(("arithmetic", "kind"), [("fp16", "fp16"), ("fp64", "fp64"), ("fp32 lanes", LANES)])
@given(intensity=st.floats(0.01, 1e5))
def test_the_gain_is_the_ratio_of_the_two_rooflines(arithmetic, kind, intensity):
    old, new = (roofline(chip(name), kind) for name in ("A100 SXM4 40GB", "H100 SXM5"))
    ratio = new.attainable(intensity) / old.attainable(intensity)
    got = gain(Workload("any", arithmetic, intensity), [one for one in FACTORS if one != "eight bits"])
    assert got.times == pytest.approx(ratio)


def test_a_chain_of_pointers_can_spend_nothing():
    got = gain(WORKLOADS[-1], FACTORS)
    assert (got.times, got.limit, set(got.refused)) == (1.0, "latency", set(FACTORS))


def test_the_clock_of_lanes_is_not_that_of_tensor_cores():
    lanes, tensor = Workload("lanes", "fp32 lanes"), Workload("tensor", "fp16")
    assert factor("clock", lanes) == pytest.approx(1980 / 1410)
    assert factor("clock", tensor) == pytest.approx(1830 / 1410)


def test_products_have_a_part_of_the_die():
    assert harvest("H100 SXM5").sms == (132, 144)
    assert harvest("H100 PCIe").sms_share == pytest.approx(114 / 144)
    assert harvest("H200 SXM").memory_sites == (6, 6)
    with pytest.raises(ValueError, match="no product of a GH100"):
        harvest("A100 SXM4 40GB")
    with pytest.raises(ValueError, match="no product of a GH100"):
        harvest("GH100")


@pytest.mark.parametrize("name", ["H100 SXM5", "H100 PCIe", "A100 SXM4 40GB"])
def test_a_peak_tells_its_clock(name):
    card = chip(name)
    peak = roofline(card, "fp16").peak_flop_per_s
    assert clock_for(peak, card.sms, card.tensor_fp16_flop_per_clock_per_sm) * 1e6 == pytest.approx(
        card.tensor_clock_hz
    )


@given(st.floats(1e9, 1e12), st.floats(1e9, 1e12))
def test_data_that_fits_is_read_at_the_memorys_speed_and_more_data_takes_no_less_time(small, more):
    memory, speed, link = 80e9, 3.352e12, 450e9
    assert effective_bandwidth(min(small, memory), memory, speed, link) == pytest.approx(speed)
    seconds = [size / effective_bandwidth(size, memory, speed, link) for size in (small, small + more)]
    assert seconds[0] <= seconds[1] * (1 + 1e-12)
    assert link <= (small + more) / seconds[1] <= (speed + link) * (1 + 1e-12)


def test_bad_arguments_are_named():
    with pytest.raises(ValueError, match="name='speed' must be one of more SMs"):
        gain(WORKLOADS[0], ["speed"])
    with pytest.raises(ValueError, match="intensity"):
        gain(Workload("none", "fp16", 0), ["clock"])
    with pytest.raises(ValueError, match="nbytes"):
        effective_bandwidth(0, 1, 1, 1)
