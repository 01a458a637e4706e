"""A tensor's steps under delayed scaling: what befalls it, and what that costs."""

import re

import numpy as np
import pytest

from hopperlab.models.scaling import DelayedScaling
from hopperlab.models.scaling.timeline import frozen_for, timeline

EIGHT = DelayedScaling(history_length=8)


def errors(moments, start, count):
    return [moment.error for moment in moments[start : start + count]]


@pytest.mark.parametrize("window", [1, 4, 8, 16])
def test_one_infinity_freezes_the_scale_for_the_window(window):
    moments = timeline(DelayedScaling(history_length=window), 40, {12: "infinity"})
    assert frozen_for(moments, 12) == window
    assert moments[12].clipped < 0.01  # it is no finite element


def test_a_nan_is_not_seen_by_the_fused_maximum():
    quiet, struck = timeline(EIGHT, 30), timeline(EIGHT, 30, {12: "not a number"})
    assert [m.scale for m in struck[:12]] == [m.scale for m in quiet[:12]]
    assert frozen_for(struck, 12) < 8
    assert np.isfinite(struck[12].amax)


def test_a_spike_clips_its_own_step_and_costs_nothing_afterwards():
    moments = timeline(EIGHT, 40, {20: "spike"}, spike=64.0)
    assert moments[20].clipped > 0.5
    assert moments[20].error > 0.5
    assert max(errors(moments, 21, 8)) < 0.04
    assert moments[21].scale == pytest.approx(448 / moments[20].amax, rel=1e-6)


def test_a_spike_beyond_the_exponents_costs_the_whole_window():
    moments = timeline(EIGHT, 40, {20: "spike"}, spike=2.0**17)
    assert min(errors(moments, 21, 8)) > 0.2
    assert max(errors(moments, 29, 5)) < 0.05
    assert moments[22].flushed > 0.2


def test_zeros_do_no_harm():
    moments = timeline(EIGHT, 40, {20: "zeros"})
    assert moments[20].error == 0
    assert max(errors(moments, 21, 8)) < 0.06


def test_the_band_is_the_format_at_the_scale():
    for moment in timeline(EIGHT, 20):
        assert moment.largest * moment.scale == pytest.approx(448)
        assert moment.smallest * moment.scale == pytest.approx(2**-9)


def test_an_unknown_event_is_refused():
    with pytest.raises(ValueError, match="event 'flood' must be one of spike, infinity"):
        timeline(EIGHT, 5, {1: "flood"})
    with pytest.raises(ValueError, match="step of an event=5 must be in 0 to 4"):
        timeline(EIGHT, 5, {5: "spike"})


@pytest.mark.parametrize("spike", [0.0, -1.0, np.inf, np.nan, 2.0**101])
def test_a_spike_is_a_factor(spike):
    with pytest.raises(ValueError, match=re.escape(f"spike={spike}")):
        timeline(EIGHT, 5, {1: "spike"}, spike)
