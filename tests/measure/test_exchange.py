"""The experiments about exchange and waiting, against their recordings and the models."""

import numpy as np
import pytest

from hopperlab import ledger
from hopperlab.measure.barriers.overlap import AFTER, BARRIER_OVERLAP, NEEDED, OWN, worked
from hopperlab.measure.claims.exchange import answers
from hopperlab.measure.exchange import EXCHANGE_PROTOCOLS, EXPERIMENTS, programs
from hopperlab.measure.exchange.programs import BINS, drawn
from hopperlab.measure.exchange.protocols import BY_ATOMICS
from hopperlab.models.exchange import PROTOCOLS, STORE, round_trip

MEASURED = (*EXPERIMENTS, BARRIER_OVERLAP)


def recorded(experiment):
    found = ledger.recordings(experiment.name)
    assert found, "not recorded"
    return found


@pytest.mark.parametrize("experiment", MEASURED, ids=lambda experiment: experiment.name)
def test_results_follow_from_the_samples_and_no_model_misses_its_card(experiment):
    found = recorded(experiment)
    for recording in found:
        assert experiment.results(recording.samples) == recording.results
        assert dict(experiment.parameters) == recording.parameters
    comparison = experiment.compare(found)
    assert comparison.compared > 0
    assert comparison.mismatches == 0
    assert [row.subject for row in comparison.rows if row.missed] == []


def test_the_model_is_held_against_every_protocol_and_says_what_was_fitted():
    rows = EXCHANGE_PROTOCOLS.compare(recorded(EXCHANGE_PROTOCOLS)).rows
    held = {row.subject.partition(": ")[2]: row for row in rows if row.modelled is not None}
    assert held.keys() == PROTOCOLS.keys()
    assert [name for name, row in held.items() if row.no_test] == [STORE]
    assert all(row.modelled == round_trip(name) for name, row in held.items())


def test_the_talks_seven_times_hold_against_atomics():
    rows = EXCHANGE_PROTOCOLS.compare(recorded(EXCHANGE_PROTOCOLS)).rows
    seven = next(row for row in rows if row.claim == "talk-032")
    assert BY_ATOMICS in seven.subject
    assert seven.verdict == "agrees"


def test_shared_ports_are_held_against_the_card_in_large_clusters():
    rows = [row for row in answers(ledger.recordings()) if "read all others" in row.subject]
    assert len(rows) == 6
    assert {row.verdict for row in rows} == {"agrees"}


def test_crossings_answer_the_talk():
    row = next(row for row in answers(()) if row.claim == "talk-033")
    assert row.verdict == "agrees"


@pytest.mark.parametrize("bins", [BINS[0], BINS[-1]])
def test_drawn_values_fill_the_bins_evenly_or_the_low_ones_more(bins, monkeypatch):
    monkeypatch.setattr(programs, "VALUES", 2**20)
    monkeypatch.setattr(programs, "_uniform", programs._uniform.__wrapped__)
    even, skewed = drawn("uniform", bins), drawn("skewed", bins)
    for values in (even, skewed):
        assert values.size == 2**20
        assert values.max() < bins
    assert abs((even < bins // 4).mean() - 1 / 4) < 2e-3
    assert abs((skewed < bins // 4).mean() - 1 / 2) < 2e-3


def test_work_without_steps_only_passes_values_around():
    values = np.arange(128, dtype=np.float32) - np.float32(50)
    assert np.array_equal(np.roll(values, -32 * 20), worked(0, 128))
    assert len(NEEDED) == len(OWN) == len(AFTER) == 4
