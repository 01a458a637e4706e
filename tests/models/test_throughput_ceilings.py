"""Ceilings of printed rates: three ways to count, one unit."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hopperlab.ledger import recordings
from hopperlab.models.throughput import (
    COUNTED,
    FLOP,
    LANE_RESULTS,
    UNITS,
    WARP_INSTRUCTIONS,
    ceiling,
    in_flight_to_fill,
    of_a_mix,
    possible,
    rate,
    warps_to_fill,
)


@given(st.sampled_from([16, 32, 64, 128]), st.integers(1, 2), st.integers(1, 2))
def test_the_three_counts_are_of_one_unit(lanes, results, flop):
    assert ceiling(lanes, WARP_INSTRUCTIONS) * 32 * results == ceiling(lanes, LANE_RESULTS, results)
    assert ceiling(lanes, FLOP, results, flop) == flop * ceiling(lanes, LANE_RESULTS, results)


def test_four_warp_instructions_are_the_most_of_any_unit():
    assert ceiling(500, WARP_INSTRUCTIONS) == 4


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.name)
def test_what_was_measured_is_possible_and_what_was_removed_is_not(unit):
    most = ceiling(unit.lanes, LANE_RESULTS, unit.results)
    for recording in recordings("instruction_rates"):
        rates = {row[0]: row[2] for row in recording.results["operations"]}
        assert all(possible(rates[name], most) for name in unit.operations)
        assert not any(
            possible(rate, most) for rate in recording.results["seeming_results_per_clock_per_sm"].values()
        )


@pytest.mark.parametrize(
    ("given_arguments", "message"),
    [
        ((0, LANE_RESULTS), "lanes"),
        ((64, "operations"), f"it must be one of: {', '.join(COUNTED)}"),
        ((64, LANE_RESULTS, 3), "results"),
        ((64, FLOP, 1, 0), "flop"),
    ],
)
def test_arguments_out_of_range_are_refused(given_arguments, message):
    with pytest.raises(ValueError, match=message):
        ceiling(*given_arguments)


@given(st.integers(0, 100), st.integers(0, 100))
def test_the_busiest_unit_decides_over_a_mix(one, other):
    lanes = {"integers": 64, "multiply-adds": 64}
    counts = {"integers": one, "multiply-adds": other}
    if one + other == 0:
        with pytest.raises(ValueError, match="counts is"):
            of_a_mix(counts, lanes)
        return
    rate = of_a_mix(counts, lanes)
    assert 64 <= rate <= 128
    assert (rate == 128) == (one == other)


def test_a_mix_of_a_unit_without_lanes_is_refused():
    with pytest.raises(ValueError, match="units with lanes"):
        of_a_mix({"tensor": 3}, {"integers": 64})


@given(st.sampled_from([16, 32, 64, 128]), st.floats(2, 40), st.integers(1, 4))
def test_the_fewest_warps_fill_the_lanes_and_one_less_does_not(lanes, latency, chains):
    warps = warps_to_fill(lanes, latency, chains)
    if warps is None:
        assert rate(lanes, latency, 64, chains) < lanes
    else:
        assert rate(lanes, latency, warps, chains) >= lanes
        assert warps % 4 == 0
        assert warps * 32 * chains >= in_flight_to_fill(lanes, latency) * (1 - 1e-9)
        assert warps == 1 or rate(lanes, latency, warps - 1, chains) < lanes
