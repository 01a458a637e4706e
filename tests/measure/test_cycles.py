"""The simulator's costs and the points that test them: what ships is what the recordings lead to."""

import json
from dataclasses import replace
from statistics import median

import numpy as np
import pytest

from hopperlab.device.simulator.timing import ASSUMED, TABLE
from hopperlab.ledger import recordings
from hopperlab.measure.cycles import EXPERIMENTS, calibration, costs, points
from hopperlab.measure.cycles.experiments import LARGEST, TYPICAL, compare_points

CARD = "NVIDIA H200"
QUICK = ("turn", "operation", "fma", "load shared", "load global", "store global", "mbarrier.wait", "wake",
         "bulk.load latency", "bulk.store latency", "atomic_ref.store_release", "atomic_ref.load_acquire",
         "shuffle")  # fmt: skip


def recorded(experiment):
    (found,) = recordings(experiment, card=CARD)
    return found


def test_there_are_22_points_and_no_cost_is_set_by_any_of_them():
    tested = [name for case in points.cases() for name in case.names]
    used = [name for case in calibration.cases() for name in case.names]
    assert len(tested) == len(set(tested)) == 22
    assert len(used) == len(set(used))
    assert not set(tested) & set(used)


def test_every_cost_is_set_once_or_said_to_be_assumed():
    named = [name for step in costs.STEPS for name in step.costs]
    assert len(named) == len(set(named))
    assert set(named) | set(ASSUMED) == set(TABLE)
    assert not set(named) & set(ASSUMED)
    for step in costs.STEPS:
        assert any(step.fits(name) for case in calibration.cases() for name in case.names), step


def test_the_recordings_tell_of_every_case():
    for experiment, cases in (("timing_costs", calibration.cases()), ("timing", points.cases())):
        names = {name for case in cases for name in case.names}
        assert names == recorded(experiment).results.keys()


@pytest.mark.parametrize(
    "step", [s for s in costs.STEPS if s.costs[0] in QUICK], ids=lambda step: step.costs[0]
)
def test_a_cost_comes_out_as_it_ships_wherever_the_search_begins(step):
    found = costs.settled(
        step,
        {**TABLE, **{name: 1.5 * TABLE[name] + 1 for name in step.costs}},
        recorded("timing_costs").results,
    )
    for name, cycles in found.items():
        assert cycles == pytest.approx(TABLE[name], rel=0.02, abs=0.02), name


@pytest.mark.parametrize("name", ["store shared", "atomic_ref.load_acquire", "fence.proxy_async_shared"])
def test_a_cost_that_is_less_than_a_cycle_or_nothing_at_first_is_found_too(name):
    (step,) = (step for step in costs.STEPS if name in step.costs)
    found = costs.settled(step, TABLE | {name: 0.0}, recorded("timing_costs").results)
    assert found[name] == pytest.approx(TABLE[name], rel=0.02, abs=0.05)


def test_costs_that_would_be_negative_are_nothing_and_the_others_make_up_for_it():
    slopes = np.array([[1.0, 1.0], [1.0, 0.0]])
    found = costs._nearest(slopes, np.array([1.0, 3.0]), np.array([10.0, 0.5]))
    assert found == pytest.approx([12.25, 0.0])


@pytest.mark.exhaustive
@pytest.mark.parametrize("step", costs.STEPS, ids=lambda step: step.costs[0])
def test_no_search_finds_costs_that_fit_better_than_those_that_ship(step):
    results = recorded("timing_costs").results
    found = {**TABLE, **costs.settled(step, TABLE, results)}
    assert costs.misfit(step, TABLE, results) <= 1.02 * costs.misfit(step, found, results) + 0.002


def test_some_points_are_as_near_as_is_asked_for():
    quick = [case for case in points.cases() if case.block * case.grid <= 64 and case.simulated_rounds <= 16]
    errors = [case.simulated()[0] / recorded("timing").results[case.name] - 1 for case in quick]
    assert len(errors) >= 7
    assert max(map(abs, errors)) <= LARGEST


@pytest.mark.exhaustive
def test_the_simulator_is_within_10_percent_in_the_median_and_25_at_the_worst():
    comparison = compare_points([recorded("timing")])
    errors = [abs(row.error) for row in comparison.rows]
    assert len(errors) == comparison.compared == 22
    assert median(errors) <= TYPICAL
    assert max(errors) <= LARGEST
    assert comparison.mismatches == 0


def test_recorded_results_are_what_the_samples_give():
    for experiment in EXPERIMENTS:
        found = recorded(experiment.name)
        assert json.loads(json.dumps(experiment.results(found.samples))) == found.results


def test_a_point_that_is_missed_is_told(monkeypatch):
    found = recorded("timing")
    monkeypatch.setattr(
        "hopperlab.measure.cycles.experiments._simulated",
        lambda name: 2 * found.results[name] if "512" in name else found.results[name],
    )
    comparison = compare_points([replace(found)])
    assert comparison.mismatches == 1
    assert "100.0% at the worst" in comparison.notes[0]
