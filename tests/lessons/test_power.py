"""Lesson 17 against the recording, the model and the kernel that it speaks of."""

import numpy as np
import pytest

from hopperlab.course.power import LESSON, recorded
from hopperlab.course.power.numbers import fillings
from hopperlab.course.power.specimens import SPECIMENS, first_blink
from hopperlab.lessons import power as lesson
from hopperlab.measure.power import against_model
from hopperlab.models import power as model


@pytest.mark.parametrize("name", LESSON.panels)
def test_every_position_of_every_control_draws(name):
    panel = lesson.panel(name)
    for control in panel.controls.values():
        options = getattr(control, "options", None)
        ends = [control.min, control.max] if hasattr(control, "min") else [True, False]
        for value in [value for _, value in options] if options else ends:
            control.value = value
            assert panel.error is None
            assert len(panel.picture.text.split()) > 5


def test_the_learner_sees_the_recorded_curve_only_when_asked():
    panel = lesson.panel("curve")
    assert "hidden" in panel.picture.text
    panel.controls["load"].value = recorded.MIXED
    panel.controls["shown"].value = True
    assert "least 1500" in panel.picture.text


def test_the_order_of_numbers_changes_watts_and_their_values_alone_do_not():
    share = {name: model.changing_share(numbers) for name, numbers in fillings().items()}
    assert share["zeros"] == share["ones"] == 0
    assert 0 < share["sorted"] < share["random"] < 0.5
    assert sorted(fillings()["sorted"].ravel()) == sorted(fillings()["random"].ravel())


def test_fillings_that_nothing_was_fitted_to_follow_the_model():
    """Of two fitted ends: watts of what lies between, and clocks at the limit and before it."""
    for name, load in recorded.OF_FILLINGS.items():
        busy = model.busy_watts(model.changing_share(fillings()[name]))
        mhz, found = model.clock_mhz(busy), recorded.result(load)
        assert model.power_watts(busy, mhz) == pytest.approx(found["power_w"], rel=0.02)
        assert mhz == pytest.approx(found["sm_mhz"], rel=0.031)


def test_every_filling_is_shown_modelled_and_measured():
    told = lesson.panel("numbers").picture.text
    for load in recorded.OF_FILLINGS.values():
        found = recorded.result(load)
        assert f"{found['power_w']:.0f} W, {found['sm_mhz']:.0f} MHz (measured)" in told


def test_fitted_numbers_of_the_model_are_those_of_the_recording():
    readings = [row[3] for row in recorded.phases()[-1][1][-10:]]
    assert np.median(readings) == pytest.approx(model.IDLE_WATTS, abs=0.5)
    zeros, mixed = recorded.result(recorded.ZEROS), recorded.result(recorded.MIXED)
    assert pytest.approx(zeros["power_w"], abs=1) == model.IDLE_WATTS + model.QUIET_WATTS
    assert model.clock_mhz(model.busy_watts(recorded.mixed_share())) == pytest.approx(mixed["sm_mhz"], abs=1)


def test_work_follows_the_clock():
    zeros, mixed = (recorded.result(phase) for phase in (recorded.ZEROS, recorded.MIXED))
    per_clock = zeros["tera_per_second"] / zeros["sm_mhz"]
    assert per_clock * mixed["sm_mhz"] == pytest.approx(mixed["tera_per_second"], rel=0.02)


def test_readings_of_phases_that_were_held_out_follow_the_model():
    held_out = against_model.held_out(recorded.recording())
    apart = np.concatenate(held_out)
    assert len(held_out) == 13
    assert np.median(apart) < 0.05
    assert apart.max() < 0.21


def test_the_fitted_window_and_delay_are_the_best_for_the_phase_they_are_fitted_to(monkeypatch):
    def error(window, delay):
        monkeypatch.setattr(model, "WINDOW_SECONDS", window)
        monkeypatch.setattr(model, "DELAY_SECONDS", delay)
        errors = list(against_model.reading_errors(recorded.recording()).values())
        return np.abs(errors[against_model.FITTED - 1]).mean()

    best = error(1.0, 0.055)
    assert (model.WINDOW_SECONDS, model.DELAY_SECONDS) == (1.0, 0.055)
    assert all(error(window, 0.055) > best for window in (0.8, 0.9, 0.95, 1.05, 1.1, 1.2))
    assert all(error(1.0, delay) > best for delay in (0.0, 0.03, 0.05, 0.06, 0.09, 0.15))


def test_the_bursts_before_the_clock_falls_are_above_the_first_power_and_settle_no_other():
    between = set()
    for name in ("tensor cores, sorted", "tensor cores, random", recorded.MIXED):
        load, (seconds, mhz) = recorded.result(name), recorded.burst(name)
        busy, measured = load["power_w"] - model.IDLE_WATTS, recorded.burst_joules(name)
        below = [
            exponent
            for exponent in (1, 2, 3)
            if model.excess_joules(seconds, mhz, busy, load["sm_mhz"], exponent) < measured
        ]
        assert below
        between.add(max(below))
        assert sum(seconds) == pytest.approx(recorded.BURST_SECONDS, abs=0.02)
        assert max(mhz) > 1.05 * load["sm_mhz"]
    assert between == {1, 3}


def test_the_clock_falls_long_before_the_reading_rises():
    assert recorded.seconds_to_slower(recorded.MIXED) < 0.2
    assert recorded.seconds_to_reading(recorded.MIXED) > 0.8
    assert first_blink(recorded.MIXED) > 1.05 * recorded.result(recorded.MIXED)["tera_per_second"]


def test_the_simulator_makes_the_same_sums():
    rows = lesson.stepped().blocks[0].rows
    assert [row[0] for row in rows] == ["zeros", "mixed numbers"]
    assert all(float(apart.rstrip("%")) < 0.1 and findings == "0" for *_, apart, findings in rows)


@pytest.mark.parametrize("specimen", SPECIMENS, ids=lambda specimen: specimen.name)
def test_every_specimen_is_found_out(specimen):
    assert ": wrong" in specimen.picture().text
    assert len(specimen.found()) > 40
