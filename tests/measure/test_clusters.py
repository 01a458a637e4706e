"""The cluster experiments, run whole on a made-up card: samples, results, recording."""

import json
from collections import Counter
from types import SimpleNamespace

import numpy as np
import pytest

from hopperlab.device.silicon.card import Card
from hopperlab.measure import session as sessions
from hopperlab.measure.audit import AUDITED
from hopperlab.measure.clusters import gpc_map, occupancy, placement
from hopperlab.measure.experiment import experiments
from hopperlab.measure.progress import Progress
from hopperlab.models.clusters.occupancy import POLICIES, max_active_clusters

GROUPS = [list(range(0, 18)), list(range(18, 34)), list(range(34, 42)), [42, 43]]
SIZES = [len(group) for group in GROUPS]
CARD = Card("Made-up H100", (9, 0), sum(SIZES), 50 * 2**20, 80 * 2**30)


def made_up_place(clusters, size, threads, shared_bytes, stay, policy="default"):
    """Place clusters as a card does: each in one GPC, at random, as many at once as there is room for."""
    random = np.random.default_rng(size)
    blocks = min(32, 2048 // threads, 228 * 1024 // (shared_bytes + 1024))
    at_once = [
        group
        for group in GROUPS
        for _ in range(
            max_active_clusters([len(group)], size, blocks, policy) if size > 1 else len(group) * blocks
        )
    ]
    sms, starts = [], []
    for number in range(clusters):
        wave, slot = divmod(number, len(at_once))
        sms += np.resize(random.permutation(at_once[slot]), size).tolist()
        starts += [1000 * wave] * size
    starts = np.array(starts, dtype=np.uint64)
    return np.array(sms, dtype=np.uint32), starts, starts + np.uint64(1000)


@pytest.fixture
def made_up_card(monkeypatch):
    monkeypatch.setattr(gpc_map, "place", made_up_place)
    monkeypatch.setattr(placement, "place", made_up_place)


def test_the_map_unites_what_clusters_joined_and_says_what_stays_open(made_up_card):
    found = gpc_map.results(gpc_map.run(CARD, Progress()))
    assert found["groups"] == GROUPS
    assert found["sizes"] == SIZES
    assert "small enough for one GPC" in found["open"][0]
    assert {s["most_blocks_on_an_sm"] for s in found["sharing"]} == {1}


def test_two_blocks_of_one_cluster_on_an_sm_are_counted():
    clusters = [[5, [0, 1]], [2, [0, 0]], [1, [1, 1, 1]]]
    assert gpc_map._sharing(clusters) == {"clusters": 8, "sharing_an_sm": 3, "most_blocks_on_an_sm": 3}


def test_a_size_that_fits_no_gpc_is_no_cluster_seen(monkeypatch):
    monkeypatch.setattr(gpc_map, "place", lambda *_: None)
    monkeypatch.setattr(placement, "place", lambda *_: None)
    assert gpc_map._clusters_seen(CARD, "full", 16) == []
    assert placement._at_once(CARD, "default", 1, 16) == 0


def test_what_ran_at_once_is_counted_at_the_busiest_instant(made_up_card):
    found = placement.results(placement.run(CARD, Progress()))
    alone = [row[3] for row in found["at_once"] if row[:2] == ["default", 1]]
    assert alone == [max_active_clusters(SIZES, n, 1) for n in range(1, 17)]
    assert found["repeats_differ"] == []


@pytest.mark.parametrize(
    ("starts", "ends", "most"),
    [([0, 1, 5], [5, 6, 9], 2), ([0, 0], [1, 1], 2), ([0, 1], [1, 2], 1), ([], [], 0)],
)
def test_a_span_that_ends_as_another_begins_does_not_overlap_it(starts, ends, most):
    assert placement.most_at_once(starts, ends) == most


def test_the_sweep_is_as_wide_as_promised():
    asked = set(map(tuple, occupancy.configurations()))
    assert len(asked) >= 1000
    shapes = {c[1:4] for c in asked}
    assert {x * y * z for x, y, z in shapes} == set(range(1, 17))
    assert len(shapes) == 110  # every ordered x, y, z whose product is at most 16
    assert {c[6] for c in asked} == {0, 1, 2}


def made_up_answers():
    """Answer as a card would that follows the rule, by threads and shared memory alone."""
    rows = []
    for case in dict.fromkeys(map(tuple, occupancy.configurations())):
        _, x, y, z, threads, shared_bytes, policy = case
        blocks = min(32, 2048 // threads, 228 * 1024 // (shared_bytes + 1024))
        clusters = max_active_clusters(SIZES, x * y * z, blocks, POLICIES[policy]) if blocks else None
        rows.append([*case, blocks, clusters])
    return {"registers": [24, 40, 72, 128, 250], "rows": rows}


def test_answers_are_gathered_by_policy_size_and_blocks():
    found = occupancy.results(made_up_answers())
    assert found["more_than_one_answer"] == []
    assert found["pairs"] >= 90
    assert found["configurations"] == sum(row[-1] is not None for row in made_up_answers()["rows"])


def test_a_refusal_of_the_driver_is_kept_by_name(monkeypatch):
    from hopperlab.device.silicon import occupancy as driver

    def refuse(*_):
        raise RuntimeError("CUDA_ERROR_INVALID_VALUE: invalid argument")

    monkeypatch.setattr(driver, "max_active_blocks_per_sm", lambda *_: 3)
    monkeypatch.setattr(driver, "max_active_clusters", refuse)
    answer = occupancy._ask(None, 2, 2, 1, 128, 0, 1)
    assert answer == [3, "CUDA_ERROR_INVALID_VALUE"]
    found = occupancy.results({"rows": [[0, 2, 2, 1, 128, 0, 1, *answer]]})
    assert found["refusals"] == [[1, 4, 3, "CUDA_ERROR_INVALID_VALUE", 1]]
    assert found["configurations"] == 0


def test_an_answer_that_depends_on_more_is_shown():
    samples = made_up_answers()
    odd = samples["rows"][100]
    odd[-1] += 1
    size, blocks = odd[1] * odd[2] * odd[3], odd[7]
    assert occupancy.results(samples)["more_than_one_answer"] == [[0, size, blocks]]


def test_a_recording_has_all_its_provenance_and_the_map_of_the_same_session(
    made_up_card, monkeypatch, tmp_path
):
    monkeypatch.setattr(sessions, "card", lambda: CARD)
    monkeypatch.setattr(sessions.Session, "_uuid", "uuid")
    monkeypatch.setattr(sessions, "_cuda", lambda: "13.0")
    session = sessions.Session(tmp_path)
    path = session.measure(experiments()["cluster_placement"])
    assert path == tmp_path / "made-up-h100" / "cluster_placement.json"
    recording = json.loads(path.read_text())
    assert recording["schema"] == 1
    assert recording["gpc_map"] == GROUPS
    assert recording["card"]["sms"] == CARD.sms
    assert set(recording["clocks"]) == {"before", "after"}
    assert recording["results"] == placement.results(recording["samples"])
    assert Counter(p.suffix for p in path.parent.iterdir()) == {".json": 1}


@pytest.mark.parametrize("experiment", experiments().values(), ids=lambda e: e.name)
def test_an_experiment_says_what_it_asks(experiment):
    assert experiment.question.endswith("?")
    assert experiment.theme in AUDITED
    json.dumps(dict(experiment.parameters))


def recorded(experiment, samples):
    """A recording of the made-up card, as it is after a journey through JSON."""
    samples = json.loads(json.dumps(samples))
    return SimpleNamespace(
        card=CARD, card_name=CARD.name, gpc_map=GROUPS, samples=samples, results=experiment.results(samples)
    )


def test_the_model_is_held_against_every_answer_of_the_driver():
    experiment = experiments()["cluster_occupancy"]
    found = experiment.compare([recorded(experiment, made_up_answers())])
    assert found.compared >= 1000
    assert found.mismatches == 0
    samples = made_up_answers()
    samples["rows"][100][-1] += 1
    assert experiment.compare([recorded(experiment, samples)]).mismatches == 1


def test_the_model_is_held_against_what_ran(made_up_card):
    experiment = experiments()["cluster_placement"]
    found = experiment.compare([recorded(experiment, placement.run(CARD, Progress()))])
    assert (found.compared, found.mismatches) == (2 * 7 * 16, 0)


def test_the_map_is_set_beside_what_is_said_of_clusters(made_up_card):
    experiment = experiments()["gpc_map"]
    found = experiment.compare([recorded(experiment, gpc_map.run(CARD, Progress()))])
    assert {row.claim: row.measured for row in found.rows} == {"chip-006": 18, "talk-028": 1}
    assert found.mismatches == 0
    assert found.notes
