"""The experiment about instruction rates without a card: what follows from cycles, and what is held against lanes."""

import json
from types import SimpleNamespace

import pytest

from hopperlab.ledger import recordings
from hopperlab.measure.throughput import rates


def made_up(operation, latency, of_an_sm, results=1):
    applications = 2 * rates.ROUNDS
    return {
        "operation": operation,
        "results_of_an_application": results,
        "applications_of_a_chain": applications,
        "cycles_of_a_chain": [applications * latency] * 3,
        "cycles_of_a_full_sm": [rates.THREADS * rates.CHAINS * applications * results / of_an_sm] * 3,
        "applications_of_the_card": 10**12,
        "seconds_of_the_card": [0.5] * 3,
        "clock_mhz": 1980.0,
    }


def recorded(samples):
    samples = json.loads(json.dumps(samples))
    return SimpleNamespace(card_name="H200 SXM", samples=samples, results=rates.results(samples))


@pytest.fixture
def recording():
    return recorded(
        {
            "operations": [
                made_up("fp32 fma", 4.0, 128.0),
                made_up("fp16x2 fma", 5.0, 240.0, results=2),
                made_up("exp2", 17.0, 12.0),
            ],
            "warps": [["fp32 fma", 1, 4, [2 * rates.ROUNDS * 4.0] * 3]],
            "dead_code": [
                {"kernel": "forgotten", "applications_of_a_thread": 4096, "cycles_of_a_full_sm": [100.0] * 3}
            ],
        }
    )


def test_latency_and_rates_come_from_cycles(recording):
    row = rates.row_of(recording, "fp16x2 fma")
    assert (row["latency_cycles"], row["results_per_clock_per_sm"]) == (5.0, 240.0)
    assert row["tera_results_per_second"] == 4.0  # two results an application
    assert recording.results["warps"] == [["fp32 fma", 1, 4, 32.0]]
    assert recording.results["seeming_results_per_clock_per_sm"] == {"forgotten": round(1024 * 4096 / 100, 1)}


def test_a_rate_far_from_its_lanes_is_a_mismatch(recording):
    found = rates.compare([recording])
    assert found.mismatches == 1
    assert [row.subject for row in found.rows if row.missed] == ["exp2, results of an SM"]


def test_littles_law_is_right_where_a_chain_of_every_warp_is_under_way(recording):
    assert rates.little_errors(recording) == [0.0]


def test_dead_code_seems_faster_than_any_unit():
    for recording in recordings(experiment="instruction_rates"):
        fastest = max(row[2] for row in recording.results["operations"])
        assert min(recording.results["seeming_results_per_clock_per_sm"].values()) > 10 * fastest


def test_littles_law_holds_on_every_mix_of_warps_and_chains():
    for recording in recordings(experiment="instruction_rates"):
        off = rates.little_errors(recording)
        assert len(off) == len(rates.WARP_CASES)
        assert max(off) <= 0.15
        assert sorted(off)[len(off) // 2] <= 0.05
