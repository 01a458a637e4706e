"""The experiments about atomics without a card: what follows from samples."""

import json

import numpy as np
import pytest

from hopperlab.ledger import recordings
from hopperlab.measure.atomics import additions, hand_off
from hopperlab.measure.atomics.against_model import additions as judged_additions
from hopperlab.measure.atomics.against_model import hand_offs

SAMPLES = {
    "clock_mhz": [2000.0, 2000.0, 2000.0],
    "alone": [["shared", 1000, [40_000] * 3]],
    "in_a_block": [["two warps", 64, [128 * 100] * 3]],
    "in_a_cluster": [["a third block", 64, [128 * 200] * 3, [0, 1, 2, 3]]],
    "pairs": [[128 * 300, 128 * 310], [128 * 320]],
    "rounds_of_a_pair": 64,
}


def test_a_hand_off_is_half_a_round():
    found = hand_off.results(json.loads(json.dumps(SAMPLES)))
    assert found["hand_off_cycles"] == {
        "shared, two warps": 100.0,
        "cluster, the word with a third block": 200.0,
        "global": 310.0,
    }
    assert found["hand_off_ns"]["global"] == 155.0
    assert found["alone_cycles"] == {"shared": 40.0}
    assert found["pairs"]["count"] == 3


def test_every_pair_of_sms_has_its_place():
    matrix = hand_off.pair_matrix(SAMPLES)
    assert np.isnan(matrix.diagonal()).all()
    assert (matrix[0, 2], matrix[2, 0], matrix[1, 2]) == (310, 310, 320)


def test_the_shipped_word_lies_on_one_side_of_the_chip_and_hand_offs_tell_which():
    (pairs,) = (r for r in recordings(experiment="hand_off") if r.card.slug == "nvidia-h200")
    (distances,) = (r for r in recordings(experiment="l2_map") if r.card.slug == "nvidia-h200")
    cycles = hand_off.by_sides(hand_off.pair_matrix(pairs.samples), distances.results["sides"])
    assert set(cycles) == {(0, 0), (0, 1), (1, 1)}
    assert min(cycles[0, 0], cycles[1, 1]) < 0.75 * cycles[0, 1]


def test_hand_offs_alone_tell_the_same_sides_as_the_map_of_the_l2():
    """So a map recorded at another time holds for them: an SM is near if some of its pairs are quick."""
    (pairs,) = recordings(experiment="hand_off", card="H200 SXM")
    (distances,) = recordings(experiment="l2_map", card="H200 SXM")
    quick = np.nanpercentile(hand_off.pair_matrix(pairs.samples), 25, axis=1)
    near = np.flatnonzero(quick < (quick.min() + quick.max()) / 2).tolist()
    assert near in distances.results["sides"]


def test_additions_are_counted_in_a_clock():
    samples = {
        "global": [["one word", 2, 1000, [500, 400, 600]]],
        "shared": [["one word", 1000, [100] * 3]],
        "swaps": [[4, 100, [5000] * 3]],
    }
    found = additions.results(samples)
    assert found["global"] == [["one word", 2, 2.0]]
    assert found["shared_additions_per_clock"] == {"one word": 10.0}
    assert found["cycles_per_swap"] == [[4, 50.0]]


def test_handing_over_costs_the_more_the_farther_apart_the_players_are():
    """The shipped recordings: within a block, within a cluster, across the chip."""
    for recording in recordings(experiment="hand_off"):
        cycles = recording.results["hand_off_cycles"]
        of_clusters = [c for place, c in cycles.items() if place.startswith("cluster")]
        assert cycles["shared, two warps"] < min(of_clusters) <= max(of_clusters) < cycles["global"]
        sms = recording.card.sms
        assert recording.results["pairs"]["count"] == sms * (sms - 1) // 2


def test_the_model_is_judged_on_pairs_that_it_was_not_fitted_to():
    rows = {row.subject: row for row in hand_offs(*recordings(experiment="hand_off"))}
    assert len(rows) == 7
    assert [subject for subject, row in rows.items() if row.no_test] == [
        "hand-off, both near to the word",
        "hand-off, cluster, the word with the first player",
    ]
    judged = [row for row in rows.values() if row.tolerance is not None]
    assert len(judged) == 5
    assert not any(row.missed for row in judged)


def test_additions_are_judged_where_they_were_not_fitted():
    rows = list(judged_additions(*recordings(experiment="atomic_additions")))
    assert len(rows) == 4
    assert not any(", 1 SMs" in row.subject or ", 132 SMs" in row.subject for row in rows)
    judged = [row for row in rows if row.tolerance is not None]
    assert len(judged) == 3
    assert not any(row.missed for row in judged)
    (other,) = (row for row in rows if row.tolerance is None)
    assert other.subject.startswith("additions, a word for each lane, one line")
    assert abs(other.error) == pytest.approx(0.25, abs=0.01)
