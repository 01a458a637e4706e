"""The ladder's experiment: what it times, what its results say, and what they are held against."""

import json

import pytest

from hopperlab import ledger
from hopperlab.kernels.gemm.ladder import RUNGS
from hopperlab.measure.gemm import ladder
from hopperlab.models.gemm import MECHANISMS


def samples(**faster):
    """Made-up times: each way takes 2 ms, what is named less or more."""
    names = {
        0: [*ladder.ALL, ladder.ALONE, *(ladder.LIBRARY + fmt for fmt in ("float32", "bf16", "e4m3"))],
        1: [*ladder.UPPER, ladder.ALONE, *(ladder.LIBRARY + fmt for fmt in ("bf16", "e4m3"))],
        2: [*(f"specialized, {stages} stages" for stages in (2, 3, 4)), ladder.LIBRARY + "bf16"],
    }
    return [
        {
            "shape": case["shape"],
            "seconds": {name: [0.002 / faster.get(name, 1)] * 3 for name in names.get(place, ladder.DEEP)},
        }
        for place, case in enumerate(ladder.CASES)
    ]


def test_the_model_the_kernels_and_the_experiment_name_the_same_rungs():
    assert [rung.name for rung in RUNGS] == [one.name for one in MECHANISMS] == list(ladder.ALL)
    formats = {rung.name: rung.format for rung in RUNGS}
    assert {name: ladder.format_of(name) for name in ladder.ALL} == formats
    assert ladder.format_of(ladder.ALONE) == "bf16"


def test_results_are_medians_rates_and_shares_of_the_same_format():
    found = ladder.results(samples(FP8=2, **{"cuBLASLt, e4m3": 4}))[1]
    assert found["median_seconds"]["FP8"] == pytest.approx(0.001)
    assert found["flop_per_second"]["FP8"] == pytest.approx(2 * 8192**3 / 0.001)
    assert found["share_of_library"]["FP8"] == pytest.approx(0.5)
    assert found["share_of_library"]["persistent"] == pytest.approx(1)
    assert not any(name.startswith(ladder.LIBRARY) for name in found["share_of_library"])


def test_the_recorded_results_are_what_the_samples_give():
    (recording,) = ledger.recordings("gemm_ladder")
    assert json.loads(json.dumps(ladder.results(recording.samples))) == recording.results


def test_no_recorded_rung_beats_its_bound_and_the_ring_behaves_as_modelled():
    recordings = ledger.recordings("gemm_ladder")
    comparison = ladder.compare(recordings)
    assert comparison.compared >= 16
    assert comparison.mismatches == 0
    (clusters,) = (row for row in comparison.rows if row.claim == "talk-042")
    assert clusters.verdict == "differs"


def test_a_rung_that_beats_its_bound_is_a_mismatch(monkeypatch):
    (recording,) = ledger.recordings("gemm_ladder")
    before = ladder.compare([recording]).mismatches
    monkeypatch.setitem(recording.results[0]["flop_per_second"], "specialized", 2e15)
    assert ladder.compare([recording]).mismatches == before + 1
