"""Lesson 14: what it answers is what the models give, and the game can be won."""

import time

import pytest

from hopperlab.course.sharp_tenancy import LESSON
from hopperlab.course.sharp_tenancy.specimens import SPECIMENS
from hopperlab.lessons import sharp_tenancy as lesson
from hopperlab.models.sharp_tenancy import GAME_JOBS, Cluster, best_packing, steps_per_hour

PANELS = sorted(LESSON.panels)


def test_the_predictions_answer_what_link_radix_and_reduction_give():
    assert LESSON.predictions["granted"].right_answer() == {"v2": 3, "v3": 6}
    assert list(LESSON.predictions["factors"].right_answer().values()) == [2, 2, 4]
    assert LESSON.predictions["spines"].right_answer() == 16


@pytest.mark.parametrize("name", PANELS)
def test_every_position_of_every_control_draws(name):
    panel = lesson.panel(name)
    for control in panel.controls.values():
        first = control.value
        options = getattr(control, "options", None)
        values = [value for _, value in options] if options else [control.min, control.max]
        for value in values:
            control.value = value
            assert panel.error is None
            assert len(panel.picture.text.split()) > 10
        control.value = first


@pytest.mark.parametrize("name", PANELS)
def test_a_panel_draws_fast_enough_to_be_dragged_or_at_once_when_let_go(name):
    panel = lesson.panel(name)
    spent = []
    for _ in range(5):
        began = time.process_time()
        panel.draw(**panel.values)
        spent.append(time.process_time() - began)
    assert min(spent) < 0.2


def test_the_game_begins_badly_and_can_be_won():
    panel = lesson.panel("game")
    assert "91.8 % of the best" in panel.picture.text
    homes, _ = best_packing(Cluster(), GAME_JOBS, "v2", steps_per_hour)
    for job, home in zip(GAME_JOBS, homes, strict=True):
        panel.controls[job.name.lower()].value = home
    assert "100.0 % of the best" in panel.picture.text


def test_under_v3_nobody_falls_back_wherever_they_stand():
    panel = lesson.panel("game")
    panel.controls["rule"].value = "v3"
    assert "6 of 6 jobs get a tree" in panel.picture.title


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("The second job on a leaf", "leaf 0 serves A; falls back to a ring"),
        ("A job bigger than what is left", "G wants 6 hosts; 2 ports are left"),
        ("Twelve spines for 24 leaves", "spines=12 must divide the 32 uplinks"),
    ],
)
def test_every_specimen_is_found_out(name, words):
    assert words in SPECIMENS[name]().text
    assert len(SPECIMENS) == 3


def test_the_figure_shows_the_one_factor_that_the_link_does_not_give():
    rows = {trace.name: list(trace.x) for trace in lesson.silicon().figure.data}
    assert [
        quoted == modelled for quoted, modelled in zip(rows["quoted"], rows["modelled"], strict=True)
    ] == [
        True,
        False,
        True,
        True,
    ]
