"""The roof as a card has it: results from samples, and what is judged."""

import pytest

from hopperlab.ledger import recordings
from hopperlab.measure.roofline import EXPERIMENTS, VALUES, copied_roof, results

(SWEEP,) = EXPERIMENTS


def test_flop_a_second_count_two_for_each_round_and_value():
    found = results({"4": [2.0, 1.0, 3.0]})
    assert found["programs"] == [[4, 1.0, 2 * 4 * VALUES / 2.0]]


def test_the_recording_is_judged_on_the_slope_alone():
    recorded = recordings("roofline_sweep")
    found = SWEEP.compare(recorded)
    judged = [row for row in found.rows if row.tolerance is not None]
    assert found.compared == len(judged) == 3
    assert found.mismatches == 0
    assert all("driver's copy" in row.remark for row in judged)


def test_the_bandwidth_is_the_driver_copys():
    (recording,) = recordings("roofline_sweep")
    (copy,) = recordings("tma_copy")
    assert copied_roof(recording).bytes_per_s == pytest.approx(
        copy.results["bytes_per_second"]["cuMemcpyDtoDAsync"]
    )
    assert SWEEP.results(recording.samples) == recording.results
