"""The runs that ship: complete, and the same when they are made anew."""

import pytest

from hopperlab.measure.training import provenance, shipped_runs, text
from hopperlab.models.training import BATCH, RECIPES, STEPS, train


def test_every_recipe_has_every_seed():
    runs = shipped_runs()
    assert list(runs) == list(RECIPES)
    seeds = set(range(16))
    for run in runs.values():
        assert set(run.losses) == seeds
        assert {len(losses) for losses in run.losses.values()} == {len(run.checkpoints)}


def test_the_file_says_how_it_was_made():
    kept = provenance()
    assert (kept["steps"], kept["batch"], kept["text"]) == (STEPS, BATCH, "python_topics.txt")
    assert set(kept["software"]) == {"python", "hopperlab", "numpy", "numba", "ml_dtypes"}
    assert kept["what"].startswith("modelled")


def test_the_text_has_64_characters_and_its_license():
    from hopperlab.measure.training import folder

    assert len(text().characters) == 64
    assert "PYTHON SOFTWARE FOUNDATION LICENSE" in (folder() / "LICENSE-python_topics.txt").read_text()


def test_a_shipped_run_is_what_a_run_made_now_gives():
    shipped = shipped_runs()["FP8 current, HYBRID"]
    made = train(text(), RECIPES["FP8 current, HYBRID"], seed=5, steps=STEPS)
    assert made.checkpoints == shipped.checkpoints
    assert made.losses == pytest.approx(shipped.losses[5], abs=2e-3)


def test_a_gap_is_the_mean_over_paired_seeds():
    runs = shipped_runs()
    mean, error = runs["FP8 delayed, HYBRID"].gap(runs["FP32"])
    by_hand = [runs["FP8 delayed, HYBRID"].final[s] - runs["FP32"].final[s] for s in range(16)]
    assert mean == pytest.approx(sum(by_hand) / 16)
    assert 0 < error < 0.01
