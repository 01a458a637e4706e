"""The model of units: lanes, issue and Little's law."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hopperlab.models.throughput import UNITS, in_flight_to_fill, rate, rate_of


def test_an_operation_belongs_to_one_unit():
    operations = [operation for unit in UNITS for operation in unit.operations]
    assert len(set(operations)) == len(operations)


def test_no_unit_is_faster_than_instructions_are_issued():
    assert all(unit.results_per_clock <= 128 * unit.results for unit in UNITS)


def test_rates_are_results_not_instructions():
    assert rate_of("fp16x2 fma") == 2 * rate_of("fp32 fma") == 4 * rate_of("fp64 fma") == 256
    assert rate_of("a guess") is None


@given(st.sampled_from([16, 32, 64, 128]), st.floats(2, 100), st.integers(1, 32), st.integers(1, 8))
def test_warps_and_chains_are_worth_the_same_until_the_lanes_are_busy(lanes, latency, warps, chains):
    four = 4 * math.ceil(warps / 4)
    assert (
        math.isclose(
            rate(lanes, latency, four, chains),
            rate(lanes, latency, min(4 * four, 64), chains) / (min(4 * four, 64) / four),
        )
        or rate(lanes, latency, min(4 * four, 64), chains) == lanes
    )


@given(st.sampled_from([16, 64, 128]), st.floats(2, 100), st.integers(1, 64), st.integers(1, 8))
def test_a_rate_is_below_the_lanes_and_below_what_is_in_flight(lanes, latency, warps, chains):
    found = rate(lanes, latency, warps, chains)
    assert found <= lanes * (1 + 1e-9)
    assert found <= 32 * warps * chains / latency * (1 + 1e-9)


def test_one_warp_has_a_quarter_of_the_lanes():
    assert rate(128, 4, 1, 100) == 32
    assert rate(128, 4, 6, 100) == 96  # two sub-partitions have two warps, and two have one


def test_enough_in_flight_fills_the_lanes():
    assert in_flight_to_fill(128, 4.2) == 537.6
    with pytest.raises(ValueError, match="lanes=0"):
        in_flight_to_fill(0, 4)
    with pytest.raises(ValueError, match="warps=65"):
        rate(128, 4, 65, 1)
