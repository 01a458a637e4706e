"""The model of power: bits that change, a limit that leaves a clock, and a reading that trails."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hopperlab.models import power as model

WATTS = st.floats(0, 2000)


def test_it_has_at_most_eight_numbers():
    assert len(model.PARAMETERS) <= 8
    assert all(getattr(model, name) > 0 for name in model.PARAMETERS)


@given(st.lists(st.integers(0, 255), min_size=2, max_size=30))
def test_changing_bits_are_counted_as_by_hand(numbers):
    changed = sum(bin(a ^ b).count("1") for a, b in pairwise(numbers))
    share = model.changing_share(np.array([numbers], np.uint8))
    assert share == pytest.approx(changed / 8 / (len(numbers) - 1))


@pytest.mark.parametrize("number", [0, 0x38, 255])
def test_a_number_that_stays_changes_no_bit(number):
    assert model.changing_share(np.full((3, 9), number, np.uint8)) == 0


@given(WATTS, st.floats(130, 900))
def test_the_clock_keeps_the_limit_and_no_more_than_it_must(busy, limit):
    mhz = model.clock_mhz(busy, limit)
    assert 0 < mhz <= model.TENSOR_MHZ
    watts = model.power_watts(busy, mhz)
    assert watts <= limit * (1 + 1e-9)
    assert mhz == model.TENSOR_MHZ or watts == pytest.approx(limit)


@given(WATTS, WATTS, st.floats(0, 3), st.floats(-1, 6))
def test_readings_are_the_mean_of_the_watts(before, after, start, at):
    schedule = [(-5.0, before), (start, after)]
    end = at - model.DELAY_SECONDS
    instants = np.linspace(end - model.WINDOW_SECONDS, end, 4001)
    mean = np.where(instants < start, before, after).mean()
    assert model.readings(schedule, [at])[0] == pytest.approx(mean, abs=1 + abs(after - before) / 1000)


def test_a_reading_settles_after_the_window():
    settled = model.readings([(0.0, 100.0), (2.0, 600.0)], [2.0, 3.1, 9.0])
    assert settled == pytest.approx([100, 600, 600])


@given(st.floats(1, 1000), st.floats(500, 2000), st.floats(1, 3))
def test_energy_above_the_settled_is_that_of_the_watts(busy, mhz, seconds):
    above = model.power_watts(busy, mhz, 1000) - model.power_watts(busy, 1000, 1000)
    assert model.excess_joules([seconds], [mhz], busy, 1000) == pytest.approx(seconds * above, abs=1e-6)
    assert model.excess_joules([1, seconds], [1000, 1000], busy, 1000) == 0


@given(st.floats(600, 2000), st.floats(130, 700))
def test_a_higher_power_of_the_clock_leaves_more_of_it(busy, limit):
    assert model.clock_mhz(busy, limit, exponent=2) < model.clock_mhz(busy, limit)


@pytest.mark.parametrize(
    ("call", "names"),
    [
        (lambda: model.clock_mhz(100, 100), "limit"),
        (lambda: model.clock_mhz(-1), "busy"),
        (lambda: model.busy_watts(1.5), "share"),
        (lambda: model.power_watts(100, 0), "mhz"),
        (lambda: model.clock_mhz(600, 300, exponent=0), "exponent"),
        (lambda: model.excess_joules([1], [1000], 100, 0), "settled_mhz"),
        (lambda: model.readings([], [0]), "schedule"),
        (lambda: model.readings([(1, 2), (1, 3)], [0]), "schedule"),
        (lambda: model.changing_share(np.zeros((1, 1), np.uint8)), "numbers"),
    ],
)
def test_what_cannot_be_is_refused_by_name(call, names):
    with pytest.raises(ValueError, match=names):
        call()
