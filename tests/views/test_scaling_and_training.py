"""The amax timeline and the training figures: the same in words and in the picture."""

import numpy as np
import pytest

from hopperlab.measure.training import shipped_runs
from hopperlab.models.scaling import DelayedScaling
from hopperlab.models.scaling.timeline import timeline
from hopperlab.views import scaling as scaling_views
from hopperlab.views import training as views


def test_the_timeline_draws_every_step_and_says_the_worst():
    events = {10: "spike"}
    moments = timeline(DelayedScaling(history_length=4), 24, events)
    picture = scaling_views.timeline(moments, 4, events)
    assert picture.svg.count("a4 4 0 1 0 8 0") == 24
    assert f"{100 * moments[10].clipped:.3g} %" in picture.svg
    assert picture.title.startswith("Step 10 is clipped: ")
    assert len(picture.text.splitlines()) == 2 + 24
    assert "spike" in picture.text


def test_an_infinite_amax_has_no_marker_and_a_line_in_words():
    events = {10: "infinity"}
    picture = scaling_views.timeline(timeline(DelayedScaling(history_length=4), 24, events), 4, events)
    assert picture.svg.count("a4 4 0 1 0 8 0") == 23
    assert "inf" in picture.text


def test_the_curves_show_mean_spread_and_the_live_run():
    runs = [shipped_runs()["FP32"], shipped_runs()["FP8 delayed, HYBRID"]]
    picture = views.curves(runs, ("mine", (100, 200), (2.5, 2.25)))
    assert [trace.name for trace in picture.figure.data] == ["FP32", "FP8 delayed, HYBRID", "this run: mine"]
    final = list(runs[0].final.values())
    assert picture.figure.data[0].y[-1] == pytest.approx(np.mean(final), abs=1e-4)
    assert picture.figure.data[0].error_y.array[-1] == pytest.approx(np.std(final, ddof=1), abs=1e-4)
    assert "16 seeds" in picture.text


def test_the_gaps_name_what_stands_apart_and_what_is_off_the_figure():
    picture = views.gaps(shipped_runs())
    runs = shipped_runs()
    apart = [
        n for n in runs if n != "FP32" and runs[n].gap(runs["FP32"])[0] > 2 * runs[n].gap(runs["FP32"])[1]
    ]
    named = picture.title.split(": ")[1]
    assert all(name in named for name in apart if "unscaled, all" not in name)
    assert "Off the figure: FP8 unscaled, all E4M3." in picture.text


def test_the_ranges_say_what_is_lost_unscaled():
    tensors = {"small": np.array([1e-4, -2e-4, 0.0]), "fits": np.array([1.0, 2.0])}
    picture = views.tensor_ranges(tensors)
    assert picture.title == "Unscaled, E4M3 flushes 100 % of small"
    assert " 0.0 " in picture.text
    assert "small: 0.000101 to 0.000199, amax 0.0002" in picture.svg
    assert picture.svg.count('class="tensor"') == 2


def test_what_was_undone_wrongly_leaves_the_line():
    picture = scaling_views.undone([0.2, -0.1], {"own": [0.2, -0.1], "stale": [0.8, -0.4]}, "Two casts")
    assert picture.svg.count("f-none s-modelled") == 6  # three lines, and a sample of each
    assert "own" in picture.svg
    assert "0.8" in picture.text


def test_what_cannot_be_told_apart_is_refused():
    runs = [shipped_runs()["FP32"]] * 7
    with pytest.raises(ValueError, match="7 recipes"):
        views.curves(runs)
    with pytest.raises(ValueError, match="moments is empty"):
        scaling_views.timeline((), 4, {})
    with pytest.raises(ValueError, match="0 series"):
        scaling_views.undone([1.0], {}, "none")
