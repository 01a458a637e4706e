"""The experiment about the host's part of a launch, on made-up launches and times."""

import json
from types import SimpleNamespace

import numpy as np
import pytest

from hopperlab import ledger
from hopperlab.device import on_silicon
from hopperlab.measure.gemm import launch_cost
from hopperlab.measure.gemm.launch_cost import LAUNCH_COST, PREPARED, PRODUCT, TORCH, WAYS


def compared(microseconds):
    samples = json.loads(json.dumps({name: [us * 1e-6] * 5 for name, us in microseconds.items()}))
    recording = SimpleNamespace(card_name="Made-up H200", results=LAUNCH_COST.results(samples))
    return LAUNCH_COST.compare([recording])


def test_every_way_is_launched_equally_often_and_the_card_is_at_rest_before_each_batch():
    said = []
    launches = {name: lambda name=name: said.append(name) for name in ("one", "other")}
    times = launch_cost.host_seconds(launches, lambda: said.append("rest"))
    batches, length = launch_cost.WARM_UP + launch_cost.BATCHES, launch_cost.BATCH
    one_round = ["rest", *["one"] * length, "rest", *["other"] * length]
    assert said == one_round * batches + ["rest"]
    assert {name: len(each) for name, each in times.items()} == dict.fromkeys(launches, launch_cost.BATCHES)


def test_results_are_medians_in_microseconds():
    assert LAUNCH_COST.results({"a way": [1e-6, 2e-6, 9e-6]})["a way"]["median"] == pytest.approx(2)


def test_a_prepared_launch_that_costs_more_than_torchs_is_counted():
    costs = dict.fromkeys(WAYS, 20.0)
    assert compared(costs).mismatches == 0
    assert len(compared(costs).notes) == len(WAYS)
    costly = compared({**costs, f"{PRODUCT}, {PREPARED}": 21.0})
    assert (costly.mismatches, costly.rows[0].missed) == (1, True)
    assert costly.rows[0].measured == pytest.approx(1.05)
    assert compared({**costs, TORCH: 19.0}).mismatches == 1


def test_the_small_kernel_counts_its_launches_in_the_simulator():
    run = launch_cost.count_up.simulate(1, launch_cost.WORDS, (np.zeros(launch_cost.WORDS, np.int32),))
    assert (run["values"] == 1).all()


@pytest.mark.gpu
def test_every_way_launches_on_the_card(monkeypatch):
    pytest.importorskip("torch")
    monkeypatch.setattr(launch_cost, "BATCHES", 1)
    with on_silicon():
        samples = launch_cost._all_ways()
    assert set(samples) == set(WAYS)
    assert all(seconds > 0 for times in samples.values() for seconds in times)


def test_the_recorded_results_are_what_the_samples_give_and_a_prepared_launch_keeps_its_bar():
    (recording,) = ledger.recordings("launch_cost")
    assert set(recording.results) == set(WAYS)
    assert json.loads(json.dumps(LAUNCH_COST.results(recording.samples))) == recording.results
    assert LAUNCH_COST.compare([recording]).mismatches == 0
